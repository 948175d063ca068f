#pragma once

#include "dynamics/system.h"

namespace carom::inline analyses {

struct Closure {
  bool closed = false;
  int iterations = 0;
  double residual = 0;  // largest
};

// Positions with g(q, t) = 0 near state.q, by Newton's method with step control. state.q is the best position found.
Closure close_loops(System& system, State& state);

// The same with every means: Newton, Levenberg–Marquardt, disturbed starting positions.
Closure close_loops_from_afar(System& system, State& state);

// Residuals up to this are those of a closed mechanism.
double closing_tolerance(const System& system);

}  // namespace carom::inline analyses
