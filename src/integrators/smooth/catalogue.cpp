#include <algorithm>

#include "integrators/smooth/integrator.h"
#include "model/solver_types.h"

namespace carom::inline smooth_integrators {

// One function per file of this room.
IntegratorDescription describe_adams();
IntegratorDescription describe_auto();
IntegratorDescription describe_bdf();
IntegratorDescription describe_generalized_alpha();
IntegratorDescription describe_rk();

const std::vector<IntegratorDescription>& integrator_catalogue() {
  static const std::vector<IntegratorDescription> catalogue = {describe_adams(), describe_auto(), describe_bdf(),
                                                               describe_generalized_alpha(), describe_rk()};
  return catalogue;
}

}  // namespace carom::inline smooth_integrators

namespace carom::inline model {

const std::vector<const TypeDescription*>& integrator_types() {
  static const std::vector<const TypeDescription*> types = [] {
    std::vector<const TypeDescription*> all;
    for (const IntegratorDescription& each : integrator_catalogue()) all.push_back(&each);
    return all;
  }();
  return types;
}

}  // namespace carom::inline model

namespace carom::inline smooth_integrators {

const IntegratorDescription* find_integrator(const std::string& name) {
  const auto& catalogue = integrator_catalogue();
  const auto found =
      std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& entry) { return entry.name == name; });
  return found == catalogue.end() ? nullptr : &*found;
}

namespace {

bool offers(const IntegratorDescription& entry, ConstraintTreatment constraints) {
  return std::find(entry.constraints.begin(), entry.constraints.end(), constraints) != entry.constraints.end();
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

[[noreturn]] void refuse(const char* key, const std::string& found, std::string expected, std::string remedy) {
  Problem problem;
  problem.key = key;
  problem.found = found;
  problem.expected = std::move(expected);
  problem.remedy = std::move(remedy);
  ProblemList problems;
  problems.add(std::move(problem));
  throw InputError(problems);
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(System& system, const SolverSettings& settings) {
  std::vector<std::string> names, able;
  for (const auto& entry : integrator_catalogue()) {
    names.push_back(entry.name);
    if (offers(entry, settings.constraints)) able.push_back(entry.name);
  }
  const IntegratorDescription* description = find_integrator(settings.integrator);
  if (!description) refuse("solver.integrator", settings.integrator, "one of " + joined(names), {});
  std::vector<std::string> treatments;
  for (const ConstraintTreatment each : description->constraints) treatments.push_back(name_of(each));
  if (!offers(*description, settings.constraints))
    refuse("solver.constraints", name_of(settings.constraints),
           "one of " + joined(treatments) + " with integrator " + settings.integrator,
           able.empty() ? "no integrator has it" : "integrators that have it: " + joined(able));
  const bool index2 = settings.constraints == ConstraintTreatment::index2;
  if (system.bristle_size() > 0 && (!description->integrates_bristles || index2))
    refuse("solver.integrator", settings.integrator + (index2 ? " with index2" : "") + ", and friction with bristles",
           "an integrator for their internal states", "use rk, adams or bdf, or a friction law without bristles");
  return description->make(system, settings);
}

void IntegratorStatistics::add(const IntegratorStatistics& part) {
  steps += part.steps;
  rejected += part.rejected;
  evaluations += part.evaluations;
  factorisations += part.factorisations;
  newton_iterations += part.newton_iterations;
  projections += part.projections;
  restarts += part.restarts;
  smallest_step = std::min(smallest_step, part.smallest_step);
  largest_step = std::max(largest_step, part.largest_step);
  largest_position_drift = std::max(largest_position_drift, part.largest_position_drift);
  largest_velocity_drift = std::max(largest_velocity_drift, part.largest_velocity_drift);
}

bool Integrator::repeat_step(double) {
  return false;
}

void Integrator::count_step(double h) {
  ++statistics_.steps;
  statistics_.smallest_step = std::min(statistics_.smallest_step, h);
  statistics_.largest_step = std::max(statistics_.largest_step, h);
}

}  // namespace carom::inline smooth_integrators
