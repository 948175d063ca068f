#include "contact_geometry/body_path.h"

#include <algorithm>
#include <cmath>

namespace carom::inline contact_geometry {

void StraightMotion::controls(int first, int count, double* out) const {
  std::copy_n(from_ + first, count, out);
  std::copy_n(to_ + first, count, out + count);
}

template <int D>
void BodyPath<D>::start(const StepMotion& motion, std::size_t bodies) {
  motion_ = &motion;
  ends_ = motion.ends();
  degree_ = motion.degree();
  ++step_;
  weighed_ = -1;
  if (bodies_.size() == bodies) return;
  bodies_.resize(bodies);
  for (auto& point : bodies_[0].position) point.setZero();
  for (auto& turn : bodies_[0].rotation) turn = Turn::Unit(0) * (D == 2 ? 0 : 1);
}

template <int D>
typename BodyPath<D>::Body& BodyPath<D>::known(int index) {
  Body& body = bodies_[index];
  if (body.known == step_ || index == 0) return body;
  body.known = step_;
  constexpr int size = Space<D>::coordinates;
  motion_->controls((index - 1) * size, size, controls_.data());
  for (int k = 0; k <= degree_; ++k) {
    body.position[k] = Eigen::Map<const Vector>(controls_.data() + k * size);
    body.rotation[k] = Eigen::Map<const Turn>(controls_.data() + k * size + D);
  }
  return body;
}

// Values of the Bernstein polynomials, by their recurrence: all parts are positive and nothing cancels.
template <int D>
void BodyPath<D>::weigh(double theta) {
  if (theta == weighed_) return;
  weighed_ = theta;
  weights_[0] = 1;
  for (int n = 1; n <= degree_; ++n) {
    weights_[n] = theta * weights_[n - 1];
    for (int k = n - 1; k > 0; --k) weights_[k] = (1 - theta) * weights_[k] + theta * weights_[k - 1];
    weights_[0] *= 1 - theta;
  }
}

template <int D>
void BodyPath<D>::place(int index, double theta, BodyState<D>& state) {
  if (index == 0) return;
  const Body& body = known(index);
  weigh(theta);
  Vector position = weights_[0] * body.position[0];
  Turn turn = weights_[0] * body.rotation[0];
  for (int k = 1; k <= degree_; ++k) {
    position += weights_[k] * body.position[k];
    turn += weights_[k] * body.rotation[k];
  }
  state.position = position;
  if constexpr (D == 2) {
    state.angle = turn[0];
    state.orientation = Rotation<2>(turn[0]);
  } else {
    state.orientation = Rotation<3>(rotation_matrix(turn.data()));
  }
}

// A polynomial stays in the convex hull of its control points.
template <int D>
double BodyPath<D>::travel(int index) {
  if (index == 0) return 0;
  Body& body = bodies_[index];
  if (body.travelled == step_) return body.travel;
  body.travelled = step_;
  // Asked of all bodies, in most steps of nothing else: turns are left alone.
  const int first = (index - 1) * Space<D>::coordinates;
  if (ends_.from)
    return body.travel =
               (Eigen::Map<const Vector>(ends_.to + first) - Eigen::Map<const Vector>(ends_.from + first)).norm();
  motion_->controls(first, D, controls_.data());
  const Vector start = Eigen::Map<const Vector>(controls_.data());
  double square = 0;
  for (int k = 1; k <= degree_; ++k) {
    const double here = (Eigen::Map<const Vector>(controls_.data() + k * D) - start).squaredNorm();
    if (!(here <= square)) square = here;
  }
  return body.travel = std::sqrt(square);
}

template <int D>
const TurnBounds& BodyPath<D>::turn(int index) {
  if (index == 0) return bodies_[0].turn;
  Body& body = known(index);
  if (body.bounded != step_) {
    body.bounded = step_;
    body.turn = bounds_of(body);
  }
  return body.turn;
}

// Derivatives are in the hulls of the differences of control points. In space, with the quaternion p before it is
// normalised, u = p / ‖p‖ and m ≤ ‖p‖: ‖u̇‖ ≤ ‖ṗ‖/m, ‖ü‖ ≤ 2 ‖p̈‖/m + 5 ‖ṗ‖²/m², ω = 2 ‖u̇‖, and a lever u s ū has an
// acceleration of at most (2 ‖ü‖ + 2 ‖u̇‖²) ‖s‖.
template <int D>
TurnBounds BodyPath<D>::bounds_of(const Body& body) const {
  double first = 0, second = 0;
  for (int k = 0; k < degree_; ++k) {
    first = std::max(first, (body.rotation[k + 1] - body.rotation[k]).norm());
    if (k > 0) second = std::max(second, (body.rotation[k + 1] - 2 * body.rotation[k] + body.rotation[k - 1]).norm());
  }
  first *= degree_, second *= degree_ * (degree_ - 1);
  if constexpr (D == 2) {
    return {first, second + first * first};
  } else {
    // ‖p‖ is at least the least of samples less what it can lose between two of them.
    const int samples = std::clamp(static_cast<int>(std::ceil(2 * first)), 1, 1000);
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= samples; ++k) {
      std::array<Turn, highest_degree + 1> hull = body.rotation;
      const double theta = static_cast<double>(k) / samples;
      for (int n = degree_; n > 0; --n) {
        for (int i = 0; i < n; ++i) hull[i] += theta * (hull[i + 1] - hull[i]);
      }
      least = std::min(least, hull[0].norm());
    }
    least -= first / (2 * samples);
    if (!(least > 0)) return {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    const double rate = first / least;
    return {2 * rate, 2 * (2 * second / least + 5 * rate * rate) + 2 * rate * rate};
  }
}

template class BodyPath<2>;
template class BodyPath<3>;

}  // namespace carom::inline contact_geometry
