#include "reporting/study_drawing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/problem.h"
#include "base/units.h"
#include "recording/quantity_label.h"
#include "studies/study_table.h"

namespace carom::inline reporting {
namespace {

using Rows = std::vector<std::size_t>;

bool is_trace(const TableList& list) {
  return list.component.meaning.starts_with("quantity: trace");
}

bool is_logarithmic(const TableColumn& column) {
  return column.component.meaning.find("logarithmic") != std::string::npos;
}

// A column in the unit it is shown in.
struct ShownColumn {
  const TableColumn* column;
  std::string unit = column->component.unit;
  double scale = 1;  // SI value of the unit

  explicit ShownColumn(const TableColumn* shown) : column(shown) {
    const std::string wanted = shown_unit(column->component);
    const QuantityResult one = parse_quantity("1 " + wanted, unit), none = parse_quantity("0 " + wanted, unit);
    if (wanted.empty() || wanted == unit || !one.ok() || !none.ok() || none.value != 0) return;
    unit = wanted;
    scale = one.value;
  }
  double at(std::size_t row) const { return column->numbers[row] / scale; }
  std::string label() const { return with_unit(column->component.name, unit); }
};

// The values of a list by row.
class ListRows {
 public:
  explicit ListRows(const TableList& list) : list_(list) {
    for (std::size_t k = 0; k < list.rows.size(); ++k) {
      const auto [place, is_new] = places_.emplace(static_cast<std::size_t>(list.rows[k]), std::pair(k, k + 1));
      place->second.second = k + 1;
    }
  }

  std::vector<double> of(std::size_t row) const {
    const auto found = places_.find(row);
    if (found == places_.end()) return {};
    const auto [begin, end] = found->second;
    return {list_.values.begin() + static_cast<std::ptrdiff_t>(begin),
            list_.values.begin() + static_cast<std::ptrdiff_t>(end)};
  }

 private:
  const TableList& list_;
  std::map<std::size_t, std::pair<std::size_t, std::size_t>> places_;
};

class StudyDrawing {
 public:
  StudyDrawing(const Table& table, const StudyFigure& figure)
      : table_(table),
        figure_(figure),
        rows_(selected_rows(figure.where, table)),
        x_(x_column(figure, table, rows_)),
        others_(differing_columns(table, rows_)) {
    const std::string* sampling = table.attribute("sampling");
    drawn_ = sampling && *sampling != "grid" && *sampling != "list";
    const bool lists = figure.kind == StudyFigure::Kind::gallery || figure.kind == StudyFigure::Kind::cloud;
    if (!lists) std::erase(others_, x_);
  }

  std::vector<Panel> panels() const {
    std::vector<Panel> panels;
    const std::vector<std::string> names = drawn_quantities(figure_, table_);
    if (figure_.kind == StudyFigure::Kind::gallery) {
      for (std::size_t k = 0; k < rows_.size(); ++k)
        panels.push_back(lists({rows_[k]}, names, figure_.labels.empty() ? group_of(rows_[k]) : figure_.labels[k]));
      return panels;
    }
    if (figure_.kind == StudyFigure::Kind::cloud) return {lists(rows_, names, "")};
    for (const std::string& name : names) {
      const TableList* list = table_.list(name);
      if (list) {
        panels.push_back(cloud(*list));
      } else {
        const TableColumn& column = *table_.column(name);
        panels.push_back(figure_.kind == StudyFigure::Kind::map ? colors(column) : curves(column));
      }
    }
    return panels;
  }

 private:
  using Cells = std::map<double, std::pair<double, double>>;

  bool logarithmic(char axis) const { return figure_.log.find(axis) != std::string::npos; }

  Panel axes(const Component& component) const {
    Panel panel{.x_label = ShownColumn(x_).label(), .y_label = with_unit(component.name, component.unit)};
    panel.log_x = is_logarithmic(*x_) || logarithmic('x');
    panel.log_y = logarithmic('y');
    return panel;
  }

  // What sets a row apart from others that are shown.
  std::string group_of(std::size_t row) const {
    std::string text;
    for (const TableColumn* column : others_) {
      const ShownColumn shown(column);
      if (!text.empty()) text += ", ";
      text += column->is_text ? column->texts[row].substr(0, column->texts[row].rfind(".toml"))
                              : fmt::format("{} = {:.4g}{}{}", column->component.name, shown.at(row),
                                            shown.unit.empty() ? "" : " ", shown.unit);
    }
    return text;
  }

