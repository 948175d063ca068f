#include "force_recovery/step_impulses.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "force_recovery/contact_surfaces.h"
#include "recording/asked_contacts.h"

namespace carom::inline force_recovery {
namespace {

// s, of the steps of a run: from its statistics, or from its settings where it has not ended.
double step_of(const ResultReader& result) {
  const auto statistics = nlohmann::json::parse(result.statistics_json(), nullptr, false);
  if (statistics.is_object() && statistics.contains("step_size")) return statistics["step_size"].at(1).get<double>();
  const auto settings = nlohmann::json::parse(result.header().settings_json, nullptr, false);
  return settings.is_object() ? settings.value("step", 0.0) : 0.0;
}

void check_sampling(const ResultReader& result, const std::vector<double>& times) {
  const std::string file = result.path().string();
  if (times.size() < 4) throw ResultError(fmt::format("{} has too few samples to split impulses", file));
  const double step = step_of(result);
  const double every = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
  if (!(step > 0) || every <= 1.01 * step) return;
  throw ResultError(
      fmt::format("{} has a sample every {:.4g} s and steps of {:.4g} s: the filter looks at single steps. Set every = "
                  "{:g} in [output] and run the model again",
                  file, every, step, step));
}

bool is_recorded(const std::vector<std::string>& quantities, const std::string& name) {
  return std::find(quantities.begin(), quantities.end(), name) != quantities.end();
}

// The first sample is the start, before any step.
std::vector<double> without_start(std::vector<double> values) {
  values.erase(values.begin());
  return values;
}

}  // namespace

std::vector<StepImpulses> step_impulses(const ResultReader& result, const Model& model,
                                        const std::vector<std::string>& patterns) {
  const std::string file = result.path().string();
  const auto& kinds = result.header().event_kinds;
  if (std::none_of(kinds.begin(), kinds.end(), [](const EventKind& kind) { return kind.name == "impact"; }))
    throw ResultError(fmt::format(
        "{} has no impulses to split: it is of the compliant method, whose forces are recorded as they are. "
        "`carom run --method nonsmooth` makes impulses",
        file));
  const std::vector<double> times = result.times();
  check_sampling(result, times);
  const std::vector<std::string> names = contact_groups(model), quantities = result.quantities();
  require_contacts(patterns, names, {}, file);
  std::vector<StepImpulses> all;
  for (const std::string& name : names) {
    if (!belongs_to_any(name, patterns)) continue;
    if (!is_recorded(quantities, name + ".normal_impulse")) {
      if (patterns.empty()) continue;
      throw ResultError(
          fmt::format("{} does not hold {}.normal_impulse: add \"{}\" to `record` in [output]", file, name, name));
    }
    StepImpulses steps;
    steps.contact = name;
    steps.time = without_start(times);
    for (std::size_t k = 1; k < times.size(); ++k) steps.length.push_back(times[k] - times[k - 1]);
    steps.normal = without_start(result.column(name + ".normal_impulse"));
    if (is_recorded(quantities, name + ".tangential_impulse"))
      steps.tangential = without_start(result.column(name + ".tangential_impulse"));
    if (is_recorded(quantities, name + ".impact_impulse"))
      steps.impact = without_start(result.column(name + ".impact_impulse"));
    all.push_back(std::move(steps));
  }
  if (all.empty())
    throw ResultError(
        fmt::format("{} holds no impulses: add \"contact:*\" or \"joint:*\" to `record` in [output]", file));
  return all;
}

ImpulseParts split(const StepImpulses& steps, bool in_three) {
  ImpulseParts parts;
  if (in_three) {
    ThreeImpulses three = split_in_three(steps.normal);
    parts.continuous = std::move(three.continuous), parts.impact = std::move(three.on_load);
    parts.isolated = std::move(three.isolated);
  } else {
    SplitImpulses two = split_impulses(steps.normal);
    parts.continuous = std::move(two.continuous), parts.impact = std::move(two.impact);
  }
  for (std::size_t k = 0; k < parts.continuous.size(); ++k)
    parts.force.push_back(parts.continuous[k] / steps.length[k]);
  return parts;
}

}  // namespace carom::inline force_recovery
