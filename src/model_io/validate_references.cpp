#include <algorithm>

#include "base/nearest_name.h"
#include "documents/document.h"
#include "documents/reading.h"
#include "model_io/validation.h"

namespace carom::inline model_io {
namespace {

std::vector<std::string> joint_names(const Model& model) {
  std::vector<std::string> names;
  for (const ElementModel& joint : model.joints) {
    if (!joint.name.empty() && names.size() < most_problems) names.push_back(joint.name);  // enough to suggest from
  }
  return names;
}

}  // namespace

std::string default_motion_name(const MotionModel& motion) {
  std::string name = motion.joint.empty() ? motion.body + "-" + name_of(motion.component) : motion.joint;
  std::replace(name.begin(), name.end(), '.', '-');  // a dot would split the names of its results
  return name;
}

CoordinateReference resolve_coordinate(const Model& model, const std::string& path, const std::string& preferred) {
  CoordinateReference result;
  const std::size_t dot = path.find('.');
  const std::string name = path.substr(0, dot);
  const auto joint = std::find_if(model.joints.begin(), model.joints.end(),
                                  [&](const ElementModel& each) { return each.name == name; });
  if (joint == model.joints.end()) {
    const auto names = joint_names(model);
    result.error = {quoted_text(path), names.empty() ? "a model with joints" : "a joint: " + alternatives(names),
                    did_you_mean(name, names)};
    return result;
  }
  result.joint = &*joint;
  if (joint->clearance) {
    result.error = {quoted_text(path) + ", a joint with a clearance", "a joint without a clearance",
                    "its bodies are not constrained: it has no coordinate"};
    return result;
  }
  const JointDescription* type = find_joint(joint->type);
  if (!type) return result;  // reported at the joint
  if (type->coordinates.empty()) {
    result.error = {quoted_text(path) + ", a " + type->name + " joint without a coordinate",
                    "a joint with a rotation or translation", ""};
    return result;
  }
  const auto& valid = type->coordinates;
  if (dot == std::string::npos) {
    const bool has_preferred = std::find(valid.begin(), valid.end(), preferred) != valid.end();
    if (valid.size() == 1) {
      result.coordinate = valid.front();
    } else if (has_preferred) {
      result.coordinate = preferred;
    } else {
      result.error = {
          quoted_text(path) + ", a " + type->name + " joint with " + std::to_string(valid.size()) + " coordinates",
          "`" + name + "." + valid[0] + "` or `" + name + "." + valid[1] + "`", ""};
    }
    return result;
  }
  result.coordinate = path.substr(dot + 1);
  if (std::find(valid.begin(), valid.end(), result.coordinate) == valid.end()) {
    result.error = {quoted_text(path), "a coordinate of the " + type->name + " joint: " + alternatives(valid),
                    did_you_mean(result.coordinate, valid)};
  }
  return result;
}

std::string coordinate_unit(const Model& model, const std::string& path, const std::string& fallback) {
  const CoordinateReference reference = resolve_coordinate(model, path);
  if (!reference.ok() || reference.coordinate.empty()) return fallback;
  return reference.coordinate == "rotation" ? "rad" : "m";
}

// "`ball` makes the copies `ball1` … `ball8`"; empty if no body of this name has a grid.
std::string Validation::copies_text(const std::string& name) const {
  const auto is_copy = [&](const BodyModel& body) { return body.grid == name; };
  const auto& bodies = model_.bodies;
  if (name.empty() || std::none_of(bodies.begin(), bodies.end(), is_copy)) return "";
  const auto& first = *std::find_if(bodies.begin(), bodies.end(), is_copy);
  const auto& last = *std::find_if(bodies.rbegin(), bodies.rend(), is_copy);
  return "`" + name + "` makes the copies `" + first.name + "` … `" + last.name + "`";
}

bool Validation::check_body_name(const std::string& name, const KeyPath& key, bool ground_allowed) {
  if (bodies_.contains(name) && (ground_allowed || name != "ground")) return true;
  // Comparing every unknown name of a huge broken model with every known one would take for ever.
  if (problems_.all().size() > most_problems) return false;
  auto names = body_names(ground_allowed);
  if (names.size() > most_problems) names.resize(most_problems);
  const std::string expected = names.empty() ? "a model with bodies" : "a body: " + alternatives(names);
  std::string remedy = copies_text(name);
  if (!remedy.empty()) remedy += ": name one of them";
  if (!remedy.empty() && key.exact.starts_with("pair")) remedy += ", or all by `" + name + "*`";
  if (remedy.empty()) remedy = name == "ground" ? "the ground does not move" : did_you_mean(name, names);
  error(key, {quoted_text(name), expected, remedy});
  return false;
}

bool Validation::check_marker(const std::string& path, const KeyPath& key) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) {
    error(key, {quoted_text(path), "a marker as \"body.marker\"", ""});
    return false;
  }
  const std::string body = path.substr(0, dot), marker = path.substr(dot + 1);
  if (!check_body_name(body, key, true)) return false;
  std::vector<std::string> names;
  for (const Marker& each : bodies_.at(body)->markers) names.push_back(each.name);
  if (std::find(names.begin(), names.end(), marker) != names.end()) return true;
  error(key, {quoted_text(path),
              names.empty() ? "a body with markers" : "a marker of `" + body + "`: " + alternatives(names),
              did_you_mean(marker, names)});
  return false;
}

}  // namespace carom::inline model_io
