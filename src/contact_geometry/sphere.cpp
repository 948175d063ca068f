#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
MassProperties sphere_mass(const Shape<D>& sphere) {
  const double square = sphere.radius * sphere.radius;
  MassProperties mass{.volume = D == 2 ? M_PI * square : 4 * M_PI / 3 * square * sphere.radius};
  mass.inertia.diagonal().setConstant(mass.volume * square * (D == 2 ? 0.5 : 0.4));
  return mass;
}

}  // namespace

template <int D>
ShapeDescription<D> describe_sphere() {
  return {.kind = ShapeKind::sphere,
          .name = "sphere",
          .required = {"radius"},
          .bounding_radius = radius_of<D>,
          .lowest = lowest_of_ball<D>,
          .thickness = radius_of<D>,
          .turning_radius = does_not_turn<D>,
          .sharpness = curvature_of_radius<D>,
          .mass = sphere_mass<D>};
}

template ShapeDescription<2> describe_sphere<2>();
template ShapeDescription<3> describe_sphere<3>();

}  // namespace carom::inline contact_geometry
