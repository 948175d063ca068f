#include <cmath>

#include "control/block.h"
#include "documents/check_value.h"
#include "force_elements/force_element.h"
#include "joints/joint.h"
#include "model/drive.h"
#include "model_io/contact_tables.h"
#include "model_io/schema.h"
#include "model_io/sections.h"
#include "model_io/solver_tables.h"

namespace carom::inline model_io {
namespace {

using Kind = ParameterKind;

// Long: one case per kind.
std::string kind_text(const ParameterDescription& row) {
  switch (row.kind) {
    case Kind::number:
      return "quantity";
    case Kind::integer:
      return "whole number";
    case Kind::boolean:
      return "true or false";
    case Kind::text:
      return "text";
    case Kind::choice:
      return alternatives(row.choices);
    case Kind::vector:
      return "vector";
    case Kind::counts:
      return "whole numbers";
    case Kind::numbers:
      return "quantities";
    case Kind::points:
      return "vectors";
    case Kind::function:
    case Kind::functions: {
      std::string text = row.kind == Kind::function ? "function of " : "functions of ";
      for (const std::string& name : row.arguments) text += (&name == &row.arguments.front() ? "" : ", ") + name;
      return text;
    }
    case Kind::file:
      return "file";
    case Kind::body:
      return "body";
    case Kind::bodies:
      return "two bodies";
    case Kind::joint:
      return "joint";
    case Kind::joints:
      return "joints";
    case Kind::marker:
      return "marker";
    case Kind::markers:
      return "two markers";
    case Kind::texts:
      return "texts";
    case Kind::material:
      return "material";
    case Kind::materials:
      return "two materials";
    case Kind::shapes:
      return "two shapes";
    case Kind::contact:
      return "contact";
    case Kind::orientation:
      return "orientation";
    case Kind::angular_velocity:
      return "quantity or vector";
    case Kind::inertia:
      return "1, 3 or 6 quantities";
  }
  return "";
}

std::string range_text(const ParameterDescription& row) {
  std::string text;
  if (std::isfinite(row.minimum)) text = (row.minimum_allowed ? "≥ " : "> ") + number_text(row.minimum);
  if (std::isfinite(row.maximum)) {
    text += (text.empty() ? "" : ", ") + std::string(row.maximum_allowed ? "≤ " : "< ") + number_text(row.maximum);
  }
  return text;
}

std::string table_text(const std::vector<ParameterDescription>& rows) {
  if (rows.empty()) return "";
  std::string text = "| key | value | unit | range | default | meaning |\n|---|---|---|---|---|---|\n";
  for (const ParameterDescription& row : rows) {
    text += "| `" + row.name + "` | " + kind_text(row) + " | " + row.unit + " | " + range_text(row) + " | " +
            (row.required ? "*required*" : row.default_text) + " | " + row.meaning + " |\n";
  }
  return text + "\n";
}

std::string described(const std::string& heading, const TypeDescription& type,
                      const std::vector<std::string>& coordinates, const std::string& more = {}) {
  std::string text = heading + "\n\n" + type.summary + "\n\n" + more;
  if (!type.planar) text += "Spatial models only.\n\n";
  if (!type.spatial) text += "Planar models only.\n\n";
  if (!coordinates.empty()) {
    text += "Coordinates:";
    for (const std::string& name : coordinates) text += (&name == &coordinates.front() ? " `" : ", `") + name + "`";
    text += ".\n\n";
  }
  text += table_text(type.parameters);
  if (!type.origin.empty()) text += "Made by users, from " + type.origin + ".\n\n";
  if (!type.reference.empty()) text += "Reference: " + type.reference + ".\n\n";
  return text;
}

// The range in which the restitution asked for is met, where that is smaller.
std::string usable_text(const NormalLawDescription& law) {
  if (law.usable_from > law.least_restitution) return "; met from " + number_text(law.usable_from) + " on";
  return law.usable_to < 1 ? "; met up to " + number_text(law.usable_to) : "";
}

std::string type_text(const TypeDescription& type, const std::vector<std::string>& coordinates) {
  return described("### `" + type.name + "`", type, coordinates);
}

// A law or shape of a contact, which share names.
template <class Description>
std::string contact_type_text(const std::string& key, const Description& type) {
  std::string more = type.formula.empty() ? "" : "`" + type.formula + "`\n\n";
  if constexpr (std::is_same_v<Description, NormalLawDescription>) {
    if (type.uses_restitution) more += "Restitution: " + restitution_range(type) + usable_text(type) + ".\n\n";
    more += "Elastic shape, unless another is given: `" + type.elastic + "`.\n\n";
  }
  return described("### `" + key + " = \"" + type.name + "\"`", type, {}, more);
}

// The types that keys of [solver] name.
std::string solver_types_text() {
  std::string text;
  for (const SolverChoice& choice : solver_choices()) {
    for (const TypeDescription* type : choice.types)
      text += described("### `" + choice.key + " = \"" + type->name + "\"`", *type, {});
  }
  return text;
}

}  // namespace

std::string reference_page() {
  std::string text =
      "# Reference of the model file\n\nMade from the tables that the reader itself uses. Units are those of plain "
      "numbers; a text with a unit is converted.\n\n";
  for (const SectionDescription& each : sections()) {
    text += "## `" + each.heading() + "`\n\n" + each.summary + "\n\n" + table_text(each.parameters);
    if (each.name == "joint") {
      for (const JointDescription& type : joint_catalogue()) text += type_text(type, type.coordinates);
    }
    if (each.name == "motion") {
      for (const DriveDescription& type : drive_catalogue())
        text += described("### `{ drive = \"" + type.name + "\" }`", type, {});
    }
    if (each.name == "force") {
      for (const ForceElementDescription& type : force_element_catalogue()) text += type_text(type, {});
    }
    if (each.name == "signal") {
      for (const BlockDescription& type : block_catalogue()) text += type_text(type, {});
    }
    if (each.name == "contact") {
      for (const NormalLawDescription& type : normal_law_catalogue()) text += contact_type_text("law", type);
      for (const ElasticDescription& type : elastic_catalogue()) text += contact_type_text("elastic", type);
    }
    if (each.name == "solver") text += solver_types_text();
    if (each.name == "contact.friction") {
      for (const FrictionLawDescription& type : friction_law_catalogue())
        text += contact_type_text("friction.law", type);
    }
  }
  return text;
}

}  // namespace carom::inline model_io
