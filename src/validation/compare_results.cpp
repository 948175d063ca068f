#include "validation/compare_results.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/contact_names.h"
#include "recording/select_quantities.h"
#include "signals/curve.h"

namespace carom::inline validation {
namespace {

constexpr double fewest_samples = 4;  // in an episode whose force is integrated with a few percent of error

nlohmann::json parsed(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  return json.is_object() ? json : nlohmann::json::object();
}

template <class T>
T reported(const nlohmann::json& json, const char* key, T otherwise) {
  const auto found = json.find(key);
  return found == json.end() || found->is_null() ? otherwise : found->get<T>();
}

RunFacts facts_of(const ResultReader& result, const std::vector<double>& times) {
  const auto settings = parsed(result.header().settings_json), statistics = parsed(result.statistics_json());
  RunFacts facts;
  facts.file = result.path().string();
  facts.status = result.status();
  facts.span = {times.front(), times.back()};
  facts.model = reported(statistics, "model", result.header().model_file);
  facts.method = reported<std::string>(settings, "method", "unknown");
  facts.integrator = reported<std::string>(settings, facts.method == "nonsmooth" ? "scheme" : "integrator", "unknown");
  facts.samples = times.size();
  if (statistics.contains("steps")) {
    facts.steps = reported(statistics, "steps", 0L);
    facts.rejected = reported(statistics, "rejected_steps", 0L);
  }
  if (const auto sizes = statistics.find("step_size"); sizes != statistics.end() && sizes->size() == 2) {
    facts.smallest_step = (*sizes)[0].get<double>();
    facts.largest_step = (*sizes)[1].get<double>();
  }
  if (const auto energy = statistics.find("energy"); energy != statistics.end()) {
    facts.largest_residual = reported(*energy, "largest_residual", unreported);
    const double largest = reported(*energy, "largest", unreported);
    if (largest > 0) facts.relative_residual = facts.largest_residual / largest;
  }
  return facts;
}

// One result with its times, which every column needs.
struct Side {
  explicit Side(const ResultReader& reader)
      : result(reader), times(reader.times()), names(reader.quantities()), known(names.begin(), names.end()) {
    if (times.empty()) throw ResultError(fmt::format("{} holds no samples to compare", reader.path().string()));
  }

  bool has(const std::string& quantity) const { return known.contains(quantity); }
  // At an instant; unreported if it was not recorded.
  double at(const std::string& quantity, double time) const {
    return has(quantity) ? value_at(times, result.column(quantity), time) : unreported;
  }
  double integral(const std::string& quantity, TimeSpan span) const {
    return has(quantity) ? integral_of(times, result.column(quantity), span.begin, span.end) : unreported;
  }
  double sum(const std::string& quantity, TimeSpan span) const {
    return has(quantity) ? sum_of_increments({times, result.column(quantity)}, span) : unreported;
  }

