#include "studies/study_figure.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <variant>

#include <fmt/format.h>

#include "base/expression.h"
#include "base/nearest_name.h"
#include "base/units.h"
#include "documents/check_value.h"
#include "documents/document.h"
#include "studies/study_table.h"

namespace carom::inline studies {
namespace {

using Names = std::vector<std::string>;
using FigureKind = StudyFigure::Kind;
using Found = std::optional<FigureProblem>;

// What may be drawn: numbers of all runs, quantities first, and lists.
Names drawable_names(const Table& table, bool columns, bool lists) {
  Names names;
  if (columns) {
    for (const TableColumn* column : quantity_columns(table)) names.push_back(column->component.name);
    for (const TableColumn& column : table.columns)
      if (!column.is_text && !table.list(column.component.name)) names.push_back(column.component.name);
  }
  if (lists)
    for (const TableList& list : table.lists) names.push_back(list.component.name);
  return names;
}

bool of_lists(const StudyFigure& figure) {
  return figure.kind == FigureKind::gallery || figure.kind == FigureKind::cloud;
}

Names matching(const std::string& pattern, const Names& names) {
  Names found;
  std::copy_if(names.begin(), names.end(), std::back_inserter(found),
               [&](const std::string& name) { return matches_pattern(name, pattern); });
  return found;
}

Found check_name(const char* key, const std::string& name, const Names& names, const std::string& what) {
  if (!matching(name, names).empty()) return std::nullopt;
  return FigureProblem{key, quoted_text(name),
                       names.empty() ? what + ", which this study does not have" : what + ": " + alternatives(names),
                       did_you_mean(name, names)};
}

// One number of a filter in SI.
std::optional<double> number_of(const std::string& text, const TableColumn& column) {
  const QuantityResult result = parse_quantity(text, column.component.unit);
  return result.ok() ? std::optional(result.value) : std::nullopt;
}

bool lets_through(const RunFilter& filter, const TableColumn& column, std::size_t row) {
  return std::any_of(filter.second.begin(), filter.second.end(), [&](const std::string& text) {
    if (column.is_text) return matches_pattern(column.texts[row], text);
    const double wanted = number_of(text, column).value_or(NAN), is = column.numbers[row];
    return std::abs(is - wanted) <= 1e-6 * std::max(std::abs(is), std::abs(wanted));
  });
}

std::string filter_text(const std::vector<RunFilter>& where) {
  std::string text;
  for (const auto& [name, values] : where)
    text += (text.empty() ? "" : ", ") + name + " = " + fmt::format("{}", fmt::join(values, " or "));
  return text;
}

Found check_filter(const char* key, const std::vector<RunFilter>& where, const Table& table) {
  Names names = {"model", "method", "run", "status"};
  for (const TableColumn* column : varied_columns(table)) names.push_back(column->component.name);
  for (const auto& [name, values] : where) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      return FigureProblem{key, quoted_text(name), "what tells runs apart: " + alternatives(names),
                           did_you_mean(name, names)};
    const TableColumn& column = *table.column(name);
    for (const std::string& value : values) {
      if (!column.is_text && !number_of(value, column))
        return FigureProblem{key, name + " = " + quoted_text(value),
                             column.component.unit.empty() ? "a number" : "a quantity in " + column.component.unit, ""};
      bool some = table.rows() == 0;
      for (std::size_t row = 0; row < table.rows() && !some; ++row) some = lets_through({name, {value}}, column, row);
      if (!some)
        return FigureProblem{key, name + " = " + quoted_text(value), "a value that a run of this study has",
                             "carom study FILE --list shows them"};
    }
  }
  return std::nullopt;
}

Found check_x(const StudyFigure& figure, const Table& table) {
  const bool lists = of_lists(figure);
  if (lists && figure.x.empty())
    return FigureProblem{"x", "nothing", "the list on the horizontal axis",
                         "for times, a trace of \"time\" or \"turn\""};
  const Names names = lists ? drawable_names(table, false, true) : drawable_names(table, true, false);
  for (const std::string& name : figure.x) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    Names near;  // parameters are what is meant nearly always
    for (const TableColumn* column : varied_columns(table)) near.push_back(column->component.name);
    return FigureProblem{"x", quoted_text(name),
                         lists ? "a list: " + alternatives(names) : "a varied parameter: " + alternatives(near),
                         did_you_mean(name, names)};
  }
  const std::size_t count = drawn_quantities(figure, table).size();
  if (figure.x.size() > 1 && (!lists || figure.x.size() != count))
    return FigureProblem{"x", fmt::format("{} names for {} quantities", figure.x.size(), count),
                         lists ? "one for all, or one for each" : "one", ""};
  return std::nullopt;
}

// Lists of one figure go together value by value: all are traces, or all are points once a turn.
Found check_pairs(const StudyFigure& figure, const Table& table) {
  const auto kind_of = [&](const std::string& name) {
    const std::string& meaning = table.list(name)->component.meaning;
    return meaning.substr(0, meaning.find(" of "));
  };
  const Names y = drawn_quantities(figure, table);
  for (std::size_t k = 0; k < y.size(); ++k) {
    const std::string& x = figure.x[figure.x.size() > 1 ? k : 0];
    if (kind_of(y[k]) != kind_of(x))
      return FigureProblem{"x", quoted_text(x), "a list as " + quoted_text(y[k]) + " is",
                           "both traces, or both with points once a turn"};
  }
  return std::nullopt;
}

