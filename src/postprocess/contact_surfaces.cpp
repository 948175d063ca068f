#include "postprocess/contact_surfaces.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "contact_laws/elastic_catalogue.h"
#include "contact_laws/stiffness.h"

namespace carom {
namespace {

const Material* find_material(const Model& model, const std::string& name) {
  const auto place = std::find_if(model.materials.begin(), model.materials.end(),
                                  [&](const Material& material) { return material.name == name; });
  return place == model.materials.end() ? nullptr : &*place;
}

// The material of one side of a pair: its own, or that of the first shape that fits.
std::string material_of(const Model& model, const PairModel& pair, int side) {
  if (!pair.materials[side].empty()) return pair.materials[side];
  const auto look = [&](const BodyModel& body) -> std::string {
    for (const Geometry& shape : body.geometry) {
      if (!shape.material.empty() && (pair.shapes[side].empty() || shape.name == pair.shapes[side]))
        return shape.material;
    }
    return "";
  };
  if (pair.bodies[side] == "ground") return look(model.ground);
  for (const BodyModel& body : model.bodies) {
    if (!matches_pattern(body.name, pair.bodies[side])) continue;
    if (const std::string found = look(body); !found.empty()) return found;
  }
  return "";
}

void take_materials(ContactSurfaces& surfaces) {
  const auto [a, b] = surfaces.materials;
  if (!a || !b) {
    surfaces.missing = surfaces.joint ? "no materials: give `materials` in its [joint.clearance]"
                                      : "no materials: give `materials` in its [[pair]], or `material` to its shapes";
    return;
  }
  for (const Material* material : {a, b}) {
    if (!(material->young > 0))
      surfaces.missing = fmt::format("no Young's modulus: give `young` in [material.{}]", material->name);
  }
  if (!surfaces.missing.empty()) return;
  surfaces.modulus = composite_modulus(a->young, a->poisson, b->young, b->poisson);
  surfaces.poisson = a->young < b->young ? a->poisson : b->poisson;
}

// A pin in its bore touches along a line, if the joint or its elastic force tell how long that is.
void take_line(ContactSurfaces& surfaces) {
  if (!surfaces.joint) return;
  const ElementModel& joint = *surfaces.joint;
  const ClearanceModel& play = *joint.clearance;
  if (joint.type != "revolute" && joint.type != "cylindrical") return;
  const Settings& keys = surfaces.law.settings;
  const double length = play.length > 0 ? play.length : keys.has("length") ? keys.number("length") : 0;
  if (!(length > 0) || !(play.radial > 0)) return;
  surfaces.line_length = length;
  surfaces.line_radius = effective_radius(play.bearing_radius - play.radial, -play.bearing_radius);
}

}  // namespace

std::string contact_group(const std::string& contact) {
  return contact.substr(0, contact.find(' '));
}

std::vector<std::string> contact_groups(const Model& model) {
  std::vector<std::string> names;
  for (const ElementModel& joint : model.joints) {
    if (joint.clearance) names.push_back("joint:" + joint.name);
  }
  for (const PairModel& pair : model.pairs) names.push_back("contact:" + pair.name);
  return names;
}

ContactSurfaces contact_surfaces(const Model& model, const std::string& name) {
  const std::string group = contact_group(name);
  std::string contact;
  ContactSurfaces surfaces;
  for (const ElementModel& joint : model.joints) {
    if (!joint.clearance || group != "joint:" + joint.name) continue;
    contact = joint.clearance->contact;
    surfaces.joint = &joint;
    for (int side : {0, 1}) surfaces.materials[side] = find_material(model, joint.clearance->materials[side]);
  }
  for (const PairModel& pair : model.pairs) {
    if (group != "contact:" + pair.name) continue;
    contact = pair.contact;
    for (int side : {0, 1}) surfaces.materials[side] = find_material(model, material_of(model, pair, side));
  }
  take_materials(surfaces);
  for (const ContactModel& each : model.contacts) {
    if (each.name != contact) continue;
    surfaces.law = {find_normal_law(each.law), each.settings};
    const std::string& shape = each.elastic.empty() ? surfaces.law.description->elastic : each.elastic;
    const ElasticContext unit{
        .composite_modulus = 1, .effective_radius = 1, .radial_clearance = 1, .settings = each.settings};
    surfaces.exponent = find_elastic(shape)->make(unit).exponent();
  }
  take_line(surfaces);
  if (surfaces.missing.empty() && surfaces.exponent != 1.5 && surfaces.line_length == 0)
    surfaces.missing = "its elastic force is not that of a point contact; of a line, give `length` to the joint";
  return surfaces;
}

std::optional<HertzPatch> patch_under(const ContactSurfaces& surfaces, double force, double stiffness,
                                      double axis_ratio) {
  if (!(surfaces.modulus > 0) || !(force > 0)) return std::nullopt;
  if (surfaces.line_length > 0)
    return line_contact_patch(surfaces.line_radius, force / surfaces.line_length, surfaces.modulus);
  if (surfaces.exponent != 1.5 || !(stiffness > 0)) return std::nullopt;
  const double ratio = axis_ratio > 0 && axis_ratio <= 1 ? axis_ratio : 1;
  return point_contact_patch(elliptic_contact_of(stiffness, ratio, surfaces.modulus), force, surfaces.modulus);
}

}  // namespace carom
