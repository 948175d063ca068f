#include "documents/check_value.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "documents/document.h"

namespace carom::inline documents {
namespace {

using Kind = ParameterKind;

std::string bounds_text(const ParameterDescription& row) {
  const bool below = std::isfinite(row.minimum), above = std::isfinite(row.maximum);
  std::string text;
  if (below) text += (row.minimum_allowed ? ", ≥ " : ", > ") + number_text(row.minimum);
  if (above)
    text += (below ? " and " : ", ") + std::string(row.maximum_allowed ? "≤ " : "< ") + number_text(row.maximum);
  return text;
}

std::string in_unit(const ParameterDescription& row) {
  return row.unit.empty() ? "" : " in " + row.unit;
}

std::string numbers_text(const ParameterDescription& row, const std::string& count) {
  return "a list of " + count + (row.unit.empty() ? "numbers" : "quantities") + in_unit(row);
}

std::string function_text(const ParameterDescription& row) {
  std::string arguments;
  for (const std::string& name : row.arguments) arguments += (arguments.empty() ? "" : ", ") + name;
  return "a function of " + arguments + in_unit(row);
}

bool in_range(const ParameterDescription& row, double value) {
  const bool low_enough = row.maximum_allowed ? value <= row.maximum : value < row.maximum;
  const bool high_enough = row.minimum_allowed ? value >= row.minimum : value > row.minimum;
  return std::isfinite(value) && low_enough && high_enough;
}

std::string describe(const Value& value) {
  struct Visitor {
    std::string operator()(bool held) const { return held ? "true" : "false"; }
    std::string operator()(double held) const { return number_text(held); }
    std::string operator()(const std::string& held) const { return quoted_text(held); }
    std::string operator()(const std::vector<double>& held) const {
      std::string text = "[";
      for (const double each : held) text += (text.size() == 1 ? "" : ", ") + number_text(each);
      return held.size() > 12 ? fmt::format("a list of {} numbers", held.size()) : text + "]";
    }
    std::string operator()(const std::vector<std::string>& held) const {
      return fmt::format("a list of {}", held.size());
    }
    std::string operator()(const std::vector<Eigen::Vector3d>& held) const {
      return fmt::format("a list of {}", held.size());
    }
    std::string operator()(const Function& held) const { return held.description(); }
    std::string operator()(const std::vector<Function>& held) const { return fmt::format("a list of {}", held.size()); }
    std::string operator()(const ModelFile& held) const { return quoted_text(held.name); }
  };
  return std::visit(Visitor{}, value);
}

// Long: one case per kind.
bool holds_kind(Kind kind, const Value& value) {
  switch (kind) {
    case Kind::number:
    case Kind::integer:
      return std::holds_alternative<double>(value);
    case Kind::boolean:
      return std::holds_alternative<bool>(value);
    case Kind::text:
    case Kind::choice:
    case Kind::body:
    case Kind::joint:
    case Kind::marker:
    case Kind::material:
    case Kind::contact:
      return std::holds_alternative<std::string>(value);
    case Kind::file:
      return std::holds_alternative<ModelFile>(value);
    case Kind::vector:
    case Kind::counts:
    case Kind::numbers:
    case Kind::orientation:
    case Kind::angular_velocity:
    case Kind::inertia:
      return std::holds_alternative<std::vector<double>>(value);
    case Kind::points:
      return std::holds_alternative<std::vector<Eigen::Vector3d>>(value);
    case Kind::function:
      return std::holds_alternative<Function>(value);
    case Kind::functions:
      return std::holds_alternative<std::vector<Function>>(value);
    case Kind::bodies:
    case Kind::joints:
    case Kind::markers:
    case Kind::texts:
    case Kind::materials:
    case Kind::shapes:
      return std::holds_alternative<std::vector<std::string>>(value);
  }
  return false;
}

std::size_t count_of(const Value& value) {
  struct Visitor {
    std::size_t operator()(const std::vector<double>& held) const { return held.size(); }
    std::size_t operator()(const std::vector<std::string>& held) const { return held.size(); }
    std::size_t operator()(const std::vector<Eigen::Vector3d>& held) const { return held.size(); }
    std::size_t operator()(const std::vector<Function>& held) const { return held.size(); }
    std::size_t operator()(const Function&) const { return 1; }
    std::size_t operator()(const std::string&) const { return 1; }
    std::size_t operator()(double) const { return 1; }
    std::size_t operator()(bool) const { return 1; }
    std::size_t operator()(const ModelFile&) const { return 1; }
  };
  return std::visit(Visitor{}, value);
}

bool entries_sound(const ParameterDescription& row, const Value& value) {
  const bool whole = row.kind == Kind::integer || row.kind == Kind::counts;
  const auto sound = [&](double each) { return in_range(row, each) && (!whole || std::floor(each) == each); };
  if (const auto* number = std::get_if<double>(&value)) {
    return sound(*number);
  }
  if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
    return std::all_of(numbers->begin(), numbers->end(), sound);
  }
  const auto finite = [](const Function& each) { return !each.is_constant() || std::isfinite(each.value(0.0)); };
  if (const auto* function = std::get_if<Function>(&value)) return finite(*function);
  if (const auto* functions = std::get_if<std::vector<Function>>(&value)) {
    return std::all_of(functions->begin(), functions->end(), finite);
  }
  if (const auto* points = std::get_if<std::vector<Eigen::Vector3d>>(&value)) {
    return std::all_of(points->begin(), points->end(), [](const Eigen::Vector3d& each) { return each.allFinite(); });
  }
  return true;
}

// A torque has one component in the plane, a force two.
std::size_t component_count(const ParameterDescription& row, bool planar) {
  if (!planar) return 3;
  return row.unit == "N m" ? 1 : 2;
}

}  // namespace

