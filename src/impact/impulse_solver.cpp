#include "impact/impulse_solver.h"

#include <array>
#include <limits>

namespace carom::inline impact {
namespace {

constexpr int max_iterations = 30;
constexpr int max_cuts = 4;  // of a step: 1/16 at the least
constexpr double sufficient_decrease = 1e-3;
constexpr std::array<double, 2> softenings = {1, 0.25};  // of the weights of friction
constexpr std::size_t few_contacts = 4;                  // with which plain Newton gets along
constexpr double near_solution = 1e-5;                   // relative residual from which it does with any number
constexpr int first_iterations = 30, more_iterations = 100;
constexpr int damped_rounds = 2, max_rounds = 10;
constexpr int max_damped = 20;                                                   // iterations of a round
constexpr double first_damping = 1e-2, least_damping = 1e-9, most_damping = 10;  // of a diagonal of about one
// Relative residual that will do where nothing better is found: many ways to carry a load make the last digits slow.
constexpr double good_enough = 1e-5, last_resort = 1e-3;
// Rows that others already determine leave no pivot; this much gives them one, and the iteration on the true residual
// does not feel it.
constexpr double least_pivot = 1e-11, redundant_rows = 1e-9;
constexpr double smallest_scale = 1e-300;
constexpr double negligible_coupling = 1e-14;

}  // namespace

// Fills velocities, statuses and the residual λ − projection(λ − w u); returns its norm √(Σ f²/w).
double ImpulseSolver::residual(const ContactProblem& problem, const std::vector<double>& impulse, double softening) {
  for (int i = 0; i < problem.rows; ++i) {
    velocity_[i] = pattern_.product(problem, i, impulse.data(), problem.offset[i]);
  }
  double total = 0, scale = 0, weights = 0;
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ProblemContact& contact = problem.contacts[c];
    const double sigma = impulse[contact.row] - contact.weight * velocity_[contact.row];
    const bool open = sigma < 0 && !contact.bilateral;
    contact_status_[c] = open ? ContactStatus::open : ContactStatus::stick;
    residual_[contact.row] = open ? impulse[contact.row] : contact.weight * velocity_[contact.row];
    total += residual_[contact.row] * residual_[contact.row] / contact.weight;
    scale += std::max(impulse[contact.row] * impulse[contact.row], sigma * sigma) / contact.weight;
    weights += contact.weight;
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      const FrictionBall& ball = problem.balls[b];
      const double weight = softening * ball.weight;
      const double* lambda = impulse.data() + ball.row;
      double* f = residual_.data() + ball.row;
      double trial[largest_ball];
      for (int k = 0; k < ball.size; ++k) trial[k] = lambda[k] - weight * velocity_[ball.row + k];
      const double size = norm_of(trial, ball.size), bound = ball.radius * std::max(0.0, sigma);
      if (open) {
        ball_status_[b] = ContactStatus::open;
        std::copy_n(lambda, ball.size, f);
      } else if (size < bound) {
        ball_status_[b] = ContactStatus::stick;
        for (int k = 0; k < ball.size; ++k) f[k] = lambda[k] - trial[k];
      } else {
        ball_status_[b] = ContactStatus::slip;
        const double shrink = size > 0 ? bound / size : 0;
        for (int k = 0; k < ball.size; ++k) f[k] = lambda[k] - shrink * trial[k];
      }
      for (int k = 0; k < ball.size; ++k) total += f[k] * f[k] / weight;
    }
    if (!open && contact.balls > 0) contact_status_[c] = ball_status_[contact.first_ball];
  }
  scale_ = std::sqrt(scale);
  accepted_ = problem.tolerance * scale_ + problem.negligible * std::sqrt(weights);
  return std::sqrt(total);
}

// In the order of elimination.
void ImpulseSolver::take_closed_rows(const ContactProblem& problem) {
  rows_.clear();
  std::fill(place_.begin(), place_.end(), -1);
  const auto take = [&](int row) {
    place_[row] = static_cast<int>(rows_.size());
    rows_.push_back(row);
  };
  for (std::size_t k = 0; k < problem.contacts.size(); ++k) {
    const std::size_t c = pattern_.is_full() ? k : pattern_.order()[k];
    if (contact_status_[c] == ContactStatus::open) continue;
    const ProblemContact& contact = problem.contacts[c];
    take(contact.row);
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      for (int l = 0; l < problem.balls[b].size; ++l) take(problem.balls[b].row + l);
    }
  }
}

