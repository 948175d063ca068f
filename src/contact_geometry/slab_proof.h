#pragma once

#include <array>

#include "contact_geometry/mesh_shape.h"
#include "contact_geometry/separation.h"

// What keeps two parts of surfaces apart between two instants: a direction, fixed in the world or carried along by one
// of the shapes, across which both are on their own sides all the time (see docs/theory/contact_detection.md). The
// parts may be anything, since a slab between them is a slab between their hulls.
namespace carom::inline contact_geometry {

// Of a and b at the first instant and at the second, from one origin.
struct TwoInstants {
  std::array<PlacedFrame, 2> a, b;

  TwoInstants(const Shape<3>& shape_a, const Shape<3>& shape_b, const BodyState<3>* from, const BodyState<3>* to)
      : a{PlacedFrame(shape_a, from[0]), PlacedFrame(shape_a, to[0])},
        b{PlacedFrame(shape_b, from[1]), PlacedFrame(shape_b, to[1])} {
    // Counted from a, so that the precision does not depend on where in the world they are.
    const Eigen::Vector3d origin = a[0].origin;
    for (PlacedFrame* frame : {&a[0], &a[1], &b[0], &b[1]}) frame->origin -= origin;
  }
};

class SlabProof {
 public:
  SlabProof(const TwoInstants& frames, const GapMotion& motion)
      : turn_a_(frames.a[1].axes * frames.a[0].axes.transpose()),
        turn_b_(frames.b[1].axes * frames.b[0].axes.transpose()),
        motion_(motion) {}

  double floor() const { return motion_.floor; }
  // Whether the distances at both instants leave no room for the way.
  bool by_way(double first, double second) const { return 0.5 * (first + second - motion_.way) >= motion_.floor; }

  // Across the direction n at an instant, 0 or 1, from a to b. low(instant, n): least n · p over the part of b;
  // high(instant, n): greatest over that of a.
  template <typename Low, typename High>
  bool holds(const Eigen::Vector3d& n, int instant, const Low& low, const High& high) const {
    const double here = low(instant, n) - high(instant, n);
    if (!(here >= motion_.floor)) return false;
    const int other = 1 - instant;
    const auto proves = [&](const Eigen::Vector3d& m, double bend) {
      return least_between(here, low(other, m) - high(other, m), bend) >= motion_.floor;
    };
    const auto turned = [&](const Eigen::Matrix3d& turn) -> Eigen::Vector3d {
      return instant == 0 ? Eigen::Vector3d(turn * n) : Eigen::Vector3d(turn.transpose() * n);
    };
    return proves(n, motion_.bend_world) || proves(turned(turn_a_), motion_.bend_a) ||
           (motion_.bend_b < 1e300 && proves(turned(turn_b_), motion_.bend_b));
  }

 private:
  Eigen::Matrix3d turn_a_, turn_b_;  // from the first instant to the second, world axes
  const GapMotion& motion_;
};

// Greatest and least n · p over a few points.
template <std::size_t count>
double greatest_along(const Eigen::Vector3d& n, const std::array<Eigen::Vector3d, count>& points) {
  double most = n.dot(points[0]);
  for (std::size_t k = 1; k < count; ++k) most = std::max(most, n.dot(points[k]));
  return most;
}
template <std::size_t count>
double least_along(const Eigen::Vector3d& n, const std::array<Eigen::Vector3d, count>& points) {
  double least = n.dot(points[0]);
  for (std::size_t k = 1; k < count; ++k) least = std::min(least, n.dot(points[k]));
  return least;
}

// Of a contact that is closed at the first instant: its features, where it is, and its normal.
using ClosedPoints = std::span<const ClosedPoint>;
inline bool leads_closed(ClosedPoints closed, std::uint32_t lead) {
  for (const ClosedPoint& point : closed) {
    if (have_same_lead(point.feature, feature_of(lead, 0))) return true;
  }
  return false;
}

}  // namespace carom::inline contact_geometry
