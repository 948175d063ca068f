#include "viewing/quantity_panels.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/problem.h"
#include "base/units.h"
#include "recording/quantity_label.h"
#include "viewing/quantity_curves.h"

namespace carom::inline viewing {
namespace {

// What quantities of a unit are, where they have no name in common.
const char* kind_of(const std::string& unit) {
  static const std::vector<std::pair<const char*, const char*>> kinds = {{"m", "length"},
                                                                         {"rad", "angle"},
                                                                         {"m/s", "speed"},
                                                                         {"rad/s", "angular velocity"},
                                                                         {"m/s^2", "acceleration"},
                                                                         {"rad/s^2", "angular acceleration"},
                                                                         {"N", "force"},
                                                                         {"N m", "torque"},
                                                                         {"N s", "impulse"},
                                                                         {"J", "energy"},
                                                                         {"W", "power"},
                                                                         {"Pa", "stress"},
                                                                         {"kg m^2/s", "angular momentum"},
                                                                         {"1/m", "curvature"},
                                                                         {"s", "time"}};
  for (const auto& [each, kind] : kinds) {
    if (unit == each) return kind;
  }
  return "number";
}

struct Quantity {
  std::string group, component;

  // An expression is all component.
  explicit Quantity(const std::string& name) {
    const std::size_t point = name.rfind('.');
    const bool named = point != std::string::npos && name.find_first_of("=+*/^") == std::string::npos &&
                       name.find(" - ") == std::string::npos;
    group = named ? name.substr(0, point) : "";
    component = named ? name.substr(point + 1) : name;
  }
};

// "vx" of body:crank.vx and body:rod.vx, "x, y" of two components, "energy" of many that are counted in J.
std::string axis_name(const std::vector<Series>& series, const std::string& unit) {
  constexpr std::size_t most_named = 3;
  std::vector<std::string> components;
  for (const Series& one : series) {
    const Quantity quantity(one.label);
    if (quantity.group.empty()) return kind_of(unit);
    if (std::find(components.begin(), components.end(), quantity.component) == components.end())
      components.push_back(quantity.component);
  }
  return components.size() <= most_named ? fmt::format("{}", fmt::join(components, ", ")) : kind_of(unit);
}

// Components of one vector: x and y, vx and vy, ex and ey of one thing.
bool are_of_one_vector(const std::string& a, const std::string& b) {
  const Quantity first(a), second(b);
  const auto stem = [](const std::string& component) { return component.substr(0, component.size() - 1); };
  const auto has_axis = [](const std::string& component) {
    return !component.empty() && component.back() >= 'x' && component.back() <= 'z';
  };
  return !first.group.empty() && first.group == second.group && has_axis(first.component) &&
         has_axis(second.component) && stem(first.component) == stem(second.component);
}

// Units that were asked for, and whether something is shown in each.
class ShownUnits {
 public:
  explicit ShownUnits(const std::vector<UnitWish>& wishes) : wishes_(wishes), used_(wishes.size(), false) {}

  struct Shown {
    std::string unit;
    double factor = 1;  // from SI
  };
  Shown shown(const std::string& quantity, const std::string& si) {
    met_.insert(si.empty() ? "1" : si);
    for (std::size_t k = 0; k < wishes_.size(); ++k) {
      if (!matches_pattern(quantity, wishes_[k].of)) continue;
      const QuantityResult one = parse_quantity("1 " + wishes_[k].unit, si),
                           two = parse_quantity("2 " + wishes_[k].unit, si);
      const bool is_scale = one.ok() && one.value > 0 && std::abs(two.value - 2 * one.value) <= 1e-12 * one.value;
      if (!is_scale) continue;
      used_[k] = true;
      return {wishes_[k].unit, 1 / one.value};
    }
    return {si, 1};
  }

  void require_use() const {
    for (std::size_t k = 0; k < wishes_.size(); ++k) {
      if (used_[k] || !wishes_[k].must_fit) continue;
      throw ResultError(fmt::format("--unit {}: nothing that is drawn can be given in it; units here are {}",
                                    carom::quoted(wishes_[k].unit), fmt::join(met_, ", ")));
    }
  }

