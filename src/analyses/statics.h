#pragma once

#include "analyses/outcome.h"
#include "dynamics/system.h"

namespace carom::inline analyses {

// From the stiffness that allowed displacements meet: smallest eigenvalue of BᵀKB above, at or below zero, with the
// geometric stiffness of the joint forces included. Of a force that is not conservative the symmetric part counts.
enum class Stability { stable, neutral, unstable, unknown };

struct StaticEquilibrium {
  AnalysisOutcome outcome;
  State state;                  // at rest
  Eigen::VectorXd multipliers;  // of the equilibrium
  int iterations = 0;
  double residual = 0;  // N/√kg, out-of-balance force over the root of the mass, projected on allowed displacements
  Stability stability = Stability::unknown;
};

// Equilibrium f(q, 0, t) = Gᵀλ, g(q, t) = 0 with time and drives held at state.t, from an assembled state.
//
// Pseudo-transient continuation: an implicit step of the motion in a medium that stops every step, (K + σM) δ = f, with
// σ falling as the forces come into balance, so that it ends as Newton's method. σ stays above the most negative
// stiffness, which leads away from unstable equilibria; only a start in one stays there. Up to 400 degrees of freedom
// on the reduced space, beyond by a sparse factorisation with the constraints. Redundant constraints do no harm.
StaticEquilibrium find_static_equilibrium(System& system, const State& start);

}  // namespace carom::inline analyses
