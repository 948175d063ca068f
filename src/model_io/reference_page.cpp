#include <cmath>

#include "force_elements/force_element.h"
#include "joints/joint.h"
#include "model_io/check_value.h"
#include "model_io/schema.h"
#include "model_io/sections.h"

namespace carom {
namespace {

using Kind = ParameterKind;

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
    case Kind::orientation:
      return "orientation";
    case Kind::spin:
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

std::string type_text(const TypeDescription& type, const std::vector<std::string>& coordinates) {
  std::string text = "### `" + type.name + "`\n\n" + type.summary + "\n\n";
  if (!type.planar) text += "Spatial models only.\n\n";
  if (!type.spatial) text += "Planar models only.\n\n";
  if (!coordinates.empty()) {
    text += "Coordinates:";
    for (const std::string& name : coordinates) text += (&name == &coordinates.front() ? " `" : ", `") + name + "`";
    text += ".\n\n";
  }
  text += table_text(type.parameters);
  if (!type.reference.empty()) text += "Reference: " + type.reference + ".\n\n";
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
    if (each.name == "force") {
      for (const ForceElementDescription& type : force_element_catalogue()) text += type_text(type, {});
    }
  }
  return text;
}

}  // namespace carom
