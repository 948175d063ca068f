#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "plotting/figure.h"

namespace carom::scene {

template <class Function>
Series curve(const std::string& label, double from, double to, int count, Function&& function) {
  Series series{.label = label};
  for (int i = 0; i < count; ++i) {
    const double x = from + (to - from) * i / (count - 1);
    series.x.push_back(x);
    series.y.push_back(function(x));
  }
  return series;
}

inline Figure one_panel() {
  Panel panel{.x_label = "time [s]", .y_label = "slider acceleration [m/s²]"};
  panel.series = {curve("ideal joint", 0, 0.024, 400, [](double t) { return 7000 * std::cos(524 * t); }),
                  curve("clearance 0.05 mm", 0, 0.024, 900, [](double t) {
                    return 7000 * std::cos(524 * t) + 2500 * std::exp(-150 * t) * std::sin(9000 * t);
                  })};
  panel.series[0].style = Series::Style::dashed;
  return {.title = "Slider–crank with a loose pin", .panels = {panel}};
}

inline Figure four_panels() {
  Figure figure{.title = "Double pendulum, ω₀ = 3 rad/s",
                .caption =
                    "Positions, reaction, energy residual and penetration of one run; the residual is the "
                    "difference between stored, supplied and dissipated energy.",
                .columns = 2};
  figure.panels.push_back({.title = "Angles", .x_label = "time [s]", .y_label = "angle [rad]"});
  figure.panels[0].series = {curve("φ₁", 0, 10, 800, [](double t) { return std::sin(2 * t) * std::cos(0.3 * t); }),
                             curve("φ₂", 0, 10, 800, [](double t) { return 0.6 * std::sin(3.1 * t + 1); })};
  figure.panels.push_back({.title = "Reaction", .x_label = "time [s]", .y_label = "force [N]"});
  figure.panels[1].series = {curve("", 0, 10, 3000, [](double t) { return 2.4e6 * std::abs(std::sin(9 * t)) + 1e5; })};
  figure.panels.push_back({.title = "Energy residual", .x_label = "time [s]", .y_label = "energy [J]"});
  figure.panels[2].series = {curve("", 0, 10, 800, [](double t) { return 3e-8 * t * (1 + 0.2 * std::sin(20 * t)); })};
  figure.panels.push_back({.title = "Stored energy", .x_label = "time [s]", .y_label = "energy [J]"});
  figure.panels[3].series = {curve("", 0, 10, 800, [](double t) { return 12.3457 + 2e-6 * std::sin(5 * t); })};
  return figure;
}

inline Figure six_series() {
  Panel panel{.x_label = "restitution e [–]", .y_label = "damping factor [–]"};
  const char* const names[] = {"Hunt–Crossley", "Lankarani–Nikravesh", "Flores et al.", "Gonthier et al.",
                               "Hu–Guo",        "Zhiying–Qishao"};
  for (int k = 0; k < 6; ++k) {
    panel.series.push_back(
        curve(names[k], 0.05, 1, 200, [&](double e) { return (1 + 0.4 * k) * (1 - e) / std::pow(e, 0.15 * k); }));
  }
  return {.panels = {panel}};
}

inline Figure log_axes() {
  Panel panel{.x_label = "step h [s]", .y_label = "error ‖q − q_ref‖ [m]", .log_x = true, .log_y = true};
  for (int order = 1; order <= 4; ++order) {
    Series line{.label = "order " + std::to_string(order)}, points{.style = Series::Style::points, .color = order - 1};
    for (int i = 0; i < 9; ++i) {
      const double h = std::pow(10, -4 + 0.375 * i);
      line.x.push_back(h);
      line.y.push_back(0.5 * std::pow(h, order) + 1e-13);
    }
    points.x = line.x;
    points.y = line.y;
    panel.series.push_back(line);
    panel.series.push_back(points);
    panel.series[panel.series.size() - 2].color = order - 1;
  }
  return {.title = "Convergence", .panels = {panel}};
}

inline Figure slider_crank_positions() {
  Panel panel{.x_label = "x [m]", .y_label = "y [m]", .equal_axes = true};
  const double crank = 0.05, rod = 0.12;
  panel.shapes.push_back({.x = {-0.07, 0.2}, .y = {-0.0125, -0.0125}, .stroke = color_muted, .stroke_width = 1.5});
  panel.shapes.push_back({.kind = DrawnShape::Kind::circle,
                          .x = {0},
                          .y = {0},
                          .radius = crank,
                          .stroke = color_muted,
                          .stroke_width = 0.6,
                          .dashed = true});
  Series path{.label = "mid-point of the rod", .style = Series::Style::dashed, .color = 1};
  for (int i = 0; i <= 120; ++i) {
    const double angle = 2 * M_PI * i / 120, x = crank * std::cos(angle), y = crank * std::sin(angle);
    path.x.push_back(x + std::sqrt(rod * rod - y * y) / 2);
    path.y.push_back(y / 2);
  }
  for (int i = 4; i >= 0; --i) {
    const double angle = 0.7 + 0.5 * i, x = crank * std::cos(angle), y = crank * std::sin(angle);
    const double slider = x + std::sqrt(rod * rod - y * y), opacity = i == 0 ? 1 : 0.45 - 0.07 * i;
    panel.shapes.push_back({.kind = DrawnShape::Kind::polygon,
                            .x = {slider - 0.02, slider + 0.02, slider + 0.02, slider - 0.02},
                            .y = {-0.0125, -0.0125, 0.0125, 0.0125},
                            .stroke = 0,
                            .fill = 5,
                            .opacity = opacity});
    panel.shapes.push_back({.x = {0, x, slider}, .y = {0, y, 0}, .stroke = 0, .stroke_width = 3.5, .opacity = opacity});
    for (const auto& [px, py] : {std::pair{0.0, 0.0}, {x, y}, {slider, 0.0}}) {
      panel.shapes.push_back({.kind = DrawnShape::Kind::circle,
                              .x = {px},
                              .y = {py},
                              .marker_size = 6,
                              .stroke = color_ink,
                              .fill = color_muted,
                              .opacity = opacity});
    }
  }
  panel.series = {path};
  return {.title = "Slider–crank, five positions", .panels = {panel}};
}

/// Constants, single points, gaps, no data at all, huge and tiny values, names that do not fit.
inline Figure corner_cases() {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  Figure figure{.title = "Corner cases", .columns = 3};
  const auto add = [&](const std::string& title, std::vector<Series> series) {
    figure.panels.push_back({.title = title, .x_label = "time [s]", .y_label = "y [–]", .series = std::move(series)});
  };
  add("constant", {curve("c", 0, 1, 10, [](double) { return 9.81; })});
  add("zero", {curve("0", 0, 1, 10, [](double) { return 0.0; })});
  add("one point", {{.label = "p", .x = {3}, .y = {4}}});
  add("empty", {});
  add("gaps", {{.label = "gaps", .x = {0, 1, 2, 3, 4, 5, 6}, .y = {0, 1, nan, 2, infinite, 1, 0}}});
  add("huge", {{.label = "huge", .x = {0, 1, 2}, .y = {-1e308, 1e299, -1e299}}});
  add("tiny", {{.label = "tiny", .x = {0, 1e-12, 3e-12}, .y = {1e-300, 5e-300, 2e-300}}});
  add("offset", {curve("Δ", 1e6, 1e6 + 1e-3, 50, [](double x) { return 1 + 1e-9 * std::sin((x - 1e6) * 1e4); })});
  add("a title that is far too long for the panel it stands on, by any measure",
      {curve("a name that is much longer than anybody would like to see in a legend", 0, 1, 9,
             [](double x) { return -x; })});
  figure.panels.back().y_label = "a label of the axis that is longer than the axis itself [kg·m²/s²]";
  figure.panels.back().x_label = "Ω \xff\xfe <b>&amp; \x01 [rad/s]";
  return figure;
}

inline Figure many_samples(int count) {
  Panel panel{.x_label = "time [s]", .y_label = "contact force [N]"};
  panel.series = {curve("F", 0, 1, count, [](double t) { return std::sin(40 * t) * std::sin(4e4 * t); })};
  return {.panels = {panel}};
}

}  // namespace carom::scene
