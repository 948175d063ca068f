// Carom on the mechanisms of this folder, with the same face as the other contestants.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/system.h"
#include "mechanisms.h"

namespace carom::benchmarks {

struct CaromResult {
  std::vector<BodyCoordinates> coordinates;  // at the end time
  long steps = 0, right_hand_sides = 0;
  double seconds = 0;  // wall time of stepping, without set-up
};

class CaromModel {
 public:
  explicit CaromModel(Mechanism which);
  // The slider-crank beside a chain of first-order lags, the first of which reads the angle of the crank.
  static CaromModel with_lags(int lags);
  // Integrates from the start to the end time of the mechanism.
  CaromResult run(double tolerance, const std::string& integrator);
  // Evaluates accelerations n times along the motion; returns a number that depends on all of them.
  double evaluate(long n);
  // The same in n fixed Runge–Kutta steps of six evaluations.
  double step(long n);

 private:
  explicit CaromModel(Model model);
  Model model_;
  std::unique_ptr<System> system_;
  State start_;
};

}  // namespace carom::benchmarks
