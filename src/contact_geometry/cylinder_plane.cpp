#include <algorithm>
#include <cmath>

#include "contact_geometry/pair.h"
#include "contact_geometry/round_contact.h"

namespace carom {

namespace {

// The standing points lie inside the rim, so that a rolling cylinder or a tilted coin touches with its lowest point
// alone and does not bump over points fixed to it. They are material points, and the lowest point is extremal on its
// rim, so gap rates are those of the material in both cases.
constexpr double standing_radius = 0.9;

void evaluate(const Shape<3>& cylinder, const Shape<3>& plane, const BodyState<3>& body_a, const BodyState<3>& body_b,
              ContactPoint<3>* points, double*) {
  const Eigen::Vector3d normal = plane_normal<3>(plane, body_b), base = centre_of<3>(plane, body_b);
  const Eigen::Vector3d centre = centre_of<3>(cylinder, body_a);
  const Eigen::Vector3d x = axis_of<3>(cylinder, body_a, 0), y = axis_of<3>(cylinder, body_a, 1),
                        axis = axis_of<3>(cylinder, body_a, 2);
  const Eigen::Vector3d descent = axis.dot(normal) * axis - normal;
  const double slope = descent.norm();
  // Lying exactly flat, all points of the rim are lowest.
  const Eigen::Vector3d lowest = slope < coincident ? x : Eigen::Vector3d(descent / slope);
  const Eigen::Vector3d standing[3] = {x, -0.5 * x + std::sqrt(0.75) * y, -0.5 * x - std::sqrt(0.75) * y};
  const auto touch = [&](const Eigen::Vector3d& point) -> ContactPoint<3> {
    const double gap = normal.dot(point - base);
    return {gap, -normal, point, point - gap * normal};
  };
  for (const int end : {0, 1}) {
    const Eigen::Vector3d middle = centre + (end == 0 ? -0.5 : 0.5) * cylinder.length * axis;
    points[4 * end] = touch(middle + cylinder.radius * lowest);
    for (int k = 0; k < 3; ++k) {
      points[4 * end + 1 + k] = touch(middle + standing_radius * cylinder.radius * standing[k]);
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
