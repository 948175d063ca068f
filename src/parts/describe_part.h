#pragma once

#include "carom/parts.h"
#include "contact_laws/friction_law.h"
#include "contact_laws/normal_law.h"
#include "force_elements/force_element.h"
#include "model/drive.h"
#include "parts/force_batch.h"

// From a part made by a user to the entry of a catalogue, which calls its functions under guard.
namespace carom::inline parts {

NormalLawDescription describe_part(const v1::ContactLawPart& part);
FrictionLawDescription describe_part(const v1::FrictionLawPart& part);
ForceElementDescription describe_part(const v1::ForcePart& part);
ForceElementDescription describe_part(const BatchedForcePart& part);
DriveDescription describe_part(const v1::DrivePart& part);

// Name, keys and what else does not tell how its forces come about.
ForceElementDescription describe_force_keys(const v1::ForcePart& part);

// The keys that place a force element, which come with it.
std::vector<ParameterDescription> placement_keys(const v1::ForcePart& part);

}  // namespace carom::inline parts
