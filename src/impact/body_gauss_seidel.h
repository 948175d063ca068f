#pragma once

#include <memory>
#include <vector>

#include "impact/accelerated_sweeps.h"
#include "impact/body_contact_problem.h"
#include "impact/islands.h"

namespace carom::inline impact {

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
  // Impulses of a contact and of its resistance to turning, after the iteration before and where this one began.
  struct Impulses {
    VectorOf<D> sliding;
    AngularOf<D> turning;
  };
  struct Path {
    Impulses last, start;
  };
  static Impulses impulses_of(const Problem& problem, const BodyContact<D>& contact);
  static double lean(Problem& problem, BodyContact<D>& contact, Path& path, double share, double least, double& along);
  class Sweeps;

  GaussSeidelOutcome solve_one(Problem& problem, int island, double tolerance, int most, FirstGuess guess);
  std::size_t useful_threads() const;

  Islands islands_;
  std::unique_ptr<LaneSolver> lanes_;  // of large islands in space; null in the plane
  std::vector<GaussSeidelOutcome> outcomes_;
  std::vector<Path> paths_;  // by contact, of islands that are not in lanes
};

extern template class BodyGaussSeidel<2>;
extern template class BodyGaussSeidel<3>;

}  // namespace carom::inline impact
