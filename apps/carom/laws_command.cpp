#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/nearest_name.h"
#include "commands.h"
#include "contact_laws/elastic_catalogue.h"
#include "contact_laws/friction_law.h"
#include "contact_laws/resistance.h"
#include "json_text.h"
#include "text_columns.h"
#include "viewing/law_drawing.h"

namespace carom {
namespace {

struct LawsArguments {
  std::vector<std::string> names;
  std::string output = "laws.svg";
  double restitution = 0.7;
  bool compare = false, json = false;
};

constexpr std::size_t line_width = 100;

std::string restitution_range(const NormalLawDescription& law) {
  if (!law.uses_restitution) return "not used";
  return fmt::format("{:g} {} e ≤ 1", law.least_restitution, law.least_allowed ? "≤" : "<");
}

std::string usable_range(const NormalLawDescription& law) {
  if (!law.uses_restitution) return "";
  if (law.usable_from == 1) return "e = 1";
  if (law.usable_to < 1) return fmt::format("e ≤ {:g}", law.usable_to);
  return law.usable_from == 0 ? "all" : fmt::format("e ≥ {:g}", law.usable_from);
}

// A formula with its reference below, beside the columns that come before.
void print_entry(const std::string& before, const std::string& formula, const std::string& reference) {
  const std::string indent(width_of(before), ' ');
  fmt::print("{}\n", wrapped(formula, before, indent, line_width));
  if (!reference.empty()) fmt::print("{}\n", wrapped(reference, indent, indent, line_width));
}

constexpr std::string_view family_formula = "F = f_e (1 + h δ̇/v₀), ";

bool is_family_member(const NormalLawDescription& law) {
  return law.formula.starts_with(family_formula);
}

void list_normal_laws(bool family) {
  fmt::print("  {}{}{}{}\n", padded("law", 22), padded("restitution", 15), padded("usable", 10), "formula, reference");
  for (const auto& law : normal_law_catalogue()) {
    if (is_family_member(law) != family) continue;
    print_entry("  " + padded(law.name, 22) + padded(restitution_range(law), 15) + padded(usable_range(law), 10),
                family ? law.formula.substr(family_formula.size()) : law.formula, law.reference);
  }
}

void list_laws() {
  fmt::print("Normal force F ≥ 0 over penetration δ; f_e elastic force, e restitution, v₀ speed of the impact\n\n");
  fmt::print("Hysteresis laws F = f_e (1 + h δ̇/v₀)\n");
  list_normal_laws(true);
  fmt::print("\nOther laws; m mass of the two bodies, δ_m deepest penetration, δ_H that without damping\n");
  list_normal_laws(false);
  fmt::print("\nElastic force f_e(δ), usable with every law above\n");
  for (const auto& shape : elastic_catalogue())
    print_entry("  " + padded(shape.name, 22), shape.formula, shape.reference);
  fmt::print("\nFriction, |F_T|/F_N over the slip speed v; z deflection of a bristle\n");
  for (const auto& law : friction_law_catalogue()) print_entry("  " + padded(law.name, 22), law.formula, law.reference);
  fmt::print("\n`carom laws NAME` shows more of one, `carom laws --compare` draws them.\n");
}

std::string range_text(const ParameterDescription& parameter) {
  std::string text;
  if (std::isfinite(parameter.minimum))
    text = fmt::format("{} {:g}", parameter.minimum_allowed ? "≥" : ">", parameter.minimum);
  if (std::isfinite(parameter.maximum))
    text +=
        fmt::format("{}{} {:g}", text.empty() ? "" : ", ", parameter.maximum_allowed ? "≤" : "<", parameter.maximum);
  for (const std::string& choice : parameter.choices) text += (text.empty() ? "" : " or ") + choice;
  return text;
}

void print_parameters(const std::vector<ParameterDescription>& parameters) {
  if (parameters.empty()) return;
  fmt::print("  parameters\n");
  for (const ParameterDescription& parameter : parameters) {
    const std::string start =
        "    " + padded(parameter.name, 20) + padded(parameter.unit, 9) + padded(range_text(parameter), 22);
    const std::string standard = parameter.required               ? "; required"
                                 : parameter.default_text.empty() ? ""
                                                                  : "; default: " + parameter.default_text;
    fmt::print("{}\n", wrapped(parameter.meaning + standard, start, std::string(width_of(start), ' '), line_width));
  }
}

void print_row(const std::string& name, const std::string& text) {
  if (!text.empty()) fmt::print("{}\n", wrapped(text, "  " + padded(name, 14), std::string(16, ' '), line_width));
}

template <class Description>
void print_head(const Description& entry, const std::string& kind) {
  fmt::print("{}: {}\n", entry.name, kind);
  print_row("", entry.summary);
  print_row("formula", entry.formula);
  print_row("reference", entry.reference);
  if (!entry.origin.empty()) print_row("made by users", "from " + entry.origin);
}

void print_detail(const NormalLawDescription& law) {
  print_head(law, "normal force law");
  print_row("restitution", restitution_range(law));
  print_row("usable", usable_range(law));
  print_row("elastic force", law.elastic + ", unless the model says otherwise");
  if (law.needs_mass) print_row("mass", "of the two bodies is used to derive the damping");
  if (law.uses_restitution && law.restitution_out) {
    std::string asked, out, factors;
    for (double e : {1.0, 0.9, 0.8, 0.6, 0.4, 0.2}) {
      asked += fmt::format("{:<10}", e);
      out += fmt::format("{:<10.5f}", law.restitution_out(e));
      if (law.factor) factors += fmt::format("{:<10.5f}", law.factor(e));
    }
    fmt::print("  free impact\n    {}{}\n", padded("asked for", 12), asked);
    fmt::print("    {}{}\n", padded("comes out", 12), out);
    if (law.factor) fmt::print("    {}{}\n", padded("factor h", 12), factors);
  }
  print_parameters(law.parameters);
}

void print_detail(const ElasticDescription& shape) {
  print_head(shape, "elastic force");
  std::string needs;
  for (const auto& [needed, what] : {std::pair{shape.needs_materials, "materials"},
                                     {shape.needs_radii, "radii at the contact"},
                                     {shape.needs_clearance, "radial clearance"}})
    if (needed) needs += (needs.empty() ? "" : ", ") + std::string(what);
  if (!needs.empty() && shape.stiffness_suffices) needs += ", or the stiffness itself";
  print_row("needs", needs);
  print_parameters(shape.parameters);
}

void print_detail(const FrictionLawDescription& law) {
  print_head(law, "friction law");
  print_parameters(law.parameters);
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const auto& law : normal_law_catalogue()) names.push_back(law.name);
  for (const auto& shape : elastic_catalogue()) names.push_back(shape.name);
  for (const auto& law : friction_law_catalogue()) names.push_back(law.name);
  return names;
}

int refuse_law(const std::string& message) {
  fmt::print(stderr, "carom: laws: {}\n", message);
  return exit_input;
}

int refuse_unknown(const std::string& name, const std::vector<std::string>& valid) {
  const std::string hint = did_you_mean(name, valid);
  return refuse_law(fmt::format("unknown law `{}`; {}", name, hint.empty() ? "`carom laws` lists them" : hint));
}

int show_laws(const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto* normal = find_normal_law(names[k]);
    const auto* shape = find_elastic(names[k]);
    const auto* friction = find_friction_law(names[k]);
    if (!normal && !shape && !friction) return refuse_unknown(names[k], all_names());
    if (k > 0) fmt::print("\n");
    if (normal) print_detail(*normal);
    if (normal && shape) fmt::print("\n");
    if (shape) print_detail(*shape);
    if (friction) print_detail(*friction);
  }
  return exit_done;
}

