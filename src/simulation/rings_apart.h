#pragma once

#include <string>
#include <vector>

#include "dynamics/system.h"

namespace carom::inline simulation {

// Rolling bearings in space, elements in equilibrium, whose inner ring has moved so far along the axis that it has left
// its balls or rollers: nothing held it that way. What to do about each.
std::vector<std::string> rings_apart(const Model& model, System& system, const State& state);

// Loads along the axis of bearings that bear none that way, on bodies that nothing else holds: no joint, and no force
// that half a roller's length further would withstand them.
std::vector<std::string> loads_without_hold(const Model& model, const State& state);

}  // namespace carom::inline simulation
