#pragma once

#include "recording/recorded_run.h"
#include "simulation/run.h"

namespace carom::inline verification {

// Of the size of the model, by which bodies are moved.
inline constexpr double moved_by = 1e-4;

// The equilibrium that a static analysis finds when bodies start a little beside where they stand, put on the
// constraints again. It is recorded as a run would record it.
RunSummary equilibrium_from_beside(const Model& model, RecordedRun& recorded);

}  // namespace carom::inline verification