  // The places in `rows_`, group by group in the order in which they first come.
  std::vector<std::pair<std::string, Rows>> groups() const {
    std::vector<std::pair<std::string, Rows>> result;
    for (const std::size_t row : rows_) {
      const std::string name = group_of(row);
      const auto found =
          std::find_if(result.begin(), result.end(), [&](const auto& each) { return each.first == name; });
      if (found == result.end()) {
        result.push_back({name, {row}});
      } else {
        found->second.push_back(row);
      }
    }
    return result;
  }

  Panel curves(const TableColumn& quantity) const {
    Panel panel = axes(quantity.component);
    const ShownColumn x(x_);
    auto of_groups = groups();
    if (drawn_) of_groups = {{"", rows_}};
    for (auto& [name, rows] : of_groups) {
      std::stable_sort(rows.begin(), rows.end(),
                       [&](std::size_t a, std::size_t b) { return x_->numbers[a] < x_->numbers[b]; });
      Series series{.label = name, .style = drawn_ ? Series::Style::points : Series::Style::line};
      for (const std::size_t row : rows) {
        series.x.push_back(x.at(row));
        series.y.push_back(quantity.numbers[row]);
      }
      panel.series.push_back(std::move(series));
    }
    return panel;
  }

  Panel cloud(const TableList& list) const {
    Panel panel = axes(list.component);
    const ListRows values(list);
    const ShownColumn x(x_);
    for (const auto& [name, rows] : groups()) {
      Series series{.label = name, .style = Series::Style::points};
      for (const std::size_t row : rows) {
        const std::vector<double> of_row = values.of(row);
        series.x.insert(series.x.end(), of_row.size(), x.at(row));
        series.y.insert(series.y.end(), of_row.begin(), of_row.end());
      }
      panel.series.push_back(std::move(series));
    }
    return panel;
  }

