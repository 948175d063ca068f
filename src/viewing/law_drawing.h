#pragma once

#include <vector>

#include "contact_laws/normal_law.h"
#include "plotting/figure.h"

namespace carom::inline viewing {

// True when a law can be drawn beside others: the restitution, and no parameter of its own, decides its loss.
bool can_be_compared(const NormalLawDescription& law);

// Three panels: the factor h over the restitution asked for, the restitution that comes out over it, and the loop of
// force over penetration of a free impact at one restitution.
Figure compare_laws(const std::vector<const NormalLawDescription*>& laws, double restitution);

}  // namespace carom::inline viewing
