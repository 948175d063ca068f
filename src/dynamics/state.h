#pragma once

#include <Eigen/Core>

namespace carom {

// A point of the trajectory. `work` integrates the power of every non-conservative element, contact and drive, J.
struct State {
  double t = 0;
  Eigen::VectorXd q, v, work;
};

}  // namespace carom
