#include <cmath>

#include "contact_geometry/pair.h"

namespace carom {

namespace {

// The standing points lie inside the rim, so that a rolling cylinder or a tilted coin touches with its lowest point
// alone and does not bump over points fixed to it. They are material points, and the lowest point is extremal on its
// surface, so gap rates are those of the material in both cases.
constexpr double standing_radius = 0.9;

// The lowest point of a sharp rim whirls about when the cylinder lies flat, where all points of the rim are lowest. So
// each end carries a very flat spheroid that touches its end face from inside, with semi-axes R and flatness · R: the
// lowest point of that moves smoothly, to the middle of the end face when the cylinder lies flat. What the rim loses in
// height is less than flatness · R.
constexpr double flatness = 1e-4;

// The point of the spheroid of an end that lies farthest down, seen from the middle of the end face.
struct LowestPoint {
  Eigen::Vector3d offset;
  double depth;  // m, its part along `down`: the product of offset and down would cancel when nearly flat
};

LowestPoint lowest_of_end(double radius, const Eigen::Vector3d& outward, const Eigen::Vector3d& down) {
  const double cosine = outward.dot(down);
  const Eigen::Vector3d descent = down - cosine * outward;
  const double size = std::hypot(descent.norm(), flatness * cosine);
  return {radius / size * (descent + flatness * flatness * cosine * outward) - flatness * radius * outward,
          radius * size - flatness * radius * cosine};
}

void evaluate(const Shape<3>& cylinder, const Shape<3>& plane, const BodyState<3>& body_a, const BodyState<3>& body_b,
              ContactPoint<3>* points, double*) {
  const Eigen::Vector3d normal = plane_normal<3>(plane, body_b), base = centre_of<3>(plane, body_b);
  const Eigen::Vector3d centre = centre_of<3>(cylinder, body_a);
  const Eigen::Vector3d x = axis_of<3>(cylinder, body_a, 0), y = axis_of<3>(cylinder, body_a, 1),
                        axis = axis_of<3>(cylinder, body_a, 2);
  const Eigen::Vector3d standing[3] = {x, -0.5 * x + std::sqrt(0.75) * y, -0.5 * x - std::sqrt(0.75) * y};
  const auto touch = [&](double gap, const Eigen::Vector3d& point) -> ContactPoint<3> {
    return {gap, -normal, point, point - gap * normal};
  };
  for (const int end : {0, 1}) {
    const Eigen::Vector3d outward = end == 0 ? Eigen::Vector3d(-axis) : axis;
    const Eigen::Vector3d middle = centre + 0.5 * cylinder.length * outward;
    const LowestPoint lowest = lowest_of_end(cylinder.radius, outward, -normal);
    points[4 * end] = touch(normal.dot(middle - base) - lowest.depth, middle + lowest.offset);
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d point = middle + standing_radius * cylinder.radius * standing[k];
      points[4 * end + 1 + k] = touch(normal.dot(point - base), point);
    }
  }
}

}  // namespace

PairDescription<3> describe_cylinder_plane() {
  return {.a = ShapeKind::cylinder,
          .b = ShapeKind::plane,
          .name = "cylinder_plane",
          .summary =
              "4 slots per end (negative z end first): the lowest point of the rim, then three points fixed to the end "
              "face at 0.9 of the radius, on which the cylinder stands",
          .points = fixed_count<3, 8>,
          .memory = fixed_count<3, 0>,
          .evaluate = evaluate,
          .effective_radius = no_effective_radius<3>};
}

}  // namespace carom
