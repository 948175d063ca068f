#include "integrators/nonsmooth/assembled_jump.h"

#include <algorithm>

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr double rounding = 1e-13;  // of the fastest body

}  // namespace

template <int D>
AssembledJump<D>::AssembledJump(StepContext<D>& context, Mechanism<D>& mechanism)
    : context_(context), mechanism_(mechanism), system_(context.system) {
  right_.setZero(context.nv + context.rows);
}

template <int D>
void AssembledJump<D>::build(const StepStart<D>&, const CorrectedState<D>& corrected) {
  system_.place(corrected.closed, corrected.bodies);
  responds_ = false;
  negligible_speed_ = rounding * corrected.v.template lpNorm<Eigen::Infinity>();
}

template <int D>
void AssembledJump<D>::complete(const CorrectedState<D>& corrected) {
  system_.complete(corrected.closed, corrected.bodies, ContactRows<D>::Level::velocity);
}

template <int D>
void AssembledJump<D>::respond() {
  if (!responds_) system_.respond(mechanism_.matrix());
  responds_ = true;
}

// Those that a second pass over joints and forces would find.
template <int D>
void AssembledJump<D>::add_reactions(const std::vector<double>& impulses, Eigen::VectorXd& reactions) {
  if (context_.rows == 0 || !responds_) return;
  right_.setZero();
  for (int c = 0; c < system_.contact_count(); ++c)
    system_.add_response(c, impulses.data() + system_.first_row(c), right_);
  reactions += right_.tail(context_.rows);
}

// Problems are solved up to the negligible, in each of their rows.
template <int D>
double AssembledJump<D>::least_approach(double negligible, bool) const {
  return 10 * negligible;
}

// As if they had been solved for.
template <int D>
void AssembledJump<D>::take_followed(const JumpProblem& task, ContactSolution& solution) const {
  solution.outcome = {};
  solution.impulses = task.impulses;
  solution.velocities = problem_.offset;
  solution.statuses.assign(1, task.status);
  for (int k = 0; k < problem_.rows; ++k) {
    for (int l = 0; l < problem_.rows; ++l)
      solution.velocities[k] += problem_.delassus_row(k)[l] * solution.impulses[l];
  }
}

template <int D>
void AssembledJump<D>::solve(const JumpProblem& task, const Eigen::VectorXd&, Eigen::VectorXd& jump,
                             ContactSolution& solution) {
  system_.make_problem(task.chosen, problem_);
  problem_.negligible = task.negligible;
  solution.impulses.assign(problem_.rows, 0.0);
  for (std::size_t k = 0; k < task.chosen.size(); ++k) {
    const int c = task.chosen[k], row = problem_.contacts[k].row, first = system_.first_row(c);
    for (int l = 0; l < system_.rows(c).count; ++l)
      problem_.offset[row + l] = task.local[first + l] + task.target[first + l];
  }
  if (task.followed) {
    take_followed(task, solution);
  } else {
    carom::solve(problem_, context_.solver, solution);
  }
  if (context_.observer) context_.observer(problem_, solution, context_.t_end);
  if (!solution.outcome.converged) return;
  for (std::size_t k = 0; k < task.chosen.size(); ++k) {
    const int c = task.chosen[k], row = problem_.contacts[k].row, first = system_.first_row(c);
    system_.add_response(c, solution.impulses.data() + row, jump);
    for (int l = 0; l < system_.rows(c).count; ++l)
      solution.velocities[row + l] = solution.velocities[row + l] - problem_.offset[row + l] + task.local[first + l];
  }
}

template class AssembledJump<2>;
template class AssembledJump<3>;

}  // namespace carom::inline nonsmooth_integrators