// Impulses of open contacts go to zero; what this changes in the velocities of the closed ones → opened_.
void ImpulseSolver::let_go_of_others(const ContactProblem& problem, const std::vector<double>& impulse) {
  for (int i = 0; i < problem.rows; ++i) step_[i] = place_[i] < 0 ? -impulse[i] : 0;
  for (const int row : rows_) opened_[row] = pattern_.product(problem, row, step_.data(), 0);
}

// A row of the Delassus operator to an equation.
inline void ImpulseSolver::add_scaled(const ContactProblem& problem, int equation, int row, double factor) {
  double* const target = matrix_.data() + static_cast<std::ptrdiff_t>(equation) * static_cast<int>(rows_.size());
  pattern_.add_scaled(problem, row, factor, rows_, place_, target);
}

// F = w u
inline void ImpulseSolver::hold(const ContactProblem& problem, int row, double weight) {
  const int i = place_[row];
  add_scaled(problem, i, row, weight);
  right_[i] = -residual_[row] - weight * opened_[row];
}

// F = λ − r σ_N τ,  dF = dλ − r τ dσ_N − (r σ_N/|σ|) (1 − τ τᵀ) dσ
inline void ImpulseSolver::slip(const ContactProblem& problem, const std::vector<double>& impulse,
                                const ProblemContact& contact, const FrictionBall& ball, double weight) {
  const double sigma = impulse[contact.row] - contact.weight * velocity_[contact.row];
  double trial[largest_ball];
  for (int k = 0; k < ball.size; ++k) trial[k] = impulse[ball.row + k] - weight * velocity_[ball.row + k];
  const double size = norm_of(trial, ball.size);
  const double turn = size > 0 ? ball.radius * sigma / size : 0;
  for (int k = 0; k < ball.size; ++k) {
    const int i = place_[ball.row + k];
    double* row = matrix_.data() + static_cast<std::ptrdiff_t>(i) * static_cast<int>(rows_.size());
    const double tau = size > 0 ? trial[k] / size : 0;
    add_scaled(problem, i, contact.row, ball.radius * tau * contact.weight);
    double right = -residual_[ball.row + k] - ball.radius * tau * contact.weight * opened_[contact.row];
    for (int l = 0; l < ball.size; ++l) {
      const double part = turn * ((k == l ? 1 : 0) - tau * (size > 0 ? trial[l] / size : 0));
      add_scaled(problem, i, ball.row + l, part * weight);
      row[place_[ball.row + l]] -= part;
      right -= part * weight * opened_[ball.row + l];
    }
    row[i] += 1;
    row[place_[contact.row]] -= ball.radius * tau;
    right_[i] = right;
  }
}

bool ImpulseSolver::solve_equations(double regularisation) {
  const int n = static_cast<int>(rows_.size());
  for (int i = 0; i < n; ++i) matrix_[static_cast<std::ptrdiff_t>(i) * n + i] += regularisation;
  if (!solver_.solve(n, matrix_.data(), right_.data(), regularisation > 0 ? 0 : least_pivot)) return false;
  for (int i = 0; i < n; ++i) {
    if (!std::isfinite(right_[i])) return false;
    step_[rows_[i]] = right_[i];
  }
  return true;
}

// Newton's direction → step_. Impulses of open contacts go to zero; the equations are those of the others.
bool ImpulseSolver::direction(const ContactProblem& problem, const std::vector<double>& impulse, double softening,
                              double regularisation) {
  take_closed_rows(problem);
  matrix_.assign(rows_.size() * rows_.size(), 0.0);
  right_.resize(rows_.size());
  let_go_of_others(problem, impulse);
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    if (contact_status_[c] == ContactStatus::open) continue;
    const ProblemContact& contact = problem.contacts[c];
    hold(problem, contact.row, contact.weight);
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      const FrictionBall& ball = problem.balls[b];
      const double weight = softening * ball.weight;
      if (ball_status_[b] == ContactStatus::stick) {
        for (int k = 0; k < ball.size; ++k) hold(problem, ball.row + k, weight);
      } else {
        slip(problem, impulse, contact, ball, weight);
      }
    }
  }
  return solve_equations(regularisation);
}

