#include "simulation/impact_forces.h"

#include "force_recovery/recover_forces.h"

namespace carom::inline simulation {

const ContactSurfaces& ImpactForces::surfaces(const ImpactEvent& event) {
  const auto group = static_cast<std::size_t>(event.group);
  if (group >= surfaces_.size()) surfaces_.resize(group + 1);
  if (!surfaces_[group]) surfaces_[group] = contact_surfaces(model_, event.contact);
  return *surfaces_[group];
}

ImpactPulse ImpactForces::pulse(const ImpactEvent& event) {
  Impact impact{.speed = event.impact_speed,
                .mass = event.effective_mass,
                .restitution = event.restitution,
                .stiffness = event.stiffness,
                .load = event.load,
                .backing = event.backing_stiffness};
  if (!is_known(impact)) return {};
  const ContactSurfaces& own = surfaces(event);
  impact.exponent = own.exponent;
  return table_.pulse(impact, own.law);
}

void ImpactForces::recover(const std::vector<ImpactEvent>& events) {
  pulses_.resize(events.size());
  const ImpactPulse* source = nullptr;
  double source_impulse = 0;
  for (std::size_t k = 0; k < events.size(); ++k) {
    pulses_[k] = pulse(events[k]);
    if (!(pulses_[k].peak_force > 0) || !(events[k].normal_impulse > source_impulse)) continue;
    source = &pulses_[k], source_impulse = events[k].normal_impulse;
  }
  if (!source) return;
  const ImpactPulse strongest = *source;
  for (std::size_t k = 0; k < events.size(); ++k) {
    if (events[k].impact_speed > 0 || !(events[k].normal_impulse > 0)) continue;
    pulses_[k] = passed_on(strongest, source_impulse, events[k].normal_impulse, events[k].stiffness,
                           surfaces(events[k]).exponent);
  }
}

}  // namespace carom::inline simulation
