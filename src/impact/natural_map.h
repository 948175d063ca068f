#pragma once

#include <vector>

#include "impact/contact_problem.h"

namespace carom::inline impact {

// How far impulses are from solving a contact problem. The natural map is
//   F(λ) = λ − P(λ − w u),  u = W λ + b,  P: normal part ≥ 0, each ball within its radius times that normal part,
// with the weights w of the problem, and zero at solutions only.
struct NaturalMapResidual {
  double relative = 0;  // √(Σ F²/w) over √(Σ max(λ_N², σ_N²)/w), σ = λ − w u: an energy norm; 0 where nothing acts
  double velocity = 0;  // largest |F|/w of a normal row or a ball, in the unit of u
};

// Judged by problem and impulses alone: shares nothing with any solver.
NaturalMapResidual natural_map_residual(const ContactProblem& problem, const std::vector<double>& impulses);

}  // namespace carom::inline impact
