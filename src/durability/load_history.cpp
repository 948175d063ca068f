#include "durability/load_history.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "force_recovery/contact_surfaces.h"

namespace carom::inline durability {

LoadHistory load_history(const ResultReader& result, const std::vector<std::string>& quantities, double from,
                         double to) {
  LoadHistory history;
  const std::vector<double> times = result.times();
  std::vector<double> squares;
  for (const std::string& quantity : quantities) {
    const Component component = result.component(quantity);
    if (!history.name.empty() && component.unit != history.unit)
      throw ResultError(fmt::format("{} is in {} and {} in {}: components of one vector have one unit", quantity,
                                    component.unit, history.name, history.unit));
    history.name += (history.name.empty() ? "" : ", ") + quantity;
    history.unit = component.unit;
    const std::vector<double> column = result.column(quantity);
    squares.resize(column.size(), 0.0);
    history.time.clear(), history.value.clear();
    for (std::size_t k = 0; k < column.size(); ++k) {
      squares[k] += column[k] * column[k];
      if (times[k] < from || times[k] > to) continue;
      history.time.push_back(times[k]);
      history.value.push_back(quantities.size() == 1 ? column[k] : std::sqrt(squares[k]));
    }
  }
  if (history.value.size() < 2)
    throw ResultError(fmt::format("{} has {} samples of {} between the times asked for; two are needed",
                                  result.path().string(), history.value.size(), history.name));
  return history;
}

LoadHistory pressure_history(const ResultReader& result, const Model& model, const LoadHistory& force) {
  const std::string group = force.name.substr(0, force.name.rfind('.'));
  const auto groups = contact_groups(model);
  if (force.unit != "N" || std::find(groups.begin(), groups.end(), group) == groups.end())
    throw ResultError(fmt::format(
        "{} is no normal force of a contact: pressures follow from normal_force, closed_force or peak_force of "
        "a contact or a joint with clearance",
        force.name));
  const ContactSurfaces surfaces = contact_surfaces(model, group);
  if (!surfaces.missing.empty()) throw ResultError(fmt::format("{}: no stresses: {}", group, surfaces.missing));
  double stiffness = 0, ratio = 1;
  for (const EventRecord& event : result.events()) {
    if (contact_group(event.subject) != group) continue;
    for (const EventKind& kind : result.header().event_kinds) {
      for (std::size_t k = 0; kind.name == event.kind && k < std::min(kind.values.size(), event.values.size()); ++k) {
        if (kind.values[k].name == "stiffness") stiffness = event.values[k];
        if (kind.values[k].name == "axis_ratio") ratio = event.values[k];
      }
    }
    if (stiffness > 0) break;
  }
  if (!(stiffness > 0) && surfaces.line_length == 0)
    throw ResultError(fmt::format("{}: no event of {} reports its stiffness", group, result.path().string()));
  LoadHistory pressure{group + ".max_pressure", "Pa", force.time, force.value};
  for (double& value : pressure.value) {
    const auto patch = patch_under(surfaces, value, stiffness, ratio);
    value = patch ? patch->max_pressure : 0;
  }
  return pressure;
}

std::vector<LoadPart> load_parts(const LoadHistory& load, const std::vector<double>& speed) {
  std::vector<LoadPart> parts;
  for (std::size_t k = 1; k < load.value.size(); ++k) {
    const double interval = load.time[k] - load.time[k - 1];
    const double turning = speed.empty()       ? 1
                           : speed.size() == 1 ? std::abs(speed[0]) / (2 * M_PI)
                                               : (std::abs(speed[k - 1]) + std::abs(speed[k])) / (4 * M_PI);
    parts.push_back({(std::abs(load.value[k - 1]) + std::abs(load.value[k])) / 2, turning * interval});
  }
  return parts;
}

}  // namespace carom::inline durability
