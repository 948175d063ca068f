#pragma once

#include <vector>

#include "impact/contact_problem.h"

// How far impulses are from solving a contact problem, judged by the problem alone: nothing here knows a solver.
//
// Coulomb's law with all balls of a contact is (De Saxcé, Feng, Math. Comput. Modelling 28 (1998) 225–245)
//   K* ∋ û ⊥ λ ∈ K,  û = u + (Σ_B r_B |u_B|) n,  K = { λ_N ≥ 0, |λ_B| ≤ r_B λ_N for all balls B },
// and its natural map
//   F(λ) = λ − projection on K of (λ − ρ û)
// vanishes exactly at its solutions, for any ρ > 0. The projection is the nearest point in the metric 1/ρ, where ρ may
// differ between the normal and each ball of a contact.
//
// natural_map_residual (impact/natural_map.h) judges by the projections of Alart and Curnier, one after the other, with
// which solvers iterate; it has the same zeros, and measures the distance from them in another way.
namespace carom::inline impact {

struct CoulombResidual {
  double absolute = 0;  // √(Σ F²/ρ) with the weights of the problem as ρ: √(kg) m/s, an energy's root
  double relative = 0;  // of √(Σ ρ b²), of the free velocities; the absolute one where these are zero
  double rounding = 0;  // what rounding alone may make of the relative one: ε √(Σ ρ (|W| |λ| + |b|)²) / √(Σ ρ b²)
  double unweighted = 0;  // √(Σ F²) with ρ = 1 everywhere, as FCLIB's merit function has it
  int worst = -1;         // contact with the largest share of the absolute residual; −1: all shares are zero
};

// u = W λ + b.
std::vector<double> local_velocities(const ContactProblem& problem, const std::vector<double>& impulse);

// λ and u have as many entries as the problem has rows. Allocates; not for use inside a step.
CoulombResidual coulomb_residual(const ContactProblem& problem, const std::vector<double>& impulse,
                                 const std::vector<double>& velocity);
inline CoulombResidual coulomb_residual(const ContactProblem& problem, const std::vector<double>& impulse) {
  return coulomb_residual(problem, impulse, local_velocities(problem, impulse));
}

}  // namespace carom::inline impact