SolverOutcome ImpulseSolver::newton(const ContactProblem& problem, std::vector<double>& impulse, double softening) {
  SolverOutcome outcome;
  double norm = residual(problem, impulse, softening);
  for (;; ++outcome.iterations) {
    outcome.residual = norm / std::max(scale_, smallest_scale);
    outcome.converged = norm <= accepted_;
    if (outcome.converged || outcome.iterations == max_iterations || !std::isfinite(norm)) return outcome;
    if (!direction(problem, impulse, softening, 0) && !direction(problem, impulse, softening, redundant_rows))
      return outcome;
    double part = 1, next = 0;
    for (int cut = 0;; ++cut, part *= 0.5) {
      for (int i = 0; i < problem.rows; ++i) trial_[i] = impulse[i] + part * step_[i];
      next = residual(problem, trial_, softening);
      // The first step starts from nothing and is not comparable. If no part of a step helps, the whole one changes
      // the set of closed contacts, which is usually what is missing.
      if (outcome.iterations == 0 || next <= (1 - sufficient_decrease * part) * norm || next <= accepted_) break;
      if (cut == max_cuts) {
        for (int i = 0; i < problem.rows; ++i) trial_[i] = impulse[i] + step_[i];
        next = residual(problem, trial_, softening);
        break;
      }
      ++outcome.cuts;
    }
    impulse.swap(trial_);
    norm = next;
  }
}

// Steps that are too bold are taken again with more damping; what helps is kept, so the residual only falls.
SolverOutcome ImpulseSolver::damped_newton(const ContactProblem& problem, std::vector<double>& impulse) {
  SolverOutcome outcome;
  double norm = residual(problem, impulse, 1), damping = first_damping;
  for (;; ++outcome.iterations) {
    outcome.residual = norm / std::max(scale_, smallest_scale);
    outcome.converged = norm <= accepted_;
    if (outcome.converged || outcome.iterations == max_damped || !std::isfinite(norm)) return outcome;
    if (damping > most_damping) return outcome;
    if (!direction(problem, impulse, 1, damping)) return outcome;
    for (int i = 0; i < problem.rows; ++i) trial_[i] = impulse[i] + step_[i];
    const double next = residual(problem, trial_, 1);
    if (next <= (1 - sufficient_decrease) * norm || next <= accepted_) {
      impulse.swap(trial_);
      norm = next;
      damping = std::max(least_damping, 0.1 * damping);
    } else {
      ++outcome.cuts;
      damping *= 10;
      residual(problem, impulse, 1);  // statuses belong to the iterate
    }
  }
}

void ImpulseSolver::iterate_once(const ContactProblem& problem, std::vector<double>& impulse, int count) {
  const auto velocity = [&](int row) { return pattern_.product(problem, row, impulse.data(), problem.offset[row]); };
  for (int pass = 0; pass < count; ++pass) {
    for (const ProblemContact& contact : problem.contacts) {
      impulse[contact.row] -= contact.weight * velocity(contact.row);
      if (!contact.bilateral) impulse[contact.row] = std::max(0.0, impulse[contact.row]);
      for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
        const FrictionBall& ball = problem.balls[b];
        double trial[largest_ball];
        for (int k = 0; k < ball.size; ++k) trial[k] = impulse[ball.row + k] - ball.weight * velocity(ball.row + k);
        const double size = norm_of(trial, ball.size), bound = ball.radius * impulse[contact.row];
        const double shrink = size > bound ? bound / size : 1;
        for (int k = 0; k < ball.size; ++k) impulse[ball.row + k] = shrink * trial[k];
      }
    }
  }
}

