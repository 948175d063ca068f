#pragma once

#include <string>

#include "analyses/assembly.h"

namespace carom {

// Whether its mass or inertia follows from its shapes.
bool is_from_shapes(const BodyModel& body);

// What `carom check` prints about a model and its assembly.
std::string check_report(const Model& model, const System& system, const AssemblyReport& report);

}  // namespace carom
