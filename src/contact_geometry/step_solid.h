#pragma once

#include "contact_geometry/faced_solid.h"
#include "step/assembly.h"

namespace carom::inline contact_geometry {

// A STEP part by its true faces; null where one of them is free-form, or where they leave gaps. `thickness`: m, half of
// how thin it is where it is thin.
std::shared_ptr<const FacedSolid> solid_of_part(const StepPart& part, double thickness);

}  // namespace carom::inline contact_geometry
