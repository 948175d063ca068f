#include "contact_geometry/pair.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
void evaluate_capsule_plane(const Shape<D>& capsule, const Shape<D>& plane, const BodyState<D>& body_a,
                            const BodyState<D>& body_b, ContactPoint<D>* points, double*) {
  const VectorOf<D> normal = plane_normal<D>(plane, body_b), base = centre_of<D>(plane, body_b);
  const VectorOf<D> centre = centre_of<D>(capsule, body_a);
  const VectorOf<D> half = 0.5 * capsule.length * capsule_axis<D>(capsule, body_a);
  for (const int end : {0, 1}) {
    const VectorOf<D> middle = end == 0 ? VectorOf<D>(centre - half) : VectorOf<D>(centre + half);
    const double height = normal.dot(middle - base);
    points[end] = {height - capsule.radius, -normal, middle - capsule.radius * normal, middle - height * normal};
  }
}

}  // namespace

template <int D>
PairDescription<D> describe_capsule_plane() {
  return {.a = ShapeKind::capsule,
          .b = ShapeKind::plane,
          .name = "capsule_plane",
          .summary = "slot 0 the end at the negative end of the axis, slot 1 the other",
          .points = fixed_count<D, 2>,
          .memory = fixed_count<D, 0>,
          .evaluate = evaluate_capsule_plane<D>,
          .effective_radius = radius_of_first<D>};
}

template PairDescription<2> describe_capsule_plane<2>();
template PairDescription<3> describe_capsule_plane<3>();

}  // namespace carom::inline contact_geometry
