#include <algorithm>

#include <fmt/format.h>

#include "analyses/kinematics.h"
#include "analyses/linearisation.h"
#include "analyses/statics.h"
#include "control/signal_order.h"
#include "simulation/run_in_progress.h"

// Analyses that need no integrator.
namespace carom::inline simulation {
namespace {

std::string name_of(Stability stability) {
  switch (stability) {
    case Stability::stable:
      return "stable";
    case Stability::neutral:
      return "neutral";
    case Stability::unstable:
      return "unstable";
    default:
      return "unknown";
  }
}

}  // namespace

void RunInProgress::analyse_kinematics() {
  KinematicAnalysis analysis(*system_, state_);
  for (double t = model_.solver.start;; t = next_output()) {
    t = std::min(t, model_.solver.end);
    const AnalysisOutcome outcome = analysis.advance(std::min(t, last_));
    if (!outcome) return fail(outcome.reason);
    now_.state = analysis.state();
    now_.state.t = t;
    record(now_.state, analysis.accelerations(), analysis.multipliers());
    ++samples_;
    state_.t = t;
    if (t >= model_.solver.end || summary_.status == RunStatus::failed || stopped_or_shown(t)) return;
  }
}

void RunInProgress::analyse_statics() {
  const int steps = model_.solver.load_steps;
  const double start = model_.solver.start, span = model_.solver.end - start;
  Stability first = Stability::unknown, before = Stability::unknown;
  for (int k = 0; k <= steps; ++k) {
    const double t = k == steps && steps > 0 ? model_.solver.end : start + span * k / std::max(steps, 1);
    const StaticEquilibrium equilibrium = equilibrium_at(t);
    if (!equilibrium.outcome) fail(equilibrium.outcome.reason);
    state_ = now_.state = equilibrium.state;
    now_.v_rate.setZero();
    record(equilibrium.state, now_.v_rate, equilibrium.multipliers);
    ++samples_;
    if (k == 0) first = before = equilibrium.stability, summary_.verdict = name_of(first);
    if (equilibrium.stability != before)
      summary_.verdict += fmt::format(", {} from t = {:.6g} s on", name_of(equilibrium.stability), t);
    before = equilibrium.stability;
    if (!equilibrium.outcome || (steps > 0 && stopped_or_shown(t))) return;
  }
}

// From the last one; where that is too far away, by smaller changes of the loads.
StaticEquilibrium RunInProgress::equilibrium_at(double t) {
  constexpr int most_halvings = 10;
  State from = state_;
  double part = t - from.t;
  for (int halvings = 0;;) {
    from.t = state_.t + part < t && part > 0 ? state_.t + part : t;
    StaticEquilibrium found = find_static_equilibrium(*system_, from);
    if (found.outcome && found.state.t >= t) return found;
    if (found.outcome) {
      state_ = from = found.state;
      part = std::min(2 * part, t - state_.t);
    } else {
      if (!(part > 0) || ++halvings > most_halvings) return found;
      part *= 0.5;
      from = state_;
    }
  }
}

// Vibration about the position of the file, held still.
void RunInProgress::analyse_modes() {
  state_.v.setZero();
  sample(state_, state_.t);
  if (now_.v_rate.norm() > 1e-6 * (1 + residual_force())) {
    warn(
        "the position is not an equilibrium: the modes are those of the frozen position; run a static analysis "
        "first");
  }
  const Eigen::VectorXd lambda = system_->multipliers(state_.t, state_.q.data(), state_.v.data());
  for (const Mode& mode : linearise(*system_, state_, lambda).modes)
    summary_.modes.push_back({mode.frequency, mode.damping_ratio});
  if (model_.solver.inputs.empty() && model_.solver.outputs.empty()) return;
  const auto numbers = [&](const std::vector<std::string>& names) {
    std::vector<int> result;
    for (const std::string& name : names) result.push_back(signal_index(model_, name));
    return result;
  };
  summary_.linear = {
      model_.solver.inputs, model_.solver.outputs,
      make_state_space(*system_, state_, lambda, numbers(model_.solver.inputs), numbers(model_.solver.outputs))};
}

// Size of the accelerations that the loads alone would cause.
double RunInProgress::residual_force() {
  system_->loads(state_.t, state_.q.data(), state_.v.data(), load_);
  return load_.cwiseQuotient(Eigen::VectorXd(system_->mass().diagonal())).norm();
}

}  // namespace carom::inline simulation