std::string number_text(double value) {
  return fmt::format("{}", value);
}

std::string alternatives(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t k = 0; k < names.size() && k < most; ++k) {
    if (k > 0) text += k + 1 == names.size() ? " or " : ", ";
    text += "`" + names[k] + "`";
  }
  return names.size() > most ? text + ", …" : text;
}

Complaint unknown_key(const std::string& key, const std::vector<std::string>& valid) {
  return {"an unknown key", valid.empty() ? "no key" : alternatives(valid), did_you_mean(key, valid)};
}

// Long: one case per kind.
std::string expected_text(const ParameterDescription& row, bool planar) {
  const std::string dimension = planar ? "2 " : "3 ";
  switch (row.kind) {
    case Kind::number:
      return (row.unit.empty() ? "a number" : "a quantity" + in_unit(row)) + bounds_text(row);
    case Kind::integer:
      return "a whole number" + bounds_text(row);
    case Kind::boolean:
      return "true or false";
    case Kind::text:
      return "a text in quotes";
    case Kind::choice:
      return alternatives(row.choices);
    case Kind::vector:
      return numbers_text(row, dimension);
    case Kind::counts:
      return "a list of " + dimension + "whole numbers" + bounds_text(row);
    case Kind::numbers:
      return numbers_text(row, "") + bounds_text(row);
    case Kind::points:
      return "a list of vectors, each " + numbers_text(row, dimension);
    case Kind::function:
      return function_text(row);
    case Kind::functions: {
      if (row.unit == "*") return "a list, each " + function_text(row);
      const std::size_t count = component_count(row, planar);
      return count == 1 ? function_text(row) : "a list of " + std::to_string(count) + ", each " + function_text(row);
    }
    case Kind::file:
      return "the name of a file";
    case Kind::body:
      return "the name of a body";
    case Kind::bodies:
      return "the names of two bodies";
    case Kind::joint:
      return "the name of a joint";
    case Kind::joints:
      return "a list of names of joints";
    case Kind::marker:
      return "a marker as \"body.marker\"";
    case Kind::markers:
      return "two markers as \"body.marker\"";
    case Kind::texts:
      return "a list of texts in quotes";
    case Kind::material:
      return "the name of a material";
    case Kind::materials:
      return "the names of two materials, one per body";
    case Kind::shapes:
      return "the names of two shapes, one per body";
    case Kind::contact:
      return "the name of a contact";
    case Kind::orientation:
      return planar ? "an angle in rad" : "a quaternion [w, x, y, z] or { axis = [x, y, z], angle = … }";
    case Kind::angular_velocity:
      return planar ? "a quantity" + in_unit(row) : numbers_text(row, "3 ");
    case Kind::inertia:
      return planar ? "a quantity" + in_unit(row) : numbers_text(row, "3 or 6 ");
  }
  return "";
}

bool right_count(const ParameterDescription& row, std::size_t count, bool planar) {
  switch (row.kind) {
    case Kind::vector:
    case Kind::counts:
      return count == (planar ? 2u : 3u);
    case Kind::angular_velocity:
      return count == (planar ? 1u : 3u);
    case Kind::orientation:
      return count == (planar ? 1u : 4u);
    case Kind::inertia:
      return planar ? count == 1 : count == 3 || count == 6;
    case Kind::bodies:
    case Kind::markers:
    case Kind::materials:
    case Kind::shapes:
      return count == 2;
    case Kind::functions:
      return row.unit == "*" ? count > 0 : count == component_count(row, planar);
    case Kind::numbers:
    case Kind::joints:
      return count > 0;
    default:
      return true;
  }
}

std::string count_remedy(const ParameterDescription& row, std::size_t count, bool planar) {
  const bool depends = row.kind == Kind::vector || row.kind == Kind::counts || row.kind == Kind::angular_velocity ||
                       row.kind == Kind::orientation || row.kind == Kind::inertia || row.kind == Kind::functions ||
                       row.kind == Kind::points;
  if (!depends || !right_count(row, count, !planar)) return "";
  return planar ? "the model is planar; leave out `plane` for a spatial one"
                : "the model is spatial; `plane = \"xy\"` in [model] makes it planar";
}

std::optional<Complaint> check_value(const ParameterDescription& row, const Value& value, bool planar) {
  const Complaint complaint = {describe(value), expected_text(row, planar), ""};
  if (!holds_kind(row.kind, value)) return complaint;
  if (const std::size_t count = count_of(value); !right_count(row, count, planar)) {
    return Complaint{complaint.found, complaint.expected, count_remedy(row, count, planar)};
  }
  if (!entries_sound(row, value)) return complaint;
  if (row.kind == Kind::choice) {
    const std::string& chosen = std::get<std::string>(value);
    if (std::find(row.choices.begin(), row.choices.end(), chosen) == row.choices.end()) {
      const std::string near = did_you_mean(chosen, row.choices);
      return Complaint{complaint.found, complaint.expected, near.empty() && row.extendable ? plugin_remedy : near};
    }
  }
  return std::nullopt;
}

}  // namespace carom::inline documents
