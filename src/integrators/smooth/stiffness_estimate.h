#pragma once

#include "dynamics/system.h"

namespace carom::inline smooth_integrators {

// How fast the fastest part of a motion is: the modulus of the largest eigenvalue of the right-hand side, 1/s, by power
// iteration with differences of rates. One direction is carried along from look to look, so that a few evaluations
// follow a system that changes slowly (Sommeijer, Shampine, Verwer, J. Comput. Appl. Math. 88 (1998) 315–326).
// Positions and velocities are mapped onto each other, so that the growth over two iterations is the square of a
// frequency: the estimate is the mean, in the geometric sense, over both.
class StiffnessEstimate {
 public:
  explicit StiffnessEstimate(System& system);

  // 1/s, after so many pairs of iterations; each pair costs two evaluations, and the look one more. 0 where the rates
  // cannot be evaluated.
  double look(const State& state, int pairs);
  long evaluations() const { return evaluations_; }

 private:
  bool rates_at(const State& state, double share, Eigen::VectorXd& rate);
  double advance_direction(const State& state);
  void begin();

  System& system_;
  const int nq_, nv_, nw_, nz_;
  const Eigen::VectorXd scale_;  // of the entries of [q, v, work]; 0: an entry that does not act on the motion
  Eigen::VectorXd direction_, here_, there_;
  State moved_;
  bool begun_ = false;
  long evaluations_ = 0;
};

}  // namespace carom::inline smooth_integrators
