#include "contact_geometry/pressure_field.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom::inline contact_geometry {
namespace {

// For a paraboloid S is what is deeper than the share c of the depth, 5 c² + 5 c = 4, and U must be 8/15 √R δ^(5/2).
const double rim_of_sphere = (std::sqrt(105.0) - 5) / 10;

double hertz_factor() {
  const double c = rim_of_sphere;
  const double volume = M_PI * (1 - c * c), square = 2 * M_PI / 3 * (1 - c * c * c);
  return 8.0 / 15 * volume / std::pow(square, 1.5);
}
const double energy_factor = hertz_factor();  // k = 0.506

// ∫ r p dA / F over the root of ∫ r² p dA / F, about the centre: 0.931 for Hertz' pressure, 0.943 for an even one.
constexpr double mean_over_root = 0.937;

}  // namespace

double FieldResult::radius() const {
  const double d = depth(), root = 0.75 * force / (d * std::sqrt(d));
  return root * root;
}

double PressureField::Moments::energy() const {
  return energy_factor * square * std::sqrt(square) / volume;
}

PressureField::Piece PressureField::sorted_piece(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                                                 const Eigen::Vector3d& c) {
  Piece piece{{a, b, c}, 0};
  auto& corner = piece.corner;
  const Eigen::Vector2d one = (b - a).head<2>(), two = (c - a).head<2>();
  piece.area = 0.5 * std::abs(one.x() * two.y() - one.y() * two.x());
  if (corner[0].z() < corner[1].z()) std::swap(corner[0], corner[1]);
  if (corner[1].z() < corner[2].z()) std::swap(corner[1], corner[2]);
  if (corner[0].z() < corner[1].z()) std::swap(corner[0], corner[1]);
  return piece;
}

void PressureField::add(std::span<const Eigen::Vector3d> polygon) {
  for (std::size_t k = 2; k < polygon.size(); ++k) {
    const Piece piece = sorted_piece(polygon[0], polygon[k - 1], polygon[k]);
    if (!(piece.corner[0].z() > 0) || !(piece.area > 0)) continue;
    deepest_ = std::max(deepest_, piece.corner[0].z());
    triangles_.push_back(piece);
  }
}

PressureField::Share PressureField::share_of(std::span<const Eigen::Vector3d> polygon, const FieldResult& result) {
  Share share;
  for (std::size_t k = 2; k < polygon.size(); ++k) {
    visit_above(polygon[0], polygon[k - 1], polygon[k], result.level,
                [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, double area) {
                  share.area += area;
                  share.moment += area / 3 * (a + b + c);
                });
  }
  if (!(share.area > 0)) return {};
  share.moment /= share.area;
  share.force = share.area * (result.slope * share.moment.z() + result.offset);
  share.moment *= share.force;
  return share;
}

template <typename Visit>
void PressureField::visit_above(double level, const Visit& visit) const {
  for (const Piece& piece : triangles_)
    cut_above(piece.corner[0], piece.corner[1], piece.corner[2], piece.area, level, visit);
}

PressureField::Moments PressureField::moments(double level) const {
  Moments sum;
  visit_above(level, [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, double area) {
    const double x = a.z(), y = b.z(), z = c.z(), total = x + y + z;
    sum.area += area;
    sum.volume += area * total / 3;
    sum.square += area * (total * total - x * y - y * z - z * x) / 6;
  });
  return sum;
}

double PressureField::next_level(double level) const {
  const Moments part = moments(level);
  return 2 * part.square / (3 * part.volume);
}

// The level that is its own next one, with steps by Aitken. The map rises and never leaves [0, ⅔ of the depth].
double PressureField::find_level(double level) const {
  const double highest = 2 * deepest_ / 3, same = 1e-15 * deepest_;
  for (int round = 0; round < 40; ++round) {
    const double first = next_level(level);
    if (std::abs(first - level) <= same) return first;
    const double second = next_level(first), bend = second - 2 * first + level;
    if (std::abs(second - first) <= same) return second;
    const double better = level - (first - level) * (first - level) / bend;
    level = better >= 0 && better <= highest ? better : second;
  }
  return level;
}

FieldResult PressureField::solve(bool stepped) const {
  const double levels[] = {0, 2 * deepest_ / 3};
  return solve({levels, stepped ? 2U : 1U});
}

FieldResult PressureField::solve(std::span<const double> levels) const {
  FieldResult result;
  Moments best;
  bool first = true;
  for (const double from : levels) {
    const double level = find_level(std::min(from, 2 * deepest_ / 3));
    const Moments part = moments(level);
    if (first || part.energy() > best.energy()) result.level = level, best = part;
    first = false;
  }
  sum_up(best, result);
  return result;
}

void PressureField::sum_up(const Moments& part, FieldResult& result) const {
  result.energy = part.energy();
  result.area = part.area;
  result.slope = 3 * result.energy / part.square, result.offset = -result.energy / part.volume;
  const double slope = result.slope, offset = result.offset;
  result.force = slope * part.volume + offset * part.area;
  result.peak = (slope * deepest_ + offset) * part.area / result.force;
  Resultant sum(triangles_.front().corner[0].head<2>());
  visit_above(result.level, [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                                double area) { sum.add(a, b, c, area, slope, offset); });
  sum.write(result, result.force);
}

void PressureField::Resultant::add(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                                   double area, double slope, double offset) {
  const auto add_place = [&](const Eigen::Vector3d& at, double weight) {
    add(at.head<2>(), weight * area * (slope * at.z() + offset));
  };
  add_place((a + b + c) / 3, -27.0 / 48);
  add_place(0.6 * a + 0.2 * (b + c), 25.0 / 48);
  add_place(0.6 * b + 0.2 * (c + a), 25.0 / 48);
  add_place(0.6 * c + 0.2 * (a + b), 25.0 / 48);
}

void PressureField::Resultant::add(const Eigen::Vector2d& at, double force) {
  const Eigen::Vector2d place = at - origin_;
  force_ += force;
  first_ += force * place;
  second_ += force * place.squaredNorm();
}

void PressureField::Resultant::write(FieldResult& result, double force) const {
  const Eigen::Vector2d centre = first_ / force;
  result.force = force;
  result.centre = origin_ + centre;
  result.lever = mean_over_root * std::sqrt(std::max(0.0, second_ / force - centre.squaredNorm()));
}

}  // namespace carom::inline contact_geometry
