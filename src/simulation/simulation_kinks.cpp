#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "simulation/simulation.h"

// Instants at which the laws of drives and loads have kinks. Steps end there.
namespace carom {

double Simulation::next_limit(double until) const {
  return passed_kinks_ == kinks_.size() ? until : std::min(until, kinks_[passed_kinks_].before);
}

// Further ones, beyond the end that was asked for.
void Simulation::find_kinks_until(double end) {
  const double far = std::max(end, kinks_until_ + (kinks_until_ - model_.solver.start));
  for (Kink& kink : find_kinks(functions_, kinks_until_, far)) {
    if (kinks_.empty() || kink.before > kinks_.back().after) kinks_.push_back(std::move(kink));
  }
  kinks_until_ = far;
}

// Takes the integrator over the next kink, if it has come there and is to go on behind it. No motion happens in the
// gap of a kink.
StepOutcome Simulation::pass_kink(double until, StepObserver* observer) {
  if (passed_kinks_ == kinks_.size()) return {};
  const Kink& kink = kinks_[passed_kinks_];
  if (state().t < kink.before || !(until > kink.before)) return {};
  State state = integrator_->state();
  state.t = kink.after;
  if (StepOutcome outcome = jump(kink, state); !outcome.accepted()) return outcome;
  ++passed_kinks_;
  if (observer) observer->kink_passed(state);
  integrator_->start(state);
  return {};
}

// A drive given by position may jump in speed: the mechanism follows at once, and what that changes in its energy is
// the work of the drive.
StepOutcome Simulation::jump(const Kink& kink, State& state) {
  const auto drives = [this](int k) { return functions_[static_cast<std::size_t>(k)].motion >= 0; };
  const auto drive = std::find_if(kink.functions.begin(), kink.functions.end(), drives);
  if (drive == kink.functions.end()) return {};
  const TimeFunction& law = functions_[static_cast<std::size_t>(*drive)];
  system_->position_residual(state.t, state.q.data(), residual_);
  const double gap = residual_.lpNorm<Eigen::Infinity>();
  if (gap > 1e-3 * system_->length_scale())
    return {StepStatus::failed,
            fmt::format("{} jumps by {:.3g} at t = {:.6g} s, which no mechanism can follow. Make it continuous, with a "
                        "ramp or step()",
                        law.key, gap, kink.after)};
  const double energy = system_->energy(state.t, state.q.data(), state.v.data()).total();
  const auto speed = system_->project_velocity(state.t, state.q.data(), state.v.data());
  if (!(speed.before > 1e-6)) return {};
  state.work[law.motion] += system_->energy(state.t, state.q.data(), state.v.data()).total() - energy;
  if (++speed_jumps_ > 1) return {};
  remarks_.push_back(
      fmt::format("{} jumps in speed by {:.3g} at t = {:.6g} s: the mechanism is knocked, and the force of the drive "
                  "is infinite there; a cubic table or step() is smooth",
                  law.key, speed.before, kink.after));
  return {};
}

}  // namespace carom
