#pragma once

#include <map>
#include <string>
#include <vector>

#include "force_recovery/recover_forces.h"

namespace carom::inline force_recovery {

// What the impacts of one contact amount to.
struct ContactForces {
  int impacts = 0, unknown = 0, passed_on = 0, squeezed = 0;
  const RecoveredImpact* hardest = nullptr;  // into the list; null: no force can be reported
  std::string why;                           // of an unknown one
};

// By the name of the contact.
std::map<std::string, ContactForces> by_contact(const std::vector<RecoveredImpact>& impacts);

// Largest force of a closed contact at the samples, N; −1 when it was not recorded.
double closed_force(const ResultReader& result, const std::string& contact);

}  // namespace carom::inline force_recovery
