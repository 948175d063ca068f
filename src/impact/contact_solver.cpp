#include "impact/contact_solver.h"

namespace carom {

void solve(const ContactProblem& problem, ContactSolver& solver, ContactSolution& solution) {
  if (static_cast<int>(solution.impulses.size()) != problem.rows) solution.impulses.assign(problem.rows, 0.0);
  solver.solve(problem, solution);
  solution.residual =
      solution.outcome.closed_form ? NaturalMapResidual{} : natural_map_residual(problem, solution.impulses);
}

}  // namespace carom
