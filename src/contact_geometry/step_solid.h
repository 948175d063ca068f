#pragma once

#include "contact_geometry/faced_solid.h"
#include "step/assembly.h"

namespace carom::inline contact_geometry {

// A STEP part by its true faces, and by triangles of those that are free-form; null where all of them are, or where
// they leave gaps. `thickness`: m, half of how thin it is where it is thin.
std::shared_ptr<const FacedSolid> solid_of_part(const StepPart& part, double thickness);

// The edge of a true face beside a free-form one.
struct PatchRim {
  TrueCurve curve;
  int face = 0;     // of the solid
  double sign = 1;  // as that of a border of it
  int patch = 0;    // face of the part
};

// Free-form faces of a part by their triangles, which end at the rims; false: they leave gaps.
bool add_patches(const StepPart& part, const std::vector<PatchRim>& rims, SolidMaker& maker);

}  // namespace carom::inline contact_geometry
