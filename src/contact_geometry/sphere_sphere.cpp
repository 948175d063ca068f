#include "contact_geometry/pair.h"
#include "contact_geometry/round_contact.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
void evaluate_sphere_sphere(const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a,
                            const BodyState<D>& body_b, ContactPoint<D>* points, double*) {
  spheres_touch<D>(centre_of<D>(a, body_a), a.radius, centre_of<D>(b, body_b), b.radius, points[0]);
}

template <int D>
double sphere_sphere_effective_radius(const Shape<D>& a, const Shape<D>& b) {
  return a.radius * b.radius / (a.radius + b.radius);
}

}  // namespace

template <int D>
PairDescription<D> describe_sphere_sphere() {
  return {.a = ShapeKind::sphere,
          .b = ShapeKind::sphere,
          .name = "sphere_sphere",
          .summary = "the points on the line of centres",
          .points = fixed_count<D, 1>,
          .memory = fixed_count<D, 0>,
          .evaluate = evaluate_sphere_sphere<D>,
          .effective_radius = sphere_sphere_effective_radius<D>};
}

template PairDescription<2> describe_sphere_sphere<2>();
template PairDescription<3> describe_sphere_sphere<3>();

}  // namespace carom::inline contact_geometry
