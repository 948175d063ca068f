#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "simulation/simulation.h"

// Instants at which the laws of drives and loads have breakpoints. Steps end there.
namespace carom::inline simulation {

double Simulation::next_limit(double until) const {
  return passed_breakpoints_ == breakpoints_.size() ? until : std::min(until, breakpoints_[passed_breakpoints_].before);
}

// Further ones, beyond the end that was asked for.
void Simulation::find_breakpoints_until(double end) {
  const double far = std::max(end, breakpoints_until_ + (breakpoints_until_ - model_.solver.start));
  for (Breakpoint& breakpoint : find_breakpoints(functions_, breakpoints_until_, far)) {
    if (breakpoints_.empty() || breakpoint.before > breakpoints_.back().after)
      breakpoints_.push_back(std::move(breakpoint));
  }
  breakpoints_until_ = far;
}

// Takes the integrator over the next breakpoint, if it has come there and is to go on behind it. No motion happens in
// the gap of a breakpoint.
StepOutcome Simulation::pass_breakpoint(double until, StepObserver* observer) {
  if (passed_breakpoints_ == breakpoints_.size()) return {};
  const Breakpoint& breakpoint = breakpoints_[passed_breakpoints_];
  if (state().t < breakpoint.before || !(until > breakpoint.before)) return {};
  State state = integrator_->state();
  state.t = breakpoint.after;
  if (StepOutcome outcome = jump(breakpoint, state); !outcome.accepted()) return outcome;
  ++passed_breakpoints_;
  if (observer) observer->breakpoint_passed(state);
  integrator_->start(state);
  return {};
}

// A drive given by position may jump in speed: the mechanism follows at once, and what that changes in its energy is
// the work of the drive.
StepOutcome Simulation::jump(const Breakpoint& breakpoint, State& state) {
  system_->set_internal(state.internal.data());
  settle_drives(state);
  const auto drives = [this](int k) {
    const TimeFunction& law = functions_[static_cast<std::size_t>(k)];
    return law.motion >= 0 && law.value.signals().empty();
  };
  const auto drive = std::find_if(breakpoint.functions.begin(), breakpoint.functions.end(), drives);
  if (drive == breakpoint.functions.end()) return {};
  const TimeFunction& law = functions_[static_cast<std::size_t>(*drive)];
  system_->position_residual(state.t, state.q.data(), residual_);
  const double gap = residual_.lpNorm<Eigen::Infinity>();
  if (gap > 1e-3 * system_->length_scale())
    return {StepStatus::failed,
            fmt::format("{} jumps by {:.3g} at t = {:.6g} s, which no mechanism can follow. Make it continuous, with a "
                        "ramp or step()",
                        law.key, gap, breakpoint.after)};
  const double energy = system_->energy(state.t, state.q.data(), state.v.data()).total();
  const auto speed = system_->project_velocity(state.t, state.q.data(), state.v.data());
  if (!(speed.before > 1e-6)) return {};
  state.work[law.motion] += system_->energy(state.t, state.q.data(), state.v.data()).total() - energy;
  if (++speed_jumps_ > 1) return {};
  remarks_.push_back(
      fmt::format("{} jumps in speed by {:.3g} at t = {:.6g} s: the mechanism is knocked, and the force of the drive "
                  "is infinite there; a cubic table or step() is smooth",
                  law.key, speed.before, breakpoint.after));
  return {};
}

}  // namespace carom::inline simulation
