#include "postprocess/recover_forces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "contact_laws/elastic_catalogue.h"
#include "contact_laws/stiffness.h"

namespace carom {
namespace {

// Where the values of an event are found, by name.
class Values {
 public:
  explicit Values(const EventKind& kind) {
    for (const Component& value : kind.values) names_.push_back(value.name);
  }
  int place(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
  }

 private:
  std::vector<std::string> names_;
};

// The name of a contact may go on with its point or bodies.
bool matches(const std::string& pattern, const std::string& name) {
  return matches_pattern(name, pattern) || matches_pattern(name.substr(0, name.find(' ')), pattern);
}

// Of "contact:NAME" or "joint:NAME".
struct ContactLaw {
  PulseLaw law;
  double exponent = 1.5;  // of its elastic force
  double modulus = 0;     // Pa, E* of both bodies; 0: not known
  double poisson = 0;     // of the softer body
};

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

void take_materials(const Material* a, const Material* b, ContactLaw& law) {
  if (!a || !b || !(a->young > 0) || !(b->young > 0)) return;
  law.modulus = composite_modulus(a->young, a->poisson, b->young, b->poisson);
  law.poisson = a->young < b->young ? a->poisson : b->poisson;
}

// The patch of a round contact whose stiffness is 4/3 E* √R.
HertzPatch patch_at(double force, double stiffness, double modulus) {
  const double radius = std::pow(3 * stiffness / (4 * modulus), 2);
  const double flat = std::numeric_limits<double>::infinity();
  return point_contact_patch(*elliptic_contact({radius, radius}, {flat, flat}, 0), force, modulus);
}

ContactLaw law_of(const Model& model, const std::string& group) {
  const std::string name = group.substr(group.find(':') + 1);
  std::string contact;
  ContactLaw result;
  const auto take = [&](const std::string& law, const std::string& first, const std::string& second) {
    contact = law;
    take_materials(find_material(model, first), find_material(model, second), result);
  };
  for (const ElementModel& joint : model.joints) {
    if (group.starts_with("joint:") && joint.name == name && joint.clearance)
      take(joint.clearance->contact, joint.clearance->materials[0], joint.clearance->materials[1]);
  }
  for (const PairModel& pair : model.pairs) {
    if (group.starts_with("contact:") && pair.name == name)
      take(pair.contact, material_of(model, pair, 0), material_of(model, pair, 1));
  }
  for (const ContactModel& each : model.contacts) {
    if (each.name != contact) continue;
    result.law = {find_normal_law(each.law), each.settings};
    const std::string& shape = each.elastic.empty() ? result.law.description->elastic : each.elastic;
    const ElasticContext unit{
        .composite_modulus = 1, .effective_radius = 1, .radial_clearance = 1, .settings = each.settings};
    result.exponent = find_elastic(shape)->make(unit).exponent();
  }
  return result;
}

std::string why_unknown(const Impact& impact) {
  if (!(impact.stiffness > 0))
    return "its stiffness is not known: give materials to its bodies, or `stiffness` in the [contact]";
  if (!(impact.speed > 0)) return "the impulse changed no velocity of approach";
  if (!std::isfinite(impact.mass) || !(impact.mass > 0)) return "both bodies are driven: nothing gives way";
  return "";
}

}  // namespace

std::vector<RecoveredImpact> recover_forces(const ResultReader& result, const Model& model, const Recovery& recovery) {
  const std::vector<std::string>& patterns = recovery.contacts;
  const auto& kinds = result.header().event_kinds;
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [](const EventKind& each) { return each.name == "impact"; });
  if (kind == kinds.end())
    throw ResultError(
        fmt::format("{} has no impacts by impulses; forces of compliant contacts are recorded as they are",
                    result.path().string()));
  const Values values(*kind);
  const int approach = values.place("approach_speed"), separation = values.place("separation_speed"),
            impulse = values.place("normal_impulse"), tangential = values.place("tangential_impulse"),
            mass = values.place("effective_mass"), speed = values.place("impact_speed"),
            stiffness = values.place("stiffness"), load = values.place("load");
  if (mass < 0)
    throw ResultError(
        fmt::format("{} was written by an earlier version, whose impacts do not tell their mass; run the "
                    "model again",
                    result.path().string()));
  std::vector<RecoveredImpact> impacts;
  for (const EventRecord& event : result.events()) {
    if (event.kind != "impact") continue;
    const bool wanted = patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const std::string& each) {
                          return matches(each, event.subject);
                        });
    if (!wanted) continue;
    const auto& v = event.values;
    RecoveredImpact one{
        .time = event.time, .contact = event.subject, .impulse = v[impulse], .tangential_impulse = v[tangential]};
    one.impact = {.speed = v[speed],
                  .mass = v[mass],
                  .restitution = v[approach] > 0 ? std::clamp(v[separation] / v[approach], 0.0, 1.0) : 0.0,
                  .stiffness = v[stiffness],
                  .exponent = 1.5,
                  .load = v[load]};
    one.unknown = why_unknown(one.impact);
    impacts.push_back(std::move(one));
  }
  std::vector<Impact> known;
  std::vector<PulseLaw> laws;
  std::vector<ContactLaw> own_laws;
  std::vector<int> law_of_known;
  std::map<std::string, int> law_of_group;
  for (RecoveredImpact& one : impacts) {
    const std::string group = one.contact.substr(0, one.contact.find(' '));
    const auto [place, added] = law_of_group.try_emplace(group, static_cast<int>(laws.size()));
    if (added) {
      own_laws.push_back(law_of(model, group));
      laws.push_back(recovery.law ? *recovery.law : own_laws.back().law);
    }
    one.law = laws[place->second];
    one.impact.exponent = own_laws[place->second].exponent;
    one.poisson = own_laws[place->second].poisson;
    if (!one.unknown.empty()) continue;
    known.push_back(one.impact);
    law_of_known.push_back(place->second);
  }
  const auto pulses = recover_pulses(known, recovery.profile, laws, law_of_known);
  std::size_t next = 0;
  for (RecoveredImpact& one : impacts) {
    if (!one.unknown.empty()) continue;
    const double modulus = own_laws[law_of_known[next]].modulus;
    one.pulse = pulses[next++];
    if (modulus > 0 && one.impact.exponent == 1.5)
      one.patch = patch_at(one.pulse.peak_force, one.impact.stiffness, modulus);
  }
  return impacts;
}

}  // namespace carom
