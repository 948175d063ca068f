#pragma once

#include <complex>

#include "dynamics/system.h"
#include "dynamics/system_signals.h"

namespace carom::inline analyses {

// Small changes about a state of rest, for the design of a control:
//   ẋ = A x + B u,   y = C x + D u
// with inputs that are signals of type held and outputs that are signals. x: coordinates of the allowed motion
// (orthonormal with the masses), their rates, and the other internal states.
struct StateSpace {
  Eigen::MatrixXd a, b, c, d;
  std::vector<std::complex<double>> poles;  // 1/s, by size
  // y(iω) / u(iω) of an output and an input; ω in rad/s.
  std::complex<double> response(int output, int input, double frequency) const;
};

// By derivatives of the equations of motion; those by position and velocity as tangents, others by differences.
StateSpace make_state_space(System& system, const State& state, const Eigen::VectorXd& multipliers,
                            const std::vector<int>& inputs, const std::vector<int>& outputs);

}  // namespace carom::inline analyses
