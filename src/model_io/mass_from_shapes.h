#pragma once

#include "documents/reading.h"
#include "model/model.h"

namespace carom::inline model_io {

// Mass, inertia and mass centre of a body of the file. What its table does not give follows from the shapes where their
// densities are known; otherwise mass and inertia are required. What is given wins, and that it is given beside a
// density of the body is reported.
void take_mass_from_shapes(Reading& reading, const Node& table, const KeyPath& key,
                           const std::vector<Material>& materials, BodyModel& body);

}  // namespace carom::inline model_io
