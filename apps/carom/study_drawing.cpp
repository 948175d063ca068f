#include "study_drawing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "model_io/check_value.h"
#include "option_quantity.h"
#include "recording/quantity_label.h"
#include "recording/select_quantities.h"
#include "studies/study_table.h"

namespace carom {
namespace {

std::vector<std::string> names_of(const std::vector<const TableColumn*>& columns) {
  std::vector<std::string> names;
  for (const TableColumn* column : columns) names.push_back(column->component.name);
  return names;
}

bool varies(const TableColumn& column) {
  if (column.is_text) return std::set(column.texts.begin(), column.texts.end()).size() > 1;
  return std::set(column.numbers.begin(), column.numbers.end()).size() > 1;
}

class StudyDrawing {
 public:
  StudyDrawing(const Table& table, const std::string& x) : table_(table), x_(x_column(x)) {
    const std::string* sampling = table.attribute("sampling");
    drawn_ = sampling && *sampling != "grid" && *sampling != "list";
    for (const TableColumn* column : varied_columns(table))
      if (column != x_ && varies(*column)) others_.push_back(column);
    for (const char* name : {"model", "method"})
      if (const TableColumn* column = table.column(name); column && varies(*column)) others_.push_back(column);
  }

  Panel curves(const TableColumn& quantity) const {
    Panel panel = axes(quantity.component);
    std::map<std::string, std::vector<std::pair<double, double>>> points;
    std::vector<std::string> order;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      const std::string group = drawn_ ? "" : group_of(row);
      if (!points.contains(group)) order.push_back(group);
      points[group].emplace_back(x_->numbers[row], quantity.numbers[row]);
    }
    for (const std::string& group : order) {
      auto& of_group = points[group];
      std::stable_sort(of_group.begin(), of_group.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      Series series{.label = group, .style = drawn_ ? Series::Style::points : Series::Style::line};
      for (const auto& [x, y] : of_group) {
        series.x.push_back(x);
        series.y.push_back(y);
      }
      panel.series.push_back(std::move(series));
    }
    return panel;
  }

  Panel cloud(const TableList& list) const {
    Panel panel = axes(list.component);
    std::map<std::string, std::size_t> places;
    for (std::size_t k = 0; k < list.values.size(); ++k) {
      const auto row = static_cast<std::size_t>(list.rows[k]);
      const std::string group = group_of(row);
      const auto [place, is_new] = places.emplace(group, panel.series.size());
      if (is_new) panel.series.push_back({.label = group, .style = Series::Style::points});
      panel.series[place->second].x.push_back(x_->numbers[row]);
      panel.series[place->second].y.push_back(list.values[k]);
    }
    return panel;
  }

  // Cells in shades, the largest value the darkest.
  Panel shades(const TableColumn& quantity, const TableColumn& y) const {
    Panel panel{.title = with_unit(quantity.component.name, quantity.component.unit),
                .x_label = with_unit(x_->component.name, x_->component.unit),
                .y_label = with_unit(y.component.name, y.component.unit)};
    panel.log_x = is_logarithmic(*x_);
    panel.log_y = is_logarithmic(y);
    const Cells across = cells(*x_, panel.log_x), up = cells(y, panel.log_y);
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const double value : quantity.numbers) {
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    panel.title += fmt::format(", from {:.4g} (light) to {:.4g} (dark)", least, most);
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      if (!std::isfinite(quantity.numbers[row])) continue;
      const auto [left, right] = across.at(x_->numbers[row]);
      const auto [low, high] = up.at(y.numbers[row]);
      const double part = most > least ? (quantity.numbers[row] - least) / (most - least) : 0.5;
      panel.shapes.push_back({.kind = Shape::Kind::polygon,
                              .x = {left, right, right, left},
                              .y = {low, low, high, high},
                              .stroke = color_none,
                              .fill = 0,
                              .opacity = 0.04 + 0.96 * part});
    }
    return panel;
  }

  const std::vector<const TableColumn*>& others() const { return others_; }

 private:
  using Cells = std::map<double, std::pair<double, double>>;

  static bool is_logarithmic(const TableColumn& column) {
    return column.component.meaning.find("logarithmic") != std::string::npos;
  }

  // Each value with the borders half way to its neighbours.
  static Cells cells(const TableColumn& column, bool logarithmic) {
    const auto to = [&](double v) { return logarithmic ? std::log(v) : v; };
    const auto back = [&](double v) { return logarithmic ? std::exp(v) : v; };
    const std::set<double> distinct(column.numbers.begin(), column.numbers.end());
    const std::vector<double> values(distinct.begin(), distinct.end());
    Cells result;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double here = to(values[k]);
      const double before = k > 0 ? to(values[k - 1]) : values.size() > 1 ? 2 * here - to(values[k + 1]) : here - 0.5;
      const double after = k + 1 < values.size() ? to(values[k + 1]) : 2 * here - before;
      result[values[k]] = {back(0.5 * (before + here)), back(0.5 * (here + after))};
    }
    return result;
  }

  const TableColumn* x_column(const std::string& name) const {
    const auto columns = varied_columns(table_);
    if (columns.empty()) refuse_option("RESULT", "a study that varies nothing", "a study with [[vary]]");
    if (name == "time") {
      const auto found = std::find_if(columns.begin(), columns.end(), [](const auto* each) { return varies(*each); });
      return found == columns.end() ? columns.front() : *found;
    }
    const TableColumn* column = table_.column(name);
    if (column && !column->is_text) return column;
    const auto names = names_of(columns);
    refuse_option("-x", carom::quoted(name), "a varied parameter: " + alternatives(names), did_you_mean(name, names));
  }

  Panel axes(const Component& component) const {
    Panel panel{.x_label = with_unit(x_->component.name, x_->component.unit),
                .y_label = with_unit(component.name, component.unit)};
    panel.log_x = is_logarithmic(*x_);
    return panel;
  }

  // What sets a row apart from others of the same x.
  std::string group_of(std::size_t row) const {
    std::string text;
    for (const TableColumn* column : others_) {
      if (!text.empty()) text += ", ";
      text += column->is_text ? column->texts[row]
                              : fmt::format("{} = {:.4g}{}{}", column->component.name, column->numbers[row],
                                            column->component.unit.empty() ? "" : " ", column->component.unit);
    }
    return text;
  }

  const Table& table_;
  const TableColumn* x_;
  std::vector<const TableColumn*> others_;
  bool drawn_ = false;
};

}  // namespace

std::vector<Panel> draw_study(const Table& table, const std::vector<std::string>& patterns, const std::string& x,
                              bool map) {
  const StudyDrawing drawing(table, x);
  std::vector<std::string> names = names_of(quantity_columns(table));
  for (const TableList& list : table.lists) names.push_back(list.component.name);
  const TableColumn* y = nullptr;
  if (map) {
    const auto& others = drawing.others();
    if (others.size() != 1 || others.front()->is_text)
      refuse_option("--map", fmt::format("a study that varies {} things", 1 + others.size()),
                    "one that varies two parameters of one model");
    y = others.front();
  }
  std::vector<Panel> panels;
  for (const std::string& name : select_quantities(names, patterns)) {
    const TableList* list = table.list(name);
    if (list && !map) panels.push_back(drawing.cloud(*list));
    if (!list) panels.push_back(map ? drawing.shades(*table.column(name), *y) : drawing.curves(*table.column(name)));
  }
  return panels;
}

}  // namespace carom
