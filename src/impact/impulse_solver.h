#pragma once

#include <vector>

#include "impact/contact_solver.h"
#include "impact/delassus_pattern.h"
#include "math/dense_solve.h"

namespace carom::inline impact {

// Semi-smooth Newton iteration on the projections of Alart and Curnier,
//   σ = λ − w u,  λ_N = max(0, σ_N),  λ_B = σ_B projected on the ball of radius r max(0, σ_N),
// with a line search that asks for a strict decrease (formulation 2.10). Where many contacts hold each other, and can
// carry their load in more than one way, whole steps of Newton lead astray: there Gauss–Seidel Gauss–Seidel iterations
// over the contacts come first, and damped steps (Levenberg, Marquardt) after them. Nothing is allocated once the
// largest problem has been seen.
class ImpulseSolver final : public ContactSolver {
 public:
  void solve(const ContactProblem& problem, ContactSolution& solution) override;
  // `impulse` holds the first guess, zeros for none.
  SolverOutcome solve(const ContactProblem& problem, std::vector<double>& impulse);

  // After the second: status of contacts and balls at the solution. A contact sticks when its first ball does, or has
  // none.
  const std::vector<ContactStatus>& statuses() const { return contact_status_; }
  const std::vector<ContactStatus>& ball_statuses() const { return ball_status_; }
  // u at the solution.
  const std::vector<double>& velocity() const { return velocity_; }

 private:
  // In closed form where friction does not act on the normal and is the same in all directions, as between balls.
  bool solve_alone(const ContactProblem& problem, std::vector<double>& impulse);
  SolverOutcome newton(const ContactProblem& problem, std::vector<double>& impulse, double softening);
  SolverOutcome damped_newton(const ContactProblem& problem, std::vector<double>& impulse);
  void iterate_once(const ContactProblem& problem, std::vector<double>& impulse, int count);
  double residual(const ContactProblem& problem, const std::vector<double>& impulse, double softening);
  bool direction(const ContactProblem& problem, const std::vector<double>& impulse, double softening,
                 double regularisation);
  // Its parts: which equations there are, what the others change in them, the equations by status, their solution.
  void take_closed_rows(const ContactProblem& problem);
  void let_go_of_others(const ContactProblem& problem, const std::vector<double>& impulse);
  void add_scaled(const ContactProblem& problem, int equation, int row, double factor);
  void hold(const ContactProblem& problem, int row, double weight);
  void slip(const ContactProblem& problem, const std::vector<double>& impulse, const ProblemContact& contact,
            const FrictionBall& ball, double weight);
  bool solve_equations(double regularisation);

  std::vector<ContactStatus> contact_status_, ball_status_;
  std::vector<double> velocity_, residual_, step_, trial_, matrix_, right_, opened_, swept_;
  std::vector<int> rows_, place_;  // rows of closed contacts, and where a row is among them
  DelassusPattern pattern_;
  DenseSolver solver_;
  double accepted_ = 0;  // residual at which the last iterate would do
  double scale_ = 0;
};

}  // namespace carom::inline impact