  // Each value with the borders half way to its neighbours.
  Cells cells(const ShownColumn& column, bool logarithmic) const {
    const auto to = [&](double v) { return logarithmic ? std::log(v) : v; };
    const auto back = [&](double v) { return logarithmic ? std::exp(v) : v; };
    std::set<double> distinct;
    for (const std::size_t row : rows_) distinct.insert(column.at(row));
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

  Panel colors(const TableColumn& quantity) const {
    const ShownColumn x(x_), y(others_.front());
    Panel panel{.x_label = x.label(), .y_label = y.label()};
    panel.log_x = is_logarithmic(*x_) || logarithmic('x');
    panel.log_y = is_logarithmic(*y.column) || logarithmic('y');
    const Cells across = cells(x, panel.log_x), up = cells(y, panel.log_y);
    panel.map.logarithmic = logarithmic('z');
    panel.map.classes = class_names(quantity.component);
    panel.map.label = with_unit(quantity.component.name, quantity.component.unit);
    if (!panel.map.classes.empty()) panel.title = panel.map.label;
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const std::size_t row : rows_) {
      const double value = quantity.numbers[row];
      if (!std::isfinite(value) || (panel.map.logarithmic && value <= 0)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
      const auto [left, right] = across.at(x.at(row));
      const auto [low, high] = up.at(y.at(row));
      panel.map.cells.push_back({left, right, low, high, value});
    }
    if (panel.map.cells.empty())
      refuse("--map", quantity.component.name + ", which no run has", "a quantity with values to show",
             panel.map.logarithmic ? "only positive ones show on a logarithmic scale" : "");
    panel.map.low = least;
    panel.map.high = most;
    return panel;
  }

  // Lists over lists, of some runs.
  Panel lists(const Rows& rows, const std::vector<std::string>& names, const std::string& title) const {
    const auto unit = [&](const std::string& name) { return table_.list(name)->component.unit; };
    const std::vector<std::string> here = names_with_values(rows, names);
    const std::string &y = here.empty() ? names.front() : here.front(), &x = x_of(y);
    Panel panel{.title = title, .x_label = with_unit(x, unit(x)), .y_label = with_unit(y, unit(y))};
    panel.log_x = logarithmic('x');
    panel.log_y = logarithmic('y');
    // Two lengths are a path in the plane.
    panel.equal_axes = !figure_.circle.empty() || (unit(x) == "m" && unit(y) == "m");
    for (const std::size_t row : rows) {
      if (!figure_.circle.empty()) {
        panel.shapes.push_back({.kind = DrawnShape::Kind::circle,
                                .x = {0},
                                .y = {0},
                                .radius = circle_radius(figure_, table_, row),
                                .stroke = color_muted});
      }
      for (const std::string& name : here) panel.series.push_back(list_of(row, name, here.size() > 1, rows.size() > 1));
      if (const auto other = reference_of(row)) add_reference(panel, *other, here);
    }
    return panel;
  }

  // Not all quantities may be asked of the models of these rows.
  std::vector<std::string> names_with_values(const Rows& rows, std::vector<std::string> names) const {
    std::erase_if(names, [&](const std::string& name) {
      const ListRows list(*table_.list(name));
      return std::all_of(rows.begin(), rows.end(), [&](std::size_t row) { return list.of(row).empty(); });
    });
    return names;
  }

  Series list_of(std::size_t row, const std::string& name, bool several_names, bool several_rows) const {
    const TableList &y = *table_.list(name), &x = *table_.list(x_of(name));
    Series series{.label = several_rows ? group_of(row) : "",
                  .x = ListRows(x).of(row),
                  .y = ListRows(y).of(row),
                  .style = is_trace(y) && !figure_.points ? Series::Style::line : Series::Style::points};
    if (several_names) series.label += (series.label.empty() ? "" : ", ") + name;
    if (series.x.size() != series.y.size())
      refuse(figure_.name.empty() ? "-x" : "figure." + figure_.name + ".x",
             fmt::format("{} with {} values and {} with {} in run {}", x.component.name, series.x.size(),
                         y.component.name, series.y.size(), row + 1),
             "lists of the same samples", "give both the same `from`, `to`, `every` and `models`");
    return series;
  }

  void add_reference(Panel& panel, std::size_t row, const std::vector<std::string>& names) const {
    for (const std::string& name : names) {
      Series series = list_of(row, name, names.size() > 1, false);
      const std::string& which = figure_.reference.front().second.front();
      series.label = which.substr(0, which.rfind(".toml")) + (series.label.empty() ? "" : ", ") + series.label;
      if (series.style == Series::Style::line) series.style = Series::Style::dashed;
      series.color = color_ink;
      panel.series.push_back(std::move(series));
    }
  }

  const std::string& x_of(const std::string& y) const {
    const auto names = drawn_quantities(figure_, table_);
    const auto place = std::find(names.begin(), names.end(), y) - names.begin();
    return figure_.x[figure_.x.size() > 1 ? static_cast<std::size_t>(place) : 0];
  }

  // The run that differs from another in nothing but what the reference says.
  std::optional<std::size_t> reference_of(std::size_t row) const {
    if (figure_.reference.empty()) return std::nullopt;
    const auto named = [&](const TableColumn* column) {
      return std::any_of(figure_.reference.begin(), figure_.reference.end(),
                         [&](const RunFilter& each) { return each.first == column->component.name; });
    };
    for (const std::size_t other : selected_rows(figure_.reference, table_)) {
      const auto differing = differing_columns(table_, {row, other});
      if (other != row && std::all_of(differing.begin(), differing.end(), named)) return other;
    }
    return std::nullopt;
  }

  const Table& table_;
  const StudyFigure& figure_;
  const Rows rows_;
  const TableColumn* x_;
  std::vector<const TableColumn*> others_;  // that differ between the runs, but for x
  bool drawn_ = false;                      // samples, not a grid
};

}  // namespace

Figure draw_study(const Table& table, const StudyFigure& figure) {
  if (const auto problem = problem_of(figure, table)) {
    const std::string option = problem->key == "y" ? "QUANTITY" : problem->key == "x" ? "-x" : "--" + problem->key;
    refuse(figure.name.empty() ? option : "figure." + figure.name + "." + problem->key, problem->found,
           problem->expected, problem->remedy);
  }
  Figure result{.title = figure.title, .caption = figure.caption, .panels = StudyDrawing(table, figure).panels()};
  const auto count = static_cast<int>(result.panels.size());
  const bool gallery = figure.kind == StudyFigure::Kind::gallery;
  result.columns = figure.columns > 0 ? figure.columns : count > 3 || (gallery && count > 1) ? 2 : 1;
  return result;
}

std::filesystem::path write_study_figure(const Table& table, const StudyFigure& figure,
                                         const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / (figure.name + "." + figure.format);
  write_figure(draw_study(table, figure), path, figure.style == "paper" ? FigureStyle::paper : FigureStyle::screen);
  return path;
}

}  // namespace carom::inline reporting
