#include "contact_geometry/mass_properties.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
double half_length(const Shape<D>& capsule) {
  return capsule.length / 2;
}

template <int D>
double capsule_bounding_radius(const Shape<D>& capsule) {
  return capsule.radius + capsule.length / 2;
}

template <int D>
double capsule_lowest(const Shape<D>& capsule, const BodyState<D>& body, const VectorOf<D>& n) {
  return n.dot(centre_of<D>(capsule, body)) - 0.5 * capsule.length * std::abs(n.dot(capsule_axis<D>(capsule, body))) -
         capsule.radius;
}

template <int D>
VectorOf<D> capsule_lowest_point(const Shape<D>& capsule, const BodyState<D>& body, const VectorOf<D>& n,
                                 const VectorOf<D>& towards) {
  const VectorOf<D> centre = centre_of<D>(capsule, body), axis = capsule_axis<D>(capsule, body);
  return centre + lowest_on_side<D>(axis, capsule.length / 2, n, VectorOf<D>(towards - centre)) * axis -
         capsule.radius * n;
}

template <int D>
double capsule_normal_share(const Shape<D>& capsule, const BodyState<D>& body, const VectorOf<D>& n) {
  return 1 - std::abs(n.dot(capsule_axis<D>(capsule, body)));
}

}  // namespace

template <int D>
ShapeDescription<D> describe_capsule() {
  return {.kind = ShapeKind::capsule,
          .name = "capsule",
          .required = {"radius", "length"},
          .bounding_radius = capsule_bounding_radius<D>,
          .lowest = capsule_lowest<D>,
          .lowest_point = capsule_lowest_point<D>,
          .thickness = radius_of<D>,
          .turning_radius = half_length<D>,
          .sharpness = curvature_of_radius<D>,
          .normal_share = capsule_normal_share<D>,
          .mass = capsule_mass<D>};
}

template ShapeDescription<2> describe_capsule<2>();
template ShapeDescription<3> describe_capsule<3>();

}  // namespace carom::inline contact_geometry
