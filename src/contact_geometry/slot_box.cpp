#include "contact_geometry/pair.h"

namespace carom {

namespace {

void evaluate(const Shape<2>& slot, const Shape<2>& block, const BodyState<2>& body_a, const BodyState<2>& body_b,
              ContactPoint<2>* points, double*) {
  const Eigen::Vector2d across = axis_of<2>(slot, body_a, 1), middle = centre_of<2>(slot, body_a);
  const Eigen::Vector2d centre = centre_of<2>(block, body_b);
  const Eigen::Vector2d x = block.half[0] * axis_of<2>(block, body_b, 0);
  const Eigen::Vector2d y = block.half[1] * axis_of<2>(block, body_b, 1);
  for (int corner = 0; corner < 4; ++corner) {
    const Eigen::Vector2d point = centre + ((corner & 1) != 0 ? 1.0 : -1.0) * x + ((corner & 2) != 0 ? 1.0 : -1.0) * y;
    const double offset = across.dot(point - middle);
    const double upper = slot.half[1] - offset, lower = slot.half[1] + offset;
    points[2 * corner] = {upper, -across, point + upper * across, point};
    points[2 * corner + 1] = {lower, across, point - lower * across, point};
  }
}

// Of a block that lies along the slot.
double clearance(const Shape<2>& slot, const Shape<2>& block) {
  return slot.half[1] - block.half[1];
}

}  // namespace

PairDescription<2> describe_slot_box() {
  return {.a = ShapeKind::slot,
          .b = ShapeKind::box,
          .name = "slot_box",
          .summary =
              "a block in a slot: slot 2 c + w is corner c (bit k: positive end of axis k) at wall w (0 at positive "
              "local y of the slot)",
          .points = fixed_count<2, 8>,
          .memory = fixed_count<2, 0>,
          .evaluate = evaluate,
          .effective_radius = no_effective_radius<2>,
          .clearance = clearance};
}

}  // namespace carom
