#include "contact_geometry/pair.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
void evaluate_ellipsoid_plane(const Shape<D>& ellipsoid, const Shape<D>& plane, const BodyState<D>& body_a,
                              const BodyState<D>& body_b, ContactPoint<D>* points, double*) {
  const VectorOf<D> normal = plane_normal<D>(plane, body_b);
  const VectorOf<D> lowest =
      centre_of<D>(ellipsoid, body_a) + farthest_of_ellipsoid<D>(ellipsoid, body_a, VectorOf<D>(-normal));
  const double gap = normal.dot(lowest - centre_of<D>(plane, body_b));
  points[0] = {gap, -normal, lowest, lowest - gap * normal};
}

}  // namespace

template <int D>
PairDescription<D> describe_ellipsoid_plane() {
  return {.a = ShapeKind::ellipsoid,
          .b = ShapeKind::plane,
          .name = "ellipsoid_plane",
          .summary = "the lowest point of the ellipsoid",
          .points = fixed_count<D, 1>,
          .memory = fixed_count<D, 0>,
          .evaluate = evaluate_ellipsoid_plane<D>,
          .effective_radius = no_effective_radius<D>};
}

template PairDescription<2> describe_ellipsoid_plane<2>();
template PairDescription<3> describe_ellipsoid_plane<3>();

}  // namespace carom::inline contact_geometry
