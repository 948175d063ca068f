#pragma once

#include "dynamics/system.h"
#include "simulation/time_functions.h"

namespace carom {

// The instants at which laws of the time have kinks, passed one after another.
class KinkList {
 public:
  KinkList(const Model& model, double start, double end);
  // s, until which all laws are smooth: that instant, or the next kink.
  double limit(double until) const;
  // Takes the state over the kink that it stands before, if any: the time jumps over the gap, and a drive that changes
  // its speed takes the mechanism along. True: it did.
  bool pass(System& system, State& state);

 private:
  std::vector<TimeFunction> functions_;
  std::vector<Kink> kinks_;
  std::size_t passed_ = 0;
};

}  // namespace carom