// Colours stand over two parameters.
Found check_map(const StudyFigure& figure, const Table& table, const std::vector<std::size_t>& rows) {
  Names names;
  bool numbers = true;
  const TableColumn* x = x_column(figure, table, rows);
  for (const TableColumn* column : differing_columns(table, rows)) {
    if (column == x) continue;
    names.push_back(column->component.name);
    numbers = numbers && !column->is_text;
  }
  if (x && names.size() == 1 && numbers) return std::nullopt;
  if (x) names.insert(names.begin(), x->component.name);
  return FigureProblem{"where",
                       names.empty() ? "runs that differ in nothing"
                                     : "runs that differ in " + fmt::format("{}", fmt::join(names, ", ")),
                       "for a map, runs that differ in two parameters",
                       names.size() > 2 ? "leave the others out" : "vary another one"};
}

Found check_circle(const StudyFigure& figure, const Table& table) {
  if (figure.circle.empty()) return std::nullopt;
  Names names;
  for (const TableColumn* column : varied_columns(table)) names.push_back(column->component.name);
  const auto compiled = Expression::compile(figure.circle.substr(figure.circle.starts_with('=') ? 1 : 0), names, {});
  if (const auto* error = std::get_if<ExpressionError>(&compiled))
    return FigureProblem{"circle", quoted_text(figure.circle) + ": " + error->message,
                         "an expression over varied parameters, such as \"=clearance/2\"", ""};
  return std::nullopt;
}

}  // namespace

const Names& figure_kinds() {
  static const Names names = {"curves", "cloud", "map", "gallery"};
  return names;
}

Names drawn_quantities(const StudyFigure& figure, const Table& table) {
  const bool lists = of_lists(figure);
  if (figure.y.empty()) {
    Names names;
    for (const TableColumn* column : quantity_columns(table))
      if (!lists) names.push_back(column->component.name);
    for (const TableList& list : table.lists)
      if (figure.kind != FigureKind::map && !list.component.meaning.starts_with("quantity: trace"))
        names.push_back(list.component.name);
    return names;
  }
  const Names all = drawable_names(table, !lists, figure.kind != FigureKind::map);
  Names names;
  for (const std::string& pattern : figure.y) {
    for (const std::string& name : matching(pattern, all))
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<const TableColumn*> differing_columns(const Table& table, const std::vector<std::size_t>& rows) {
  std::vector<const TableColumn*> columns = varied_columns(table);
  for (const char* name : {"model", "method"})
    if (const TableColumn* column = table.column(name)) columns.push_back(column);
  std::erase_if(columns, [&](const TableColumn* column) {
    return std::all_of(rows.begin(), rows.end(), [&](std::size_t row) {
      return column->is_text ? column->texts[row] == column->texts[rows.front()]
                             : column->numbers[row] == column->numbers[rows.front()];
    });
  });
  return columns;
}

const TableColumn* x_column(const StudyFigure& figure, const Table& table, const std::vector<std::size_t>& rows) {
  if (!figure.x.empty()) return table.column(figure.x.front());
  const auto varied = varied_columns(table), differing = differing_columns(table, rows);
  if (!differing.empty() && !differing.front()->is_text) return differing.front();
  return varied.empty() ? nullptr : varied.front();
}

std::vector<std::size_t> selected_rows(const std::vector<RunFilter>& where, const Table& table) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (std::all_of(where.begin(), where.end(),
                    [&](const RunFilter& filter) { return lets_through(filter, *table.column(filter.first), row); }))
      rows.push_back(row);
  }
  return rows;
}

double circle_radius(const StudyFigure& figure, const Table& table, std::size_t row) {
  Names names;
  std::vector<double> values;
  for (const TableColumn* column : varied_columns(table)) {
    names.push_back(column->component.name);
    values.push_back(column->numbers[row]);
  }
  const auto compiled = Expression::compile(figure.circle.substr(figure.circle.starts_with('=') ? 1 : 0), names, {});
  return std::get<Expression>(compiled).value(values);
}

Found problem_of(const StudyFigure& figure, const Table& table) {
  const bool lists = of_lists(figure);
  const std::string what = lists                            ? "a list of the study"
                           : figure.kind == FigureKind::map ? "a quantity of one number a run"
                                                            : "a quantity of the study";
  const Names names = drawable_names(table, !lists, figure.kind != FigureKind::map);
  for (const std::string& name : figure.y)
    if (auto problem = check_name("y", name, names, what)) return problem;
  if (drawn_quantities(figure, table).empty()) return FigureProblem{"y", "nothing", what, "name one"};
  if (auto problem = check_x(figure, table)) return problem;
  if (lists)
    if (auto problem = check_pairs(figure, table)) return problem;
  for (const auto& [key, filter] : {std::pair("where", &figure.where), {"reference", &figure.reference}})
    if (auto problem = check_filter(key, *filter, table)) return problem;
  const auto rows = selected_rows(figure.where, table);
  if (rows.empty())
    return FigureProblem{"where", filter_text(figure.where), "values that some run of the study has together", ""};
  constexpr std::size_t most_panels = 100;
  if (figure.kind == FigureKind::gallery && rows.size() > most_panels)
    return FigureProblem{"where", fmt::format("{} runs, a panel each", rows.size()),
                         fmt::format("at most {}", most_panels), "choose some of them by `where`"};
  if (!figure.labels.empty() && figure.labels.size() != rows.size())
    return FigureProblem{"labels", fmt::format("{} of them", figure.labels.size()),
                         fmt::format("one for each of the {} runs", rows.size()), ""};
  if (figure.kind == FigureKind::map && table.rows() > 0)
    if (auto problem = check_map(figure, table, rows)) return problem;
  if (!lists && !x_column(figure, table, rows))
    return FigureProblem{"x", "nothing", "a study that varies a parameter", "add [[vary]]"};
  if (figure.log.find_first_not_of("xyz") != std::string::npos)
    return FigureProblem{"log", quoted_text(figure.log), "letters of x, y and z", ""};
  return check_circle(figure, table);
}

}  // namespace carom::inline studies
