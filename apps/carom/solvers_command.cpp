#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "json_text.h"
#include "model_io/solver_tables.h"
#include "text_columns.h"

namespace carom {
namespace {

constexpr std::size_t line_width = 100;

void print_type(const TypeDescription& type) {
  const std::string before = "  " + padded(type.name, 24), indent(width_of(before), ' ');
  fmt::print("{}\n", wrapped(type.summary, before, indent, line_width));
  for (const ParameterDescription& row : type.parameters) {
    const std::string unit = row.unit.empty() ? "" : " [" + row.unit + "]";
    const std::string usual = row.default_text.empty() ? "" : " (default: " + row.default_text + ")";
    fmt::print("{}\n", wrapped(fmt::format("{}{}: {}{}", row.name, unit, row.meaning, usual), indent, indent + "  ",
                               line_width));
  }
  if (!type.reference.empty()) fmt::print("{}\n", wrapped(type.reference, indent, indent, line_width));
}

void list_solvers() {
  for (const SolverChoice& choice : solver_choices()) {
    fmt::print("{}solver.{}\n", &choice == &solver_choices().front() ? "" : "\n", choice.key);
    for (const TypeDescription* type : choice.types) print_type(*type);
  }
}

nlohmann::ordered_json parameter_json(const ParameterDescription& row) {
  nlohmann::ordered_json json = {
      {"name", row.name}, {"unit", row.unit}, {"meaning", row.meaning}, {"default", row.default_text}};
  if (std::isfinite(row.minimum)) json["minimum"] = row.minimum;
  if (std::isfinite(row.maximum)) json["maximum"] = row.maximum;
  return json;
}

void print_json() {
  nlohmann::ordered_json json;
  for (const SolverChoice& choice : solver_choices()) {
    json[choice.key] = nlohmann::ordered_json::array();
    for (const TypeDescription* type : choice.types) {
      nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
      for (const ParameterDescription& row : type->parameters) parameters.push_back(parameter_json(row));
      json[choice.key].push_back({{"name", type->name},
                                  {"summary", type->summary},
                                  {"reference", type->reference},
                                  {"parameters", parameters}});
    }
  }
  fmt::print("{}\n", to_utf8(json));
}

}  // namespace

void add_solvers_command(Command app, int& exit_code) {
  auto json = std::make_shared<bool>(false);
  Command command =
      app.add_subcommand("solvers", "List integrators, schemes of the nonsmooth method and contact solvers");
  command.add_flag("--json", *json, "as JSON");
  command.callback([json, &exit_code] {
    *json ? print_json() : list_solvers();
    exit_code = exit_done;
  });
}

}  // namespace carom
