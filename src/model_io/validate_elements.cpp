#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "documents/document.h"
#include "force_elements/force_element.h"
#include "model_io/validation.h"

namespace carom::inline model_io {
namespace {

using Kind = ParameterKind;

template <class Catalogue>
std::vector<std::string> type_names(const Catalogue& catalogue, bool planar) {
  std::vector<std::string> names;
  for (const auto& entry : catalogue) {
    if (planar ? entry.planar : entry.spatial) names.push_back(entry.name);
  }
  return names;
}

// The complaint about a type that is unknown or belongs to models of the other kind; found is empty if all is well.
template <class Catalogue>
Complaint type_complaint(const Catalogue& catalogue, const std::string& type, const TypeDescription* description,
                         bool planar) {
  const auto names = type_names(catalogue, planar);
  const std::string given = type.empty() ? "nothing" : quoted_text(type);
  if (!description)
    return {given, "one of " + alternatives(names), type.empty() ? "add the key `type`" : did_you_mean(type, names)};
  if (planar ? description->planar : description->spatial) return {};
  return {given, "one of " + alternatives(names),
          planar ? "`" + type + "` needs a spatial model: leave out `plane`" : "`" + type + "` needs a planar model"};
}

}  // namespace

void Validation::check_joint(std::size_t index) {
  const ElementModel& joint = model_.joints[index];
  const KeyPath key = KeyPath::entry(KeyPath::section("joint"), index, joint.name);
  entry_ = joint.where;
  check_name(joint.name, key, "joint", joint_names_);
  if (broken(key / "type")) return;
  const JointDescription* type = find_joint(joint.type);
  if (const auto complaint = type_complaint(joint_catalogue(), joint.type, type, model_.planar);
      !complaint.found.empty()) {
    return error(key / "type", complaint);
  }
  if (joint.clearance && !broken(key / "clearance")) check_clearance(joint, key / "clearance");
  check_settings(joint, type->parameters, key);
  check_references(joint, type->parameters, key);
  if (type->ties_joints) return check_constrained_joints(joint, key);
  check_placement(joint, *type, key);
  if (find_row(type->parameters, "axis")) {
    // In the plane a rotation is about z, and only a translation has a direction.
    const bool slides =
        std::find(type->coordinates.begin(), type->coordinates.end(), "translation") != type->coordinates.end();
    check_axis(joint, *type, !model_.planar || slides, !model_.planar || slides, key);
  }
  if (find_row(type->parameters, "axis2")) check_second_axis(joint, key);
  if (find_row(type->parameters, "length")) check_length(joint, key);
  check_joint_keys(joint, *type, key);
}

void Validation::check_force(std::size_t index) {
  const ElementModel& force = model_.forces[index];
  const KeyPath key = KeyPath::entry(KeyPath::section("force"), index, force.name);
  entry_ = force.where;
  check_name(force.name, key, "force", force_names_);
  if (broken(key / "type")) return;
  const ForceElementDescription* type = find_force_element(force.type);
  if (auto complaint = type_complaint(force_element_catalogue(), force.type, type, model_.planar);
      !complaint.found.empty()) {
    if (complaint.remedy.empty()) complaint.remedy = plugin_remedy;
    return error(key / "type", complaint);
  }
  check_settings(force, type->parameters, key);
  check_references(force, type->parameters, key);
  if (find_row(type->parameters, "bodies")) check_placement(force, *type, key);
  if (find_row(type->parameters, "body")) check_single_placement(force, *type, key);
  if (!type->origin.empty()) return;  // what its own keys mean is known to the part alone
  if (find_row(type->parameters, "axis")) check_axis(force, *type, false, !model_.planar, key);
  if (find_row(type->parameters, "rotational_stiffness")) check_bushing_counts(force, key);
  if (find_row(type->parameters, "damping")) check_effect(force, *type, key);
}

void Validation::check_settings(const ElementModel& element, const std::vector<ParameterDescription>& rows,
                                const KeyPath& key) {
  for (const std::string& name : element.settings.keys()) {
    const ParameterDescription* row = find_row(rows, name);
    if (!row) {
      error(key / name, unknown_key(name, row_names(rows)));
    } else if (auto complaint = check_value(*row, *element.settings.find(name), model_.planar)) {
      error(key / name, std::move(*complaint));
    }
  }
  for (const ParameterDescription& row : rows) {
    if (!row.required || given(element, key, row.name)) continue;
    error(key / row.name, {"nothing", expected_text(row, model_.planar), "add the key `" + row.name + "`"});
  }
}

void Validation::check_references(const ElementModel& element, const std::vector<ParameterDescription>& rows,
                                  const KeyPath& key) {
  for (const ParameterDescription& row : rows) {
    if (!element.settings.has(row.name)) continue;
    const KeyPath path = key / row.name;
    const auto names = element.settings.names(row.name);
    if (row.kind == Kind::body) check_body_name(element.settings.text(row.name), path, false);
    if (row.kind == Kind::marker) {
      const std::string marker = element.settings.text(row.name);
      if (check_marker(marker, path) && marker.starts_with("ground.")) {
        error(path, {quoted_text(marker), "a marker of a body", "the ground does not move"});
      }
    }
    if (row.kind == Kind::bodies || row.kind == Kind::markers) {
      bool known = names.size() == 2;
      for (std::size_t k = 0; k < names.size(); ++k) {
        const KeyPath item = path.item(k);
        const bool good =
            row.kind == Kind::bodies ? check_body_name(names[k], item, true) : check_marker(names[k], item);
        known = known && good;
      }
      const auto body_of = [&](const std::string& name) {
        return row.kind == Kind::bodies ? name : name.substr(0, name.rfind('.'));
      };
      if (known && body_of(names[0]) == body_of(names[1])) {
        error(path, {"`" + body_of(names[0]) + "` twice", "two different bodies", ""});
      }
    }
    if (row.kind == Kind::joint) {
      // The one element of this kind acts about a joint's axis.
      const auto reference = resolve_coordinate(model_, element.settings.text(row.name), "rotation");
      if (!reference.ok()) {
        error(path, reference.error);
      } else if (reference.coordinate == "translation") {
        error(path, {quoted_text(element.settings.text(row.name)) + ", a translation", "a joint with a rotation", ""});
      }
    }
  }
}

void Validation::check_constrained_joints(const ElementModel& element, const KeyPath& key) {
  const auto joints = element.settings.names("joints");
  const KeyPath path = key / "joints";
  if (joints.empty()) return;
  std::map<std::string, int> seen;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const auto reference = resolve_coordinate(model_, joints[k]);
    if (!reference.ok()) {
      error(path.item(k), reference.error);
    } else if (!seen.emplace(reference.joint->name + "." + reference.coordinate, 0).second) {
      error(path.item(k), {quoted_text(joints[k]) + " twice", "different coordinates", ""});
    }
  }
  if (element.type == "gear" ? joints.size() != 2 : joints.size() < 2) {
    error(path, {fmt::format("{} joint{}", joints.size(), joints.size() == 1 ? "" : "s"),
                 element.type == "gear" ? "2 joints" : "2 joints or more", ""});
  }
  const auto coefficients = element.settings.numbers("coefficients");
  if (element.settings.has("coefficients") && coefficients.size() != joints.size()) {
    error(key / "coefficients",
          {fmt::format("{} coefficient{}", coefficients.size(), coefficients.size() == 1 ? "" : "s"),
           fmt::format("one per joint: {}", joints.size()), ""});
  }
}

