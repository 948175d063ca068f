#pragma once

#include "impact/contact_solution.h"

namespace carom {

// Solves contact problems, and knows nothing of where they come from.
class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  // From the first guess in solution.impulses; fills all but the residual of the natural map.
  virtual void solve(const ContactProblem& problem, ContactSolution& solution) = 0;
};

// Solves a problem by any solver, from solution.impulses as the first guess (zeros where it has another size), and
// judges what came out by the natural map.
void solve(const ContactProblem& problem, ContactSolver& solver, ContactSolution& solution);

}  // namespace carom
