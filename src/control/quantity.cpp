#include "control/quantity.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "bearings/rolling_bearing.h"
#include "contacts/contact_outputs.h"
#include "control/block.h"
#include "force_elements/force_element.h"
#include "joints/joint.h"

namespace carom::inline control {
namespace {

using Kind = MeasuredQuantity::Kind;

struct Component {
  std::string name, unit;
};

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t k = 0; k < names.size() && k < most; ++k) text += (k ? ", " : "") + names[k];
  return names.size() > most ? text + ", …" : text;
}

class QuantityFinder {
 public:
  explicit QuantityFinder(const Model& model) : model_(model) {}

  MeasuredQuantity find(const ElementModel& signal) {
    const std::string text = signal.settings.text("of");
    result_.found = "";
    const std::size_t colon = text.find(':'), dot = text.rfind('.');
    if (dot == std::string::npos || (colon != std::string::npos && dot < colon)) {
      fail("`" + text + "`", "a quantity as \"joint:pivot.rotation\"");
      return result_;
    }
    const std::string group = text.substr(0, colon == std::string::npos ? dot : colon);
    result_.component = text.substr(dot + 1);
    result_.owner = colon == std::string::npos ? "" : text.substr(colon + 1, dot - colon - 1);
    if (group == "body") return of_body();
    if (group == "joint") return of_joint();
    if (group == "motion") return of_motion();
    if (group == "force") return of_force();
    if (group == "bearing") return of_bearing();
    if (group == "contact") return of_contact();
    if (group == "energy" && result_.owner.empty()) {
      result_.kind = Kind::energy;
      return pick({{"kinetic", "J"}, {"potential", "J"}, {"contact", "J"}, {"total", "J"}});
    }
    if (group == "markers" && result_.owner.empty()) return of_markers(signal);
    fail("`" + group + "`",
         "body:, joint:, motion:, force:, bearing:, contact:, energy or markers before the quantity");
    return result_;
  }

 private:
  void fail(std::string found, std::string expected) {
    result_.found = std::move(found), result_.expected = std::move(expected);
  }

  template <class List>
  bool knows(const List& list, const std::string& what) {
    std::vector<std::string> names;
    for (const auto& each : list) names.push_back(each.name);
    if (std::find(names.begin(), names.end(), result_.owner) != names.end()) return true;
    fail(fmt::format("the {} `{}`, which is not there", what, result_.owner),
         names.empty() ? "a model with a " + what : "one of: " + listed(names));
    result_.remedy = did_you_mean(result_.owner, names);
    return false;
  }

  MeasuredQuantity pick(const std::vector<Component>& components) {
    for (const Component& each : components) {
      if (each.name != result_.component) continue;
      result_.unit = each.unit;
      return result_;
    }
    std::vector<std::string> names;
    for (const Component& each : components) names.push_back(each.name);
    fail("`" + result_.component + "`", "one of: " + listed(names));
    result_.remedy = did_you_mean(result_.component, names);
    return result_;
  }

  MeasuredQuantity of_body() {
    result_.kind = Kind::body;
    if (!knows(model_.bodies, "body")) return result_;
    for (const std::string name : {"ax", "ay", "az", "alpha", "alx", "aly", "alz"}) {
      if (result_.component != name) continue;
      fail("the acceleration `" + name + "`, which follows from the forces that signals may change",
           "positions or velocities");
      result_.remedy = "measure a force instead, or a velocity and its rate by a pid block";
      return result_;
    }
    if (model_.planar)
      return pick({{"x", "m"}, {"y", "m"}, {"angle", "rad"}, {"vx", "m/s"}, {"vy", "m/s"}, {"omega", "rad/s"}});
    return pick({{"x", "m"},
                 {"y", "m"},
                 {"z", "m"},
                 {"vx", "m/s"},
                 {"vy", "m/s"},
                 {"vz", "m/s"},
                 {"wx", "rad/s"},
                 {"wy", "rad/s"},
                 {"wz", "rad/s"}});
  }

  MeasuredQuantity of_joint() {
    result_.kind = Kind::joint;
    if (!knows(model_.joints, "joint")) return result_;
    const ElementModel& joint = *std::find_if(model_.joints.begin(), model_.joints.end(),
                                              [&](const auto& each) { return each.name == result_.owner; });
    if (joint.clearance) return of_group();
    const JointDescription* const type = find_joint(joint.type);
    if (!type) return result_;
    if (type->coordinates.empty()) {
      fail(fmt::format("`{}`, a joint without a coordinate of its own", result_.owner), "a joint that turns or slides");
      return result_;
    }
    if (result_.component == "speed") result_.component = type->coordinates.front() + "_rate";
    if (result_.component == "position") result_.component = type->coordinates.front();
    if (result_.component == "angle") result_.component = "rotation";
    for (const std::string name : {"fx", "fy", "fz", "tx", "ty", "tz", "force"}) {
      if (result_.component != name) continue;
      fail("`" + name + "` of a joint, which follows from the forces that signals may change",
           "positions or velocities of joints, or forces of springs and contacts");
      result_.remedy = "put a stiff spring or a bushing where the force is to be measured";
      return result_;
    }
    std::vector<Component> components;
    for (const std::string& coordinate : type->coordinates) {
      const std::string unit = coordinate == "rotation" ? "rad" : "m";
      components.push_back({coordinate, unit});
      components.push_back({coordinate + "_rate", unit + "/s"});
    }
    return pick(components);
  }

