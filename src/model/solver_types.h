#pragma once

#include <vector>

#include "model/description.h"

// What [solver] names of rooms that come after the reader's: descriptions alone. Each list is defined in the room of
// its types, to which the reader is linked without seeing its headers.
namespace carom::inline model {

const std::vector<const TypeDescription*>& integrator_types();  // in integrators/smooth

struct SchemeType : TypeDescription {
  bool explicit_forces = false;  // too stiff a system for it: beams
};
const std::vector<const SchemeType*>& scheme_types();  // of the nonsmooth method, in integrators/nonsmooth

}  // namespace carom::inline model
