#include "contact_geometry/mass_properties.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

template <int D>
ShapeDescription<D> describe_outer_race() {
  return {.kind = ShapeKind::outer_race,
          .name = "outer_race",
          .required = {"radius", "groove_radius"},
          .form = ShapeForm::hollow,
          .bounding_radius = radius_of<D>,
          .turning_radius = does_not_turn<D>,
          .mass = ball_mass<D>};
}

template ShapeDescription<2> describe_outer_race<2>();

}  // namespace carom::inline contact_geometry
