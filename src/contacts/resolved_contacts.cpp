#include "contacts/resolved_contacts.h"

#include <algorithm>

#include "contact_laws/friction_law.h"
#include "contact_laws/normal_law.h"
#include "contact_laws/stiffness.h"
#include "contacts/combine_materials.h"
#include "contacts/shape_pairs.h"
#include "model/attachment.h"

namespace carom::inline contacts {
namespace {

template <typename Named>
const Named* find_named(const std::vector<Named>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Named& each) { return each.name == name; });
  return found == list.end() ? nullptr : &*found;
}

std::vector<int> bodies_named(const Model& model, const std::string& name) {
  std::vector<int> all;
  if (!is_pattern(name)) {
    if (const int index = body_index(model, name); index >= 0) all.push_back(index);
    return all;
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (means_body(name, model.bodies[b].name)) all.push_back(static_cast<int>(b) + 1);
  }
  return all;
}

bool is_among(const std::vector<int>& sorted, int body) {
  return std::binary_search(sorted.begin(), sorted.end(), body);
}

}  // namespace

const Material* find_material(const Model& model, const std::string& name) {
  return find_named(model.materials, name);
}

const ContactModel* find_contact(const Model& model, const std::string& name) {
  static const ContactModel default_contact;
  const ContactModel* found = find_named(model.contacts, name);
  return !found && name.empty() ? &default_contact : found;
}

double SurfacePair::modulus() const {
  const auto [a, b] = materials;
  return a && b ? composite_modulus(a->young, a->poisson, b->young, b->poisson) : 0;
}

SurfacePair surfaces_of(const Model& model, const std::array<std::string, 2>& given, const std::string& first,
                        const std::string& second) {
  SurfacePair surfaces{.names = {given[0].empty() ? first : given[0], given[1].empty() ? second : given[1]}};
  for (const int side : {0, 1}) surfaces.materials[side] = find_material(model, surfaces.names[side]);
  return surfaces;
}

double coefficient_of_restitution(const ContactModel& contact, const SurfacePair& surfaces) {
  if (contact.restitution >= 0) return contact.restitution;
  return combined_restitution(surfaces.materials[0], surfaces.materials[1]);
}

double coefficient_of_friction(const ContactModel& contact, const SurfacePair& surfaces) {
  if (contact.friction == "none") return 0;
  const FrictionLawDescription* law = find_friction_law(contact.friction);
  if (law && law->sliding_coefficient) return law->sliding_coefficient(contact.friction_settings);
  if (contact.friction_settings.has("coefficient")) return contact.friction_settings.number("coefficient");
  return combined_friction(surfaces.materials[0], surfaces.materials[1]);
}

std::string friction_law_name(const ContactModel& contact, const SurfacePair& surfaces) {
  if (!contact.friction.empty()) return contact.friction;
  return combined_friction(surfaces.materials[0], surfaces.materials[1]) > 0 ? "tanh" : "none";
}

const ElasticDescription* elastic_of(const ContactModel& contact) {
  if (!contact.elastic.empty()) return find_elastic(contact.elastic);
  const NormalLawDescription* law = find_normal_law(contact.law);
  return law ? find_elastic(law->elastic) : nullptr;
}

bool presses_over_areas(const ContactModel& contact) {
  const ElasticDescription* elastic = elastic_of(contact);
  return contact.region != ContactRegion::points && elastic && elastic->needs_radii &&
         !contact.settings.has("stiffness");
}

bool has_given_stiffness(const ContactModel& contact) {
  return contact.region != ContactRegion::points && contact.settings.has("stiffness");
}

ResolvedContact::ResolvedContact(const Model& model, const ElementModel& joint)
    : model_(&model),
      joint_(&joint),
      contact_(find_contact(model, joint.clearance->contact)),
      group_("joint:" + joint.name) {}

ResolvedContact::ResolvedContact(const Model& model, const PairModel& pair)
    : model_(&model),
      pair_(&pair),
      contact_(find_contact(model, pair.contact)),
      group_("contact:" + pair.name),
      bodies_{bodies_named(model, pair.bodies[0]), bodies_named(model, pair.bodies[1])} {}

SurfacePair ResolvedContact::surfaces(const Geometry& first, const Geometry& second) const {
  return surfaces_of(*model_, joint_ ? joint_->clearance->materials : pair_->materials, first.material,
                     second.material);
}

SurfacePair ResolvedContact::typical_surfaces() const {
  if (joint_) return surfaces_of(*model_, joint_->clearance->materials, "", "");
  return surfaces_of(*model_, pair_->materials, typical_material(0), typical_material(1));
}

std::string ResolvedContact::typical_material(int side) const {
  for (const int index : bodies_[side]) {
    for (const Geometry& shape : body(index).geometry) {
      if (is_chosen(side, shape) && !shape.material.empty()) return shape.material;
    }
  }
  return "";
}

bool ResolvedContact::means(int side, int body, const Geometry& shape) const {
  return is_among(bodies_[side], body) && is_chosen(side, shape);
}

bool ResolvedContact::changes() const {
  return pair_ && shape_pairs(*model_, *pair_) > most_fixed_pairs;
}

bool ResolvedContact::comes_turned(int first, int second) const {
  return second < first && is_among(bodies_[0], second) && is_among(bodies_[1], first);
}

std::vector<ResolvedContact> resolve_contacts(const Model& model) {
  std::vector<ResolvedContact> contacts;
  for (const ElementModel& joint : model.joints) {
    if (joint.clearance) contacts.emplace_back(model, joint);
  }
  for (const PairModel& pair : model.pairs) contacts.emplace_back(model, pair);
  return contacts;
}

std::optional<ResolvedContact> resolve_contact(const Model& model, const std::string& group) {
  if (group.starts_with("joint:")) {
    const ElementModel* joint = find_named(model.joints, group.substr(6));
    if (joint && joint->clearance) return ResolvedContact(model, *joint);
  } else if (group.starts_with("contact:")) {
    if (const PairModel* pair = find_named(model.pairs, group.substr(8))) return ResolvedContact(model, *pair);
  }
  return std::nullopt;
}

}  // namespace carom::inline contacts
