#include "contact_geometry/mass_properties.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

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
          .mass = ball_mass<D>};
}

template ShapeDescription<2> describe_sphere<2>();
template ShapeDescription<3> describe_sphere<3>();

}  // namespace carom::inline contact_geometry