  const ResultReader& result;
  std::vector<double> times;
  std::vector<std::string> names;
  std::unordered_set<std::string> known;
};

bool matches_any(const std::vector<std::string>& names, const std::string& pattern) {
  try {
    return !select_quantities(names, {pattern}).empty();
  } catch (const ResultError&) {
    return false;
  }
}

std::vector<std::string> shared_quantities(const Side& a, const Side& b, const std::vector<std::string>& patterns) {
  std::vector<std::string> shared;
  for (const std::string& name : a.names) {
    if (b.has(name) && a.result.component(name).unit == b.result.component(name).unit) shared.push_back(name);
  }
  if (shared.empty())
    throw ResultError(fmt::format("{} and {} have no quantity in common; carom info lists what they hold",
                                  a.result.path().string(), b.result.path().string()));
  for (const std::string& pattern : patterns) {
    if (matches_any(shared, pattern)) continue;
    const bool in_a = matches_any(a.names, pattern), in_b = matches_any(b.names, pattern);
    if (!in_a && !in_b) continue;  // select_quantities says it with the nearest names
    throw ResultError(fmt::format("only {} holds '{}'; quantities of both can be compared, carom info lists them",
                                  (in_a ? a : b).result.path().string(), pattern));
  }
  if (!patterns.empty()) return select_quantities(shared, patterns);
  return matches_any(shared, "body:*") ? select_quantities(shared, {"body:*"}) : shared;
}

std::vector<QuantityDifference> compare_quantities(const Side& a, const Side& b, TimeSpan span,
                                                   const std::vector<std::string>& names) {
  constexpr double smallest_share = 1e-6;  // of the largest range of a unit
  constexpr double smallest_scale = 1e-9;  // SI; where nothing of a unit moves at all
  std::vector<QuantityDifference> list;
  std::map<std::string, double> largest_ranges;  // by unit
  for (const std::string& name : names) {
    const std::vector<double> first = a.result.column(name), second = b.result.column(name);
    list.push_back({.quantity = name,
                    .unit = a.result.component(name).unit,
                    .difference = compare_curves({a.times, first}, {b.times, second}, span)});
    double& range = largest_ranges[list.back().unit];
    range = std::max(range, list.back().difference.range);
  }
  for (QuantityDifference& each : list)
    each.scale = std::max({each.difference.range, smallest_share * largest_ranges[each.unit], smallest_scale});
  std::stable_sort(list.begin(), list.end(), [](const QuantityDifference& one, const QuantityDifference& other) {
    return one.relative_rms() > other.relative_rms();
  });
  return list;
}

ContactTotals totals_of(const Side& side, const std::vector<EventRecord>& events, const std::string& contact,
                        TimeSpan span) {
  ContactTotals totals;
  totals.by_impulses = side.has(contact + ".normal_impulse");
  totals.present = totals.by_impulses || side.has(contact + ".normal_force");
  if (!totals.present) return totals;
  const auto total = [&](const std::string& force, const std::string& impulse) {
    return totals.by_impulses ? side.sum(contact + "." + impulse, span) : side.integral(contact + "." + force, span);
  };
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string axis(1, "xyz"[k]);
    totals.impulse[k] = total("f" + axis, "i" + axis);
  }
  totals.normal_impulse = total("normal_force", "normal_impulse");
  if (span.length() > 0) totals.mean_normal_force = totals.normal_impulse / span.length();
  const double interval =
      side.times.size() < 2 ? 0 : (side.times.back() - side.times.front()) / static_cast<double>(side.times.size() - 1);
  for (const EventRecord& event : events) {
    if (contact_group(event.subject) != contact || event.time < span.begin || event.time > span.end) continue;
    if (event.kind == "touch" || event.kind == "impact") ++totals.count;
    if (event.kind == "contact" && event.time - event.values.at(0) < fewest_samples * interval) ++totals.short_episodes;
  }
  return totals;
}

std::vector<std::string> contacts_of(const Side& side) {
  std::vector<std::string> names;
  for (const ChannelGroup& group : side.result.header().groups) {
    if (side.has(group.name + ".normal_force") || side.has(group.name + ".normal_impulse")) names.push_back(group.name);
  }
  return names;
}

std::vector<ContactComparison> compare_contacts(const Side& a, const Side& b, TimeSpan span) {
  std::vector<std::string> names = contacts_of(a);
  for (const std::string& name : contacts_of(b)) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::vector<ContactComparison> list;
  const std::vector<EventRecord> events_a = a.result.events(), events_b = b.result.events();
  for (const std::string& name : names)
    list.push_back({name, totals_of(a, events_a, name, span), totals_of(b, events_b, name, span)});
  return list;
}

EnergyTotals energy_of(const Side& side, double time) {
  EnergyTotals energy{.kinetic = side.at("energy.kinetic", time),
                      .potential = side.at("energy.potential", time),
                      .contact = side.at("energy.contact", time),
                      .supplied = side.at("energy.supplied", time),
                      .dissipated = side.at("energy.dissipated", time),
                      .residual = side.at("energy.residual", time)};
  for (const std::string& contact : contacts_of(side)) {
    const double dissipated = side.at(contact + ".dissipated", time);
    double& sum = energy.dissipated_by_contacts;
    sum = std::isnan(sum) ? dissipated : sum + dissipated;
  }
  return energy;
}

// The lines that say what is simulated: not how ([solver]) and not what is kept of it ([output]).
std::vector<std::string> model_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  bool counts = true;
  for (std::string line; std::getline(stream, line);) {
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    line = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    if (line.front() == '[') counts = !line.starts_with("[solver") && !line.starts_with("[output");
    if (counts) lines.push_back(line);
  }
  return lines;
}

