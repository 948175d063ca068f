#pragma once

#include <cmath>

#include "contact_geometry/shape.h"

// The flat round end of a cylinder or a cone on a plane.
namespace carom::inline contact_geometry {

// The standing points lie inside the rim, so that a rolling cylinder or a tilted coin touches with its lowest point
// alone and does not bump over points fixed to it. They are material points, and the lowest point is extremal on its
// surface, so gap rates are those of the material in both cases.
inline constexpr double standing_radius = 0.9;

// The lowest point of a sharp rim whirls about when the cylinder lies flat, where all points of the rim are lowest. So
// each end carries a very flat spheroid that touches its end face from inside, with semi-axes R and flatness · R: the
// lowest point of that moves smoothly, to the middle of the end face when the cylinder lies flat. What the rim loses in
// height is less than flatness · R.
inline constexpr double flatness = 1e-4;

// The point of the spheroid of an end that lies farthest down, seen from the middle of the end face.
struct LowestPoint {
  Eigen::Vector3d offset;
  double depth;  // m, its part along `down`: the product of offset and down would cancel when nearly flat
};

inline LowestPoint lowest_of_end(double radius, const Eigen::Vector3d& outward, const Eigen::Vector3d& down) {
  const double cosine = outward.dot(down);
  const Eigen::Vector3d descent = down - cosine * outward;
  const double size = std::hypot(descent.norm(), flatness * cosine);
  return {radius / size * (descent + flatness * flatness * cosine * outward) - flatness * radius * outward,
          radius * size - flatness * radius * cosine};
}

// The point of a circle that is lowest along `down`. Below this sine of the tilt it moves smoothly to the middle, with
// the support function R t₀ (2u² − u³), u = t/t₀, instead of R t: as deep as the disc itself where that is level, and
// never deeper. Beyond it is the circle's own point.
inline constexpr double level_tilt = 1e-5;

inline Eigen::Vector3d lowest_on_ring(const Eigen::Vector3d& centre, const Eigen::Vector3d& axis, double radius,
                                      const Eigen::Vector3d& down) {
  const Eigen::Vector3d across = down - axis.dot(down) * axis;
  const double tilt = across.norm(), u = tilt / level_tilt;
  if (u >= 1) return centre + radius / tilt * across;
  return centre + radius / level_tilt * (4 - 3 * u) * across - 2 * radius * level_tilt * u * u * (1 - u) * down;
}

// Writes 4 slots: the lowest point of the rim, then three points fixed to the end face, on which the shape stands. x
// and y span the end face; `base` is a point of the plane.
inline void touch_end(const Eigen::Vector3d& middle, double radius, const Eigen::Vector3d& outward,
                      const Eigen::Vector3d& x, const Eigen::Vector3d& y, const Eigen::Vector3d& normal,
                      const Eigen::Vector3d& base, ContactPoint<3>* points) {
  const auto touch = [&](double gap, const Eigen::Vector3d& point) -> ContactPoint<3> {
    return {gap, -normal, point, point - gap * normal};
  };
  const LowestPoint lowest = lowest_of_end(radius, outward, -normal);
  points[0] = touch(normal.dot(middle - base) - lowest.depth, middle + lowest.offset);
  const Eigen::Vector3d standing[3] = {x, -0.5 * x + std::sqrt(0.75) * y, -0.5 * x - std::sqrt(0.75) * y};
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d point = middle + standing_radius * radius * standing[k];
    points[1 + k] = touch(normal.dot(point - base), point);
  }
}

}  // namespace carom::inline contact_geometry
