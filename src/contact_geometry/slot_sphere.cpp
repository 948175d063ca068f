#include "contact_geometry/pair.h"

namespace carom::inline contact_geometry {

namespace {

void evaluate_slot_sphere(const Shape<2>& slot, const Shape<2>& pin, const BodyState<2>& body_a,
                          const BodyState<2>& body_b, ContactPoint<2>* points, double*) {
  const Eigen::Vector2d across = axis_of<2>(slot, body_a, 1), centre = centre_of<2>(pin, body_b);
  const double offset = across.dot(centre - centre_of<2>(slot, body_a));
  for (const int wall : {0, 1}) {
    const Eigen::Vector2d inward = wall == 0 ? Eigen::Vector2d(-across) : across;
    const double room = slot.half[1] + (wall == 0 ? -offset : offset);  // from the wall to the centre of the pin
    points[wall] = {room - pin.radius, inward, centre - room * inward, centre - pin.radius * inward};
  }
}

double slot_sphere_clearance(const Shape<2>& slot, const Shape<2>& pin) {
  return slot.half[1] - pin.radius;
}

}  // namespace

PairDescription<2> describe_slot_sphere() {
  return {.a = ShapeKind::slot,
          .b = ShapeKind::sphere,
          .name = "slot_sphere",
          .summary = "a pin in a slot: slot 0 the wall at positive local y, slot 1 the other",
          .points = fixed_count<2, 2>,
          .memory = fixed_count<2, 0>,
          .evaluate = evaluate_slot_sphere,
          .effective_radius = radius_of_second<2>,
          .clearance = slot_sphere_clearance};
}

}  // namespace carom::inline contact_geometry
