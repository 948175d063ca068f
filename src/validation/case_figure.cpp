#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "recording/quantity_label.h"
#include "recording/result_reader.h"
#include "validation/csv_line.h"
#include "validation/page.h"
#include "validation/value_panels.h"

namespace carom::inline validation {
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
  return with_unit(quantities.size() == 1 ? quantities.front() : "value", units.size() == 1 ? *units.begin() : "");
}

// The samples that the panel shows.
void keep_shown(const PlotPanel& plan, const ResultReader& reader, const std::vector<double>& time, Series& series) {
  const std::vector<double> where =
      plan.where.empty() ? std::vector<double>(time.size(), 1) : reader.column(plan.where);
  std::vector<double> x, y;
  for (std::size_t k = 0; k < time.size(); ++k) {
    if (time[k] < plan.begin || time[k] > plan.end || !(where[k] > 0)) continue;
    x.push_back(series.x[k]);
    y.push_back(series.y[k]);
  }
  series.x = std::move(x);
  series.y = std::move(y);
}

std::vector<const CaseRun*> shown_runs(const CaseResult& result, const PlotPanel& plan) {
  std::vector<const CaseRun*> runs;
  for (const CaseRun& run : result.runs) {
    if (plan.shows(run.variant)) runs.push_back(&run);
  }
  return runs;
}

// Quantities over time, or over another quantity.
Panel curve_panel(const CaseResult& result, const PlotPanel& plan, std::set<std::string>& shown) {
  Panel panel{.title = plan.title, .x_label = "time [s]"};
  const std::vector<const CaseRun*> runs = shown_runs(result, plan);
  int color = 0;
  bool points = false;
  for (const CaseRun* run : runs) {
    const ResultReader reader(run->result_file);
    const std::vector<double> time = reader.times();
    const std::vector<double> x = plan.x.empty() ? time : reader.column(plan.x);
    panel.y_label = axis_label(reader, plan.quantities);
    if (!plan.x.empty()) panel.x_label = with_unit(plan.x, reader.component(plan.x).unit);
    const ReferenceTable& reference = result.the_case.reference_of(run->variant);
    for (const std::string& quantity : plan.quantities) {
      std::string label = plan.quantities.size() > 1 ? quantity : runs.size() > 1 ? "" : "computed";
      if (runs.size() > 1) label += (label.empty() ? "" : ", ") + run->variant;
      Series curve{.label = label, .x = x, .y = reader.column(quantity), .color = color};
      keep_shown(plan, reader, time, curve);
      auto limits = plan.x.empty() ? limit_lines(result, run->variant, quantity, curve) : std::vector<Series>();
      for (Series& limit : limits) panel.series.push_back(std::move(limit));
      panel.series.push_back(std::move(curve));
      if (const auto* column = plan.x.empty() ? reference.find(quantity) : nullptr) {
        panel.series.push_back(reference_points(reference, *column, color));
        points = true;
      }
      if (Series expected = expected_points(result, run->variant, quantity); plan.x.empty() && !expected.x.empty()) {
        expected.color = color;
        panel.series.push_back(std::move(expected));
        shown.insert(shown_name(run->variant, quantity));
        points = true;
      }
      ++color;
    }
  }
  // One entry of the legend stands for the points of all colours.
  if (color == 1 && points) panel.series.back().label = "reference";
  if (color == 1 && !points) panel.series.back().label.clear();
  return panel;
}

// The number in the table of a check, if one has it.
double reference_value(const Case& the_case, const PlotPanel& plan, const std::string& variant) {
  for (const Check& check : the_case.checks) {
    const std::size_t column = check.episodes.find(plan.y);
    if (check.contact != plan.contact || column == check.episodes.columns.size()) continue;
    for (const EpisodeTable::Row* row : check.episodes.rows_of(variant)) {
      if (row->number == plan.number) return row->values[column];
    }
  }
  return not_given;
}

void sort_by_x(Series& series) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t k = 0; k < series.x.size(); ++k) points.emplace_back(series.x[k], series.y[k]);
  std::sort(points.begin(), points.end());
  for (std::size_t k = 0; k < points.size(); ++k) std::tie(series.x[k], series.y[k]) = points[k];
}

