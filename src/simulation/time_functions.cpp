#include "simulation/time_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "control/block.h"
#include "force_elements/force_element.h"

namespace carom::inline simulation {
namespace {

const char* name_of(MotionLevel level) {
  switch (level) {
    case MotionLevel::position:
      return "position";
    case MotionLevel::speed:
      return "speed";
    default:
      return "acceleration";
  }
}

// Springs by function depend on elongation and rate, not on the time.
bool is_of_time(const ParameterDescription& row) {
  return !row.arguments.empty() && row.arguments.front() == "t";
}

void add(const Value& value, const std::string& key, std::vector<TimeFunction>& result) {
  if (const auto* single = std::get_if<Function>(&value)) result.push_back({key, *single});
  if (const auto* several = std::get_if<std::vector<Function>>(&value)) {
    for (const Function& component : *several) result.push_back({key, component});
  }
}

}  // namespace

std::vector<TimeFunction> time_functions(const Model& model) {
  std::vector<TimeFunction> result;
  for (std::size_t k = 0; k < model.motions.size(); ++k) {
    const MotionModel& motion = model.motions[k];
    result.push_back(
        {fmt::format("motion.{}.{}", motion.name, name_of(motion.level)), motion.value, static_cast<int>(k)});
  }
  for (const ElementModel& force : model.forces) {
    for (const ParameterDescription& row : find_force_element(force.type)->parameters) {
      const Value* const value = is_of_time(row) ? force.settings.find(row.name) : nullptr;
      if (!value) continue;
      add(*value, fmt::format("force.{}.{}", force.name, row.name), result);
    }
  }
  for (const ElementModel& signal : model.signals) {
    for (const ParameterDescription& row : find_block(signal.type)->parameters) {
      const Value* const value = is_of_time(row) ? signal.settings.find(row.name) : nullptr;
      if (value) add(*value, fmt::format("signal.{}.{}", signal.name, row.name), result);
    }
  }
  return result;
}

std::vector<Breakpoint> find_breakpoints(const std::vector<TimeFunction>& functions, double start, double end) {
  // Twice the error that a switching point of an expression such as 3*t - 1 may have.
  const double margin = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(start), std::abs(end));
  std::vector<std::pair<double, int>> found;
  for (std::size_t k = 0; k < functions.size(); ++k) {
    for (const double t : functions[k].value.breakpoints()) {
      if (t - 2 * margin > start && t - 2 * margin < end) found.emplace_back(t, static_cast<int>(k));
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<Breakpoint> breakpoints;
  for (const auto& [t, function] : found) {
    if (breakpoints.empty() || t - margin > breakpoints.back().after + margin)
      breakpoints.push_back({t - margin, t + margin, {}});
    Breakpoint& breakpoint = breakpoints.back();
    breakpoint.after = std::max(breakpoint.after, t + margin);
    if (std::find(breakpoint.functions.begin(), breakpoint.functions.end(), function) == breakpoint.functions.end())
      breakpoint.functions.push_back(function);
  }
  return breakpoints;
}

double last_instant(const std::vector<TimeFunction>& functions, double start, double end) {
  const std::vector<Breakpoint> breakpoints = find_breakpoints(functions, start, end);
  return !breakpoints.empty() && breakpoints.back().after > end ? breakpoints.back().before : end;
}

std::string not_finite_text(const std::vector<TimeFunction>& functions, double from, double until) {
  constexpr double beyond_reason = 1e12;  // 1/(1 - t) is finite as long as t is not 1
  std::string text;
  for (const TimeFunction& function : functions) {
    if (!function.value.signals().empty()) continue;  // of signals as they happen to be
    // A slope without bound, as of sqrt(1 - t), stops a drive as surely as a value.
    const auto size = [&](double t) {
      const Jet jet = function.value.derivatives(t);
      return function.motion < 0 ? std::abs(jet.value) : std::abs(jet.value) + std::abs(jet.first) + 0 * jet.second;
    };
    // Near the beginning first: behind its pole a function is finite again.
    for (const double fraction : {0.0, 1e-6, 1e-4, 1e-2, 0.1, 1.0}) {
      const double here = size(from + fraction * (until - from));
      if (here < beyond_reason) continue;
      const std::string line = fmt::format("{} ({}) {} near t = {:.6g} s", function.key, function.value.description(),
                                           std::isfinite(here) ? "grows without bound" : "is not finite", from);
      if (text.find(line) == std::string::npos) text += (text.empty() ? "" : "; ") + line;
      break;
    }
  }
  return text;
}

}  // namespace carom::inline simulation
