#include "integrators/nonsmooth/step_stages.h"

#include <algorithm>
#include <limits>

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr double gap_fraction = 1e-9;  // of the smallest clearance or shape: gaps below it are closed

// A body whose three inertias are equal feels no gyroscopic torque.
template <int D>
bool has_gyroscopes(const BodySystem<D>& system) {
  if (D == 2) return false;
  return !std::all_of(system.inertia().begin(), system.inertia().end(), is_isotropic<D>);
}

}  // namespace

template <int D>
StepContext<D>::StepContext(BodySystem<D>& its_system, const SolverSettings& settings, const SchemeTraits& its_scheme,
                            IntegratorStatistics& its_counts, NonsmoothStatistics& its_statistics)
    : system(its_system),
      contacts(its_system.contact_set()),
      counts(its_counts),
      statistics(its_statistics),
      nv(its_system.velocity_size()),
      rows(its_system.constraint_size()),
      nw(its_system.work_size()),
      scheme(its_scheme),
      sequential(settings.impacts == ImpactOrder::sequential),
      contact_form(find_contact_solver(settings.contact_solver)->form),
      solver(settings.contact_solver, settings.type_settings),
      asked_contact_tolerance(settings.contact_tolerance),
      contact_tolerance(settings.contact_tolerance),
      constrained(its_system.constraint_size() > 0 || its_system.has_forces()),
      forces_vary(constrained || has_gyroscopes(its_system)),
      driven(its_system.has_forces() || its_system.has_drives()),
      length(its_system.length_scale()),
      gap_scale(contacts.gap_scale()),
      gap_tolerance(std::max(gap_fraction * gap_scale, 64 * std::numeric_limits<double>::epsilon() * length)) {}

template struct StepContext<2>;
template struct StepContext<3>;

}  // namespace carom::inline nonsmooth_integrators
