#include "viewing/bearing_polar.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/problem.h"
#include "bearings/quasi_static.h"
#include "plotting/ticks.h"

namespace carom::inline viewing {
namespace {

const std::string group = "bearing:";

// Of the elements: where they are and what they carry, one row after another.
struct Loads {
  std::vector<double> azimuth, load;  // rad, N
  std::size_t in_row = 0;
};

Loads loads_of(const ResultReader& result, const Model& model, const BearingModel& bearing, std::size_t sample) {
  const QuasiStaticBearing elements(rolling_geometry(model, bearing));
  Loads loads;
  loads.in_row = static_cast<std::size_t>(elements.geometry().elements);
  for (int k = 0; k < elements.count(); ++k) {
    loads.azimuth.push_back(elements.azimuth(k));
    loads.load.push_back(result.column(fmt::format("{}{}.load{}", group, bearing.element.name, k + 1))[sample]);
  }
  return loads;
}

// Circles of round loads with their numbers, as far as the largest, and spokes of 30 degrees.
void draw_grid(Panel& panel, double largest) {
  std::vector<double> circles = linear_ticks({0, largest > 0 ? largest : 1}, 4).major;
  if (circles.back() < largest) circles.push_back(2 * circles.back() - circles[circles.size() - 2]);
  const double outer = circles.back();
  for (const double radius : circles)
    panel.shapes.push_back({.kind = DrawnShape::Kind::circle,
                            .x = {0},
                            .y = {0},
                            .radius = radius,
                            .stroke = color_muted,
                            .stroke_width = 0.5});
  for (int k = 0; k < 12; ++k)
    panel.shapes.push_back({.x = {0, outer * std::cos(k * M_PI / 6)},
                            .y = {0, outer * std::sin(k * M_PI / 6)},
                            .stroke = color_muted,
                            .stroke_width = 0.5});
}

// A spoke for each element, and the line through their ends.
void draw_row(Panel& panel, const Loads& loads, std::size_t row, std::size_t rows) {
  const int color = static_cast<int>(row);
  Series outline{.label = rows > 1 ? fmt::format("row {}", row + 1) : "", .color = color},
      ends{.style = Series::Style::points, .color = color};
  for (std::size_t k = 0; k <= loads.in_row; ++k) {
    const std::size_t index = row * loads.in_row + k % loads.in_row;
    const double x = loads.load[index] * std::cos(loads.azimuth[index]),
                 y = loads.load[index] * std::sin(loads.azimuth[index]);
    outline.x.push_back(x), outline.y.push_back(y);
    if (k == loads.in_row) break;
    ends.x.push_back(x), ends.y.push_back(y);
    panel.shapes.push_back({.x = {0, x}, .y = {0, y}, .stroke = color, .stroke_width = 2.5, .opacity = 0.5});
  }
  panel.series.push_back(std::move(outline)), panel.series.push_back(std::move(ends));
}

Panel polar_panel(const ResultReader& result, const Model& model, const BearingModel& bearing, std::size_t sample) {
  const Loads loads = loads_of(result, model, bearing, sample);
  Panel panel{.title = fmt::format("{}{}, t = {:.6g} s", group, bearing.element.name, result.times()[sample]),
              .x_label = "load on the inner race [N], along x of the bearing",
              .y_label = "load on the inner race [N], along y",
              .equal_axes = true};
  const double largest = *std::max_element(loads.load.begin(), loads.load.end());
  draw_grid(panel, largest);
  const std::size_t rows = loads.load.size() / loads.in_row;
  for (std::size_t row = 0; row < rows; ++row) draw_row(panel, loads, row, rows);
  return panel;
}

}  // namespace

std::vector<Panel> polar_panels(const ResultReader& result, const Model& model, const std::vector<std::string>& names,
                                double time) {
  const std::vector<double> times = result.times();
  const auto nearest = std::min_element(times.begin(), times.end(),
                                        [&](double a, double b) { return std::abs(a - time) < std::abs(b - time); });
  const auto sample = static_cast<std::size_t>(nearest - times.begin());
  std::vector<Panel> panels;
  for (const BearingModel& bearing : model.bearings) {
    const bool asked =
        names.empty() || std::find(names.begin(), names.end(), group + bearing.element.name) != names.end();
    if (asked && bearing.is_element) panels.push_back(polar_panel(result, model, bearing, sample));
  }
  const auto known = [&](const std::string& name) {
    return std::any_of(model.bearings.begin(), model.bearings.end(),
                       [&](const BearingModel& each) { return each.is_element && name == group + each.element.name; });
  };
  for (const std::string& name : names) {
    if (!known(name))
      refuse("--polar", carom::quoted(name), "a rolling bearing in space with quasi-static detail",
             "for example carom plot r.h5 bearing:front --polar");
  }
  if (panels.empty()) refuse("--polar", "a result without one", "a rolling bearing in space with quasi-static detail");
  return panels;
}

}  // namespace carom::inline viewing
