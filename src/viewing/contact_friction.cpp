#include "viewing/contact_friction.h"

#include <algorithm>
#include <array>

#include "contacts/combine_materials.h"
#include "contacts/shape_pairs.h"

namespace carom {
namespace {

template <class Named>
const Named* find(const std::vector<Named>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Named& entry) { return entry.name == name; });
  return found == list.end() ? nullptr : &*found;
}

// The material of the first shape that a side of a pair means.
std::string material_of(const Model& model, const PairModel& pair, std::size_t side) {
  if (!pair.materials[side].empty()) return pair.materials[side];
  const auto in = [&](const BodyModel& body) -> const Geometry* {
    for (const Geometry& geometry : body.geometry) {
      if (pair.shapes[side].empty() || geometry.name == pair.shapes[side]) return &geometry;
    }
    return nullptr;
  };
  const Geometry* geometry = pair.bodies[side] == "ground" ? in(model.ground) : nullptr;
  for (std::size_t k = 0; k < model.bodies.size() && !geometry; ++k) {
    const BodyModel& body = model.bodies[k];
    if (body.name == pair.bodies[side] || (is_pattern(pair.bodies[side]) && means_body(pair.bodies[side], body.name))) {
      geometry = in(body);
    }
  }
  return geometry ? geometry->material : "";
}

double coefficient(const Model& model, const std::string& contact_name, const std::array<std::string, 2>& materials) {
  const ContactModel* contact = find(model.contacts, contact_name);
  if (contact && contact->friction == "none") return 0;
  if (contact && contact->friction_settings.has("coefficient")) {
    return contact->friction_settings.number("coefficient");
  }
  return std::max(0.0, combined_friction(find(model.materials, materials[0]), find(model.materials, materials[1])));
}

}  // namespace

double friction_of(const Model& model, const std::string& group) {
  if (group.starts_with("joint:")) {
    const ElementModel* joint = find(model.joints, group.substr(6));
    return joint && joint->clearance ? coefficient(model, joint->clearance->contact, joint->clearance->materials) : 0;
  }
  if (!group.starts_with("contact:")) return 0;
  const PairModel* pair = find(model.pairs, group.substr(8));
  return pair ? coefficient(model, pair->contact, {material_of(model, *pair, 0), material_of(model, *pair, 1)}) : 0;
}

}  // namespace carom
