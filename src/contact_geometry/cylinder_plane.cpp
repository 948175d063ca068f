#include "contact_geometry/pair.h"
#include "contact_geometry/round_end.h"

namespace carom::inline contact_geometry {

namespace {

void evaluate_cylinder_plane(const Shape<3>& cylinder, const Shape<3>& plane, const BodyState<3>& body_a,
                             const BodyState<3>& body_b, ContactPoint<3>* points, double*) {
  const Eigen::Vector3d normal = plane_normal<3>(plane, body_b), base = centre_of<3>(plane, body_b);
  const Eigen::Vector3d centre = centre_of<3>(cylinder, body_a);
  const Eigen::Vector3d x = axis_of<3>(cylinder, body_a, 0), y = axis_of<3>(cylinder, body_a, 1),
                        axis = axis_of<3>(cylinder, body_a, 2);
  for (const int end : {0, 1}) {
    const Eigen::Vector3d outward = end == 0 ? Eigen::Vector3d(-axis) : axis;
    touch_end(centre + 0.5 * cylinder.length * outward, cylinder.radius, outward, x, y, normal, base, points + 4 * end);
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
          .evaluate = evaluate_cylinder_plane,
          .effective_radius = no_effective_radius<3>};
}

}  // namespace carom::inline contact_geometry
