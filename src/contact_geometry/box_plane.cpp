#include "contact_geometry/pair.h"

namespace carom::inline contact_geometry {

namespace {

// Corner number bits: axis k at its positive end.
template <int D>
void evaluate_box_plane(const Shape<D>& box, const Shape<D>& plane, const BodyState<D>& body_a,
                        const BodyState<D>& body_b, ContactPoint<D>* points, double*) {
  const VectorOf<D> normal = plane_normal<D>(plane, body_b), base = centre_of<D>(plane, body_b);
  const VectorOf<D> centre = centre_of<D>(box, body_a);
  VectorOf<D> edge[D];
  for (int axis = 0; axis < D; ++axis) edge[axis] = box.half[axis] * axis_of<D>(box, body_a, axis);
  for (int corner = 0; corner < 1 << D; ++corner) {
    VectorOf<D> point = centre;
    for (int axis = 0; axis < D; ++axis) point += (corner >> axis & 1) != 0 ? edge[axis] : VectorOf<D>(-edge[axis]);
    const double gap = normal.dot(point - base);
    points[corner] = {gap, -normal, point, point - gap * normal};
  }
}

}  // namespace

template <int D>
PairDescription<D> describe_box_plane() {
  return {.a = ShapeKind::box,
          .b = ShapeKind::plane,
          .name = "box_plane",
          .summary = "one slot per corner; bit k of the slot number: the corner at the positive end of axis k",
          .points = fixed_count<D, 1 << D>,
          .memory = fixed_count<D, 0>,
          .evaluate = evaluate_box_plane<D>,
          .effective_radius = no_effective_radius<D>};
}

template PairDescription<2> describe_box_plane<2>();
template PairDescription<3> describe_box_plane<3>();

}  // namespace carom::inline contact_geometry
