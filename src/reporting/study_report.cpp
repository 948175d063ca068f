#include "reporting/study_report.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/version.h"
#include "reporting/html.h"
#include "reporting/page.h"
#include "studies/study_table.h"

namespace carom::inline reporting {
namespace {

constexpr std::size_t most_failures = 100, most_runs = 500;  // rows; the table beside the page has all

struct StudySource {
  const Table& table;
  const std::filesystem::path& file;
  std::vector<const TableColumn*> varied, quantities;

  std::string attribute(const std::string& name) const {
    const std::string* text = table.attribute(name);
    return text ? *text : "";
  }
  bool failed(std::size_t row) const { return table.column("status")->texts[row] == "failed"; }
};

std::string number_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "–";
}

std::string cell(const TableColumn& column, std::size_t row) {
  return column.is_text ? column.texts[row] : number_text(column.numbers[row]);
}

std::string title_of(const Component& component) {
  return component.unit.empty() || component.unit == "1" ? component.name
                                                         : fmt::format("{} [{}]", component.name, component.unit);
}

std::string distinct_texts(const TableColumn& column) {
  std::string list;
  for (const std::string& each : std::set(column.texts.begin(), column.texts.end()))
    list += (list.empty() ? "" : ", ") + each;
  return list;
}

std::string varied_table(const StudySource& source) {
  std::vector<std::vector<std::string>> rows;
  for (const TableColumn* column : source.varied) {
    const std::set<double> values(column->numbers.begin(), column->numbers.end());
    if (values.empty()) continue;
    rows.push_back({title_of(column->component), number_text(*values.begin()), number_text(*values.rbegin()),
                    fmt::format("{}", values.size())});
  }
  return rows.empty() ? "" : "<h3>Varied</h3>\n" + table({"parameter", "from", "to", "values"}, rows, 1);
}

// The smallest and the largest value of each quantity, with the runs that gave them.
std::string quantity_table(const StudySource& source) {
  std::vector<std::vector<std::string>> rows;
  for (const TableColumn* column : source.quantities) {
    std::vector<std::size_t> finite;
    double sum = 0;
    for (std::size_t row = 0; row < column->numbers.size(); ++row) {
      if (!std::isfinite(column->numbers[row])) continue;
      finite.push_back(row);
      sum += column->numbers[row];
    }
    const std::string& meaning = column->component.meaning;
    std::vector<std::string> cells = {title_of(column->component),
                                      meaning.substr(std::min(meaning.size(), meaning.find(": ") + 2))};
    if (finite.empty()) {
      cells.insert(cells.end(), {"–", "", "–", "", "–"});
    } else {
      const auto [least, most] = std::minmax_element(finite.begin(), finite.end(), [&](std::size_t a, std::size_t b) {
        return column->numbers[a] < column->numbers[b];
      });
      cells.insert(cells.end(), {number_text(column->numbers[*least]), fmt::format("{}", *least + 1),
                                 number_text(column->numbers[*most]), fmt::format("{}", *most + 1),
                                 number_text(sum / static_cast<double>(finite.size()))});
    }
    rows.push_back(std::move(cells));
  }
  if (rows.empty()) return "";
  return "<h3>Asked for</h3>\n" + table({"quantity", "", "least", "in run", "most", "in run", "mean"}, rows, 2);
}

PageSection summary_section(const StudySource& source, std::size_t failures) {
  std::string html;
  if (failures > 0)
    html += paragraph(fmt::format("{} of {} runs failed; their reasons stand below.", failures, source.table.rows()),
                      "warning");
  html += facts_table({{"runs", fmt::format("{}", source.table.rows())},
                       {"failed", fmt::format("{}", failures)},
                       {"models", distinct_texts(*source.table.column("model"))},
                       {"contact", distinct_texts(*source.table.column("method"))},
                       {"sampling", source.attribute("sampling")}});
  return {"summary", "Summary", html + varied_table(source) + quantity_table(source)};
}

std::vector<std::string> row_of(const std::vector<const TableColumn*>& columns, std::size_t row) {
  std::vector<std::string> cells;
  for (const TableColumn* column : columns) cells.push_back(cell(*column, row));
  return cells;
}

// Number, model and method where there are several, and the varied parameters.
std::vector<const TableColumn*> naming_columns(const StudySource& source) {
  std::vector<const TableColumn*> columns = {source.table.column("run")};
  for (const char* name : {"model", "method"}) {
    const TableColumn* column = source.table.column(name);
    if (std::set(column->texts.begin(), column->texts.end()).size() > 1) columns.push_back(column);
  }
  columns.insert(columns.end(), source.varied.begin(), source.varied.end());
  return columns;
}

std::vector<std::string> titles_of(const std::vector<const TableColumn*>& columns) {
  std::vector<std::string> titles;
  for (const TableColumn* column : columns) titles.push_back(title_of(column->component));
  return titles;
}

PageSection failures_section(const StudySource& source, std::size_t failures) {
  std::vector<const TableColumn*> columns = naming_columns(source);
  columns.push_back(source.table.column("reason"));
  std::vector<std::vector<std::string>> rows;
  for (std::size_t row = 0; row < source.table.rows() && rows.size() < most_failures; ++row)
    if (source.failed(row)) rows.push_back(row_of(columns, row));
  std::string html = table(titles_of(columns), rows, columns.size());
  if (failures > rows.size())
    html += paragraph(fmt::format("The first {} of {}; the others are in the table.", rows.size(), failures), "note");
  return {"failures", "Failed runs", html};
}

PageSection runs_section(const StudySource& source) {
  std::vector<const TableColumn*> columns = naming_columns(source);
  const std::size_t texts = static_cast<std::size_t>(
      std::count_if(columns.begin(), columns.end(), [](const TableColumn* each) { return each->is_text; }));
  columns.insert(columns.end(), source.quantities.begin(), source.quantities.end());
  std::vector<std::vector<std::string>> rows;
  for (std::size_t row = 0; row < std::min(source.table.rows(), most_runs); ++row) rows.push_back(row_of(columns, row));
  std::string html = table(titles_of(columns), rows, texts > 0 ? 1 + texts : 0);
  if (source.table.rows() > rows.size())
    html += paragraph(fmt::format("The first {} of {} runs; all are in {}.", rows.size(), source.table.rows(),
                                  source.file.filename().string()),
                      "note");
  return {"runs", "Runs", html, true};
}

PageSection reproduction_section(const StudySource& source) {
  const std::string file = shell_word(source.file.filename().string());
  std::string html = fmt::format(
      "<p>The study below with the models below, run by carom {}, gives these numbers again, and one of its runs alone "
      "with all that it records:</p>\n<pre>{}\n{}</pre>\n",
      escaped_html(source.attribute("version")),
      escaped_html(fmt::format("carom study {} -o {}", shell_word(source.attribute("study file")), file)),
      escaped_html(fmt::format("carom run --from {} --run 1", file)));
  return {"reproduction", "How to get this study again",
          html + paragraph(fmt::format("Page written by carom {}.", carom_version), "note")};
}

PageSection texts_section(const StudySource& source) {
  std::string html =
      "<h3>" + escaped_html(source.attribute("study file")) + "</h3>\n" + listing(source.attribute("study"));
  for (int k = 1;; ++k) {
    const std::string* text = source.table.attribute(fmt::format("model {}", k));
    if (!text) break;
    html += "<h3>" + escaped_html(source.attribute(fmt::format("model {} file", k))) + "</h3>\n" + listing(*text);
  }
  return {"texts", "Study and models", html, true};
}

}  // namespace

