#include "contact_geometry/pair.h"
#include "contact_geometry/round_contact.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
void evaluate_sphere_box(const Shape<D>& sphere, const Shape<D>& box, const BodyState<D>& body_a,
                         const BodyState<D>& body_b, ContactPoint<D>* points, double*) {
  const VectorOf<D> centre = centre_of<D>(sphere, body_a);
  const VectorOf<D> local = to_shape<D>(box, body_b, VectorOf<D>(centre - centre_of<D>(box, body_b)));
  const VectorOf<D> away = local - local.cwiseMax(-box.half).cwiseMin(box.half);
  double height = away.norm();  // of the centre above the surface
  VectorOf<D> outward;          // of the box, local axes
  if (height > coincident) {
    outward = away / height;
  } else {
    Eigen::Index axis = 0;
    height = (local.cwiseAbs() - box.half).maxCoeff(&axis);
    outward = (local[axis] < 0 ? -1.0 : 1.0) * VectorOf<D>::Unit(axis);
  }
  const VectorOf<D> normal = -to_world<D>(box, body_b, outward);
  points[0] = {height - sphere.radius, normal, centre + sphere.radius * normal, centre + height * normal};
}

}  // namespace

template <int D>
PairDescription<D> describe_sphere_box() {
  return {.a = ShapeKind::sphere,
          .b = ShapeKind::box,
          .name = "sphere_box",
          .summary = "the point of the box nearest to the centre; a centre inside leaves by the nearest face",
          .points = fixed_count<D, 1>,
          .memory = fixed_count<D, 0>,
          .evaluate = evaluate_sphere_box<D>,
          .effective_radius = no_effective_radius<D>};
}

template PairDescription<2> describe_sphere_box<2>();
template PairDescription<3> describe_sphere_box<3>();

}  // namespace carom::inline contact_geometry
