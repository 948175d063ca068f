#include "integrators/smooth/contact_stepper.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>

#include "integrators/smooth/reading_values.h"

namespace carom::inline smooth_integrators {
namespace {

constexpr double first_step_fraction = 0.01;  // of the duration of an impact
constexpr int most_events_without_progress = 50;
constexpr int patience = 3;                     // events without progress, until what leaves is let go
constexpr int most_refined_points = 64;         // peaks between steps are sought in small models only
constexpr double slowest = 1e-6;                // m/s, for durations
constexpr double default_smallest_step = 1e-7;  // s, where near pairs may be missing

}  // namespace

ContactStepper::ContactStepper(System& system, const SolverSettings& settings)
    : system_(system),
      contacts_(*system.contacts()),
      control_(settings.penetration_control),
      tolerance_(settings.penetration_tolerance),
      smallest_step_(settings.smallest_step) {}

std::vector<InitialOverlap> ContactStepper::start(State& state) {
  std::vector<InitialOverlap> overlaps;
  event_free_ = control_ == Control::off && contacts_.make_event_free();
  contacts_.refresh_contacts(state);
  contacts_.read_contacts(state, before_);
  for (int k = 0; k < contacts_.contact_points(); ++k) {
    const ContactReading& reading = before_[k];
    if (reading.penetration > tolerance_ && !contacts_.allows_initial_penetration(k)) {
      overlaps.push_back({contacts_.contact_name(k), reading.penetration});
    }
    const bool resting = std::abs(reading.penetration) <= tolerance_ && reading.rate >= 0;
    if (reading.penetration > tolerance_ || resting) contacts_.begin_contact(k, state, reading);
  }
  contacts_.read_contacts(state, before_);
  next_limit_ = std::numeric_limits<double>::infinity();
  return overlaps;
}

void ContactStepper::go_on_from(const State& state) {
  event_free_ = control_ == Control::off && contacts_.make_event_free();
  contacts_.refresh_contacts(state);
  contacts_.read_contacts(state, before_);
  next_limit_ = std::numeric_limits<double>::infinity();
  turned_point_ = -1;
  standing_still_ = 0;
  passed_over_ = 0;
  searches_ = true;
}

bool ContactStepper::begins_too_deep() const {
  for (int k = 0; k < contacts_.contact_points(); ++k) {
    if (!contacts_.touches(k) && now_[k].kin < 0 && before_[k].penetration <= tolerance_ &&
        now_[k].penetration > tolerance_)
      return true;
  }
  return false;
}

// In which what approaches fastest comes no deeper than half the tolerance; but no step that the time does not feel.
double ContactStepper::shortest_step(double t) const {
  if (smallest_step_ > 0) return smallest_step_;
  double fastest = slowest;
  for (int k = 0; k < contacts_.contact_points(); ++k) {
    if (!contacts_.touches(k)) fastest = std::max({fastest, before_[k].rate, now_[k].rate});
  }
  return std::max(0.5 * tolerance_ / fastest, 64 * std::numeric_limits<double>::epsilon() * std::abs(t));
}

// Second procedure of the paper.
void ContactStepper::shorten(Integrator& integrator) {
  while (begins_too_deep()) {
    const double h = 0.5 * (integrator.state().t - integrator.step_begin());
    if (h < shortest_step(integrator.state().t) || !integrator.repeat_step(integrator.step_begin() + h)) return;
    ++statistics_.shortened;
    contacts_.read_contacts(integrator.state(), now_);
  }
}

// ∫ F |slip| dt, of force and slip that run straight. Before the step is recorded: its last sample is at its end, and
// steps may be long.
void ContactStepper::note_slides(double h) {
  for (int k = 0; k < contacts_.contact_points(); ++k) {
    if (!contacts_.touches(k) || !(h > 0)) continue;
    const ContactReading &a = before_[k], &b = now_[k];
    contacts_.note_slide(k, (a.force * a.slip + (a.force + b.force) * (a.slip + b.slip) + b.force * b.slip) * h / 6);
  }
}

// Largest force and penetration of what touches; between the ends of the step where they may lie higher.
void ContactStepper::observe(Integrator& integrator, double from, double to) {
  for (int k = 0; k < contacts_.contact_points(); ++k) {
    if (!contacts_.touches(k)) continue;
    const ContactReading &a = before_[k], &b = now_[k];
    const ContactEpisode& episode = contacts_.contact_episode(k);
    const double known_force = episode.peak_force, known_depth = episode.largest_penetration;
    contacts_.note_contact(k, to, b.penetration, b.force);
    if (contacts_.contact_points() > most_refined_points) continue;
    if (1.1 * std::max(a.force, b.force) > known_force || (a.rate > 0 && b.rate < 0 && 2 * b.penetration > known_depth))
      refine_peak(integrator, k, from, to);
  }
  for (int k = 0; k < contacts_.contact_points(); ++k) {
    if (!contacts_.touches(k)) continue;
    const ContactEpisode& episode = contacts_.contact_episode(k);
    if (episode.largest_penetration > statistics_.largest_penetration) {
      statistics_.largest_penetration = episode.largest_penetration;
      statistics_.deepest_contact = contacts_.contact_name(k);
    }
    if (episode.peak_force > statistics_.peak_force) {
      statistics_.peak_force = episode.peak_force;
      statistics_.strongest_contact = contacts_.contact_name(k);
    }
  }
}

// By the part of the step, which is known better than the time. Near a peak an error there counts by its square.
void ContactStepper::refine_peak(Integrator& integrator, int point, double from, double to) {
  constexpr int bits = 14;
  const auto reading_at = [&](double part) {
    integrator.interpolate(from + part * (to - from), sample_);
    contacts_.read_contacts(sample_, middle_);
    return middle_[point];
  };
  const ContactReading half = reading_at(0.5);
  const double a = before_[point].force, b = now_[point].force;
  // Slopes of the parabola through the three forces at the ends.
  if (-3 * a + 4 * half.force - b > 0 && a - 4 * half.force + 3 * b < 0) {
    std::uintmax_t iterations = 60;
    const auto peak = boost::math::tools::brent_find_minima([&](double part) { return -reading_at(part).force; }, 0.0,
                                                            1.0, bits, iterations);
    contacts_.note_contact(point, from + peak.first * (to - from), 0, -peak.second);
  }
  if (before_[point].rate > 0 && now_[point].rate < 0) {
    std::uintmax_t iterations = 60;
    const auto turn = boost::math::tools::toms748_solve([&](double part) { return reading_at(part).rate; }, 0.0, 1.0,
                                                        before_[point].rate, now_[point].rate,
                                                        boost::math::tools::eps_tolerance<double>(bits), iterations);
    const double at = 0.5 * (turn.first + turn.second);
    contacts_.note_contact(point, from + at * (to - from), reading_at(at).penetration, 0);
  }
}

void ContactStepper::begin(int point, State& state, const ContactReading& reading, std::vector<ContactEvent>& events) {
  ContactReading seen = reading;
  seen.deep = reading.penetration > tolerance_ && !event_free_;
  contacts_.begin_contact(point, state, seen);
  ++statistics_.begun;
  if (reading.kin >= 0 && reading.penetration > tolerance_) {
    events.push_back({true, contacts_.contact_name(point), contacts_.contact_episode(point)});
    return;
  }
  if (reading.penetration > statistics_.deepest_beginning) {
    statistics_.deepest_beginning = reading.penetration;
    statistics_.deepest_beginning_contact = contacts_.contact_name(point);
  }
  if (seen.deep) ++statistics_.too_deep;
  events.push_back({true, contacts_.contact_name(point), contacts_.contact_episode(point)});
  const double duration = contacts_.impact_duration(point, std::max(slowest, reading.rate));
  next_limit_ = std::min(next_limit_, state.t + first_step_fraction * duration);
}

void ContactStepper::end(int point, State& state, const ContactReading& reading, std::vector<ContactEvent>& events) {
  events.push_back({false, contacts_.contact_name(point), contacts_.end_contact(point, state, reading)});
  ++statistics_.ended;
}

// Everything that is due at this state.
bool ContactStepper::switch_modes(State& state, bool settles, std::vector<ContactEvent>& events) {
  const std::size_t before = events.size();
  auto next = crossings_.begin();
  contacts_.read_contacts(state, now_);
  for (int k = 0; k < contacts_.contact_points(); ++k) {
    // In the order of the points.
    while (next != crossings_.end() && (next->point < k || next->turns)) ++next;
    const bool found = next != crossings_.end() && next->point == k;
    const ContactReading& reading = now_[k];
    if (contacts_.touches(k)) {
      if (!found && !(above(reading) <= 0 && reading.rate < 0)) continue;
      // One that another contact has slid over is still there once that one has settled.
      if (above(reading) > 0 && settles) continue;
      end(k, state, reading, events);
    } else {
      const bool off = reading.kin >= 0 && reading.penetration > tolerance_;
      if (!found && !off && !(reading.penetration >= 0 && reading.rate > 0)) continue;
      // A search may name a feature that is not there, or one that is leaving, and that again and again.
      if (standing_still_ > patience && (!std::isfinite(reading.penetration) || reading.rate < 0)) continue;
      begin(k, state, reading, events);
    }
  }
  return events.size() > before;
}

// The search found a start, and there was none. It would find it again: a step in which nothing gets deeper than half
// the tolerance, however bodies move, goes without it, one of twice the length after another such start, and so on,
// which the statistics report.
void ContactStepper::pass_over(const Crossing& first, double t) {
  searches_ = false;
  const double short_for_time = 64 * std::numeric_limits<double>::epsilon() * std::abs(t);
  next_limit_ = t + std::max(std::ldexp(0.25 * tolerance_ / found_at_speed_, passed_over_), short_for_time);
  const double depth = std::ldexp(0.5 * tolerance_, passed_over_++);
  if (!(depth > std::max(tolerance_, statistics_.coarsest_search))) return;
  statistics_.coarsest_search = depth;
  statistics_.coarsest_searched = contacts_.contact_name(first.point);
}

void ContactStepper::put_on_constraints(State& state) {
  if (system_.active_constraints() == 0) return;
  system_.set_internal(state.internal.data());
  system_.project_position(state.t, state.q.data(), event_drift * system_.length_scale(), 3);
  system_.project_velocity(state.t, state.q.data(), state.v.data());
}

StepOutcome ContactStepper::advance(Integrator& integrator, double t_limit, const StepSettled& before_events,
                                    std::vector<ContactEvent>& events) {
  const StepOutcome outcome = take_step(integrator, t_limit);
  if (!outcome.accepted()) return outcome;
  settle_length(integrator);
  double end = integrator.state().t;  // s, before the step is cut
  const Crossing first = find_events(integrator, end);
  const bool passes = crossings_.empty() || event_free_;
  const double at_event = control_ == Control::locate ? event_.t : first.t;
  if (watch_ && stop_early(integrator, passes ? integrator.state().t : at_event, before_events)) return outcome;
  if (passes) {
    pass(integrator, before_events, events);
  } else if (!happen(integrator, first, end, before_events, events)) {
    return {
        StepStatus::failed,
        fmt::format("{} opens and closes again and again at t = {:.9g} s without any time passing; give the contact "
                    "more damping, a larger minimum_speed, or a coarser penetration_tolerance",
                    contacts_.contact_name(first.point), event_.t)};
  }
  return outcome;
}

StepOutcome ContactStepper::take_step(Integrator& integrator, double t_limit) {
  const double limit = std::min(t_limit, std::max(next_limit_, integrator.state().t));
  if (control_ == Control::reject && !integrator.can_repeat() && !guarded_) {
    contacts_.guard_contacts(tolerance_);
    guarded_ = true;
  }
  const StepOutcome outcome = integrator.step(limit > integrator.state().t ? limit : t_limit);
  if (outcome.accepted() || !guarded_) return outcome;
  // The method cannot shorten its step any further: take a smallest one and let the contact begin deeper.
  const State stuck = integrator.state();
  contacts_.guard_contacts(std::numeric_limits<double>::infinity());
  integrator.start(stuck);
  contacts_.read_contacts(stuck, now_);
  guarded_ = false;
  return integrator.step(std::min(t_limit, stuck.t + shortest_step(stuck.t)));
}

// Takes it again, shorter, where contacts would be missed or begin too deep; readings at its end → now_.
void ContactStepper::settle_length(Integrator& integrator) {
  next_limit_ = std::numeric_limits<double>::infinity();
  // Pairs that the list does not have might meet in a step that goes too far.
  while (control_ != Control::locate && !contacts_.contacts_are_fresh(integrator.state())) {
    const double h = 0.5 * (integrator.state().t - integrator.step_begin());
    if (h < default_smallest_step || !integrator.repeat_step(integrator.step_begin() + h)) break;
    ++statistics_.shortened;
  }
  if (control_ == Control::locate) refresh_for_step(integrator);
  contacts_.read_contacts(integrator.state(), now_);
  if (control_ == Control::reject) shorten(integrator);
}

// Crossings of the step and the first of them; a located one ends the step.
ContactStepper::Crossing ContactStepper::find_events(Integrator& integrator, double& end) {
  crossings_.clear();
  Crossing first;
  if (control_ != Control::locate) {
    note_crossings(integrator);
    return crossings_.empty() ? first : first_crossing();
  }
  find_crossings(integrator);
  if (!crossings_.empty() && !cut(integrator, first)) end = integrator.state().t;
  return first;
}

void ContactStepper::pass(Integrator& integrator, const StepSettled& before_events, std::vector<ContactEvent>& events) {
  note_slides(integrator.state().t - integrator.step_begin());
  before_events(integrator, integrator.state().t);
  observe(integrator, integrator.step_begin(), integrator.state().t);
  turned_point_ = -1;
  const bool changed = parts_have_changed();
  if (!crossings_.empty() || changed) {
    event_ = integrator.state();
    const bool bent = switch_modes(event_, false, events) && event_.internal != integrator.state().internal;
    if (bent) integrator.start(event_);
  }
  next_limit_ = std::numeric_limits<double>::infinity();
  if (contacts_.refresh_contacts(integrator.state()) || changed) {
    contacts_.read_contacts(integrator.state(), before_);
  } else {
    std::swap(before_, now_);
  }
  standing_still_ = 0;
  if (std::exchange(searches_, true)) passed_over_ = 0;
}

// Where something else ends the step before contacts change.
bool ContactStepper::stop_early(Integrator& integrator, double settled, const StepSettled& before_events) {
  const StepStop stop = watch_->first_stop(integrator, settled);
  if (!(stop.t < settled)) return false;
  watch_->accept_stop();
  const double begin = integrator.step_begin();
  end_step_at(integrator, stop.t, stop.value, event_);
  put_on_constraints(event_);
  contacts_.read_contacts(event_, now_);
  note_slides(event_.t - begin);
  before_events(integrator, event_.t);
  if (event_.t > begin) observe(integrator, begin, event_.t);
  integrator.start(event_);
  go_on_from(event_);
  return true;
}

bool ContactStepper::happen(Integrator& integrator, const Crossing& first, double end, const StepSettled& before_events,
                            std::vector<ContactEvent>& events) {
  const double begin = integrator.step_begin();
  if (control_ != Control::locate) interpolate_event(integrator, first, end);
  if (event_.t < end) ++statistics_.shortened;
  put_on_constraints(event_);
  contacts_.read_contacts(event_, now_);
  note_slides(event_.t - begin);
  before_events(integrator, event_.t);
  if (event_.t > begin) observe(integrator, begin, event_.t);
  // Only what happens now; later crossings are found again.
  const double together = 64 * std::numeric_limits<double>::epsilon() * std::max(std::abs(event_.t), end - begin);
  std::erase_if(crossings_, [&](const Crossing& each) { return each.t - first.t > together; });
  name_points_at_event();
  turned_point_ = first.turns ? first.point : -1;
  const bool settles = standing_still_ <= patience && contacts_.contacts_have_slid();
  const bool switched = switch_modes(event_, settles, events);
  if (!switched && !first.turns && control_ == Control::locate && !settles) pass_over(first, event_.t);
  if (switched) passed_over_ = 0;
  standing_still_ = event_.t - begin > together ? 0 : standing_still_ + 1;
  if (standing_still_ > most_events_without_progress) return false;
  integrator.start(event_);
  contacts_.refresh_contacts(event_);
  contacts_.read_contacts(event_, before_);
  return true;
}

void ContactStepper::finish(const State& state, std::vector<ContactEvent>& events) {
  contacts_.read_contacts(state, now_);
  for (int k = 0; k < contacts_.contact_points(); ++k) {
    if (!contacts_.touches(k)) continue;
    ContactEpisode episode = contacts_.contact_episode(k);
    episode.end = state.t;
    episode.separation_speed = std::numeric_limits<double>::quiet_NaN();  // it has not ended
    events.push_back({false, contacts_.contact_name(k), episode});
  }
}

std::string ContactStepper::busiest_contact() const {
  std::string name;
  double most = 0;
  for (int k = 0; k < static_cast<int>(before_.size()) && k < contacts_.contact_points(); ++k) {
    if (!contacts_.touches(k) || before_[k].force < most) continue;
    most = before_[k].force;
    name = contacts_.contact_name(k);
  }
  return name;
}

}  // namespace carom::inline smooth_integrators