std::string study_report(const Table& table, const std::filesystem::path& file, const std::vector<Figure>& figures) {
  const StudySource source{table, file, varied_columns(table), quantity_columns(table)};
  std::size_t failures = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) failures += source.failed(row) ? 1 : 0;
  const std::string name = source.attribute("name");
  Page page{.title = name.empty() ? file.stem().string() : name,
            .lead = fmt::format(
                "<p class=\"lead\"><span class=\"status{}\">{}</span> · {} runs · study {} · carom {}</p>\n",
                failures == 0 ? " complete" : "", failures == 0 ? "complete" : fmt::format("{} failed", failures),
                table.rows(), escaped_html(source.attribute("study file")), escaped_html(source.attribute("version")))};
  page.sections.push_back(summary_section(source, failures));
  if (!figures.empty()) {
    std::string html = "<div class=\"figures\">\n";
    for (Figure figure : figures) {
      const std::string caption = std::exchange(figure.caption, {});
      if (figure.panels.size() == 1) figure.width = panel_width;
      html += inline_figure(figure, caption, figure.panels.size() == 1 ? "" : "wide");
    }
    page.sections.push_back({"plots", "Plots", html + "</div>\n", true});
  }
  if (failures > 0) page.sections.push_back(failures_section(source, failures));
  page.sections.push_back(runs_section(source));
  page.sections.push_back(reproduction_section(source));
  page.sections.push_back(texts_section(source));
  return html_of(page);
}

}  // namespace carom::inline reporting
