#include <algorithm>

#include "impact/contact_solver.h"

namespace carom::inline impact {

// One function per file.
ContactSolverDescription describe_admm_solver();
ContactSolverDescription describe_auto_solver();
ContactSolverDescription describe_direct_solver();
ContactSolverDescription describe_interior_point_solver();
ContactSolverDescription describe_iterative_solver();

const std::vector<ContactSolverDescription>& contact_solver_catalogue() {
  static const std::vector<ContactSolverDescription> catalogue = {
      describe_admm_solver(), describe_auto_solver(), describe_direct_solver(), describe_interior_point_solver(),
      describe_iterative_solver()};
  return catalogue;
}

const ContactSolverDescription* find_contact_solver(const std::string& name) {
  const auto& catalogue = contact_solver_catalogue();
  const auto found = std::find_if(catalogue.begin(), catalogue.end(), [&](const ContactSolverDescription& entry) {
    return entry.name == name || std::find(entry.aliases.begin(), entry.aliases.end(), name) != entry.aliases.end();
  });
  return found == catalogue.end() ? nullptr : &*found;
}

}  // namespace carom::inline impact