void Validation::check_single_placement(const ElementModel& element, const TypeDescription& type, const KeyPath& key) {
  if (!find_row(type.parameters, "marker")) return;
  std::vector<std::string> places;
  for (const char* name : {"point", "at", "marker"}) {
    if (given(element, key, name)) places.push_back(name);
  }
  if (places.size() > 1) {
    error(key / places[1],
          {fmt::format("`{}` beside `{}`", places[1], places[0]), "at most one of `point`, `at` or `marker`", ""});
  }
  const bool body = given(element, key, "body"), marker = given(element, key, "marker");
  if (body && marker)
    error(key / "body", {"`body` beside `marker`", "one of them", "the marker names its body: leave out `body`"});
  if (!body && !marker) error(key / "body", {"nothing", "the name of a body", "add the key `body` or `marker`"});
}

void Validation::check_bushing_counts(const ElementModel& element, const KeyPath& key) {
  for (const std::string name : {"stiffness", "damping", "rotational_stiffness", "rotational_damping"}) {
    if (!element.settings.has(name)) continue;
    const std::size_t axes = !model_.planar ? 3 : name.starts_with("rotational") ? 1 : 2;
    const std::size_t count = element.settings.numbers(name).size();
    if (count == 1 || count == axes) continue;
    error(key / name, {fmt::format("a list of {}", count),
                       axes == 1 ? "one number" : fmt::format("one number, or one per axis: {}", axes), ""});
  }
}

void Validation::check_effect(const ElementModel& element, const TypeDescription& type, const KeyPath& key) {
  for (const ParameterDescription& row : type.parameters) {
    const bool counts = row.kind == Kind::function || row.unit.starts_with("N");
    if (!counts || !given(element, key, row.name)) continue;
    if (broken(key / row.name) || row.kind == Kind::function || element.settings.number(row.name) != 0) return;
    const auto numbers = element.settings.numbers(row.name);
    if (std::any_of(numbers.begin(), numbers.end(), [](double each) { return each != 0; })) return;
  }
  report(Severity::warning, key,
         {"a " + type.name + " without any force", "a stiffness, damping or function that is not 0", ""});
}

}  // namespace carom::inline model_io
