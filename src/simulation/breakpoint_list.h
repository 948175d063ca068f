#pragma once

#include "dynamics/system.h"
#include "simulation/time_functions.h"

namespace carom::inline simulation {

// The instants at which laws of the time have breakpoints, passed one after another.
class BreakpointList {
 public:
  BreakpointList(const Model& model, double start, double end);
  // s, until which all laws are smooth: that instant, or the next breakpoint.
  double limit(double until) const;
  // Takes the state over the breakpoint that it stands before, if any: the time jumps over the gap, and a drive that
  // changes its speed takes the mechanism along. True: it did.
  bool pass(System& system, State& state);

 private:
  std::vector<TimeFunction> functions_;
  std::vector<Breakpoint> breakpoints_;
  std::size_t passed_ = 0;
};

}  // namespace carom::inline simulation