void warn_of_models(const ResultHeader& a, const ResultHeader& b, std::vector<std::string>& warnings) {
  const auto lines_a = model_lines(a.model_text), lines_b = model_lines(b.model_text);
  const auto [first, second] = std::mismatch(lines_a.begin(), lines_a.end(), lines_b.begin(), lines_b.end());
  const auto shown = [](auto line, const auto& lines) {
    return line == lines.end() ? std::string("nothing more") : "`" + *line + "`";
  };
  if (first != lines_a.end() || second != lines_b.end())
    warnings.push_back(
        fmt::format("the models differ, first where A has {} and B {}", shown(first, lines_a), shown(second, lines_b)));
  const auto parameters_a = parsed(a.settings_json)["parameters"], parameters_b = parsed(b.settings_json)["parameters"];
  for (const auto& [name, value] : parameters_a.items()) {
    if (!parameters_b.contains(name) || parameters_b[name] == value) continue;
    warnings.push_back(
        fmt::format("the parameter {} is {} in A and {} in B", name, value.dump(), parameters_b[name].dump()));
  }
}

void warn_of_samples(const Comparison& comparison, std::vector<std::string>& warnings) {
  for (const RunFacts* facts : {&comparison.a, &comparison.b}) {
    const char* side = facts == &comparison.a ? "A" : "B";
    if (facts->status != "complete") warnings.push_back(fmt::format("the run of {} is {}", side, facts->status));
  }
  const double longest = std::max(comparison.a.span.length(), comparison.b.span.length());
  if (comparison.span.length() < (1 - 1e-9) * longest)
    warnings.push_back(fmt::format("A goes from {:g} to {:g} s, B from {:g} to {:g} s; what both have is compared",
                                   comparison.a.span.begin, comparison.a.span.end, comparison.b.span.begin,
                                   comparison.b.span.end));
  for (const ContactComparison& contact : comparison.contacts) {
    for (const ContactTotals* totals : {&contact.a, &contact.b}) {
      if (totals->short_episodes == 0) continue;
      warnings.push_back(fmt::format(
          "{}: {} of {} episodes in {} last less than {:g} intervals of samples, so the integral of the "
          "force is poor; a smaller output.every helps",
          contact.name, totals->short_episodes, totals->count, totals == &contact.a ? "A" : "B", fewest_samples));
    }
  }
  const bool accelerations =
      std::any_of(comparison.quantities.begin(), comparison.quantities.end(),
                  [](const QuantityDifference& each) { return each.unit == "m/s^2" || each.unit == "rad/s^2"; });
  if (accelerations && comparison.a.method != comparison.b.method)
    warnings.push_back("accelerations of a non-smooth run are means over a step, with what impulses did");
}

}  // namespace

double QuantityDifference::relative_rms() const {
  return difference.rms / scale;
}

double QuantityDifference::relative_largest() const {
  return difference.largest / scale;
}

Comparison compare_results(const ResultReader& a, const ResultReader& b, const std::vector<std::string>& patterns) {
  const Side first(a), second(b);
  Comparison comparison;
  comparison.a = facts_of(a, first.times);
  comparison.b = facts_of(b, second.times);
  comparison.span = common_span(first.times, second.times);
  if (comparison.span.length() < 0)
    throw ResultError(fmt::format("{} and {} have no time in common", a.path().string(), b.path().string()));
  const auto names = shared_quantities(first, second, patterns);
  comparison.interpolated = !same_times(first.times, second.times, comparison.span);
  comparison.quantities = compare_quantities(first, second, comparison.span, names);
  comparison.contacts = compare_contacts(first, second, comparison.span);
  comparison.energy_a = energy_of(first, comparison.span.end);
  comparison.energy_b = energy_of(second, comparison.span.end);
  warn_of_models(a.header(), b.header(), comparison.warnings);
  warn_of_samples(comparison, comparison.warnings);
  return comparison;
}

}  // namespace carom::inline validation
