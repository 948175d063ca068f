#include "force_recovery/recover_forces.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "recording/asked_contacts.h"

namespace carom::inline force_recovery {
namespace {

// The values of an event, by name.
class Values {
 public:
  explicit Values(const EventKind& kind) : kind_(kind) {}
  bool has(const std::string& name) const { return place(name) < kind_.values.size(); }
  double of(const EventRecord& event, const std::string& name, double otherwise = 0) const {
    const std::size_t k = place(name);
    return k < event.values.size() ? event.values[k] : otherwise;
  }

 private:
  std::size_t place(const std::string& name) const {
    const auto found = std::find_if(kind_.values.begin(), kind_.values.end(),
                                    [&](const Component& value) { return value.name == name; });
    return static_cast<std::size_t>(found - kind_.values.begin());
  }
  const EventKind& kind_;
};

const EventKind* find_kind(const ResultReader& result, const std::string& name) {
  const auto& kinds = result.header().event_kinds;
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const EventKind& each) { return each.name == name; });
  return kind == kinds.end() ? nullptr : &*kind;
}

RecoveredImpact read_impact(const EventRecord& event, const Values& values) {
  const double approach = values.of(event, "approach_speed"), separation = values.of(event, "separation_speed");
  RecoveredImpact one{.time = event.time,
                      .contact = event.subject,
                      .impulse = values.of(event, "normal_impulse"),
                      .tangential_impulse = values.of(event, "tangential_impulse")};
  // Speeds show the restitution of an impact that comes alone.
  const double shown = approach > 0 ? std::clamp(separation / approach, 0.0, 1.0) : 0.0;
  one.impact = {.speed = values.of(event, "impact_speed"),
                .mass = values.of(event, "effective_mass"),
                .restitution = std::clamp(values.of(event, "restitution", shown), 0.0, 1.0),
                .stiffness = values.of(event, "stiffness"),
                .exponent = 1.5,
                .load = values.of(event, "load"),
                .backing = values.of(event, "backing_stiffness")};
  one.axis_ratio = values.of(event, "axis_ratio", 1);
  one.unknown = why_unknown(one.impact);
  return one;
}

RecoveredImpact read_episode(const EventRecord& event, const Values& values) {
  const double speed = values.of(event, "impact_speed"), begin = values.of(event, "begin");
  RecoveredImpact one{.time = begin, .contact = event.subject};
  one.resolved = true;
  one.dissipated = values.of(event, "dissipated");
  one.axis_ratio = values.of(event, "axis_ratio", 1);
  one.impact.speed = speed;
  one.impact.stiffness = values.of(event, "stiffness");
  one.pulse = {.peak_force = values.of(event, "peak_force"),
               .duration = event.time - begin,
               .max_penetration = values.of(event, "largest_penetration"),
               .restitution = speed > 0 ? values.of(event, "separation_speed") / speed : 0};
  return one;
}

// Laws and materials of the contacts, each looked up once.
class Surfaces {
 public:
  explicit Surfaces(const Model& model) : model_(model) {}
  int place(const std::string& contact) {
    const std::string group = contact_group(contact);
    const auto [place, added] = places_.try_emplace(group, static_cast<int>(all_.size()));
    if (added) all_.push_back(contact_surfaces(model_, group));
    return place->second;
  }
  const std::vector<ContactSurfaces>& all() const { return all_; }

 private:
  const Model& model_;
  std::map<std::string, int> places_;
  std::vector<ContactSurfaces> all_;
};