bool ImpulseSolver::solve_alone(const ContactProblem& problem, std::vector<double>& impulse) {
  if (problem.contacts.size() != 1 || problem.balls.size() > 1) return false;
  const double* w = problem.delassus.data();
  const int n = problem.rows;
  double held = 0;
  for (int i = 1; i < n; ++i) {
    held = std::max(held, std::abs(w[i * n + i] - w[n + 1]));
    for (int j = 0; j < i; ++j) held = std::max({held, std::abs(w[i * n + j]), std::abs(w[j * n + i])});
  }
  if (!(w[0] > 0) || (n > 1 && (!(w[n + 1] > 0) || held > negligible_coupling * w[0]))) return false;
  double normal = -problem.offset[0] / w[0];
  if (!problem.contacts[0].bilateral) normal = std::max(0.0, normal);
  const bool open = normal == 0 && problem.offset[0] > 0;
  impulse[0] = normal;
  velocity_[0] = problem.offset[0] + w[0] * normal;
  contact_status_[0] = open ? ContactStatus::open : ContactStatus::stick;
  if (n == 1) return true;
  const double size = norm_of(problem.offset.data() + 1, n - 1), stop = size / w[n + 1];
  const double bound = problem.balls[0].radius * normal;
  const double share = stop > bound ? bound / stop : 1;  // of what it takes to stop the slip
  for (int k = 1; k < n; ++k) {
    impulse[k] = -share * problem.offset[k] / w[n + 1];
    velocity_[k] = problem.offset[k] + w[n + 1] * impulse[k];
  }
  ball_status_[0] = open ? ContactStatus::open : stop >= bound ? ContactStatus::slip : ContactStatus::stick;
  contact_status_[0] = ball_status_[0];
  return true;
}

SolverOutcome ImpulseSolver::solve(const ContactProblem& problem, std::vector<double>& impulse) {
  const std::size_t rows = problem.rows;
  velocity_.resize(rows);
  contact_status_.resize(problem.contacts.size());
  ball_status_.resize(problem.balls.size());
  impulse.resize(rows, 0);
  SolverOutcome total;
  if (solve_alone(problem, impulse)) {
    total.iterations = 1;
    total.closed_form = true;
    return total;
  }
  for (auto* vector : {&residual_, &step_, &trial_, &opened_, &swept_}) vector->resize(rows);
  place_.resize(rows);
  pattern_.find(problem);
  const auto attempt = [&](const SolverOutcome& outcome) {
    total.iterations += outcome.iterations, total.cuts += outcome.cuts;
    total.converged = outcome.converged, total.residual = outcome.residual;
    return outcome.converged;
  };
  if (problem.contacts.size() <= few_contacts) {
    swept_ = impulse;
    for (const double softening : softenings) {
      if (attempt(newton(problem, impulse, softening))) return total;
      impulse = swept_;
    }
  } else if (const double norm = residual(problem, impulse, 1); norm <= accepted_) {  // at rest
    total.iterations = 1;
    total.residual = norm / std::max(scale_, smallest_scale);
    return total;
  } else if (norm <= near_solution * scale_) {
    swept_ = impulse;
    if (attempt(newton(problem, impulse, 1))) return total;
    impulse = swept_;
  }
  iterate_once(problem, impulse, first_iterations);
  for (int round = 0; round < max_rounds; ++round) {
    if (round < damped_rounds && attempt(damped_newton(problem, impulse))) return total;
    total.residual = residual(problem, impulse, 1) / std::max(scale_, smallest_scale);
    total.converged = total.residual <= (round + 1 < max_rounds ? good_enough : last_resort);
    if (total.converged && round + 1 >= damped_rounds) break;
    iterate_once(problem, impulse, more_iterations);
    total.gauss_seidel_iterations += more_iterations;
  }
  return total;
}

void ImpulseSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  solution.outcome = solve(problem, solution.impulses);
  // Swapped instead of copied: the next problem sets them anew.
  solution.velocities.swap(velocity_);
  solution.statuses.swap(contact_status_);
  solution.ball_statuses.swap(ball_status_);
}

ContactSolverDescription describe_direct_solver() {
  return {{.name = "direct",
           .summary =
               "Semi-smooth Newton iteration on the assembled Delassus operator, with a line search, and with damped "
               "steps where contacts can carry their load in more than one way; for few contacts.",
           .reference = "Alart and Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353–375"},
          {"newton"},
          ContactForm::assembled,
          200,
          true,
          [](const Settings&) -> std::unique_ptr<ContactSolver> { return std::make_unique<ImpulseSolver>(); }};
}

}  // namespace carom::inline impact
