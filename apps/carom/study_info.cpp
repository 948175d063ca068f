#include "study_info.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json_text.h"
#include "studies/study_table.h"

namespace carom {
namespace {

// Of the finite values.
struct Summary {
  std::size_t distinct = 0, missing = 0;
  double least = NAN, most = NAN;
};

Summary summary_of(const std::vector<double>& values) {
  std::set<double> distinct;
  Summary summary;
  for (const double value : values) {
    if (std::isfinite(value)) {
      distinct.insert(value);
    } else {
      ++summary.missing;
    }
  }
  summary.distinct = distinct.size();
  if (!distinct.empty()) summary.least = *distinct.begin(), summary.most = *distinct.rbegin();
  return summary;
}

std::size_t failed_runs(const Table& table) {
  const TableColumn* status = table.column("status");
  return status ? static_cast<std::size_t>(std::count(status->texts.begin(), status->texts.end(), "failed")) : 0;
}

std::string attribute_of(const Table& table, const char* name) {
  const std::string* text = table.attribute(name);
  return text ? *text : "";
}

std::set<std::string> texts_of(const Table& table, const char* name) {
  const TableColumn* column = table.column(name);
  return column ? std::set(column->texts.begin(), column->texts.end()) : std::set<std::string>{};
}

std::string range_text(const Summary& summary, const std::string& unit) {
  if (summary.distinct == 0) return "no run has it";
  const std::string shown = unit.empty() || unit == "1" ? "" : " " + unit;
  std::string text = summary.distinct == 1 ? fmt::format("{:.5g}{}", summary.least, shown)
                                           : fmt::format("{:.5g} … {:.5g}{}", summary.least, summary.most, shown);
  if (summary.missing > 0) text += fmt::format(", missing in {}", summary.missing);
  return text;
}

// "quantity: max of body:rod.y" without the first word.
std::string asked_text(const Component& component) {
  const std::size_t place = component.meaning.find(": ");
  return place == std::string::npos ? component.meaning : component.meaning.substr(place + 2);
}

nlohmann::ordered_json to_json(const Component& component, const Summary& summary) {
  return {{"name", component.name},       {"unit", component.unit},     {"meaning", component.meaning},
          {"distinct", summary.distinct}, {"missing", summary.missing}, {"least", summary.least},
          {"most", summary.most}};
}

}  // namespace

std::string study_info_text(const Table& table, const std::string& file) {
  const std::size_t failed = failed_runs(table);
  std::string text = fmt::format("{}: study, {} runs{}\n", file, table.rows(),
                                 failed > 0 ? fmt::format(", {} of them failed", failed) : "");
  const auto line = [&](const std::string& what, const std::string& value) {
    text += fmt::format("  {:<12}{}\n", what, value);
  };
  line("name", attribute_of(table, "name"));
  line("study", attribute_of(table, "study file"));
  line("models", fmt::format("{}", fmt::join(texts_of(table, "model"), ", ")));
  line("methods", fmt::format("{}", fmt::join(texts_of(table, "method"), ", ")));
  line("sampling", attribute_of(table, "sampling"));
  line("written by", "carom " + attribute_of(table, "version"));
  const auto entry = [&](const std::string& name, const std::string& range, const std::string& meaning) {
    text += fmt::format("    {:<24} {:<34} {}\n", name, range, meaning);
  };
  text += "  varied\n";
  for (const TableColumn* column : varied_columns(table)) {
    const Summary summary = summary_of(column->numbers);
    entry(column->component.name, range_text(summary, column->component.unit),
          fmt::format("{} value{}", summary.distinct, summary.distinct == 1 ? "" : "s"));
  }
  text += "  quantities\n";
  for (const TableColumn* column : quantity_columns(table))
    entry(column->component.name, range_text(summary_of(column->numbers), column->component.unit),
          asked_text(column->component));
  if (!table.lists.empty()) text += "  lists\n";
  for (const TableList& list : table.lists)
    entry(list.component.name, range_text(summary_of(list.values), list.component.unit),
          fmt::format("{}; {} values", asked_text(list.component), list.values.size()));
  return text;
}

std::string study_info_json(const Table& table, const std::string& file) {
  nlohmann::ordered_json json = {{"file", file},
                                 {"kind", "study"},
                                 {"name", attribute_of(table, "name")},
                                 {"study_file", attribute_of(table, "study file")},
                                 {"version", attribute_of(table, "version")},
                                 {"runs", table.rows()},
                                 {"failed", failed_runs(table)},
                                 {"models", texts_of(table, "model")},
                                 {"methods", texts_of(table, "method")},
                                 {"sampling", attribute_of(table, "sampling")},
                                 {"varied", nlohmann::ordered_json::array()},
                                 {"quantities", nlohmann::ordered_json::array()},
                                 {"lists", nlohmann::ordered_json::array()}};
  for (const TableColumn* column : varied_columns(table))
    json["varied"].push_back(to_json(column->component, summary_of(column->numbers)));
  for (const TableColumn* column : quantity_columns(table))
    json["quantities"].push_back(to_json(column->component, summary_of(column->numbers)));
  for (const TableList& list : table.lists) json["lists"].push_back(to_json(list.component, summary_of(list.values)));
  return to_utf8(json) + "\n";
}

}  // namespace carom
