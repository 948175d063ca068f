#pragma once

#include "impact/contact_solver.h"

namespace carom {

// Projected Gauss–Seidel iterations on the assembled Delassus operator: one contact after the other is brought into
// agreement with its law while the others stand. SweepSolver does the same without assembling anything.
// Nothing is allocated once the largest problem has been seen.
class GaussSeidelSolver final : public ContactSolver {
 public:
  double tolerance = 1e-10;  // relative, of the natural map in the energy norm
  int most_iterations = 10000;

  void solve(const ContactProblem& problem, ContactSolution& solution) override;

 private:
  void iterate(const ContactProblem& problem, ContactSolution& solution) const;
};

}  // namespace carom
