#pragma once

#include <istream>

#include "step/read_step.h"

namespace carom {

// Reads a STEP file. Throws StepError and Standard_Failure.
StepAssembly read_products(std::istream& stream, const StepOptions& options);

}  // namespace carom
