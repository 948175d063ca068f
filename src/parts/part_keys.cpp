#include "parts/part_keys.h"

#include <utility>

#include "model/fields.h"

namespace carom::inline parts {
namespace {

using v1::KeyKind;

ParameterKind kind_of(KeyKind kind) {
  switch (kind) {
    case KeyKind::number:
      return ParameterKind::number;
    case KeyKind::boolean:
      return ParameterKind::boolean;
    case KeyKind::choice:
      return ParameterKind::choice;
    case KeyKind::text:
      return ParameterKind::text;
    case KeyKind::vector:
      return ParameterKind::vector;
    case KeyKind::function:
      return ParameterKind::function;
  }
  return ParameterKind::number;
}

std::string default_of(const v1::Key& key) {
  if (!key.default_text.empty() || key.required) return key.default_text;
  switch (key.kind) {
    case KeyKind::boolean:
      return "false";
    case KeyKind::choice:
      return key.choices.empty() ? "" : key.choices.front();
    case KeyKind::text:
      return "";
    default:
      break;
  }
  const std::string number = default_text(key.default_value.value_or(0));
  return key.unit.empty() || number == "0" ? number : number + " " + key.unit;
}

v1::KeyValues::Value default_value(const v1::Key& key) {
  switch (key.kind) {
    case KeyKind::boolean:
      return false;
    case KeyKind::choice:
      return key.choices.empty() ? std::string() : key.choices.front();
    case KeyKind::text:
      return std::string();
    case KeyKind::vector:
      return v1::Vector3{};
    case KeyKind::function:
      return v1::KeyValues::Function([](double) { return 0.0; });
    case KeyKind::number:
      break;
  }
  return key.default_value.value_or(0);
}

v1::KeyValues::Value given_value(const v1::Key& key, const Settings& settings) {
  switch (key.kind) {
    case KeyKind::boolean:
      return settings.boolean(key.name);
    case KeyKind::choice:
    case KeyKind::text:
      return settings.text(key.name);
    case KeyKind::vector: {
      const Eigen::Vector3d vector = settings.vector(key.name);
      return v1::Vector3{vector.x(), vector.y(), vector.z()};
    }
    case KeyKind::function:
      return v1::KeyValues::Function([function = settings.function(key.name)](double t) { return function.value(t); });
    case KeyKind::number:
      break;
  }
  return settings.number(key.name);
}

}  // namespace

std::vector<ParameterDescription> rows_of(const std::vector<v1::Key>& keys) {
  std::vector<ParameterDescription> rows;
  for (const v1::Key& key : keys) {
    ParameterDescription& row = rows.emplace_back();
    row.name = key.name;
    row.kind = kind_of(key.kind);
    row.unit = key.unit;
    row.meaning = key.meaning;
    row.required = key.required;
    row.default_text = default_of(key);
    row.minimum = key.minimum, row.maximum = key.maximum;
    row.minimum_allowed = key.minimum_allowed, row.maximum_allowed = key.maximum_allowed;
    row.choices = key.choices;
    if (key.kind == KeyKind::function) row.arguments = {"t"};
  }
  return rows;
}

v1::KeyValues values_of(const std::vector<v1::Key>& keys, const Settings& settings) {
  v1::KeyValues values;
  for (const v1::Key& key : keys) {
    const bool given = settings.has(key.name);
    values.set(key.name, given ? given_value(key, settings) : default_value(key), given);
  }
  return values;
}

}  // namespace carom::inline parts
