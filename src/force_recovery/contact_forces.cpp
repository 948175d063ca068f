#include "force_recovery/contact_forces.h"

#include <algorithm>

namespace carom::inline force_recovery {

std::map<std::string, ContactForces> by_contact(const std::vector<RecoveredImpact>& impacts) {
  std::map<std::string, ContactForces> contacts;
  for (const RecoveredImpact& one : impacts) {
    ContactForces& contact = contacts[contact_group(one.contact)];
    ++contact.impacts;
    if (!one.passed_from.empty()) ++contact.passed_on;
    if (one.impact.backing > 0) ++contact.squeezed;
    if (!one.unknown.empty()) {
      ++contact.unknown;
      contact.why = one.unknown;
      continue;
    }
    if (!contact.hardest || one.pulse.peak_force > contact.hardest->pulse.peak_force) contact.hardest = &one;
  }
  return contacts;
}

double closed_force(const ResultReader& result, const std::string& contact) {
  const auto names = result.quantities();
  if (std::find(names.begin(), names.end(), contact + ".closed_force") == names.end()) return -1;
  const auto values = result.column(contact + ".closed_force");
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

}  // namespace carom::inline force_recovery