 private:
  std::vector<UnitWish> wishes_;
  std::vector<bool> used_;
  std::set<std::string> met_;  // SI units of what is drawn
};

double range_of(const std::vector<double>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high > low ? high - low : 0;
}

// Those that vary most, in their order.
std::size_t keep_most_varying(std::size_t most, std::vector<Series>& series) {
  if (most == 0 || series.size() <= most) return 0;
  std::vector<double> ranges;
  for (const Series& one : series) ranges.push_back(range_of(one.y));
  std::vector<double> sorted = ranges;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(most) - 1, sorted.end(),
                   std::greater<>());
  const double least = sorted[most - 1];
  std::vector<Series> kept;
  for (std::size_t k = 0; k < series.size(); ++k) {
    if (ranges[k] >= least && kept.size() < most) kept.push_back(std::move(series[k]));
  }
  const std::size_t left_out = series.size() - kept.size();
  series = std::move(kept);
  return left_out;
}

/// Reads curves and sorts them into panels.
class PanelMaker {
 public:
  PanelMaker(const ResultReader& result, const CurveChoice& choice)
      : choice_(choice),
        curves_(result),
        units_(choice.units),
        over_time_(choice.x.empty() || choice.x == "time" || choice.x == "t"),
        times_(result.times()) {
    select_samples(times_, choice.part);  // refuses a part without any
    if (over_time_) {
      x_ = {"time", "s", times_, times_};
    } else {
      const std::vector<std::string> names = curves_.names(choice.x);
      if (names.size() != 1)
        throw ResultError(fmt::format("-x {}: means {} quantities; give one", carom::quoted(choice.x), names.size()));
      x_ = curves_.curve(names.front(), false);
    }
    x_shown_ = units_.shown(x_.name, x_.unit);
  }

  QuantityPanels make(const ResultReader& result) {
    std::vector<std::string> names;
    std::set<std::string> taken;
    const auto take = [&](const std::string& name) {
      if (taken.insert(name).second) names.push_back(name);
    };
    for (const std::string& text : choice_.quantities)
      for (const std::string& name : curves_.names(text)) take(name);
    if (choice_.quantities.empty())
      for (const std::string& name : result.quantities()) take(name);
    for (const std::string& name : names) add(name);
    units_.require_use();
    for (std::size_t k = 0; k < panels_.panels.size(); ++k) finish(k);
    if (choice_.most_panels > 0 && panels_.panels.size() > choice_.most_panels) {
      panels_.left_out_panels = panels_.panels.size() - choice_.most_panels;
      panels_.panels.resize(choice_.most_panels);
    }
    return std::move(panels_);
  }

 private:
  void add(const std::string& name) {
    const QuantityCurve curve = curves_.curve(name, over_time_);
    const ShownUnits::Shown shown = units_.shown(curve.name, curve.unit);
    const AxisUnit unit{curve.unit, shown.unit};
    const auto at = static_cast<std::size_t>(std::find(axes_.begin(), axes_.end(), unit) - axes_.begin());
    if (at == axes_.size()) {
      axes_.push_back(unit);
      panels_.panels.push_back({.x_label = with_unit(x_.name, x_shown_.unit)});
    }
    Series series{.label = curve.name};
    for (std::size_t i = 0; i < curve.values.size(); ++i) {
      if (curve.times[i] < choice_.part.from || curve.times[i] > choice_.part.to) continue;
      series.x.push_back(x_shown_.factor * (over_time_ ? curve.times[i] : x_.values[i]));
      series.y.push_back(shown.factor * curve.values[i]);
    }
    panels_.panels[at].series.push_back(std::move(series));
  }

  // A single curve is named on its axis; several have a legend, and the axis what they have in common.
  void finish(std::size_t index) {
    Panel& panel = panels_.panels[index];
    panels_.left_out_curves += keep_most_varying(choice_.most_curves, panel.series);
    panel.equal_axes = !over_time_ && std::all_of(panel.series.begin(), panel.series.end(), [&](const Series& one) {
      return are_of_one_vector(x_.name, one.label);
    }) && axes_[index].shown == x_shown_.unit;
    const bool single = panel.series.size() == 1;
    panel.y_label =
        with_unit(single ? panel.series.front().label : axis_name(panel.series, axes_[index].si), axes_[index].shown);
    if (single) panel.series.front().label.clear();
  }

  const CurveChoice& choice_;
  QuantityCurves curves_;
  ShownUnits units_;
  const bool over_time_;
  const std::vector<double> times_;
  QuantityCurve x_;
  ShownUnits::Shown x_shown_;
  struct AxisUnit {
    std::string si, shown;
    bool operator==(const AxisUnit&) const = default;
  };
  std::vector<AxisUnit> axes_;  // of each panel
  QuantityPanels panels_;
};

}  // namespace

QuantityPanels choose_panels(const ResultReader& result, const CurveChoice& choice) {
  return PanelMaker(result, choice).make(result);
}

std::vector<Panel> quantity_panels(const ResultReader& result, const std::vector<std::string>& patterns,
                                   const std::vector<UnitWish>& units) {
  return choose_panels(result, {.quantities = patterns, .units = units}).panels;
}

}  // namespace carom::inline viewing
