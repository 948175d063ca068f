#pragma once

#include "impact/contact_solver.h"

namespace carom::inline impact {

// Projected Gauss–Seidel iterations on the assembled Delassus operator: one contact after the other is brought into
// agreement with its law while the others stand (Jourdan, Alart, Jean, Comput. Methods Appl. Mech. Eng. 155 (1998)
// 31–47). The rows of a contact act on each other, so that its own law is iterated, too. Only entries of W that are not
// zero are visited. SweepSolver does the same without assembling anything.
// Nothing is allocated once the largest problem has been seen.
class GaussSeidelSolver final : public ContactSolver {
 public:
  double tolerance = 1e-10;  // relative, of the natural map in the energy norm
  int most_iterations = 10000;

  void solve(const ContactProblem& problem, ContactSolution& solution) override;
  void limit(double its_tolerance, int its_most_iterations) override {
    tolerance = its_tolerance, most_iterations = its_most_iterations;
  }

 private:
  void gather_columns(const ContactProblem& problem);
  void visit(const ContactProblem& problem, const ProblemContact& contact, ContactSolution& solution);
  double settle(const ContactProblem& problem, const ProblemContact& contact, std::vector<double>& impulses);
  void add_response(int row, double by, std::vector<double>& velocities) const;
  void set_velocities(const ContactProblem& problem, ContactSolution& solution) const;

  std::vector<std::size_t> first_;      // where a column of W begins among its entries
  std::vector<int> rows_;               // of the entries
  std::vector<double> values_;          // of the entries
  std::vector<int> block_;              // rows of the contact that is visited,
  std::vector<double> before_, local_;  // its impulses before, and its velocities meanwhile
};

}  // namespace carom::inline impact
