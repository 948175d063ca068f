#include "contact_geometry/mass_properties.h"
#include "contact_geometry/shape_description.h"
#include "contact_geometry/uneven_race.h"

namespace carom::inline contact_geometry {

namespace {

void take_outer_race(const Settings& keys, Shape<2>& race) {
  take_unevenness<2>(keys, true, race.radius, 1, race);
}

}  // namespace

template <int D>
ShapeDescription<D> describe_outer_race() {
  return {.kind = ShapeKind::outer_race,
          .name = "outer_race",
          .required = {"radius", "groove_radius"},
          .optional = {"spalls", "waves", "ball_radius"},
          .form = ShapeForm::hollow,
          .take = take_outer_race,
          .bounding_radius = farthest_of_race,
          .turning_radius = turning_radius_of_race,
          .sharpness = sharpness_of_race,
          .mass = ball_mass<D>};
}

template ShapeDescription<2> describe_outer_race<2>();

}  // namespace carom::inline contact_geometry
