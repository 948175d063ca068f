#include "contact_geometry/convex_body.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
double cylinder_bounding_radius(const Shape<D>& cylinder) {
  return std::hypot(cylinder.radius, cylinder.length / 2);
}

template <int D>
double cylinder_thickness(const Shape<D>& cylinder) {
  return std::min(cylinder.radius, cylinder.length / 2);
}

template <int D>
double cylinder_lowest(const Shape<D>& cylinder, const BodyState<D>& body, const VectorOf<D>& n) {
  const double along = n.dot(axis_of<D>(cylinder, body, D - 1));
  return n.dot(centre_of<D>(cylinder, body)) - 0.5 * cylinder.length * std::abs(along) -
         cylinder.radius * std::sqrt(std::max(0.0, 1 - along * along));
}

MassProperties cylinder_mass(const Shape<3>& cylinder) {
  const double square = cylinder.radius * cylinder.radius, length = cylinder.length;
  MassProperties mass{.volume = M_PI * square * length};
  const double across = mass.volume * (3 * square + length * length) / 12;
  mass.inertia.diagonal() << across, across, mass.volume * square / 2;
  return mass;
}

}  // namespace

template <int D>
ShapeDescription<D> describe_cylinder() {
  ShapeDescription<D> cylinder{.kind = ShapeKind::cylinder,
                               .name = "cylinder",
                               .required = {"radius", "length"},
                               .bounding_radius = cylinder_bounding_radius<D>,
                               .lowest = cylinder_lowest<D>,
                               .thickness = cylinder_thickness<D>,
                               .sharpness = curvature_of_radius<D>};
  if constexpr (D == 3) cylinder.lowest_point = lowest_of_convex, cylinder.mass = cylinder_mass;
  return cylinder;
}

template ShapeDescription<2> describe_cylinder<2>();
template ShapeDescription<3> describe_cylinder<3>();

}  // namespace carom::inline contact_geometry
