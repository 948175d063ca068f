#pragma once

#include "dynamics/system.h"

// From what the file says to a state that satisfies the constraints.
namespace carom::inline analyses {

struct AssemblyReport {
  bool assembled = false;
  int iterations = 0;
  double residual = 0;  // largest residual of the position constraints: m, or rad and sine of an angle
  std::vector<System::JointResidual> worst;  // every joint and drive, largest residual first
  std::vector<RedundantRow> redundant;       // rows that depend on others in the assembled configuration
  int degrees_of_freedom = 0;                // degrees of freedom of the bodies less independent rows, drives included
  double moved = 0;                          // m, largest displacement of a mass centre by assembly
  double turned = 0;                         // rad, largest rotation of a body by assembly
  double velocity_residual = 0;              // largest of G v + g_t at the end
  double velocity_change = 0;                // largest change of a given component of a velocity, m/s or rad/s
  std::string warning;  // which given velocities had to be changed, and by how much; empty when none had
};

// Closes the loops from the inexact configuration of `state`, then finds consistent velocities: those that the file
// gives are kept wherever the constraints allow it, the others follow with the least kinetic energy. A body whose
// velocity is not given has no wish, not even to stand still.
//
// Positions by damped Newton; if that stalls, by Levenberg–Marquardt, from the configuration of the file and from a few
// disturbed ones. Without success `state` holds the best of all and `worst` reports which joints stay open.
AssemblyReport assemble(System& system, const Model& model, State& state);

// Why a mechanism cannot be assembled: the joints with the largest residuals.
std::string unassemblable_message(const AssemblyReport& report);

}  // namespace carom::inline analyses
