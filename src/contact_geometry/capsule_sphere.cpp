#include "contact_geometry/pair.h"
#include "contact_geometry/round_contact.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
void evaluate_capsule_sphere(const Shape<D>& capsule, const Shape<D>& sphere, const BodyState<D>& body_a,
                             const BodyState<D>& body_b, ContactPoint<D>* points, double*) {
  const VectorOf<D> middle = centre_of<D>(capsule, body_a), axis = capsule_axis<D>(capsule, body_a);
  const VectorOf<D> centre = centre_of<D>(sphere, body_b);
  const double along = nearest_on_segment<D>(centre, middle, axis, capsule.length / 2);
  spheres_touch<D>(middle + along * axis, capsule.radius, centre, sphere.radius, points[0]);
}

}  // namespace

template <int D>
PairDescription<D> describe_capsule_sphere() {
  return {.a = ShapeKind::capsule,
          .b = ShapeKind::sphere,
          .name = "capsule_sphere",
          .summary = "the point of the capsule nearest to the sphere",
          .points = fixed_count<D, 1>,
          .memory = fixed_count<D, 0>,
          .evaluate = evaluate_capsule_sphere<D>,
          .effective_radius = no_effective_radius<D>};
}

template PairDescription<2> describe_capsule_sphere<2>();
template PairDescription<3> describe_capsule_sphere<3>();

}  // namespace carom::inline contact_geometry
