#include "contact_geometry/half_space.h"

#include <algorithm>
#include <cmath>

namespace carom::inline contact_geometry {
namespace {

constexpr double near_cells = 2, far_cells = 5;  // of the longest side: distances from which on series do
constexpr int most_pressure_rounds = 400;
constexpr double settled = 1e-11;  // of the deepest depth

// ∫∫ dx dy / r from the origin to (x, y).
double love(double x, double y) {
  const double a = std::abs(x), b = std::abs(y);
  if (!(a > 0) || !(b > 0)) return 0;
  return std::copysign(a * std::asinh(b / a) + b * std::asinh(a / b), x * y);
}

// Mean of 1/r over a rectangle of half sides a, b, at (x, y) from its centre.
double mean_inverse(double x, double y, double a, double b) {
  return (love(x + a, y + b) - love(x - a, y + b) - love(x + a, y - b) + love(x - a, y - b)) / (4 * a * b);
}

double inverse_distance(const HalfSpaceCell& loaded, const Eigen::Vector3d& off) {
  const double square = off.squaredNorm(), a = loaded.half_u.norm(), b = loaded.half_v.norm(), side = std::max(a, b);
  const double r = std::sqrt(square);
  if (r > far_cells * side) return 1 / r;
  double x = off.dot(loaded.half_u) / a, y = off.dot(loaded.half_v) / b;
  if (r > 2 * near_cells * side)
    return 1 / r + (a * a * (3 * x * x - square) + b * b * (3 * y * y - square)) / (6 * square * square * r);
  // A curved surface: at its true distance, along the plane of the cell.
  const double flat = std::hypot(x, y), stretch = flat > 0 ? r / flat : 1;
  return mean_inverse(x * stretch, y * stretch, a, b);
}

// Of one size and direction: each is to the other as the other to it.
bool are_alike(const HalfSpaceCell& one, const HalfSpaceCell& two) {
  constexpr double same = 1e-6;  // of squares
  return (one.half_u - two.half_u).squaredNorm() < same * one.half_u.squaredNorm() &&
         (one.half_v - two.half_v).squaredNorm() < same * one.half_v.squaredNorm();
}

double conforming(const Conformity& conformity, const Eigen::Vector3d& off) {
  const double radius = conformity.radius;
  if (conformity.form == Conformity::Form::cylinder) {
    const double along = conformity.axis.dot(off), square = radius * radius + along * along;
    return -0.25 * radius * radius / (square * std::sqrt(square));
  }
  return conformity.form == Conformity::Form::sphere ? -0.19 / radius : 0;
}

}  // namespace

void HalfSpace::reserve(std::size_t cells) {
  if (cells <= cells_.capacity()) return;
  cells_.reserve(cells), matrix_.reserve(cells * cells), scale_.reserve(cells);
  for (Eigen::VectorXd* each : {&force_, &gradient_, &direction_, &change_, &depth_})
    each->resize(static_cast<Eigen::Index>(cells));
}

double HalfSpace::flexibility(int i, int j, const Conformity& conformity) const {
  const HalfSpaceCell &one = cells_[i], &two = cells_[j];
  const Eigen::Vector3d off = one.place - two.place;
  double inverse = 0;
  if (i == j) {
    inverse = mean_inverse(0, 0, one.half_u.norm(), one.half_v.norm());
  } else {
    inverse = inverse_distance(one, off);
    if (!are_alike(one, two)) inverse = 0.5 * (inverse + inverse_distance(two, off));
  }
  return (one.normal.dot(two.normal) * inverse + conforming(conformity, off)) / M_PI;
}

void HalfSpace::fill(const Conformity& conformity) {
  const int count = size();
  matrix_.resize(static_cast<std::size_t>(count) * count), scale_.resize(count);
  for (int i = 0; i < count; ++i) scale_[i] = 1 / std::sqrt(flexibility(i, i, conformity));
  for (int j = 0; j < count; ++j) {
    double* const column = matrix_.data() + static_cast<std::size_t>(j) * count;
    column[j] = 1;
    for (int i = 0; i < j; ++i) {
      const double value = scale_[i] * scale_[j] * flexibility(i, j, conformity);
      column[i] = matrix_[static_cast<std::size_t>(i) * count + j] = value;
    }
  }
}

void HalfSpace::solve(const Conformity& conformity) {
  if (cells_.empty()) return;
  fill(conformity);
  iterate();
  for (int i = 0; i < size(); ++i) cells_[i].force = scale_[i] * force_[i];
}

// Conjugate gradients over the cells that press, which begin anew where others join (Polonsky and Keer 1999).
void HalfSpace::iterate() {
  const int count = size();
  const Eigen::Map<const Eigen::MatrixXd> matrix(matrix_.data(), count, count);
  auto force = force_.head(count), gradient = gradient_.head(count), direction = direction_.head(count),
       change = change_.head(count), depth = depth_.head(count);
  for (int i = 0; i < count; ++i) depth[i] = scale_[i] * cells_[i].depth;
  const double deepest = depth.maxCoeff();
  force = 0.1 * depth.cwiseMax(0);
  gradient.noalias() = matrix * force;
  gradient -= depth;
  double before = 0;
  for (int round = 0; round < most_pressure_rounds; ++round) {
    double square = 0, worst = 0;
    for (int i = 0; i < count; ++i) {
      if (!(force[i] > 0) && gradient[i] >= 0) continue;
      worst = std::max(worst, std::abs(gradient[i]));
      if (force[i] > 0) square += gradient[i] * gradient[i];
    }
    if (worst <= settled * deepest) return;
    const double share = before > 0 ? square / before : 0;
    for (int i = 0; i < count; ++i)
      direction[i] = force[i] > 0 ? gradient[i] + (share > 0 ? share * direction[i] : 0) : 0;
    change.noalias() = matrix * direction;
    const double curvature = direction.dot(change), step = curvature > 0 ? gradient.dot(direction) / curvature : 1;
    const bool same = move(step);
    before = same ? square : 0;
    if (same) {
      gradient -= step * change;
    } else {
      gradient.noalias() = matrix * force;
      gradient -= depth;
    }
  }
}

// Along the direction, as far as forces press, and cells that are still too deep begin to; whether none of either.
bool HalfSpace::move(double step) {
  bool same = true;
  for (int i = 0; i < size(); ++i) {
    if (force_[i] > 0) {
      force_[i] -= step * direction_[i];
      if (force_[i] <= 0) force_[i] = 0, same = false;
    } else if (gradient_[i] < 0) {
      force_[i] = -step * gradient_[i], same = false;
    }
  }
  return same;
}

}  // namespace carom::inline contact_geometry
