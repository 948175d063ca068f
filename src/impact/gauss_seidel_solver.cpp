#include "impact/gauss_seidel_solver.h"

namespace carom::inline impact {
namespace {

constexpr int most_local = 30;           // iterations on the law of one contact
constexpr double local_decrease = 1e-2;  // of the change of its impulses, after which it is left
constexpr int first_check = 10;          // iterations between looks at the residual, at the least
constexpr double check_share = 0.05;     // of all iterations so far, where that is more

}  // namespace

void GaussSeidelSolver::gather_columns(const ContactProblem& problem) {
  first_.assign(1, 0);
  rows_.clear(), values_.clear();
  for (int column = 0; column < problem.rows; ++column) {
    for (int row = 0; row < problem.rows; ++row) {
      const double value = problem.delassus_row(row)[column];
      if (value == 0) continue;
      rows_.push_back(row);
      values_.push_back(value);
    }
    first_.push_back(rows_.size());
  }
  before_.resize(problem.rows), local_.resize(problem.rows);
}

void GaussSeidelSolver::add_response(int row, double by, std::vector<double>& velocities) const {
  if (by == 0) return;
  for (std::size_t k = first_[row]; k < first_[row + 1]; ++k) velocities[rows_[k]] += values_[k] * by;
}

void GaussSeidelSolver::set_velocities(const ContactProblem& problem, ContactSolution& solution) const {
  solution.velocities = problem.offset;
  for (int row = 0; row < problem.rows; ++row) add_response(row, solution.impulses[row], solution.velocities);
}

// One pass over the normal and the balls of a contact; how much its impulses changed, in the energy norm.
double GaussSeidelSolver::settle(const ContactProblem& problem, const ProblemContact& contact,
                                 std::vector<double>& impulses) {
  double change = 0;
  const auto change_by = [&](int row, double by, double weight) {
    impulses[row] += by;
    change += by * by / weight;
    for (const int other : block_) local_[other] += problem.delassus_row(other)[row] * by;
  };
  const double free = impulses[contact.row] - contact.weight * local_[contact.row];
  const double normal = contact.bilateral ? free : std::max(0.0, free);
  change_by(contact.row, normal - impulses[contact.row], contact.weight);
  for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
    const FrictionBall& ball = problem.balls[b];
    double trial[largest_ball], square = 0;
    for (int k = 0; k < ball.size; ++k) {
      trial[k] = impulses[ball.row + k] - ball.weight * local_[ball.row + k];
      square += trial[k] * trial[k];
    }
    const double size = std::sqrt(square), bound = ball.radius * std::max(0.0, normal);
    const double shrink = size > bound ? bound / size : 1;
    for (int k = 0; k < ball.size; ++k)
      change_by(ball.row + k, shrink * trial[k] - impulses[ball.row + k], ball.weight);
  }
  return std::sqrt(change);
}

void GaussSeidelSolver::visit(const ContactProblem& problem, const ProblemContact& contact, ContactSolution& solution) {
  block_.assign(1, contact.row);
  for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
    for (int k = 0; k < problem.balls[b].size; ++k) block_.push_back(problem.balls[b].row + k);
  }
  for (const int row : block_) before_[row] = solution.impulses[row], local_[row] = solution.velocities[row];
  const double first = settle(problem, contact, solution.impulses);
  double change = first;
  for (int k = 1; k < most_local && change > local_decrease * first; ++k)
    change = settle(problem, contact, solution.impulses);
  for (const int row : block_) add_response(row, solution.impulses[row] - before_[row], solution.velocities);
}

void GaussSeidelSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  SolverOutcome& outcome = solution.outcome = {};
  solution.impulses.resize(problem.rows, 0.0);
  gather_columns(problem);
  for (int next = 0;;) {
    set_velocities(problem, solution);  // anew: sums drift
    const NaturalMapResidual residual = natural_map_residual(problem, solution.impulses);
    outcome.residual = residual.relative;
    outcome.converged = residual.relative <= tolerance || residual.velocity <= problem.negligible;
    if (outcome.converged || outcome.iterations >= most_iterations || !std::isfinite(residual.relative)) break;
    next += std::max(first_check, static_cast<int>(check_share * next));
    for (; outcome.iterations < std::min(next, most_iterations); ++outcome.iterations) {
      for (const ProblemContact& contact : problem.contacts) visit(problem, contact, solution);
    }
  }
  set_statuses(problem, solution);
}

ContactSolverDescription describe_iterative_solver() {
  return {
      {.name = "iterative",
       .summary = "Projected Gauss–Seidel iterations: one contact after the other is brought into agreement with its "
                  "law while the others stand; for many contacts. In a step nothing is assembled, and small groups "
                  "of contacts that are not settled go on by Newton's method.",
       .reference = "Jourdan, Alart, Jean, Comput. Methods Appl. Mech. Eng. 155 (1998) 31–47"},
      {"gauss-seidel"},
      ContactForm::by_bodies,
      20'000,
      false,
      [](const Settings&) -> std::unique_ptr<ContactSolver> { return std::make_unique<GaussSeidelSolver>(); }};
}

}  // namespace carom::inline impact
