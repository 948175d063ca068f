#include <algorithm>

#include "analyses/kinematics.h"
#include "analyses/linearisation.h"
#include "analyses/statics.h"
#include "simulation/run_in_progress.h"

// Analyses that need no integrator.
namespace carom {
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
    projected_ = analysis.state();
    projected_.t = t;
    recorder_->record(projected_, analysis.accelerations(), analysis.multipliers());
    ++samples_;
    state_.t = t;
    if (t >= model_.solver.end || stopped_or_shown(t)) return;
  }
}

void RunInProgress::analyse_statics() {
  const StaticEquilibrium equilibrium = find_static_equilibrium(*system_, state_);
  state_ = projected_ = equilibrium.state;
  summary_.verdict = name_of(equilibrium.stability);
  v_rate_.setZero();
  recorder_->record(equilibrium.state, v_rate_, equilibrium.multipliers);
  if (!equilibrium.outcome) fail(equilibrium.outcome.reason);
}

// Vibration about the position of the file, held still.
void RunInProgress::analyse_modes() {
  state_.v.setZero();
  sample(state_, state_.t);
  if (v_rate_.norm() > 1e-6 * (1 + residual_force())) {
    warn(
        "the position is not an equilibrium: the modes are those of the frozen position; run a static analysis "
        "first");
  }
  const Eigen::VectorXd lambda = system_->multipliers(state_.t, state_.q.data(), state_.v.data());
  for (const Mode& mode : linearise(*system_, state_, lambda).modes)
    summary_.modes.push_back({mode.frequency, mode.damping_ratio});
}

// Size of the accelerations that the loads alone would cause.
double RunInProgress::residual_force() {
  system_->loads(state_.t, state_.q.data(), state_.v.data(), load_);
  return load_.cwiseQuotient(Eigen::VectorXd(system_->mass().diagonal())).norm();
}

}  // namespace carom
