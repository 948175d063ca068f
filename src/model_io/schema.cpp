#include "model_io/schema.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "control/block.h"
#include "force_elements/force_element.h"
#include "joints/joint.h"
#include "model/drive.h"
#include "model_io/contact_tables.h"
#include "model_io/field_tables.h"
#include "model_io/sections.h"

namespace carom::inline model_io {
namespace {

using Json = nlohmann::ordered_json;
using Kind = ParameterKind;

Json reference(const std::string& name) {
  return {{"$ref", "#/$defs/" + name}};
}

Json list_of(Json items, std::size_t least, std::size_t most = 0) {
  Json list = {{"type", "array"}, {"items", std::move(items)}, {"minItems", least}};
  if (most > 0) list["maxItems"] = most;
  return list;
}

Json one_of(std::vector<Json> alternatives) {
  return {{"anyOf", alternatives}};
}

// A number, or a text with a unit or an expression. Bounds concern numbers only, as JSON Schema has it.
Json quantity(const ParameterDescription& row) {
  Json result = {{"type", {"number", "string"}}};
  if (std::isfinite(row.minimum)) result[row.minimum_allowed ? "minimum" : "exclusiveMinimum"] = row.minimum;
  if (std::isfinite(row.maximum)) result[row.maximum_allowed ? "maximum" : "exclusiveMaximum"] = row.maximum;
  return result;
}

// Long: one case per kind.
Json value_schema(const ParameterDescription& row) {
  const Json text = {{"type", "string"}};
  switch (row.kind) {
    case Kind::number:
      return quantity(row);
    case Kind::integer:
      return {{"type", "integer"}};
    case Kind::boolean:
      return {{"type", "boolean"}};
    case Kind::text:
      return text;
    case Kind::choice:
      return {{"enum", row.choices}};
    case Kind::vector:
      return reference("vector");
    case Kind::counts:
      return list_of({{"type", "integer"}, {"minimum", 1}}, 2, 3);
    case Kind::numbers:
      return one_of({quantity(row), list_of(quantity(row), 1)});
    case Kind::points:
      return list_of(reference("vector"), 2);
    case Kind::function:
      return reference("function");
    case Kind::functions:
      return one_of({reference("function"),
                     row.unit == "*" ? list_of(reference("function"), 1) : list_of(reference("function"), 1, 3)});
    case Kind::file:
    case Kind::body:
    case Kind::joint:
    case Kind::marker:
    case Kind::material:
    case Kind::contact:
      return text;
    case Kind::bodies:
    case Kind::markers:
    case Kind::materials:
    case Kind::shapes:
      return list_of(text, 2, 2);
    case Kind::joints:
      return list_of(text, 2);
    case Kind::texts:
      return list_of(text, 0);
    case Kind::orientation:
      return reference("orientation");
    case Kind::angular_velocity:
      return one_of({reference("quantity"), list_of(reference("quantity"), 3, 3)});
    case Kind::inertia:
      return one_of({reference("quantity"), list_of(reference("quantity"), 3, 6)});
  }
  return {};
}

Json row_schema(const ParameterDescription& row) {
  Json result = value_schema(row);
  std::string description = row.meaning;
  if (!row.unit.empty()) description += " [" + row.unit + "]";
  if (!row.default_text.empty()) description += " (default: " + row.default_text + ")";
  result["description"] = description;
  return result;
}

Json table_schema(const std::string& summary, const std::vector<ParameterDescription>& rows) {
  Json properties = Json::object(), required = Json::array();
  for (const ParameterDescription& row : rows) {
    properties[row.name] = row_schema(row);
    if (row.required) required.push_back(row.name);
  }
  Json result = {
      {"type", "object"}, {"description", summary}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) result["required"] = required;
  return result;
}

Json element_schema(const TypeDescription& type, const std::vector<ParameterDescription>& rows) {
  std::string summary = type.summary;
  if (!type.planar) summary += " Spatial models only.";
  if (!type.spatial) summary += " Planar models only.";
  Json result = table_schema(summary, rows);
  result["title"] = type.name;
  result["properties"]["type"] = {{"const", type.name}, {"description", type.summary}};
  return result;
}

template <class Catalogue>
Json catalogue_schema(const std::string& section_name, const Catalogue& catalogue) {
  Json types = Json::array();
  for (const auto& type : catalogue) types.push_back(element_schema(type, element_fields(type).rows()));
  return {{"type", "array"}, {"description", section(section_name).summary}, {"items", {{"oneOf", types}}}};
}

// The type of a signal that is measured, or a formula, need not be said.
Json signal_schema() {
  Json types = Json::array();
  for (const BlockDescription& type : block_catalogue()) {
    Json each = element_schema(type, signal_fields(type).rows());
    if (type.make) each["required"].push_back("type");
    types.push_back(each);
  }
  return {{"type", "array"}, {"description", section("signal").summary}, {"items", {{"oneOf", types}}}};
}

// Keys of all laws and shapes together: which of them go together is for the reader to say.
template <class Catalogue>
void add_keys_of(const Catalogue& catalogue, Json& properties) {
  for (const auto& type : catalogue) {
    for (const ParameterDescription& row : type.parameters) {
      const std::string text = row_schema(row)["description"].template get<std::string>() + " for `" + type.name + "`";
      if (properties.contains(row.name)) {
        Json& description = properties[row.name]["description"];
        description = description.template get<std::string>() + "; " + text;
      } else {
        properties[row.name] = row_schema(row);
        properties[row.name]["description"] = text;
      }
    }
  }
}

Json contact_schema() {
  const SectionDescription& description = section("contact");
  Json table = table_schema(description.summary, description.parameters);
  add_keys_of(normal_law_catalogue(), table["properties"]);
  add_keys_of(elastic_catalogue(), table["properties"]);
  std::vector<Json> friction = {reference("quantity")};
  for (const FrictionLawDescription& law : friction_law_catalogue()) {
    Json of_law = table_schema(law.summary, friction_fields(law).rows());
    of_law["title"] = law.name;
    of_law["properties"]["law"] = {{"const", law.name}, {"description", law.summary}};
    of_law.erase("required");  // the coefficient may come from the materials
    if (law.name != default_friction_law) of_law["required"] = {"law"};
    friction.push_back(of_law);
  }
  table["properties"]["friction"] = one_of(friction);
  table["properties"]["friction"]["description"] = section("contact.friction").summary;
  return {{"type", "object"}, {"description", description.summary}, {"additionalProperties", table}};
}

Json section_schema(const SectionDescription& description) {
  Json table = table_schema(description.summary, description.parameters);
  for (const std::string& nested : description.nested) {
    // Markers and shapes of the ground and of beams are those of a body.
    const std::string owner = nested == "marker" || nested == "geometry" ? "body" : description.name;
    table["properties"][nested] = section_schema(section(fmt::format("{}.{}", owner, nested)));
  }
  if (description.free_keys) {
    const Json variable = {{"type", "object"},
                           {"properties", {{"value", reference("quantity")}, {"variable", {{"type", "boolean"}}}}},
                           {"required", {"value"}},
                           {"additionalProperties", false}};
    table["additionalProperties"] = one_of({reference("quantity"), variable});
  }
  if (description.form == SectionForm::list)
    return {{"type", "array"}, {"description", description.summary}, {"items", table}};
  if (description.form == SectionForm::named_tables) {
    return {{"type", "object"}, {"description", description.summary}, {"additionalProperties", table}};
  }
  return table;
}

Json drive_schema(const DriveDescription& drive) {
  Json result = table_schema(drive.summary, drive.parameters);
  result["title"] = drive.name;
  result["properties"]["drive"] = {{"const", drive.name}, {"description", drive.summary}};
  result["required"].push_back("drive");
  return result;
}

Json definitions() {
  const Json interpolation = {{"enum", {"cubic", "linear"}}, {"description", "between the points (default: cubic)"}};
  const Json pairs = list_of(list_of(reference("quantity"), 2, 2), 1);
  const auto table = [&](const std::string& key, const Json& value) {
    return Json{{"type", "object"},
                {"properties", {{key, value}, {"interpolation", interpolation}}},
                {"required", {key}},
                {"additionalProperties", false}};
  };
  Json axis_angle = {{"type", "object"},
                     {"properties", {{"axis", reference("vector")}, {"angle", reference("quantity")}}},
                     {"required", {"axis", "angle"}},
                     {"additionalProperties", false}};
  Json result;
  result["quantity"] = {
      {"type", {"number", "string"}},
      {"description", "a number in SI, a text with a unit (\"0.05 mm\"), or an expression (\"=2*a\")"}};
  result["vector"] = list_of(reference("quantity"), 2, 3);
  result["orientation"] = one_of({reference("quantity"), list_of(reference("quantity"), 4, 4), axis_angle});
  std::vector<Json> functions = {reference("quantity"), table("table", pairs), table("file", {{"type", "string"}})};
  for (const DriveDescription& drive : drive_catalogue()) functions.push_back(drive_schema(drive));
  result["function"] = one_of(functions);
  return result;
}

}  // namespace

std::string json_schema() {
  Json schema;
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "Carom model file";
  schema["type"] = "object";
  schema["properties"]["include"] = list_of({{"type", "string"}}, 0);
  schema["properties"]["include"]["description"] = "files read first, relative to this one";
  for (const SectionDescription& each : sections()) {
    if (each.name.find('.') != std::string::npos) continue;
    Json& property = schema["properties"][each.name];
    if (each.name == "joint") {
      property = catalogue_schema("joint", joint_catalogue());
      for (Json& type : property["items"]["oneOf"]) {
        const std::string name = type["title"].get<std::string>();
        if (find_loose(name, true) || find_loose(name, false)) {
          type["properties"]["clearance"] = section_schema(section("joint.clearance"));
        }
      }
    } else if (each.name == "force") {
      property = catalogue_schema("force", force_element_catalogue());
    } else if (each.name == "signal") {
      property = signal_schema();
    } else if (each.name == "contact") {
      property = contact_schema();
    } else {
      property = section_schema(each);
    }
  }
  schema["additionalProperties"] = false;
  schema["$defs"] = definitions();
  return schema.dump(2) + "\n";
}

}  // namespace carom::inline model_io
