#pragma once

#include "analyses/outcome.h"
#include "dynamics/system.h"

namespace carom::inline analyses {

// Motion of a mechanism whose drives leave no degree of freedom: positions by Newton's method from the time before,
// predicted by velocity and acceleration; velocities and accelerations by linear solves. The multipliers come from
// inverse dynamics, so that reactions and the forces of the drives are available.
class KinematicAnalysis {
 public:
  // `start` has been assembled.
  KinematicAnalysis(System& system, State start);

  // Moves on to the time t ≥ state().t. Fails when the mechanism is not fully driven, when a loop cannot be closed, and
  // in a singular position; the state is then the last good one.
  AnalysisOutcome advance(double t);

  const State& state() const { return state_; }
  const Eigen::VectorXd& accelerations() const { return accelerations_; }
  const Eigen::VectorXd& multipliers() const { return multipliers_; }

 private:
  AnalysisOutcome begin();
  AnalysisOutcome solve_velocities(State& state);
  AnalysisOutcome step_to(double t);
  AnalysisOutcome step_with_work(double t);
  std::string singular_message(const State& at, const State* later = nullptr) const;

  System& system_;
  State state_;
  Eigen::VectorXd accelerations_, multipliers_, powers_, position_rate_;
  std::vector<RedundantRow> redundant_;  // rows that depend on others in a regular position
  bool begun_ = false;
};

}  // namespace carom::inline analyses
