#include "control/block.h"

namespace carom::inline control {

BlockDescription describe_measured() {
  return {
      {.name = measured_type,
       .summary = "A quantity of the model as it is now. `of` alone says as much.",
       .reference = "",
       .parameters = {
           {.name = "of",
            .kind = ParameterKind::text,
            .meaning = "the quantity: joint:pivot.rotation, joint:pivot.speed, body:crank.x, "
                       "force:spring.length, bearing:front.fx, contact:stop.force, energy.kinetic, markers.distance",
            .required = true},
           {.name = "markers",
            .kind = ParameterKind::markers,
            .meaning = "for markers.distance, markers.rate and markers.x, y, z: from the first to the "
                       "second; x, y, z in the axes of the body that carries the first"}}}};
}

}  // namespace carom::inline control
