#include "contact_geometry/mass_properties.h"
#include "contact_geometry/shape_description.h"
#include "contact_geometry/uneven_race.h"

namespace carom::inline contact_geometry {

namespace {

void take_inner_race(const Settings& keys, Shape<2>& race) {
  take_unevenness<2>(keys, false, race.radius, 1, race);
}

}  // namespace

template <int D>
ShapeDescription<D> describe_inner_race() {
  return {.kind = ShapeKind::inner_race,
          .name = "inner_race",
          .required = {"radius", "groove_radius"},
          .optional = {"spalls", "waves", "ball_radius"},
          .keys = keys_of_uneven_races(),
          .take = take_inner_race,
          .bounding_radius = farthest_of_race,
          .lowest = lowest_of_ball<D>,
          .thickness = radius_of<D>,
          .turning_radius = turning_radius_of_race,
          .sharpness = sharpness_of_race,
          .mass = ball_mass<D>};
}

template ShapeDescription<2> describe_inner_race<2>();

}  // namespace carom::inline contact_geometry
