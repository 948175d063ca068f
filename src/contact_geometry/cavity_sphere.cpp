#include "contact_geometry/pair.h"
#include "contact_geometry/round_contact.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
void evaluate_cavity_sphere(const Shape<D>& cavity, const Shape<D>& sphere, const BodyState<D>& body_a,
                            const BodyState<D>& body_b, ContactPoint<D>* points, double*) {
  journal_in_bearing<D>(centre_of<D>(cavity, body_a), cavity.radius, centre_of<D>(sphere, body_b), sphere.radius,
                        points[0]);
}

template <int D>
double cavity_sphere_effective_radius(const Shape<D>& cavity, const Shape<D>& sphere) {
  return cavity.radius * sphere.radius / (cavity.radius - sphere.radius);
}

template <int D>
double cavity_sphere_clearance(const Shape<D>& cavity, const Shape<D>& sphere) {
  return cavity.radius - sphere.radius;
}

}  // namespace

template <int D>
PairDescription<D> describe_cavity_sphere() {
  return {.a = ShapeKind::cavity,
          .b = ShapeKind::sphere,
          .name = "cavity_sphere",
          .summary = "the points on the line of centres, where the wall is nearest: a journal in its bearing",
          .points = fixed_count<D, 1>,
          .memory = fixed_count<D, 0>,
          .evaluate = evaluate_cavity_sphere<D>,
          .effective_radius = cavity_sphere_effective_radius<D>,
          .clearance = cavity_sphere_clearance<D>};
}

template PairDescription<2> describe_cavity_sphere<2>();
template PairDescription<3> describe_cavity_sphere<3>();

}  // namespace carom::inline contact_geometry
