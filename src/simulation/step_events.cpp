#include "simulation/step_events.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <boost/math/tools/roots.hpp>

#include "dynamics/system.h"

namespace carom::inline simulation {
namespace {

constexpr int samples = 8;              // of a step
constexpr int delays_followed = 6;      // then what jumped at the start is smooth enough
constexpr int most_without_time = 100;  // events in a row
constexpr double no_time = 1e-10;       // of the time span
constexpr std::uintmax_t most_iterations = 100;
constexpr double rounding = 1e-12;  // of values at the instants that were found

}  // namespace

// Breakpoints of laws have a width, in which the time passes them.
bool StepEvents::is_instant(double t, double at) const {
  const double size = std::max({std::abs(t), std::abs(at), std::abs(model_.solver.start), std::abs(model_.solver.end)});
  return std::abs(t - at) <= 16 * std::numeric_limits<double>::epsilon() * size;
}

StepEvents::StepEvents(System& system, const Model& model)
    : model_(model), signals_(system.signals()), times_(model.events.size(), 0) {
  for (int k = 0; k < signals_->switch_count(); ++k) watched_.push_back({k});
  for (int k = 0; k < static_cast<int>(model.events.size()); ++k) {
    const EventModel& event = model.events[k];
    if (std::isfinite(event.at)) continue;
    const bool contact = !event.contact.empty();
    const bool up = contact ? event.change == "start" : event.direction != "falling";
    const bool down = contact ? event.change == "end" : event.direction != "rising";
    if (up) watched_.push_back({k, true, 1, false});
    if (down) watched_.push_back({k, true, -1, false});
  }
  before_.resize(watched_.size()), now_.resize(watched_.size());
}

void StepEvents::take_memory(const StepEvents& other) {
  watched_ = other.watched_;
  times_ = other.times_;
  last_ = other.last_;
  without_time_ = other.without_time_;
}

double StepEvents::next_instant(double t) const {
  double next = std::min(signals_->next_sample(t), t + signals_->shortest_delay());
  // What jumped at the start comes back after each delay.
  for (int k = 1; k <= delays_followed && std::isfinite(signals_->shortest_delay()); ++k) {
    const double at = model_.solver.start + k * signals_->shortest_delay();
    if (at > t && !is_instant(t, at)) next = std::min(next, at);
  }
  for (const EventModel& event : model_.events) {
    if (event.at > t && !is_instant(t, event.at)) next = std::min(next, event.at);
  }
  return next;
}

void StepEvents::note_step(Integrator& integrator, double t) {
  if (std::isinf(signals_->shortest_delay())) return;
  const double begin = integrator.step_begin();
  for (int k = 0; k < SignalHistory::nodes; ++k) {
    const double at = begin + SignalHistory::node(k) * (t - begin);
    integrator.interpolate(at, sample_);
    sample_.t = at;
    signals_->note_history(sample_, k);
  }
  signals_->end_history(begin, t);
}

double StepEvents::value(const Watched& watched, const State& state) const {
  return watched.is_event ? watched.sign * signals_->event_value(state, watched.place)
                          : signals_->until_switch(state, watched.place);
}

StepStop StepEvents::first_stop(Integrator& integrator, double until) {
  StepStop stop;
  if (watched_.empty()) return stop;
  const double begin = integrator.step_begin();
  std::vector<Watched> watched = watched_;
  int first = -1;
  for (int i = 0; i <= samples && first < 0; ++i) {
    const double from = begin + (until - begin) * (i - 1) / samples;
    const double t = i == samples ? until : begin + (until - begin) * i / samples;
    integrator.interpolate(t, sample_);
    for (std::size_t k = 0; k < watched.size(); ++k) now_[k] = is_over(watched[k]) ? -1 : value(watched[k], sample_);
    for (std::size_t k = 0; k < watched.size(); ++k) {
      if (now_[k] < (watched[k].happened_last ? -rounding : 0)) watched[k].armed = true;
      if (i == 0 || !watched[k].armed || now_[k] < 0) continue;
      double at = now_[k] == 0 ? t : from;
      if (before_[k] < 0 && now_[k] > 0) {
        std::uintmax_t iterations = most_iterations;
        const auto at_time = [&](double s) {
          integrator.interpolate(s, sample_);
          return value(watched[k], sample_);
        };
        const auto close = [](double a, double b) {
          return std::abs(b - a) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(b);
        };
        at = boost::math::tools::toms748_solve(at_time, from, t, before_[k], now_[k], close, iterations).second;
      }
      if (at < stop.t) stop.t = at, first = static_cast<int>(k);
    }
    std::swap(before_, now_);
  }
  if (first >= 0) {
    found_ = first;
    stop.value = [this, found = watched[first]](const State& state) { return value(found, state); };
  }
  return stop;
}

bool StepEvents::happen(State& state, bool at_instant, std::vector<HappenedEvent>& happened, std::string& endless) {
  // A short step from a sample still lies at its instant but for rounding.
  bool any = at_instant && signals_->sample_signals(state);
  // Jumps and events may be followed by others of the same instant.
  for (int pass = 0; pass < most_without_time && endless.empty(); ++pass) {
    const bool jumped = jump(state, endless), changed = happen_events(state, happened, endless);
    any = any || jumped || changed;
    if (!jumped && !changed) break;
  }
  return any;
}

// False: too much has happened without time passing.
bool StepEvents::goes_on(double t) {
  without_time_ = t - last_ > no_time * (model_.solver.end - model_.solver.start) ? 0 : without_time_ + 1;
  last_ = t;
  return without_time_ <= most_without_time;
}

bool StepEvents::jump(State& state, std::string& endless) {
  bool any = false;
  for (Watched& watched : watched_) {
    if (watched.is_event) continue;
    const double now = value(watched, state);
    if (now < -rounding) watched.armed = true;
    if (!(now >= -rounding) || !watched.armed) continue;
    signals_->switch_over(state, watched.place);
    for (Watched& each : watched_) each.happened_last = &each == &watched;
    watched.armed = value(watched, state) < -rounding;
    any = true;
    if (goes_on(state.t)) continue;
    endless = fmt::format(
        "signal:{} jumps again and again at t = {:.9g} s without any time passing; give it a "
        "hysteresis, or a lag to what it acts on",
        signals_->switch_name(watched.place), state.t);
    return true;
  }
  return any;
}

bool StepEvents::happen_events(State& state, std::vector<HappenedEvent>& happened, std::string& endless) {
  bool any = false;
  for (int k = 0; k < static_cast<int>(model_.events.size()) && endless.empty(); ++k) {
    const EventModel& event = model_.events[k];
    bool due = std::isfinite(event.at) && times_[k] == 0 && is_instant(state.t, event.at);
    for (Watched& watched : watched_) {
      if (!watched.is_event || watched.place != k) continue;
      const double now = value(watched, state);
      const bool there = now >= -rounding;
      due = due || (there && watched.armed);
      watched.armed = !there;
    }
    if (!due || is_over(event, k)) continue;
    take_place(k, state, happened);
    any = true;
    if (goes_on(state.t)) continue;
    endless = fmt::format(
        "event:{} happens again and again at t = {:.9g} s without any time passing; give its condition "
        "a distance that it must go back before it can happen again, or once = true",
        event.name, state.t);
  }
  return any;
}

void StepEvents::take_place(int event, State& state, std::vector<HappenedEvent>& happened) {
  ++times_[event];
  for (Watched& each : watched_) each.happened_last = each.is_event && each.place == event;
  signals_->set_signals(state, event);
  happened.push_back({event, model_.events[event].name, state.t});
}

}  // namespace carom::inline simulation
