#pragma once

#include "dynamics/system.h"

namespace carom::inline analyses {

struct VelocityReport {
  double residual = 0;  // largest of G v + g_t
  double change = 0;    // largest change of a given component, m/s or rad/s
  std::string warning;
};

// Sets state.v to the velocities that satisfy the constraints at state.q and t, keep what the model gives wherever that
// is possible, and have the least kinetic energy otherwise.
VelocityReport find_consistent_velocity(System& system, const Model& model, State& state);

}  // namespace carom::inline analyses
