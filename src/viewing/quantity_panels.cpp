#include "viewing/quantity_panels.h"

#include <algorithm>

#include "recording/quantity_label.h"
#include "recording/select_quantities.h"

namespace carom::inline viewing {
namespace {

// "vx" of body:crank.vx and body:rod.vx; "value" where they differ.
std::string common_component(const std::vector<Series>& series) {
  const auto component = [](const Series& one) { return one.label.substr(one.label.rfind('.') + 1); };
  const std::string first = component(series.front());
  const bool all =
      std::all_of(series.begin(), series.end(), [&](const Series& one) { return component(one) == first; });
  return all ? first : "value";
}

}  // namespace

std::vector<Panel> quantity_panels(const ResultReader& result, const std::vector<std::string>& patterns,
                                   const std::string& x) {
  const bool over_time = x == "time";
  const std::vector<double> places = over_time ? result.times() : result.column(x);
  const std::string x_label = over_time ? "time [s]" : with_unit(x, result.component(x).unit);
  std::vector<std::string> units;
  std::vector<Panel> panels;
  for (const std::string& quantity : select_quantities(result.quantities(), patterns)) {
    const Component component = result.component(quantity);
    const auto at = static_cast<std::size_t>(std::find(units.begin(), units.end(), component.unit) - units.begin());
    if (at == units.size()) {
      units.push_back(component.unit);
      panels.push_back({.x_label = x_label});
    }
    panels[at].series.push_back({.label = quantity, .x = places, .y = result.column(quantity)});
  }
  for (std::size_t k = 0; k < panels.size(); ++k) {
    // A single curve is named on its axis; several have a legend, and the axis what they have in common.
    const bool single = panels[k].series.size() == 1;
    panels[k].y_label =
        with_unit(single ? panels[k].series.front().label : common_component(panels[k].series), units[k]);
    if (single) panels[k].series.front().label.clear();
  }
  return panels;
}

}  // namespace carom::inline viewing