// A value of an episode over what the variants differ in.
Panel variants_panel(const CaseResult& result, const PlotPanel& plan) {
  Panel panel{.title = plan.title, .x_label = plan.x, .y_label = with_unit(plan.y, episode_unit(plan.y))};
  std::vector<std::string> labels;
  std::vector<Series> curves, points;
  for (const Variant& variant : result.the_case.variants) {
    const auto run = std::find_if(result.runs.begin(), result.runs.end(),
                                  [&](const CaseRun& one) { return one.variant == variant.name; });
    double x = 0;
    if (!plan.shows(variant.name) || run == result.runs.end() || !csv_number(variant.label_of(plan.x), x)) continue;
    const auto found = run->episodes.find(plan.contact);
    const auto index = static_cast<std::size_t>(plan.number - 1);
    if (found == run->episodes.end() || index >= found->second.size()) continue;
    const std::string label = plan.series.empty() ? "" : variant.label_of(plan.series);
    const auto place = static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
    if (place == labels.size()) {
      labels.push_back(label);
      const int color = static_cast<int>(place);
      curves.push_back({.label = label, .color = color});
      points.push_back({.style = Series::Style::points, .color = color});
    }
    curves[place].x.push_back(x);
    curves[place].y.push_back(episode_value(found->second[index], plan.y));
    if (const double reference = reference_value(result.the_case, plan, variant.name); !std::isnan(reference)) {
      points[place].x.push_back(x);
      points[place].y.push_back(reference);
    }
  }
  for (Series& curve : curves) sort_by_x(curve);
  panel.series = std::move(curves);
  for (Series& one : points) {
    if (!one.x.empty()) panel.series.push_back(std::move(one));
  }
  return panel;
}

// |residual| as a share of the largest energy, below its limit; of several runs the worst.
void add_residual_panel(const CaseResult& result, Figure& figure) {
  const auto& checks = result.the_case.checks;
  const auto check =
      std::find_if(checks.begin(), checks.end(), [](const Check& c) { return c.kind == CheckKind::residual; });
  if (check == checks.end()) return;
  const CaseRun* worst = nullptr;
  double largest = 0;
  for (const CaseRun& run : result.runs) {
    const double share = run.summary.energy.largest_residual / run.summary.energy.largest;
    if (!check->holds_for(run.variant) || !(share > largest)) continue;
    largest = share;
    worst = &run;
  }
  if (!worst) return;
  const ResultReader reader(worst->result_file);
  const std::vector<std::string> present = reader.quantities();
  if (std::find(present.begin(), present.end(), "energy.residual") == present.end()) return;
  Panel panel{.x_label = "time [s]", .y_label = "energy residual / largest energy", .log_y = true};
  Series series{.label = worst->variant.empty() ? "computed" : worst->variant,
                .x = reader.times(),
                .y = reader.column("energy.residual"),
                .color = 0};
  for (double& value : series.y) value = std::abs(value) / worst->summary.energy.largest;
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
  for (std::size_t k = 0; k < curves.groups.size(); ++k) {
    const int color = static_cast<int>(k);
    panel.series.push_back({.label = curves.groups[k], .x = curves.steps, .y = curves.errors[k], .color = color});
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
  const bool complete = result.failure.empty() && !result.runs.empty();
  const bool moves = complete && result.runs.front().summary.samples > 1;
  std::set<std::string> shown;
  bool episodes = false;
  if (moves) {
    for (const PlotPanel& plan : plot.panels) {
      figure.panels.push_back(plan.contact.empty() ? curve_panel(result, plan, shown) : variants_panel(result, plan));
      episodes = episodes || !plan.contact.empty();
    }
  }
  const auto add = [&](std::vector<Panel> panels) {
    for (Panel& panel : panels) figure.panels.push_back(std::move(panel));
  };
  if (complete) add(value_panels(result, shown));
  if (complete && !episodes) add(episode_panels(result));
  if (moves) add_residual_panel(result, figure);
  for (const ConvergenceCurves& curves : result.convergences) figure.panels.push_back(convergence_panel(curves));
  const bool points = std::any_of(figure.panels.begin(), figure.panels.end(), [](const Panel& panel) {
    return !panel.log_x && std::any_of(panel.series.begin(), panel.series.end(),
                                       [](const Series& s) { return s.style == Series::Style::points; });
  });
  if (points) figure.caption = "Lines: computed. Points: reference.";
  figure.columns = figure.panels.size() > 1 ? 2 : 1;
  return figure;
}

}  // namespace carom::inline validation
