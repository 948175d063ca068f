#include <algorithm>

#include "contact_geometry/pair.h"

namespace carom::inline contact_geometry {

namespace {

// Local axes across the slot, which has a wall at either end of each: y in the plane, x and y in space.
template <int D>
constexpr int first_across = D == 2 ? 1 : 0;
template <int D>
constexpr int walls = 2 * (2 - first_across<D>);

template <int D>
void evaluate_slot_box(const Shape<D>& slot, const Shape<D>& block, const BodyState<D>& body_a,
                       const BodyState<D>& body_b, ContactPoint<D>* points, double*) {
  const VectorOf<D> middle = centre_of<D>(slot, body_a), centre = centre_of<D>(block, body_b);
  for (int corner = 0; corner < 1 << D; ++corner) {
    VectorOf<D> local = block.half;
    for (int k = 0; k < D; ++k) local[k] *= (corner >> k & 1) != 0 ? 1 : -1;
    const VectorOf<D> point = centre + to_world<D>(block, body_b, local);
    for (int k = first_across<D>; k < 2; ++k) {
      const VectorOf<D> across = axis_of<D>(slot, body_a, k);
      const double offset = across.dot(point - middle), upper = slot.half[k] - offset, lower = slot.half[k] + offset;
      *points++ = {upper, -across, point + upper * across, point};
      *points++ = {lower, across, point - lower * across, point};
    }
  }
}

// Of a block whose axes are those of the slot.
template <int D>
double slot_box_clearance(const Shape<D>& slot, const Shape<D>& block) {
  double smallest = slot.half[1] - block.half[1];
  for (int k = first_across<D>; k < 2; ++k) smallest = std::min(smallest, slot.half[k] - block.half[k]);
  return smallest;
}

}  // namespace

template <int D>
PairDescription<D> describe_slot_box() {
  return {.a = ShapeKind::slot,
          .b = ShapeKind::box,
          .name = "slot_box",
          .summary = D == 2 ? "a block in a slot: slot 2 c + w is corner c (bit k: positive end of axis k) at wall w "
                              "(0 at positive local y of the slot)"
                            : "a block in a channel: slot 4 c + w is corner c (bit k: positive end of axis k) at wall "
                              "w (at positive local x of the channel, negative x, positive y, negative y)",
          .points = fixed_count<D, (1 << D) * walls<D>>,
          .memory = fixed_count<D, 0>,
          .evaluate = evaluate_slot_box<D>,
          .effective_radius = no_effective_radius<D>,
          .clearance = slot_box_clearance<D>};
}

template PairDescription<2> describe_slot_box();
template PairDescription<3> describe_slot_box();

}  // namespace carom::inline contact_geometry
