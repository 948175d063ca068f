#include "impact/gauss_seidel_solver.h"

namespace carom {
namespace {

constexpr int between_checks = 10;  // iterations

void add_impulse(const ContactProblem& problem, int row, double by, ContactSolution& solution) {
  if (by == 0) return;
  solution.impulses[row] += by;
  for (int i = 0; i < problem.rows; ++i) solution.velocities[i] += problem.delassus_row(i)[row] * by;
}

void set_velocities(const ContactProblem& problem, ContactSolution& solution) {
  solution.velocities = problem.offset;
  for (int i = 0; i < problem.rows; ++i) {
    const double* w = problem.delassus_row(i);
    for (int j = 0; j < problem.rows; ++j) solution.velocities[i] += w[j] * solution.impulses[j];
  }
}

void set_statuses(const ContactProblem& problem, ContactSolution& solution) {
  solution.statuses.resize(problem.contacts.size());
  solution.ball_statuses.resize(problem.balls.size());
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ProblemContact& contact = problem.contacts[c];
    const double sigma = solution.impulses[contact.row] - contact.weight * solution.velocities[contact.row];
    solution.statuses[c] = sigma < 0 ? ContactStatus::open : ContactStatus::stick;
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      const FrictionBall& ball = problem.balls[b];
      double square = 0;
      for (int k = ball.row; k < ball.row + ball.size; ++k) {
        const double trial = solution.impulses[k] - ball.weight * solution.velocities[k];
        square += trial * trial;
      }
      const double bound = ball.radius * std::max(0.0, sigma);
      solution.ball_statuses[b] = sigma < 0                ? ContactStatus::open
                                  : square < bound * bound ? ContactStatus::stick
                                                           : ContactStatus::slip;
    }
    if (sigma >= 0 && contact.balls > 0) solution.statuses[c] = solution.ball_statuses[contact.first_ball];
  }
}

}  // namespace

void GaussSeidelSolver::iterate(const ContactProblem& problem, ContactSolution& solution) const {
  for (const ProblemContact& contact : problem.contacts) {
    const double normal =
        std::max(0.0, solution.impulses[contact.row] - contact.weight * solution.velocities[contact.row]);
    add_impulse(problem, contact.row, normal - solution.impulses[contact.row], solution);
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      const FrictionBall& ball = problem.balls[b];
      double trial[largest_ball], square = 0;
      for (int k = 0; k < ball.size; ++k) {
        trial[k] = solution.impulses[ball.row + k] - ball.weight * solution.velocities[ball.row + k];
        square += trial[k] * trial[k];
      }
      const double size = std::sqrt(square), bound = ball.radius * normal;
      const double shrink = size > bound ? bound / size : 1;
      for (int k = 0; k < ball.size; ++k)
        add_impulse(problem, ball.row + k, shrink * trial[k] - solution.impulses[ball.row + k], solution);
    }
  }
}

void GaussSeidelSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  SolverOutcome& outcome = solution.outcome = {};
  solution.impulses.resize(problem.rows, 0.0);
  set_velocities(problem, solution);
  for (;;) {
    const NaturalMapResidual residual = natural_map_residual(problem, solution.impulses);
    outcome.residual = residual.relative;
    outcome.converged = residual.relative <= tolerance || residual.velocity <= problem.negligible;
    if (outcome.converged || outcome.iterations >= most_iterations || !std::isfinite(residual.relative)) break;
    for (int k = 0; k < between_checks; ++k, ++outcome.iterations) iterate(problem, solution);
    set_velocities(problem, solution);  // sums drift
  }
  set_statuses(problem, solution);
}

}  // namespace carom
