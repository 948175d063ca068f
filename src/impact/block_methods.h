#pragma once

#include "impact/block_newton.h"
#include "impact/block_sweeps.h"
#include "impact/contact_solution.h"
#include "impact/interior_point.h"

namespace carom::inline impact {

// What a phase of a solver did.
struct MethodRun {
  bool solved = false;
  int iterations = 0;
};

// The methods that work on sparse blocks, one after the other on one problem: each goes on from the best impulses that
// there are.
template <int B>
class BlockMethods {
 public:
  using Vectors = typename ContactBlocks<B>::Vectors;

  // `impulses`: the first guess. True: it is a solution already.
  bool pose(const ContactProblem& problem, const std::vector<double>& impulses, double tolerance);
  // So many sweeps, and on, up to `most`, where `in_sight` more at their present speed would do.
  MethodRun sweep(int count, int most, int in_sight);
  MethodRun newton(int most_factorisations);
  // The interior point method; where the laws of the contacts have become clear, Newton's method takes over. One start
  // solves most problems, and others come after it.
  MethodRun interior(int most_iterations);

  double residual() const { return best_; }  // of x, relative
  // Impulses, velocities, statuses and residual.
  void report(const ContactProblem& problem, ContactSolution& solution);

 private:
  bool is_solved() const { return best_ <= tolerance_; }
  void analyse();
  double relative(const Vectors& x);
  void keep(const Vectors& x, double residual);
  bool interior_from(const InteriorStart& start, int most_iterations, int& iterations);
  bool finish_by_newton(double from, int& iterations);

  ContactBlocks<B> blocks_;
  BlockLu<B> lu_;
  BlockNewton<B> newton_;
  BlockSweeps<B> sweeps_;
  InteriorPoint<B> interior_;
  BlockResidual<B> at_;
  std::vector<typename BlockResidual<B>::Law> laws_;
  Vectors x_, trial_;
  double best_ = 0, tolerance_ = 0;
  bool analysed_ = false;
};

extern template class BlockMethods<2>;
extern template class BlockMethods<3>;
extern template class BlockMethods<6>;

// The same whatever the number of rows of a contact: calls `what` with methods whose blocks are as large as need be.
class AnyBlockMethods {
 public:
  // False: a contact has more rows than the largest blocks.
  template <class What>
  bool with(const ContactProblem& problem, const What& what) {
    if (ContactBlocks<2>::fits(problem)) return what(two_), true;
    if (ContactBlocks<3>::fits(problem)) return what(three_), true;
    if (ContactBlocks<6>::fits(problem)) return what(six_), true;
    return false;
  }

 private:
  BlockMethods<2> two_;
  BlockMethods<3> three_;
  BlockMethods<6> six_;
};

// Where a contact has more rows than the largest blocks: the impulses stay, and the outcome says so.
void leave_unsolved(const ContactProblem& problem, ContactSolution& solution);

}  // namespace carom::inline impact
