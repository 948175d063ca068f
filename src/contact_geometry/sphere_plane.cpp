#include "contact_geometry/pair.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
void evaluate_sphere_plane(const Shape<D>& sphere, const Shape<D>& plane, const BodyState<D>& body_a,
                           const BodyState<D>& body_b, ContactPoint<D>* points, double*) {
  const VectorOf<D> normal = plane_normal<D>(plane, body_b), centre = centre_of<D>(sphere, body_a);
  const double height = normal.dot(centre - centre_of<D>(plane, body_b));
  points[0] = {height - sphere.radius, -normal, centre - sphere.radius * normal, centre - height * normal};
}

}  // namespace

template <int D>
PairDescription<D> describe_sphere_plane() {
  return {.a = ShapeKind::sphere,
          .b = ShapeKind::plane,
          .name = "sphere_plane",
          .summary = "the lowest point of the sphere",
          .points = fixed_count<D, 1>,
          .memory = fixed_count<D, 0>,
          .evaluate = evaluate_sphere_plane<D>,
          .effective_radius = radius_of_first<D>};
}

template PairDescription<2> describe_sphere_plane<2>();
template PairDescription<3> describe_sphere_plane<3>();

}  // namespace carom::inline contact_geometry
