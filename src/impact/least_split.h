#pragma once

#include "impact/impulse_solver.h"

namespace carom::inline impact {

// Redundant contacts (a box on more than three corners, two jaws that press on each other through a box) carry a load
// in more than one way: impulses that differ by a null vector of W give the same velocities. Of all of them this finds
// the one that W + εI gives for ε → 0, the smallest, which is symmetric where the model is, and the same for all
// solvers.
//
// By proximal steps from zero: (W + εI) λ + b − ε λ' = u with λ' of the step before. Each takes the error down by ε of
// W, and leaves the part in the null space as the first has found it.
// Nothing is allocated once the largest problem has been seen.
class LeastSplit {
 public:
  // Takes a solution by any solver and replaces its impulses, if contacts are redundant and the smaller ones solve the
  // problem as well. True: they were replaced. Always by Newton's method: projected Gauss–Seidel would need 1/ε
  // iterations in the null space.
  bool apply(const ContactProblem& problem, ContactSolution& solution);

 private:
  bool is_redundant(const ContactProblem& problem, const ContactSolution& solution);

  ImpulseSolver solver_;
  ContactProblem shifted_;
  ContactSolution least_;
  std::vector<int> active_;
  std::vector<double> factor_;
  std::vector<std::size_t> first_;  // entries of its rows
};

}  // namespace carom::inline impact
