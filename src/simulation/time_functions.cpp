#include "simulation/time_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace carom {
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

// Springs by function depend on elongation and rate; only these two types are given over the time.
bool is_load(const ElementModel& force) {
  return force.type == "force" || force.type == "torque";
}

}  // namespace

std::vector<TimeFunction> time_functions(const Model& model) {
  std::vector<TimeFunction> result;
  for (std::size_t k = 0; k < model.motions.size(); ++k) {
    const MotionModel& motion = model.motions[k];
    result.push_back({fmt::format("motion.{}.{}", motion.name, name_of(motion.level)), motion.value, static_cast<int>(k)});
  }
  for (const ElementModel& force : model.forces) {
    if (!is_load(force)) continue;
    const Value* const value = force.settings.find(force.type);
    if (!value) continue;
    const std::string key = fmt::format("force.{}.{}", force.name, force.type);
    if (const auto* single = std::get_if<Function>(value)) result.push_back({key, *single});
    if (const auto* several = std::get_if<std::vector<Function>>(value)) {
      for (const Function& component : *several) result.push_back({key, component});
    }
  }
  return result;
}

std::vector<Kink> find_kinks(const std::vector<TimeFunction>& functions, double start, double end) {
  // Twice the error that a switching point of an expression such as 3*t - 1 may have.
  const double margin = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(start), std::abs(end));
  std::vector<std::pair<double, int>> found;
  for (std::size_t k = 0; k < functions.size(); ++k) {
    for (const double t : functions[k].value.kinks()) {
      if (t - 2 * margin > start && t + 2 * margin < end) found.emplace_back(t, static_cast<int>(k));
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<Kink> kinks;
  for (const auto& [t, function] : found) {
    if (kinks.empty() || t - margin > kinks.back().after + margin) kinks.push_back({t - margin, t + margin, {}});
    Kink& kink = kinks.back();
    kink.after = std::max(kink.after, t + margin);
    if (std::find(kink.functions.begin(), kink.functions.end(), function) == kink.functions.end()) kink.functions.push_back(function);
  }
  return kinks;
}

std::string not_finite_text(const std::vector<TimeFunction>& functions, double from, double until) {
  std::string text;
  for (const TimeFunction& function : functions) {
    // A slope without bound, as of sqrt(1 - t), stops a drive as surely as a value.
    const auto finite = [&](double t) {
      const Jet jet = function.value.derivatives(t);
      return std::isfinite(jet.value) && (function.motion < 0 || (std::isfinite(jet.first) && std::isfinite(jet.second)));
    };
    // Near the beginning first: 1/(t - 1) is finite again behind its pole.
    constexpr std::array fractions = {0.0, 1e-6, 1e-4, 1e-2, 0.1, 1.0};
    const auto bad = std::find_if_not(fractions.begin(), fractions.end(), [&](double x) { return finite(from + x * (until - from)); });
    if (bad == fractions.end()) continue;
    const std::string line = fmt::format("{} ({}) is not finite near t = {:.6g} s", function.key, function.value.description(), from);
    if (text.find(line) == std::string::npos) text += (text.empty() ? "" : "; ") + line;
  }
  return text;
}

}  // namespace carom
