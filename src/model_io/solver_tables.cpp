#include "model_io/solver_tables.h"

#include <algorithm>
#include <cassert>

#include "impact/contact_solver.h"
#include "model/solver_types.h"

namespace carom::inline model_io {
namespace {

template <class Catalogue>
std::vector<const TypeDescription*> types_of(const Catalogue& catalogue) {
  std::vector<const TypeDescription*> types;
  for (const TypeDescription& each : catalogue) types.push_back(&each);
  return types;
}

template <class Type>
std::vector<const TypeDescription*> types_of(const std::vector<const Type*>& catalogue) {
  return {catalogue.begin(), catalogue.end()};
}

}  // namespace

const TypeDescription* SolverChoice::chosen(const SolverSettings& settings) const {
  const auto found =
      std::find_if(types.begin(), types.end(), [&](const auto* each) { return each->name == settings.*name; });
  return found == types.end() ? nullptr : *found;
}

std::vector<std::string> SolverChoice::names() const {
  std::vector<std::string> result;
  for (const TypeDescription* each : types) result.push_back(each->name);
  return result;
}

const std::vector<SolverChoice>& solver_choices() {
  static const std::vector<SolverChoice> all = {
      {"integrator", &SolverSettings::integrator, types_of(integrator_types())},
      {"scheme", &SolverSettings::scheme, types_of(scheme_types())},
      {"contact_solver", &SolverSettings::contact_solver, types_of(contact_solver_catalogue())}};
  return all;
}

const SolverChoice& solver_choice(const std::string& key) {
  const auto& all = solver_choices();
  const auto found = std::find_if(all.begin(), all.end(), [&](const SolverChoice& each) { return each.key == key; });
  assert(found != all.end());
  return *found;
}

}  // namespace carom::inline model_io
