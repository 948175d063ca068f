#pragma once

#include <memory>
#include <vector>

#include "impact/body_contact_problem.h"
#include "impact/islands.h"

namespace carom::inline impact {

struct GaussSeidelOutcome {
  int gauss_seidel_iterations = 0;  // of the island that needed most
  long visits = 0;                  // of contacts
  double residual = 0;              // largest change of a local velocity in the last iteration
};

class LaneSolver;

// Contact with friction between many bodies, by projected Gauss–Seidel iterations: one contact after the other is
// brought into agreement with its law while the others stand. Nothing is assembled, and a contact whose bodies have
// hardly been stirred since it was last visited is passed over, so that the work follows what changes.
//
// Islands of bodies that touch are solved for themselves, on several threads where there are many contacts. Each island
// is one thread's alone, so that results do not depend on their number. Large ones in space are solved four contacts at
// a time (lane_solver.h).
template <int D>
class BodyGaussSeidel {
 public:
  BodyGaussSeidel();
  ~BodyGaussSeidel();
  // Projected Gauss–Seidel iterations until no local velocity changes by more than `tolerance`, or `most` times.
  // `threads` = 0: as many as the machine has. The impulses that contacts begin with have acted on their bodies before,
  // or do so now.
  enum class FirstGuess { has_acted, acts };
  GaussSeidelOutcome solve(BodyContactProblem<D>& problem, double tolerance, int most, int threads = 0,
                           FirstGuess guess = FirstGuess::has_acted);
  // Of the last problem.
  const Islands& islands() const { return islands_; }
  const GaussSeidelOutcome& outcome(int island) const { return outcomes_[island]; }

 private:
  using Problem = BodyContactProblem<D>;
  static double visit(Problem& problem, BodyContact<D>& contact);
  static double turn(Problem& problem, BodyContact<D>& contact);
  // Its two bodies have moved by a visit of their contact.
  static void stir(Problem& problem, ProblemBody<D>& a, ProblemBody<D>& b, double change);
  void find_islands(const Problem& problem);
  GaussSeidelOutcome solve_island(Problem& problem, int island, double tolerance, int most) const;

  GaussSeidelOutcome solve_one(Problem& problem, int island, double tolerance, int most, FirstGuess guess);
  std::size_t useful_threads() const;

  Islands islands_;
  std::unique_ptr<LaneSolver> lanes_;  // of large islands in space; null in the plane
  std::vector<GaussSeidelOutcome> outcomes_;
};

extern template class BodyGaussSeidel<2>;
extern template class BodyGaussSeidel<3>;

}  // namespace carom::inline impact
