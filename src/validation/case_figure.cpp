#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "recording/result_reader.h"
#include "validation/page.h"

namespace carom {
namespace {

constexpr std::size_t most_points = 40;  // reference samples shown a curve

Series reference_points(const ReferenceTable& reference, const std::vector<double>& column, int color) {
  Series series{.style = Series::Style::points, .color = color};
  const std::size_t stride = std::max<std::size_t>(1, (column.size() + most_points - 1) / most_points);
  for (std::size_t k = 0; k < column.size(); k += stride) {
    series.x.push_back(reference.time[k]);
    series.y.push_back(column[k]);
  }
  return series;
}

std::string axis_label(const ResultReader& reader, const std::vector<std::string>& quantities) {
  std::set<std::string> units;
  for (const std::string& quantity : quantities) units.insert(reader.component(quantity).unit);
  const std::string name = quantities.size() == 1 ? quantities.front() : "value";
  if (units.size() != 1 || units.begin()->empty() || *units.begin() == "1") return name;
  return fmt::format("{} [{}]", name, *units.begin());
}

Panel curve_panel(const CaseResult& result, const ResultReader& reader, const std::vector<std::string>& quantities) {
  Panel panel{.x_label = "time [s]", .y_label = axis_label(reader, quantities)};
  const std::vector<double> time = reader.times();
  int color = 0;
  bool points = false;
  for (const std::string& quantity : quantities) {
    panel.series.push_back({.label = quantities.size() > 1 ? quantity : "computed",
                            .x = time,
                            .y = reader.column(quantity),
                            .color = color});
    if (const auto* column = result.the_case.reference.find(quantity)) {
      panel.series.push_back(reference_points(result.the_case.reference, *column, color));
      points = true;
    }
    ++color;
  }
  // One entry of the legend stands for the points of all colours.
  if (points && quantities.size() == 1) panel.series.back().label = "reference";
  if (!points && quantities.size() == 1) panel.series.back().label.clear();
  return panel;
}

// |residual| as a share of the largest energy, below its limit.
void add_residual_panel(const CaseResult& result, const ResultReader& reader, Figure& figure) {
  const auto& checks = result.the_case.checks;
  const auto check =
      std::find_if(checks.begin(), checks.end(), [](const Check& c) { return c.kind == CheckKind::residual; });
  const std::vector<std::string> present = reader.quantities();
  const bool recorded = std::find(present.begin(), present.end(), "energy.residual") != present.end();
  if (check == checks.end() || !recorded || !(result.summary.largest_energy > 0)) return;
  Panel panel{.x_label = "time [s]", .y_label = "energy residual / largest energy", .log_y = true};
  Series series{.label = "computed", .x = reader.times(), .y = reader.column("energy.residual"), .color = 0};
  for (double& value : series.y) value = std::abs(value) / result.summary.largest_energy;
  if (largest_magnitude(series.y) == 0) return;
  panel.series.push_back(series);
  panel.series.push_back({.label = "limit",
                          .x = {series.x.front(), series.x.back()},
                          .y = {check->tolerance_relative, check->tolerance_relative},
                          .style = Series::Style::dashed,
                          .color = color_ink});
  figure.panels.push_back(std::move(panel));
}

Panel convergence_panel(const ConvergenceCurves& curves) {
  Panel panel{
      .title = curves.name, .x_label = "step [s]", .y_label = "largest relative error", .log_x = true, .log_y = true};
  double top = 0;
  for (std::size_t k = 0; k < curves.quantities.size(); ++k) {
    const int color = static_cast<int>(k);
    panel.series.push_back({.label = curves.quantities[k], .x = curves.steps, .y = curves.errors[k], .color = color});
    panel.series.push_back({.x = curves.steps, .y = curves.errors[k], .style = Series::Style::points, .color = color});
    top = std::max(top, curves.errors[k].front());
  }
  // A guide of the expected slope above all curves.
  Series guide{.label = fmt::format("order {:g}", curves.order),
               .x = curves.steps,
               .style = Series::Style::dashed,
               .color = color_ink};
  for (const double step : curves.steps)
    guide.y.push_back(3 * top * std::pow(step / curves.steps.front(), curves.order));
  panel.series.push_back(std::move(guide));
  return panel;
}

}  // namespace

Figure case_figure(const CaseResult& result) {
  Figure figure;
  const CasePlot& plot = result.the_case.plot;
  figure.title = plot.title.empty() ? result.the_case.title : plot.title;
  if (result.failure.empty() && result.summary.samples > 1) {
    const ResultReader reader(result.result_file);
    for (const auto& quantities : plot.panels) figure.panels.push_back(curve_panel(result, reader, quantities));
    add_residual_panel(result, reader, figure);
  }
  for (const ConvergenceCurves& curves : result.convergences) figure.panels.push_back(convergence_panel(curves));
  const bool points = std::any_of(figure.panels.begin(), figure.panels.end(), [](const Panel& panel) {
    return !panel.log_x && std::any_of(panel.series.begin(), panel.series.end(),
                                       [](const Series& s) { return s.style == Series::Style::points; });
  });
  if (points) figure.caption = "Lines: computed. Points: reference.";
  figure.columns = figure.panels.size() > 1 ? 2 : 1;
  return figure;
}

}  // namespace carom
