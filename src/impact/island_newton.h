#pragma once

#include "impact/body_contact_problem.h"
#include "impact/impulse_solver.h"

namespace carom::inline impact {

// Solves one island of a problem of bodies and levers by Newton's method on its assembled Delassus operator, from the
// impulses that it has: for islands that projected Gauss–Seidel does not settle, as with large ratios of masses.
// Nothing is allocated once the largest island has been seen.
template <int D>
class IslandNewton {
 public:
  // False: not converged, and bodies and impulses stay as they are. `negligible`: of the local velocities.
  bool solve(BodyContactProblem<D>& problem, const int* contacts, int count, double negligible);

 private:
  void apply(BodyContactProblem<D>& problem, BodyContact<D>& contact, const double* impulses) const;

  std::vector<int> chosen_;
  std::vector<double> guess_;
  ContactProblem assembled_;
  ContactSolution solution_;
  ImpulseSolver solver_;
};

extern template class IslandNewton<2>;
extern template class IslandNewton<3>;

}  // namespace carom::inline impact
