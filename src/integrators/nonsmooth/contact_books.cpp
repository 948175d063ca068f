#include "integrators/nonsmooth/contact_books.h"

#include <algorithm>
#include <cmath>

#include "integrators/nonsmooth/persistent_contacts.h"

namespace carom::inline nonsmooth_integrators {
namespace {

// Of the fastest body, and of what the loads alone do in a step: slower surfaces rest on each other.
constexpr double resting_speed = 1e-9, resting_share = 1e-4;
// Likewise of surfaces that press each other: what they miss of rest comes from the correction, which moves the place
// of the contact on curved bodies, and from forces that follow the jump.
constexpr double pressed_share = 0.1;
constexpr double unknown = -1;  // largest impact of a step that was not looked for

// m/s, of the surfaces along each other.
template <int D>
double slip_of(const NonsmoothContact<D>& contact, const Bodies<D>& bodies) {
  VectorOf<D> relative = VectorOf<D>::Zero();
  if (contact.b > 0) relative = bodies[contact.b].velocity_at(contact.lever_b);
  if (contact.a > 0) relative -= bodies[contact.a].velocity_at(contact.lever_a);
  return (relative - relative.dot(contact.normal) * contact.normal).norm();
}

}  // namespace

template <int D>
ContactBooks<D>::ContactBooks(StepContext<D>& context, const StepStart<D>& start, const SmoothState<D>& smooth,
                              const CorrectedState<D>& corrected, const JumpedState<D>& jumped)
    : context_(context), start_(start), smooth_(smooth), corrected_(corrected), jumped_(jumped), isotropic_{true} {
  for (const BodyInertia<D>& body : context.system.inertia()) isotropic_.push_back(is_isotropic(body));
}

template <int D>
void ContactBooks<D>::add_work(std::vector<double>& by_group) const {
  for (std::size_t c = 0; c < jumped_.notes.size(); ++c)
    by_group[context_.contacts.group_of(corrected_.closed[c].point)] += jumped_.notes[c].work;
  for (const PersistentContact<D>& each : smooth_.persistent)
    by_group[context_.contacts.group_of(each.contact.point)] += each.work;
  for (std::size_t c = 0; c < corrected_.pressed.size(); ++c)
    by_group[context_.contacts.group_of(corrected_.pressed[c].point)] += corrected_.lift_work[c];
}

// Faster than what the loads of this step alone would do to a contact at rest (formulation 6.4).
template <int D>
bool ContactBooks<D>::is_impact(int closed) const {
  const auto strikes = [&](const ContactNote<D>& note) {
    return note.normal > 0 && std::max(note.approach, note.squeeze) > 2 * note.by_load + jumped_.negligible_speed;
  };
  const ContactNote<D>& note = note_of(closed);
  // A squeezed body passes to one side what strikes it at the other.
  return strikes(note) || (note.normal > 0 && is_squeezed(note) && strikes(note_of(note.backing)));
}

// The speed of a step's start belongs to its start, and that of the smooth motion to its end, by when the bodies have
// gone on for the depth that the correction took back: with a steady acceleration, v² = ṽ² − 2 a g̃ where they touched.
template <int D>
double ContactBooks<D>::impact_speed(int closed) const {
  const ContactNote<D>& note = note_of(closed);
  if (is_squeezed(note)) return note.squeeze;
  const double entry = std::max(0.0, -note.entry), smooth = std::max(0.0, -note.smooth);
  if (note.approach > entry * (1 + 1e-9)) return note.approach;  // pushed by others in this step
  const auto& gaps = corrected_.smooth_gaps;
  const int point = corrected_.closed[closed].point;
  const auto place = std::lower_bound(gaps.begin(), gaps.end(), point,
                                      [](const auto& each, int number) { return each.first < number; });
  const double gap = place != gaps.end() && place->first == point ? std::min(0.0, place->second) : 0.0;
  const double square = smooth * smooth + 2 * (smooth - entry) / start_.h * gap;
  return std::clamp(std::sqrt(std::max(0.0, square)), std::min(entry, smooth), std::max(entry, smooth));
}

// An impulse that others pass on, or share, changes the speed of its own contact by more or less than its mass alone
// would: of such a contact the mass is that which makes this impulse out of the speed and the restitution.
template <int D>
double ContactBooks<D>::impact_mass(int closed) const {
  constexpr double same = 1e-6;
  const ContactNote<D>& note = note_of(closed);
  const double restitution = law_of(closed).restitution;
  if (is_squeezed(note)) return note.normal / ((1 + restitution) * note.squeeze);
  const double jump = note.after - note.smooth;
  if (!std::isfinite(note.mass) || std::abs(note.normal - note.mass * jump) <= same * note.normal) return note.mass;
  return note.normal / (std::max(note.approach, -note.smooth) + restitution * note.approach);
}

// The acceleration of one step says nothing of the load during an impact that lasts for many: there it counts as none.
template <int D>
double ContactBooks<D>::impact_load(int closed, double mass, double speed) const {
  constexpr double most_steps = 10;
  const ContactNote<D>& note = note_of(closed);
  double change = note.entry - note.smooth;
  if (is_squeezed(note)) change += note_of(note.backing).entry - note_of(note.backing).smooth;
  const double stiffness = law_of(closed).stiffness;
  // Of an elastic impact on a point.
  const double duration = stiffness > 0 ? 3.2 * std::pow(mass / stiffness, 0.4) / std::pow(speed, 0.2) : 0;
  return duration > most_steps * start_.h ? 0 : mass * change / start_.h;
}

// Contacts that do not close with a speed of their own may pass on what others do.
template <int D>
bool ContactBooks<D>::passes_on(const ContactNote<D>& note, double borne, double largest_impact) const {
  constexpr double noticeable = 0.05;   // of the largest impact of the step
  if (note.backing >= 0) return false;  // the speed of squeezing reports
  return note.normal - borne > std::max(borne, noticeable * largest_impact);
}

// In the step before the one that is being noted.
template <int D>
bool ContactBooks<D>::was_closed(const NonsmoothMemory<D>& memory, long last) {
  if (memory.step == last) return memory.status != NonsmoothStatus::open;
  return memory.step == last + 1 && memory.lasting;  // it has been noted already
}

// At the other side of a squeezed body a contact starts in this step. Slow as it may be, it presses the body for the
// first time against this one, by an impulse that is no load.
template <int D>
bool ContactBooks<D>::starts_behind(const ContactNote<D>& note, long last) const {
  return is_squeezed(note) &&
         !was_closed(context_.contacts.nonsmooth_memory(corrected_.closed[note.backing].point), last);
}

template <int D>
typename ContactBooks<D>::Share ContactBooks<D>::remember(int closed, long last, double largest_impact) const {
  const ContactNote<D>& note = note_of(closed);
  const NonsmoothContact<D>& contact = corrected_.closed[closed];
  NonsmoothMemory<D>& memory = context_.contacts.nonsmooth_memory(contact.point);
  const bool lasting = was_closed(memory, last);
  const PersistentContact<D>* steady = find_persistent(smooth_, contact.point);
  Share share{.tangential = std::sqrt(std::max(0.0, note.impulse.squaredNorm() - note.normal * note.normal))};
  memory.step = context_.contacts.nonsmooth_step();
  memory.status = note.status;
  memory.lasting = lasting;
  memory.impulse = note.impulse;
  memory.recent += note.impulse;
  memory.recent_normal += note.normal;
  memory.recent_tangential += share.tangential;
  const double steady_normal = steady ? 0.5 * start_.h * (steady->before.normal + steady->after.normal) : 0;
  if (steady) {
    memory.impulse += steady->impulse;
    memory.recent += steady->impulse;
    memory.recent_normal += steady_normal;
    memory.recent_tangential += 0.5 * start_.h * (steady->before.tangential + steady->after.tangential);
    if (steady->holds() && steady->after.status == ContactStatus::slip) memory.status = NonsmoothStatus::slip;
  }
  // An impact on a closed contact adds to what this bore before.
  const double borne = lasting && !steady ? std::min(note.normal, memory.force * start_.h) : 0;
  share.impact = largest_impact != 0 && is_impact(closed);
  share.passed_on = !share.impact && largest_impact > 0 && passes_on(note, borne, largest_impact);
  share.transmitted = share.impact || share.passed_on || starts_behind(note, last) ? borne : note.normal;
  memory.force = steady ? steady->after.normal : lasting ? share.transmitted / start_.h : 0;
  if (note.normal + steady_normal != 0) {
    context_.contacts.note_slide(contact.point,
                                 (note.normal + steady_normal) *
                                     (slip_of<D>(contact, start_.bodies) + slip_of<D>(contact, corrected_.bodies)) / 2);
  }
  return share;
}

template <int D>
void ContactBooks<D>::note_depth(int closed) const {
  const NonsmoothContact<D>& contact = corrected_.closed[closed];
  NonsmoothStatistics& statistics = context_.statistics;
  if (!(-contact.gap > statistics.largest_penetration)) return;
  statistics.largest_penetration = -contact.gap;
  statistics.deepest_contact = context_.contacts.point_name(contact.point);
}

template <int D>
ImpactEvent ContactBooks<D>::event_of(int closed, double t_end, const Share& share) const {
  const ContactNote<D>& note = note_of(closed);
  const NonsmoothLaw& law = law_of(closed);
  const bool passed_on = share.passed_on;
  const int point = corrected_.closed[closed].point;
  const double mass = passed_on ? note.mass : impact_mass(closed), speed = passed_on ? 0 : impact_speed(closed);
  return {.t = t_end,
          .contact = context_.contacts.point_name(point),
          .group = context_.contacts.group_of(point),
          .approach_speed = passed_on ? 0 : note.approach,
          .separation_speed = note.after,
          .normal_impulse = passed_on ? note.normal - share.transmitted : note.normal,
          .tangential_impulse = share.tangential,
          .effective_mass = mass,
          .impact_speed = speed,
          .stiffness = law.stiffness,
          .load = passed_on ? share.transmitted / start_.h : impact_load(closed, mass, speed),
          .axis_ratio = law.axis_ratio,
          .restitution = law.restitution,
          .backing_stiffness = !passed_on && is_squeezed(note) ? law_of(note.backing).stiffness : 0};
}

template <int D>
bool ContactBooks<D>::note(double t_end, std::vector<ImpactEvent>& events) const {
  constexpr std::size_t most_followed = 200;             // in a heap every impact goes everywhere
  const long last = context_.contacts.nonsmooth_step();  // of the step before
  context_.contacts.begin_nonsmooth_step();
  const bool followed = corrected_.closed.size() <= most_followed;
  double largest_impact = followed ? 0 : unknown;  // N s
  if (followed) {
    for (int c = 0; c < static_cast<int>(jumped_.notes.size()); ++c) {
      if (is_impact(c)) largest_impact = std::max(largest_impact, note_of(c).normal);
    }
  }
  bool any = false;
  for (int c = 0; c < static_cast<int>(jumped_.notes.size()); ++c) {
    const Share share = remember(c, last, largest_impact);
    note_depth(c);
    if (!share.impact && !share.passed_on) continue;
    any = true;
    context_.contacts.note_impact(corrected_.closed[c].point, note_of(c).normal - share.transmitted);
    ++context_.statistics.impacts;
    if (!share.impact) ++context_.statistics.passed_on;
    events.push_back(event_of(c, t_end, share));
  }
  return any;
}

// Forces on it keep their directions, and its body has the same inertia in all of them.
template <int D>
bool ContactBooks<D>::keeps_direction(const NonsmoothContact<D>& contact) const {
  return isotropic_[std::max(contact.a, contact.b)] && context_.contacts.keeps_direction(contact.point);
}

template <int D>
void ContactBooks<D>::find_resting(StepStart<D>& start) const {
  start.loaded = false, start.disturbed = true;
  start.resting.clear();
  if (!context_.scheme.contacts_last) return;
  context_.contacts.find_nonsmooth(start.bodies, context_.gap_tolerance, start.resting);
  const double fastest = start.point.v.template lpNorm<Eigen::Infinity>();
  std::erase_if(start.resting, [&](const NonsmoothContact<D>& contact) {
    const VectorOf<D> relative =
        start.bodies[contact.b].velocity_at(contact.lever_b) - start.bodies[contact.a].velocity_at(contact.lever_a);
    return std::abs(contact.normal.dot(relative)) > resting_speed * fastest;
  });
  for (const NonsmoothContact<D>& contact : start.resting) start.loaded = start.loaded || !keeps_direction(contact);
  if (!start.loaded) start.resting.clear();
}

template <int D>
void ContactBooks<D>::keep_resting(bool impacts, StepStart<D>& start) const {
  start.resting.clear();
  start.loaded = false, start.disturbed = impacts;
  // Friction that has stopped a slip jumps to what holds it.
  for (const PersistentContact<D>& each : smooth_.persistent) {
    start.disturbed = start.disturbed || (each.before.status == ContactStatus::slip && each.holds() &&
                                          each.after.status == ContactStatus::stick);
  }
  if (!context_.scheme.contacts_last || corrected_.closed.size() > PersistentContacts<D>::most_contacts) return;
  const bool few = corrected_.closed.size() <= PersistentContacts<D>::few_contacts;
  double slow = -1;  // m/s; below zero: nobody has asked yet
  const auto bears = [&](int c) { return note_of(c).normal > 0 || is_held(smooth_, corrected_.closed[c].point); };
  const auto rests = [&](int c) {
    const bool stays =
        few && (is_held(smooth_, corrected_.closed[c].point) || (bears(c) && !(law_of(c).restitution > 0)));
    const double speed = std::abs(note_of(c).after);
    const double by_load = (stays ? pressed_share : resting_share) * smooth_.rest_speed;
    if (speed <= by_load) return true;
    if (slow < 0) slow = resting_speed * smooth_.end.v.template lpNorm<Eigen::Infinity>();
    return !(speed > slow + by_load);
  };
  const int count = static_cast<int>(jumped_.notes.size());
  for (int c = 0; c < count && !start.loaded; ++c)
    start.loaded = rests(c) && bears(c) && !keeps_direction(corrected_.closed[c]);
  if (!start.loaded) return;
  for (int c = 0; c < count; ++c) {
    if (rests(c)) start.resting.push_back(corrected_.closed[c]);
  }
  // Many contacts rest together, or not at all: in a heap some always move, and the jump is cheaper.
  if (!few && start.resting.size() < corrected_.closed.size()) start.resting.clear();
}

template class ContactBooks<2>;
template class ContactBooks<3>;

}  // namespace carom::inline nonsmooth_integrators
