#include "integrators/smooth/events.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <boost/math/tools/roots.hpp>

#include "integrators/smooth/step_control.h"

namespace carom::inline smooth_integrators {
namespace {

constexpr std::uintmax_t max_root_iterations = 100;
constexpr int max_repetitions = 4;   // of the cut step, with the slope of the dense output
constexpr int more_repetitions = 6;  // with the slope of the last two, where those are not enough
constexpr double rounding = 1e-9;    // of the step, of a crossing that comes no nearer

int sign(double x) {
  return (x > 0) - (x < 0);
}

}  // namespace

EventLocator::EventLocator(System& system, std::vector<EventFunction> functions)
    : system_(system),
      functions_(std::move(functions)),
      side_(functions_.size(), 0),
      side_at_end_(functions_.size(), 0),
      last_hit_(functions_.size(), -std::numeric_limits<double>::infinity()),
      values_(functions_.size() * (samples + 1), 0) {
  crossings_.reserve(functions_.size());
}

void EventLocator::forget() {
  std::fill(side_.begin(), side_.end(), 0);
  std::fill(last_hit_.begin(), last_hit_.end(), -std::numeric_limits<double>::infinity());
}

StepOutcome EventLocator::advance(Integrator& integrator, double t_limit, std::vector<EventHit>& hits) {
  const double t_before = integrator.state().t;
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    if (side_[i] == 0) side_[i] = sign(functions_[i].value(integrator.state()));
  }
  const StepOutcome outcome = integrator.step(t_limit);
  if (!outcome.accepted() || !(integrator.state().t > t_before) || functions_.empty()) return outcome;

  take_samples(integrator);
  crossings_.clear();
  for (int i = 0; i < static_cast<int>(functions_.size()); ++i) find_first_crossing(integrator, i);
  if (crossings_.empty()) {
    side_ = side_at_end_;
    return outcome;
  }

  const Crossing first =
      *std::min_element(crossings_.begin(), crossings_.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
  const double h = integrator.state().t - t_before;
  const double t_event = cut_step(integrator, first);
  for (const Crossing& crossing : crossings_) {
    if (crossing.t - first.t > time_tolerance(crossing.function, h, first.t)) continue;
    hits.push_back({crossing.function, functions_[crossing.function].name, t_event, crossing.direction});
    side_[crossing.function] = crossing.direction;
    last_hit_[crossing.function] = t_event;
  }
  // Crossings in the direction nobody asked for may lie before the cut; the others keep their side.
  for (int i = 0; i < static_cast<int>(functions_.size()); ++i) {
    if (last_hit_[i] == t_event) continue;
    for (int k = 1; k <= samples && times_[k] < first.t; ++k) {
      if (const int seen = sign(values_[i * (samples + 1) + k]); seen != 0) side_[i] = seen;
    }
  }
  return outcome;
}

double EventLocator::value_at(Integrator& integrator, int function, double t) {
  if (t >= integrator.state().t) return functions_[function].value(integrator.state());
  integrator.interpolate(t, sample_);
  return functions_[function].value(sample_);
}

double EventLocator::time_tolerance(int function, double h, double t) const {
  return std::max(functions_[function].tolerance * h, 8 * std::numeric_limits<double>::epsilon() * std::abs(t));
}

void EventLocator::take_samples(Integrator& integrator) {
  const double begin = integrator.step_begin(), end = integrator.state().t;
  for (int k = 0; k <= samples; ++k) {
    times_[k] = k == samples ? end : begin + (end - begin) * k / samples;
    if (k < samples) integrator.interpolate(times_[k], sample_);
    const State& state = k < samples ? sample_ : integrator.state();
    for (std::size_t i = 0; i < functions_.size(); ++i) values_[i * (samples + 1) + k] = functions_[i].value(state);
  }
}

void EventLocator::find_first_crossing(Integrator& integrator, int function) {
  const double* value = &values_[function * (samples + 1)];
  int side = side_[function];
  for (int k = 1; k <= samples; ++k) {
    const int seen = sign(value[k]);
    if (seen == 0 || seen == side) continue;
    const bool known = side != 0, wanted = known && functions_[function].direction * seen >= 0;
    side = seen;
    if (!wanted) continue;
    // Back on the other side without having left zero: the crossing that was reported, seen through rounding.
    const bool bracketed = sign(value[k - 1]) == -seen;
    if (!bracketed && k == 1 && times_[0] == last_hit_[function]) continue;
    const double t =
        bracketed ? root(integrator, function, times_[k - 1], times_[k], value[k - 1], value[k]) : times_[k - 1];
    crossings_.push_back({function, seen, t});
    break;
  }
  side_at_end_[function] = side;
}

double EventLocator::root(Integrator& integrator, int function, double from, double to, double value_from,
                          double value_to) {
  const double fine = time_tolerance(function, 0, to);
  std::uintmax_t iterations = max_root_iterations;
  const auto bracket = boost::math::tools::toms748_solve(
      [&](double t) { return value_at(integrator, function, t); }, from, to, value_from, value_to,
      [&](double a, double b) { return std::abs(b - a) <= 0.5 * fine; }, iterations);
  return 0.5 * (bracket.first + bracket.second);
}

double EventLocator::cut_step(Integrator& integrator, const Crossing& first) {
  State event;
  end_step_at(integrator, first.t, functions_[first.function].value, event);
  if (system_.active_constraints() > 0) {
    system_.set_internal(event.internal.data());
    system_.project_position(event.t, event.q.data(), event_drift * system_.length_scale(), 3);
    system_.project_velocity(event.t, event.q.data(), event.v.data());
  }
  integrator.start(event);
  return event.t;
}

void end_step_at(Integrator& integrator, double t, const std::function<double(const State&)>& value, State& event) {
  const double begin = integrator.step_begin(), latest = integrator.state().t;
  t = std::clamp(t, begin, latest);
  integrator.interpolate(t, event);
  event.t = t;
  if (!(t > begin)) return;
  const double fine = 8 * std::numeric_limits<double>::epsilon() * std::abs(t);
  const double probe = std::min(1e-3 * (latest - begin), latest - t);
  double slope = 0;
  if (probe > 0) {
    State ahead;
    integrator.interpolate(t + probe, ahead);
    slope = (value(ahead) - value(event)) / probe;
  }
  double rest_before = 0, t_before = t;
  for (int k = 0; k < max_repetitions + more_repetitions && integrator.repeat_step(t); ++k) {
    event = integrator.state();
    const double rest = value(event);
    if (k >= max_repetitions && t != t_before && rest != rest_before) slope = (rest - rest_before) / (t - t_before);
    if (slope == 0 || !std::isfinite(slope) || !std::isfinite(rest)) break;
    // What does not shrink any more and is nothing of a step is rounding.
    if (k > 0 && std::abs(rest) > 0.5 * std::abs(rest_before) && std::abs(rest / slope) < rounding * (latest - begin))
      break;
    const double next = std::clamp(t - rest / slope, begin, latest);
    if (!(std::abs(next - t) > fine) || !(next > begin)) break;
    rest_before = rest, t_before = t;
    t = next;
  }
}

}  // namespace carom::inline smooth_integrators
