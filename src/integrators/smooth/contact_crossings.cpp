#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <boost/math/tools/roots.hpp>

#include "integrators/smooth/contact_stepper.h"
#include "integrators/smooth/reading_values.h"

// Where in a step contacts begin and end, areas come off each other and plastic laws turn; and the step cut there.
namespace carom::inline smooth_integrators {
namespace {

constexpr int samples = 8;             // of a step in which a crossing hides
constexpr double hidden_depth = 0.25;  // of the tolerance: deeper overlaps inside a step are found
constexpr int most_cuts = 20;          // of a step for contacts that only the shorter step has
constexpr int most_halvings = 20;      // of one that has not met what it was cut for

}  // namespace

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

// Whether nothing is left before it.
bool ContactStepper::look_before_event(Integrator& integrator, Crossing& first) {
  for (int k = 0; k < most_cuts && integrator.state().t == event_.t; ++k) {
    contacts_.search_step(*integrator.motion());
    contacts_.read_contacts(event_, now_);
    const auto before = find_hidden_start(integrator, event_.t);
    if (!before) return true;
    first = *before;
    crossings_.assign(1, first);  // the others are those of the longer step
    end_step(integrator, first);
  }
  return integrator.state().t != event_.t;
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
    const double uncut = integrator.state().t;
    first = first_crossing();
    // Where a gap jumps, from one feature to another, there is no touch.
    integrator.interpolate(first.t, event_);
    const bool jumps = !is_at_touch(first);
    end_step(integrator, first);
    // A long step may meet what shorter ones, which are more exact, pass: the event moves on to its end, and is none.
    const bool settled = look_before_event(integrator, first) || event_.t < uncut;
    if (halvings == most_halvings || integrator.state().t != event_.t) return true;
    if (settled && (jumps || is_at_touch(first))) return true;
    const double begin = integrator.step_begin();
    if (!integrator.repeat_step(begin + 0.5 * (event_.t - begin))) return true;
    ++statistics_.shortened;
    contacts_.search_step(*integrator.motion());
    contacts_.read_contacts(integrator.state(), now_);
    find_crossings(integrator);
    if (crossings_.empty()) return false;
  }
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

}  // namespace carom::inline smooth_integrators
