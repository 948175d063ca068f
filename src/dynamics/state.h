#pragma once

#include <Eigen/Core>

namespace carom::inline dynamics {

// A point of the trajectory. `work` integrates the power of every non-conservative element, contact and drive, J;
// `internal` are states of elements that act on the motion: deflections of the bristles of friction, m.
struct State {
  double t = 0;
  Eigen::VectorXd q, v, work, internal = {};
};

}  // namespace carom::inline dynamics