nlohmann::ordered_json common_json(const TypeDescription& entry, const std::string& formula) {
  nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
  for (const ParameterDescription& parameter : entry.parameters) {
    nlohmann::ordered_json row = {{"name", parameter.name},
                                  {"unit", parameter.unit},
                                  {"meaning", parameter.meaning},
                                  {"required", parameter.required}};
    if (!parameter.default_text.empty()) row["default"] = parameter.default_text;
    if (std::isfinite(parameter.minimum)) row["minimum"] = parameter.minimum;
    if (std::isfinite(parameter.maximum)) row["maximum"] = parameter.maximum;
    if (!parameter.choices.empty()) row["choices"] = parameter.choices;
    parameters.push_back(row);
  }
  nlohmann::ordered_json json = {{"name", entry.name},
                                 {"summary", entry.summary},
                                 {"formula", formula},
                                 {"reference", entry.reference},
                                 {"parameters", parameters}};
  if (!entry.origin.empty()) json["origin"] = entry.origin;
  return json;
}

int print_json(const std::vector<std::string>& names) {
  const auto wanted = [&](const std::string& name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto valid = all_names();
  for (const std::string& name : names)
    if (std::find(valid.begin(), valid.end(), name) == valid.end()) return refuse_unknown(name, valid);
  nlohmann::ordered_json json = {{"normal", nlohmann::ordered_json::array()},
                                 {"elastic", nlohmann::ordered_json::array()},
                                 {"friction", nlohmann::ordered_json::array()}};
  for (const auto& law : normal_law_catalogue()) {
    if (!wanted(law.name)) continue;
    auto entry = common_json(law, law.formula);
    entry["elastic"] = law.elastic;
    entry["uses_restitution"] = law.uses_restitution;
    entry["least_restitution"] = law.least_restitution;
    entry["least_allowed"] = law.least_allowed;
    entry["usable"] = {law.usable_from, law.usable_to};
    json["normal"].push_back(entry);
  }
  for (const auto& shape : elastic_catalogue())
    if (wanted(shape.name)) json["elastic"].push_back(common_json(shape, shape.formula));
  for (const auto& law : friction_law_catalogue())
    if (wanted(law.name)) json["friction"].push_back(common_json(law, law.formula));
  fmt::print("{}\n", to_utf8(json));
  return exit_done;
}

int compare(const LawsArguments& arguments) {
  if (!(arguments.restitution > 0 && arguments.restitution <= 1))
    return refuse_law(fmt::format("--restitution {:g}: expected 0 < e ≤ 1", arguments.restitution));
  std::vector<std::string> names = arguments.names;
  if (names.empty())
    names = {"exact", "flores",  "lankarani-nikravesh", "hunt-crossley", "herbert-mcwhannell", "zhiying-qishao",
             "hu",    "lee-wang"};
  std::vector<std::string> valid;
  for (const auto& law : normal_law_catalogue())
    if (can_be_compared(law)) valid.push_back(law.name);
  std::vector<const NormalLawDescription*> laws;
  for (const std::string& name : names) {
    const NormalLawDescription* law = find_normal_law(name);
    if (!law) return refuse_unknown(name, valid);
    if (!can_be_compared(*law))
      return refuse_law(fmt::format("`{}` takes its loss from parameters of its own and cannot be drawn", name));
    laws.push_back(law);
  }
  write_figure(compare_laws(laws, arguments.restitution), arguments.output);
  fmt::print("{}: {} laws at e = {:g}\n", arguments.output, laws.size(), arguments.restitution);
  return exit_done;
}

int run_laws(const LawsArguments& arguments) {
  if (arguments.compare) return compare(arguments);
  if (arguments.json) return print_json(arguments.names);
  if (!arguments.names.empty()) return show_laws(arguments.names);
  list_laws();
  return exit_done;
}

}  // namespace

void add_laws_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<LawsArguments>();
  Command command = app.add_subcommand("laws", "List contact and friction laws, explain one, draw several");
  command.add_option("LAW", arguments->names, "laws to explain or to draw");
  CommandOption compare_flag =
      command.add_flag("--compare", arguments->compare, "draw factor, restitution and force loop of the laws");
  command.add_option("-o,--output", arguments->output, "picture (.svg, .png or .pdf); default: laws.svg")
      .needs(compare_flag);
  command.add_option("--restitution", arguments->restitution, "of the force loops; default: 0.7").needs(compare_flag);
  command.add_flag("--json", arguments->json, "as JSON").excludes(compare_flag);
  command.callback([arguments, &exit_code] { exit_code = run_laws(*arguments); });
}

}  // namespace carom
