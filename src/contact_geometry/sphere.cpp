#include "contact_geometry/mass_properties.h"
#include "contact_geometry/shape_description.h"
#include "contact_geometry/uneven_ball.h"

namespace carom::inline contact_geometry {

template <int D>
ShapeDescription<D> describe_sphere() {
  return {.kind = ShapeKind::sphere,
          .name = "sphere",
          .required = {"radius"},
          .optional = {"spalls"},
          .take = take_uneven_ball<D>,
          .bounding_radius = radius_of<D>,
          .lowest = lowest_of_ball<D>,
          .thickness = radius_of<D>,
          .turning_radius = turning_radius_of_ball<D>,
          .sharpness = curvature_of_radius<D>,
          .mass = ball_mass<D>};
}

template ShapeDescription<2> describe_sphere<2>();
template ShapeDescription<3> describe_sphere<3>();

}  // namespace carom::inline contact_geometry
