#pragma once

#include "dynamics/system.h"
#include "model/model.h"

namespace carom::inline simulation {

// What is known of a motion at one instant: its state on the constraints, accelerations and reactions.
struct MotionSample {
  State state;
  Eigen::VectorXd q_rate, v_rate, power, lambda;
  SolveStatus status = SolveStatus::regular;
  double position_drift = 0, velocity_drift = 0;  // violation of the constraints by the state that was given

  // Puts the state on the constraints, where the settings ask for it, and evaluates the rest.
  void take(System& system, const SolverSettings& settings, const State& raw);
  // How far the state is from the constraints.
  void measure_drift(System& system);

 private:
  Eigen::VectorXd residual_;
};

}  // namespace carom::inline simulation
