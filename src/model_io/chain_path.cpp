#include "model_io/chain_path.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace carom::inline model_io {

namespace {

Eigen::Vector3d polar(double angle) {
  return {std::cos(angle), std::sin(angle), 0};
}

// rad, of the straight way from one circle to the next: it touches both.
double heading(const std::vector<Eigen::Vector3d>& points, const std::vector<double>& radii, std::size_t k) {
  const Eigen::Vector3d between = points[k + 1] - points[k];
  const double distance = between.norm(), across = radii[k] - radii[k + 1];
  if (!(std::abs(across) < distance)) {
    throw std::invalid_argument(
        fmt::format("circles about points {} and {} that no straight way touches; move them "
                    "apart, or make `radii` smaller",
                    k + 1, k + 2));
  }
  return std::atan2(between.y(), between.x()) + std::asin(across / distance);
}

}  // namespace

ChainPath::ChainPath(const std::vector<Eigen::Vector3d>& points, const std::vector<double>& radii) {
  const std::size_t n = points.size();
  if (n < 2) throw std::invalid_argument(fmt::format("{} points; give two or more", n));
  for (std::size_t k = 0; k + 1 < n; ++k) {
    if (!((points[k + 1] - points[k]).norm() > 0))
      throw std::invalid_argument(fmt::format("points {} and {} at one place; leave one out", k + 1, k + 2));
  }
  if (radii.empty()) {
    for (std::size_t k = 0; k + 1 < n; ++k) add_line(points[k], points[k + 1]);
    return;
  }
  if (radii.size() != n)
    throw std::invalid_argument(fmt::format("{} radii for {} points; give one a point, 0 for none", radii.size(), n));
  if (radii.front() != 0 || radii.back() != 0)
    throw std::invalid_argument("a circle at an end of the way; its radius must be 0, so that it begins at the point");
  // The circle lies on the left: the way is on its right side, seen along it.
  const auto touch = [&](std::size_t k, double angle) -> Eigen::Vector3d {
    return points[k] + radii[k] * polar(angle - M_PI / 2);
  };
  double before = 0;
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const double angle = heading(points, radii, k);
    if (radii[k] != 0) {
      const double sign = radii[k] > 0 ? 1 : -1;
      double turn = std::fmod(sign * (angle - before), 2 * M_PI);
      if (turn < 0) turn += 2 * M_PI;
      // From rounding: straight on.
      if (turn > 2 * M_PI - 1e-9) turn = 0;
      add_arc(points[k], radii[k], before - M_PI / 2, turn);
    }
    add_line(touch(k, angle), touch(k + 1, angle));
    before = angle;
  }
}

void ChainPath::add_line(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  const double length = (to - from).norm();
  if (length == 0) return;
  pieces_.push_back({.begin = length_, .length = length, .start = from, .along = (to - from) / length});
  length_ += length;
}

void ChainPath::add_arc(const Eigen::Vector3d& centre, double radius, double from, double turn) {
  if (turn == 0) return;
  const double length = std::abs(radius) * turn;
  pieces_.push_back({.begin = length_, .length = length, .start = centre, .radius = radius, .angle = from});
  length_ += length;
}

Eigen::Vector3d ChainPath::at(double s) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), s,
                                      [](double value, const Piece& piece) { return value < piece.begin; });
  const Piece& piece = after == pieces_.begin() ? *after : *std::prev(after);
  const double along = std::min(s - piece.begin, piece.length);
  if (piece.radius == 0) return piece.start + along * piece.along;
  return piece.start + piece.radius * polar(piece.angle + along / piece.radius);
}

std::vector<Eigen::Vector3d> ChainPath::joints(double pitch, std::size_t most) const {
  std::vector<Eigen::Vector3d> result = {at(0)};
  const double slack = 1e-9 * pitch;  // an end that lies on the end of the way but for rounding
  double here = 0;
  while (result.size() <= most) {
    // A chord is no longer than the way: the next joint lies no nearer than this.
    const auto apart = [&](double s) { return (at(std::min(s, length_)) - result.back()).norm(); };
    double low = here + pitch, high = low;
    while (high < length_ && apart(high) < pitch) low = high, high += 0.05 * pitch;
    if (low > length_ + slack || apart(high) < pitch - slack) break;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (low + high);
      (apart(middle) < pitch ? low : high) = middle;
    }
    here = high;
    result.push_back(at(std::min(here, length_)));
  }
  return result;
}

}  // namespace carom::inline model_io
