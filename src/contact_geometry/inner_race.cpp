#include "contact_geometry/mass_properties.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

template <int D>
ShapeDescription<D> describe_inner_race() {
  return {.kind = ShapeKind::inner_race,
          .name = "inner_race",
          .required = {"radius", "groove_radius"},
          .bounding_radius = radius_of<D>,
          .lowest = lowest_of_ball<D>,
          .thickness = radius_of<D>,
          .turning_radius = does_not_turn<D>,
          .sharpness = curvature_of_radius<D>,
          .mass = ball_mass<D>};
}

template ShapeDescription<2> describe_inner_race<2>();

}  // namespace carom::inline contact_geometry
