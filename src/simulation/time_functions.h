#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace carom::inline simulation {

// A function of the time that the model gives: the law of a drive, or a component of a load.
struct TimeFunction {
  std::string key;  // as in the file: motion.spin.speed, force.pull.force
  Function value;
  int motion = -1;  // index of the drive; −1: a load
};

std::vector<TimeFunction> time_functions(const Model& model);

// An instant at which functions of the time, or their first or second derivatives, may jump. Up to `before` all of them
// are what they are on the left, from `after` on what they are on the right; the gap is a few units in the last place
// of the time.
struct Breakpoint {
  double before = 0, after = 0;
  std::vector<int> functions;  // indices of those that have it
};

// All breakpoints inside (start, end] in their order; those that rounding cannot tell apart are one. That of the end,
// if there is one, has after > end.
std::vector<Breakpoint> find_breakpoints(const std::vector<TimeFunction>& functions, double start, double end);

// s, the end of a run, or just before it where a law has a breakpoint there: that is seen from the inside.
double last_instant(const std::vector<TimeFunction>& functions, double start, double end);

// "force.pull.force (expression `sqrt(0.5-t)`) is not finite near t = 0.5 s", for the functions that cease to be finite
// in [from, until]; empty: all are finite.
std::string not_finite_text(const std::vector<TimeFunction>& functions, double from, double until);

}  // namespace carom::inline simulation
