#include <algorithm>
#include <cmath>

#include "integrators/nonsmooth/nonsmooth_step.h"

// What a step leaves of its contacts: their memory, the books of sliding, and the impacts with all that the force
// behind an impulse is recovered from.
namespace carom {
namespace {

// m/s, of the surfaces along each other.
template <int D>
double slip_of(const RigidContact<D>& contact, const Bodies<D>& bodies) {
  const VectorOf<D> relative =
      bodies[contact.b].velocity_at(contact.lever_b) - bodies[contact.a].velocity_at(contact.lever_a);
  return (relative - relative.dot(contact.normal) * contact.normal).norm();
}

}  // namespace

// The speed of a step's begin belongs to its begin, and that of the smooth motion to its end, by when the bodies have
// gone on for the depth that the correction took back: with a steady acceleration, v² = ṽ² − 2 a g̃ where they touched.
template <int D>
double NonsmoothStep<D>::impact_speed(int closed) const {
  const Note& note = notes_[closed];
  if (is_squeezed(closed)) return note.squeeze;
  const double entry = std::max(0.0, -note.entry), smooth = std::max(0.0, -note.smooth);
  if (note.approach > entry * (1 + 1e-9)) return note.approach;  // pushed by others in this step
  const auto place = std::lower_bound(smooth_gaps_.begin(), smooth_gaps_.end(), closed_[closed].point,
                                      [](const auto& each, int point) { return each.first < point; });
  const double gap =
      place != smooth_gaps_.end() && place->first == closed_[closed].point ? std::min(0.0, place->second) : 0.0;
  const double square = smooth * smooth + 2 * (smooth - entry) / h_ * gap;
  return std::clamp(std::sqrt(std::max(0.0, square)), std::min(entry, smooth), std::max(entry, smooth));
}

// An impulse that others pass on, or share, changes the speed of its own contact by more or less than its mass alone
// would: of such a contact the mass is that which makes this impulse out of the speed and the restitution.
template <int D>
double NonsmoothStep<D>::impact_mass(int closed) const {
  constexpr double same = 1e-6;
  const Note& note = notes_[closed];
  if (is_squeezed(closed))
    return note.normal / ((1 + contacts_.rigid_law(closed_[closed].law).restitution) * note.squeeze);
  const double jump = note.after - note.smooth;
  if (!std::isfinite(note.mass) || std::abs(note.normal - note.mass * jump) <= same * note.normal) return note.mass;
  const double restitution = contacts_.rigid_law(closed_[closed].law).restitution;
  return note.normal / (std::max(note.approach, -note.smooth) + restitution * note.approach);
}

// The acceleration of one step says nothing of the load during an impact that lasts for many: there it counts as none.
template <int D>
double NonsmoothStep<D>::impact_load(int closed, double mass, double speed) const {
  constexpr double most_steps = 10;
  const Note& note = notes_[closed];
  double change = note.entry - note.smooth;
  if (is_squeezed(closed)) change += notes_[note.backing].entry - notes_[note.backing].smooth;
  const double stiffness = contacts_.rigid_law(closed_[closed].law).stiffness;
  // Of an elastic impact on a point.
  const double duration = stiffness > 0 ? 3.2 * std::pow(mass / stiffness, 0.4) / std::pow(speed, 0.2) : 0;
  return duration > most_steps * h_ ? 0 : mass * change / h_;
}

// Contacts that do not close with a speed of their own may pass on what others do.
template <int D>
bool NonsmoothStep<D>::passes_on(const Note& note, double borne, double largest_impact) const {
  constexpr double noticeable = 0.05;   // of the largest impact of the step
  if (note.backing >= 0) return false;  // the speed of squeezing tells
  return note.normal - borne > std::max(borne, noticeable * largest_impact);
}

template <int D>
void NonsmoothStep<D>::note_contacts(std::vector<ImpactEvent>& events) {
  constexpr std::size_t most_followed = 200;  // in a heap every impact goes everywhere
  const long last = contacts_.rigid_step();   // of the step before
  contacts_.begin_rigid_step();
  double largest_impact = 0;  // N s
  for (const Note& note : notes_) {
    if (note_is_impact(note)) largest_impact = std::max(largest_impact, note.normal);
  }
  const bool follows = largest_impact > 0 && closed_.size() <= most_followed;
  for (int c = 0; c < static_cast<int>(closed_.size()); ++c) {
    const Note& note = notes_[c];
    RigidMemory<D>& memory = contacts_.rigid_memory(closed_[c].point);
    const bool lasting = memory.step == last && memory.status != RigidStatus::open;
    const double tangential = std::sqrt(std::max(0.0, note.impulse.squaredNorm() - note.normal * note.normal));
    memory.step = contacts_.rigid_step();
    memory.status = note.status;
    memory.impulse = note.impulse;
    memory.recent += note.impulse;
    memory.recent_normal += note.normal;
    memory.recent_tangential += tangential;
    // An impact on a closed contact adds to what this bore before.
    const double borne = lasting ? std::min(note.normal, memory.force * h_) : 0;
    const bool impact = note_is_impact(note), passed_on = !impact && follows && passes_on(note, borne, largest_impact);
    const double transmitted = impact || passed_on ? borne : note.normal;
    memory.force = lasting ? transmitted / h_ : 0;
    contacts_.note_slide(closed_[c].point,
                         note.normal * (slip_of<D>(closed_[c], begin_bodies_) + slip_of<D>(closed_[c], bodies_)) / 2);
    if (-closed_[c].gap > statistics_.largest_penetration) {
      statistics_.largest_penetration = -closed_[c].gap;
      statistics_.deepest_contact = name_of(c);
    }
    if (!impact && !passed_on) continue;
    contacts_.note_impact(closed_[c].point, note.normal - transmitted);
    if (impact) ++statistics_.impacts;
    if (forces_vary_) smooth_.coast_next();
    const RigidLaw& law = contacts_.rigid_law(closed_[c].law);
    const double backing = !passed_on && is_squeezed(c) ? contacts_.rigid_law(closed_[note.backing].law).stiffness : 0;
    const double mass = passed_on ? note.mass : impact_mass(c), speed = passed_on ? 0 : impact_speed(c);
    events.push_back({.t = end_.t,
                      .contact = name_of(c),
                      .group = contacts_.group_of(closed_[c].point),
                      .approach_speed = passed_on ? 0 : note.approach,
                      .separation_speed = note.after,
                      .normal_impulse = passed_on ? note.normal - transmitted : note.normal,
                      .tangential_impulse = tangential,
                      .effective_mass = mass,
                      .impact_speed = speed,
                      .stiffness = law.stiffness,
                      .load = passed_on ? transmitted / h_ : impact_load(c, mass, speed),
                      .axis_ratio = law.axis_ratio,
                      .restitution = law.restitution,
                      .backing_stiffness = backing});
  }
}

template class NonsmoothStep<2>;
template class NonsmoothStep<3>;

}  // namespace carom
