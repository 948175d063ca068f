#include "impact/contact_solver.h"

#include <cassert>

namespace carom::inline impact {
namespace {

constexpr const char* newton_name = "direct";  // the solver of last resort

}  // namespace

void solve(const ContactProblem& problem, ContactSolver& solver, ContactSolution& solution) {
  if (static_cast<int>(solution.impulses.size()) != problem.rows) solution.impulses.assign(problem.rows, 0.0);
  solver.solve(problem, solution);
  solution.residual =
      solution.outcome.closed_form ? NaturalMapResidual{} : natural_map_residual(problem, solution.impulses);
}

void set_statuses(const ContactProblem& problem, ContactSolution& solution) {
  solution.statuses.resize(problem.contacts.size());
  solution.ball_statuses.resize(problem.balls.size());
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ProblemContact& contact = problem.contacts[c];
    const double sigma = solution.impulses[contact.row] - contact.weight * solution.velocities[contact.row];
    const bool open = sigma < 0 && !contact.bilateral;
    solution.statuses[c] = open ? ContactStatus::open : ContactStatus::stick;
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      const FrictionBall& ball = problem.balls[b];
      double square = 0;
      for (int k = ball.row; k < ball.row + ball.size; ++k) {
        const double trial = solution.impulses[k] - ball.weight * solution.velocities[k];
        square += trial * trial;
      }
      const double bound = ball.radius * std::max(0.0, sigma);
      solution.ball_statuses[b] = open                     ? ContactStatus::open
                                  : square < bound * bound ? ContactStatus::stick
                                                           : ContactStatus::slip;
    }
    if (!open && contact.balls > 0) solution.statuses[c] = solution.ball_statuses[contact.first_ball];
  }
}

StepSolver::StepSolver(const std::string& name, const Settings& keys)
    : newton_(find_contact_solver(newton_name)->make({})) {
  const ContactSolverDescription* type = find_contact_solver(name);
  assert(type);
  if (type->form == ContactForm::assembled && type->name != newton_name) chosen_ = type->make(keys);
}

void StepSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  if (chosen_) {
    guess_ = solution.impulses;
    chosen_->solve(problem, solution);
    if (solution.outcome.converged) return;
    ++handed_over_;
    const bool usable = std::all_of(solution.impulses.begin(), solution.impulses.end(),
                                    [](double each) { return std::isfinite(each); });
    if (!usable) solution.impulses = guess_;
  }
  newton_->solve(problem, solution);
}

}  // namespace carom::inline impact