// The pulses behind the impulses, many at a time.
void recover(std::vector<RecoveredImpact>& impacts, const std::vector<int>& places, const Surfaces& surfaces,
             const Recovery& recovery) {
  std::vector<PulseLaw> laws;
  for (const ContactSurfaces& each : surfaces.all()) laws.push_back(recovery.law ? *recovery.law : each.law);
  std::vector<Impact> known;
  std::vector<int> law_of_known;
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    impacts[k].law = laws[places[k]];
    if (impacts[k].resolved || !impacts[k].unknown.empty()) continue;
    known.push_back(impacts[k].impact);
    law_of_known.push_back(places[k]);
  }
  const auto pulses = recover_pulses(known, recovery.profile, laws, law_of_known);
  std::size_t next = 0;
  for (RecoveredImpact& one : impacts) {
    if (one.resolved || !one.unknown.empty()) continue;
    one.pulse = pulses[next++];
    const double speed = one.impact.speed, after = one.pulse.restitution * speed;
    one.dissipated = one.impact.mass * (speed * speed - after * after) / 2;
  }
}

// Impulses without a speed of their own come from the strongest impact of their step.
void follow_passed_on(std::vector<RecoveredImpact>& impacts) {
  for (std::size_t first = 0, end = 0; first < impacts.size(); first = end) {
    const RecoveredImpact* source = nullptr;
    for (end = first; end < impacts.size() && impacts[end].time == impacts[first].time; ++end) {
      const RecoveredImpact& one = impacts[end];
      if (!one.resolved && one.unknown.empty() && (!source || one.impulse > source->impulse)) source = &one;
    }
    if (!source) continue;
    for (std::size_t k = first; k < end; ++k) {
      RecoveredImpact& one = impacts[k];
      if (one.resolved || one.impact.speed > 0 || !(one.impulse > 0)) continue;
      one.pulse = passed_on(source->pulse, source->impulse, one.impulse, one.impact.stiffness, one.impact.exponent);
      one.passed_from = source->contact;
      one.unknown.clear();
    }
  }
}

}  // namespace

bool is_known(const Impact& impact) {
  return impact.speed > 0 && impact.stiffness > 0 && std::isfinite(impact.mass) && impact.mass > 0;
}

std::string why_unknown(const Impact& impact) {
  if (!(impact.speed > 0)) return "the impulse changed no velocity of approach";
  if (!(impact.stiffness > 0))
    return "its stiffness is not known: give materials to its bodies, or `stiffness` in the [contact]";
  if (!std::isfinite(impact.mass) || !(impact.mass > 0)) return "both bodies are driven: nothing gives way";
  return "";
}

std::vector<RecoveredImpact> recover_forces(const ResultReader& result, const Model& model, const Recovery& recovery) {
  const std::string file = result.path().string();
  const EventKind *impact = find_kind(result, "impact"), *episode = find_kind(result, "contact");
  if (!impact && !episode) throw ResultError(fmt::format("{} has no contacts: nothing touches in its model", file));
  const Values values(impact ? *impact : *episode);
  if (impact && !values.has("effective_mass"))
    throw ResultError(fmt::format(
        "{} was written by an earlier version, whose impacts do not tell their mass; run the model again", file));
  const std::vector<EventRecord> events = result.events();
  const std::vector<std::string>& patterns = recovery.contacts;
  require_contacts(patterns, contact_groups(model), events, file);
  std::vector<RecoveredImpact> impacts;
  std::vector<int> places;
  Surfaces surfaces(model);
  for (const EventRecord& event : events) {
    if (event.kind != (impact ? "impact" : "contact")) continue;
    places.push_back(surfaces.place(event.subject));
    impacts.push_back(impact ? read_impact(event, values) : read_episode(event, values));
    impacts.back().impact.exponent = surfaces.all()[places.back()].exponent;
    impacts.back().poisson = surfaces.all()[places.back()].poisson;
  }
  recover(impacts, places, surfaces, recovery);
  follow_passed_on(impacts);
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    RecoveredImpact& one = impacts[k];
    if (one.unknown.empty())
      one.patch = patch_under(surfaces.all()[places[k]], one.pulse.peak_force, one.impact.stiffness, one.axis_ratio);
  }
  std::erase_if(impacts, [&](const RecoveredImpact& one) { return !belongs_to_any(one.contact, patterns); });
  return impacts;
}

}  // namespace carom::inline force_recovery
