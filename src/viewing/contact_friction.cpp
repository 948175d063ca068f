#include "viewing/contact_friction.h"

#include <algorithm>

#include "contacts/resolved_contacts.h"

namespace carom::inline viewing {

double friction_of(const Model& model, const std::string& group) {
  const auto resolved = resolve_contact(model, group);
  if (!resolved || !resolved->contact()) return 0;
  return std::max(0.0, coefficient_of_friction(*resolved->contact(), resolved->typical_surfaces()));
}

}  // namespace carom::inline viewing
