#include <cstdint>

#include <nlohmann/json.hpp>

#include "model_io/field_tables.h"
#include "model_io/write_model.h"

namespace carom::inline model_io {
namespace {

nlohmann::json value_json(const ParameterDescription& row, const Value& value) {
  if (const auto* held = std::get_if<bool>(&value)) return *held;
  if (row.kind == ParameterKind::integer) return static_cast<std::int64_t>(std::get<double>(value));
  if (const auto* held = std::get_if<double>(&value)) return *held;
  if (const auto* held = std::get_if<std::string>(&value)) return *held;
  if (const auto* held = std::get_if<std::vector<double>>(&value)) return *held;
  if (const auto* held = std::get_if<std::vector<std::string>>(&value)) return *held;
  return nullptr;  // no setting is a function or a list of points
}

template <class Struct>
void add_fields(nlohmann::json& json, const Fields<Struct>& fields, const Struct& held, bool planar) {
  for (const SaidKey& each : all_of(fields, held, planar)) json[each.row->name] = value_json(*each.row, each.value);
}

}  // namespace

std::string recorded_settings(const Model& model) {
  nlohmann::json json;
  add_fields(json, solver_fields(), model.solver, model.planar);
  add_fields(json["baumgarte"], baumgarte_fields(), model.solver, model.planar);
  add_fields(json, output_fields(), model.output, model.planar);
  json["parameters"] = model.parameters;
  return json.dump();
}

}  // namespace carom::inline model_io