  MeasuredQuantity of_motion() {
    result_.kind = Kind::motion;
    if (!knows(model_.motions, "motion")) return result_;
    const MotionModel& motion = *std::find_if(model_.motions.begin(), model_.motions.end(),
                                              [&](const auto& each) { return each.name == result_.owner; });
    const std::size_t dot = motion.joint.rfind('.');
    const bool turns = motion.component == BodyCoordinate::angle ||
                       (dot != std::string::npos && motion.joint.substr(dot + 1) == "rotation");
    return pick({{"value", turns ? "rad" : ""}, {"rate", turns ? "rad/s" : ""}});
  }

  MeasuredQuantity of_force() {
    result_.kind = Kind::force;
    if (!knows(model_.forces, "force")) return result_;
    const ElementModel& force = *std::find_if(model_.forces.begin(), model_.forces.end(),
                                              [&](const auto& each) { return each.name == result_.owner; });
    const ForceElementDescription* const type = find_force_element(force.type);
    if (!type) return result_;
    const auto outputs =
        model_.planar ? type->make_planar({model_, force})->outputs() : type->make_spatial({model_, force})->outputs();
    std::vector<Component> components;
    for (const OutputDescription& output : outputs) components.push_back({output.name, output.unit});
    return pick(components);
  }

  // A force between its rings, or bodies and contacts.
  MeasuredQuantity of_bearing() {
    result_.kind = Kind::bearing;
    std::vector<ElementModel> elements;
    for (const BearingModel& each : model_.bearings) elements.push_back(each.element);
    if (!knows(elements, "bearing")) return result_;
    const BearingModel& bearing =
        *std::find_if(model_.bearings.begin(), model_.bearings.end(),
                      [&](const BearingModel& each) { return each.element.name == result_.owner; });
    const bool nonsmooth = model_.solver.method == ContactMethod::nonsmooth;
    std::vector<Component> components;
    const auto outputs = [&] {
      if (bearing.is_element) return rolling_bearing_outputs(stated_geometry(bearing.element.settings));
      if (model_.planar) return bearing_quantities(nonsmooth);
      const bool pressures = rolling_geometry(model_, bearing).composite_modulus[0] > 0;
      return bearing_quantities(nonsmooth, bearing.balls.size(), pressures);
    };
    for (const OutputDescription& output : outputs()) components.push_back({output.name, output.unit});
    return pick(components);
  }

  MeasuredQuantity of_contact() {
    result_.kind = Kind::contact;
    return knows(model_.pairs, "pair") ? of_group() : result_;
  }

  // Names that serve both methods, so that one file runs with either.
  MeasuredQuantity of_group() {
    result_.kind = Kind::contact;
    const bool nonsmooth = model_.solver.method == ContactMethod::nonsmooth;
    if (result_.component == "force") result_.component = nonsmooth ? "closed_force" : "normal_force";
    if (result_.component == "gap" && !nonsmooth) result_.component = "penetration", result_.factor = -1;
    std::vector<Component> components = {{"force", "N"}, {"gap", "m"}};
    for (const OutputDescription& output : contact_quantities(nonsmooth))
      components.push_back({output.name, output.unit});
    return pick(components);
  }

  MeasuredQuantity of_markers(const ElementModel& signal) {
    result_.kind = Kind::markers;
    if (!signal.settings.has("markers")) {
      fail("`markers` is not there",
           "the two markers that it is measured between, as markers = [\"a.tip\", \"b.pin\"]");
      return result_;
    }
    std::vector<Component> components = {{"distance", "m"}, {"rate", "m/s"}, {"x", "m"}, {"y", "m"}};
    if (!model_.planar) components.push_back({"z", "m"});
    return pick(components);
  }

  const Model& model_;
  MeasuredQuantity result_;
};

}  // namespace

MeasuredQuantity find_quantity(const Model& model, const ElementModel& signal) {
  return QuantityFinder(model).find(signal);
}

std::string signal_unit(const Model& model, const ElementModel& signal) {
  if (signal.type == measured_type) return find_quantity(model, signal).unit;
  const std::string given = signal.settings.text("unit");
  return given.empty() ? "1" : given;
}

}  // namespace carom::inline control
