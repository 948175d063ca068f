#include "integrators/smooth/contact_stepper.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>

namespace carom::inline smooth_integrators {
namespace {

constexpr int samples = 8;                    // of a step in which a crossing hides
constexpr double first_step_fraction = 0.01;  // of the duration of an impact
constexpr int most_events_without_progress = 50;
constexpr int patience = 3;                     // events without progress, until what leaves is let go
constexpr int most_refined_points = 64;         // peaks between steps are sought in small models only
constexpr double slowest = 1e-6;                // m/s, for durations
constexpr double default_smallest_step = 1e-7;  // s, where near pairs may be missing
constexpr double hidden_depth = 0.25;           // of the tolerance: deeper overlaps inside a step are found
constexpr int most_cuts = 20;                   // of a step for contacts that only the shorter step has
constexpr int most_halvings = 20;               // of one that has not met what it was cut for

double above(const ContactReading& reading) {
  return reading.penetration - reading.level;
}

// m, farther apart than anything: shapes that do not face each other have a gap without end, and roots are sought among
// finite numbers.
constexpr double far_apart = 1e6;

double finite_above(const ContactReading& reading) {
  const double value = above(reading);
  return value > -far_apart ? std::min(value, far_apart) : -far_apart;  // not a number: apart
}

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

// By mode, not by the sign of a number that is zero but for rounding.
bool ContactStepper::crosses(int point, const ContactReading& from, const ContactReading& to) const {
  if (contacts_.touches(point)) return above(to) < 0 && to.rate < 0 && to.kin < 0;
  return to.penetration > 0 && (from.penetration <= 0 || to.rate > 0);
}

// A touching point with both ends on one side, but the cubic through their values and rates is not: it ends and starts
// again within one step.
bool ContactStepper::may_end_inside(int point, const ContactReading& from, const ContactReading& to, double h) const {
  if (!contacts_.touches(point) || !(from.rate < 0 && to.rate > 0)) return false;
  const double a = -above(from), b = -above(to), ra = -from.rate * h, rb = -to.rate * h;
  if (!std::isfinite(a + b) || std::max(a, b) + std::max(ra, -rb) < 0) return false;
  // Root of the derivative c₁ + 2 c₂ s + 3 c₃ s² in (0, 1); it falls from ra > 0 to rb < 0.
  const double c2 = 3 * (b - a) - 2 * ra - rb, c3 = 2 * (a - b) + ra + rb;
  const double root = std::sqrt(std::max(0.0, c2 * c2 - 3 * c3 * ra));
  const double s = ra / (-c2 + root);
  return a + s * (ra + s * (c2 + s * c3)) > 0;
}

double ContactStepper::value_at(Integrator& integrator, int point, double t) {
  integrator.interpolate(t, sample_);
  contacts_.read_contacts(sample_, middle_);
  return finite_above(middle_[point]);
}

// The first instant of the step at which the point changes sides, on the dense output.
double ContactStepper::locate(Integrator& integrator, int point) {
  const double begin = integrator.step_begin(), end = integrator.state().t;
  const double wanted = contacts_.touches(point) ? -1 : 1;
  const auto value = [&](double t) { return wanted * value_at(integrator, point, t); };
  double from = begin, value_from = wanted * finite_above(before_[point]);
  // A contact that has just begun or ended may be on the wrong side by rounding while it moves away from there. It is
  // back soon, perhaps long before the first sample.
  if (value_from >= 0) {
    if (wanted * before_[point].rate >= 0) return begin;
    for (int k = 0; k < 50 && value_from >= 0; ++k) {
      from = begin + std::ldexp(end - begin, -1 - k);
      value_from = value(from);
    }
    if (value_from >= 0) return begin;
  }
  for (int k = 1; k <= samples; ++k) {
    const double to = k == samples ? end : begin + (end - begin) * k / samples;
    if (to <= from) continue;
    const double value_to = k == samples ? wanted * finite_above(now_[point]) : value(to);
    if (value_to > 0) {
      const double fine = 4 * std::numeric_limits<double>::epsilon() * std::abs(to);
      std::uintmax_t iterations = 100;
      const auto bracket = boost::math::tools::toms748_solve(
          value, from, to, value_from, value_to, [&](double x, double y) { return std::abs(y - x) <= fine; },
          iterations);
      return 0.5 * (bracket.first + bracket.second);
    }
    from = to, value_from = value_to;
  }
  return begin;
}

double ContactStepper::locate_turn(Integrator& integrator, int point) {
  const double begin = integrator.step_begin(), end = integrator.state().t;
  std::uintmax_t iterations = 100;
  const auto bracket = boost::math::tools::toms748_solve(
      [&](double t) {
        value_at(integrator, point, t);
        return middle_[point].rate;
      },
      begin, end, before_[point].rate, now_[point].rate,
      [&](double a, double b) { return std::abs(b - a) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(b); },
      iterations);
  return 0.5 * (bracket.first + bracket.second);
}

// An area that appears beside a touching one has a depth at once if it has come off that one; a place that has just
// come down has none.
bool ContactStepper::has_come_off(Integrator& integrator, const Crossing& start) {
  const double end = integrator.state().t, span = end - integrator.step_begin();
  const double soon = 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(start.t), span);
  integrator.interpolate(std::min(end, start.t + soon), sample_);
  contacts_.read_contacts(sample_, middle_);
  const ContactReading& reading = middle_[point_of(start, middle_)];
  return reading.kin >= 0 && reading.penetration > tolerance_;
}

bool ContactStepper::parts_have_changed() const {
  for (int k = 0; k < contacts_.contact_points(); ++k) {
    if (now_[k].kin >= 0) return true;
  }
  return false;
}

void ContactStepper::find_crossings(Integrator& integrator) {
  crossings_.clear();
  const double h = integrator.state().t - integrator.step_begin();
  for (int k = 0; k < contacts_.contact_points(); ++k) {
    if (crosses(k, before_[k], now_[k])) {
      const Crossing found{k, locate(integrator, k)};
      if (now_[k].kin < 0 || contacts_.touches(k) || !has_come_off(integrator, found)) crossings_.push_back(found);
    } else if (may_end_inside(k, before_[k], now_[k], h)) {
      const double t = locate(integrator, k);
      if (t > integrator.step_begin()) crossings_.push_back({k, t});
    }
    if (k != turned_point_ && contacts_.touches(k) && contacts_.has_breakpoint_at_turn(k) && before_[k].rate > 0 &&
        now_[k].rate < 0)
      crossings_.push_back({k, locate_turn(integrator, k), true});
  }
  double until = integrator.state().t;
  for (const Crossing& each : crossings_) until = std::min(until, each.t);
  if (const auto hidden = find_hidden_start(integrator, until)) {
    crossings_.insert(std::upper_bound(crossings_.begin(), crossings_.end(), *hidden,
                                       [](const Crossing& a, const Crossing& b) { return a.point < b.point; }),
                      *hidden);
  }
}

std::optional<ContactStepper::Crossing> ContactStepper::find_hidden_start(Integrator& integrator, double until) {
  const double begin = integrator.step_begin(), h = integrator.state().t - begin;
  if (!(h > 0) || !searches_) return std::nullopt;
  const ContactStart start = contacts_.find_start(hidden_depth * tolerance_, (until - begin) / h, before_, now_);
  const SearchStatistics& search = contacts_.search_statistics();
  statistics_.search_iterations = search.instants;
  if (search.coarsest > std::max(tolerance_, statistics_.coarsest_search)) {
    statistics_.coarsest_search = search.coarsest;
    statistics_.coarsest_searched = search.coarsest_contact;
  }
  if (start.point < 0) return std::nullopt;
  found_at_speed_ = contacts_.largest_travel() / h;
  const Crossing found{start.point, std::clamp(begin + start.theta * h, begin, until), false, start.first_point,
                       start.points};
  if (has_come_off(integrator, found)) return std::nullopt;
  return found;
}

void ContactStepper::refresh_for_step(Integrator& integrator) {
  contacts_.search_step(*integrator.motion());
  if (!contacts_.refresh_for_step()) return;
  integrator.interpolate(integrator.step_begin(), sample_);
  contacts_.read_contacts(sample_, before_);
}

void ContactStepper::end_step(Integrator& integrator, const Crossing& first) {
  const auto value = [&](const State& state) {
    contacts_.read_contacts(state, middle_);
    const ContactReading& reading = middle_[point_of(first, middle_)];
    return first.turns ? reading.rate : finite_above(reading);
  };
  end_step_at(integrator, first.t, value, event_);
}

int ContactStepper::point_of(const Crossing& crossing, const std::vector<ContactReading>& readings) const {
  int deepest = crossing.point;
  for (int k = crossing.first_point; k < crossing.first_point + crossing.points; ++k) {
    if (contacts_.touches(k)) continue;
    if (contacts_.touches(deepest) || above(readings[k]) > above(readings[deepest])) deepest = k;
  }
  return deepest;
}

// Before modes change there, with the readings of the event at hand.
void ContactStepper::name_points_at_event() {
  for (Crossing& each : crossings_) each.point = point_of(each, now_);
  std::sort(crossings_.begin(), crossings_.end(),
            [](const Crossing& a, const Crossing& b) { return a.point < b.point; });
}

void ContactStepper::look_before_event(Integrator& integrator, Crossing& first) {
  for (int k = 0; k < most_cuts && integrator.state().t == event_.t; ++k) {
    contacts_.search_step(*integrator.motion());
    contacts_.read_contacts(event_, now_);
    const auto before = find_hidden_start(integrator, event_.t);
    if (!before) return;
    first = *before;
    crossings_.assign(1, first);  // the others are those of the longer step
    end_step(integrator, first);
  }
}

ContactStepper::Crossing ContactStepper::first_crossing() const {
  return *std::min_element(crossings_.begin(), crossings_.end(),
                           [](const Crossing& a, const Crossing& b) { return a.t < b.t; });
}

// Whether a contact that should start at the event is there.
bool ContactStepper::is_at_touch(const Crossing& first) {
  if (first.turns || contacts_.touches(first.point)) return true;
  contacts_.read_contacts(event_, middle_);
  const double rounding = 64 * std::numeric_limits<double>::epsilon() * system_.length_scale();
  return std::abs(finite_above(middle_[point_of(first, middle_)])) <= std::max(tolerance_, rounding);
}

bool ContactStepper::cut(Integrator& integrator, Crossing& first) {
  for (int halvings = 0;; ++halvings) {
    first = first_crossing();
    // Where a gap jumps, from one feature to another, there is no touch.
    integrator.interpolate(first.t, event_);
    const bool jumps = !is_at_touch(first);
    end_step(integrator, first);
    look_before_event(integrator, first);
    if (halvings == most_halvings || integrator.state().t != event_.t || jumps || is_at_touch(first)) return true;
    const double begin = integrator.step_begin();
    if (!integrator.repeat_step(begin + 0.5 * (event_.t - begin))) return true;
    ++statistics_.shortened;
    contacts_.search_step(*integrator.motion());
    contacts_.read_contacts(integrator.state(), now_);
    find_crossings(integrator);
    if (crossings_.empty()) return false;
  }
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

void ContactStepper::note_crossings(Integrator& integrator) {
  for (int k = 0; k < contacts_.contact_points(); ++k) {
    if (!crosses(k, before_[k], now_[k])) continue;
    double t = integrator.state().t;
    if (control_ == Control::interpolate) {
      const double a = finite_above(before_[k]), b = finite_above(now_[k]);
      if (a * b < 0) t = integrator.step_begin() + (t - integrator.step_begin()) * a / (a - b);
    }
    crossings_.push_back({k, t});
  }
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

void ContactStepper::interpolate_event(Integrator& integrator, const Crossing& first, double end) {
  event_ = integrator.state();
  if (control_ != Control::interpolate || !(first.t < end)) return;
  const double begin = integrator.step_begin(), part = (first.t - begin) / (end - begin);
  integrator.interpolate(begin, sample_);
  event_.q = sample_.q + part * (event_.q - sample_.q);
  event_.v = sample_.v + part * (event_.v - sample_.v);
  event_.work = sample_.work + part * (event_.work - sample_.work);
  event_.internal = sample_.internal + part * (event_.internal - sample_.internal);
  event_.t = first.t;
  system_.normalise(event_.q.data());
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
