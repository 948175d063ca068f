#include "impact/coulomb_residual.h"

#include <limits>

namespace carom::inline impact {
namespace {

struct Weights {
  bool unit = false;  // ρ = 1 everywhere
  double of(const ProblemContact& contact) const { return unit ? 1 : contact.weight; }
  double of(const FrictionBall& ball) const { return unit ? 1 : ball.weight; }
};

// Normal component of the projection. It is the root of
//   (n − a)/ρ_N = Σ_B r_B max(0, |t_B| − r_B n)/ρ_B,
// or zero if that is negative. The difference of both sides grows and is concave and piecewise linear in n: Newton's
// iteration from the left passes one breakpoint at least with every step, and ends on the root.
double projected_normal(const ContactProblem& problem, const ProblemContact& contact, Weights weights, double normal,
                        const std::vector<double>& sizes) {
  double n = 0;
  for (int pass = 0; pass <= contact.balls; ++pass) {
    double value = (n - normal) / weights.of(contact), slope = 1 / weights.of(contact);
    for (int k = 0; k < contact.balls; ++k) {
      const FrictionBall& ball = problem.balls[contact.first_ball + k];
      const double beyond = sizes[k] - ball.radius * n;
      if (beyond <= 0) continue;
      value -= ball.radius * beyond / weights.of(ball);
      slope += ball.radius * ball.radius / weights.of(ball);
    }
    if (value >= 0) break;
    n -= value / slope;
  }
  return n;
}

// Σ F²/ρ of one contact.
double contact_share(const ContactProblem& problem, const ProblemContact& contact, Weights weights,
                     const std::vector<double>& u, const std::vector<double>& impulse, std::vector<double>& trial,
                     std::vector<double>& sizes) {
  double shift = 0;
  sizes.assign(contact.balls, 0.0);
  for (int k = 0; k < contact.balls; ++k) {
    const FrictionBall& ball = problem.balls[contact.first_ball + k];
    shift += ball.radius * norm_of(u.data() + ball.row, ball.size);
    for (int i = ball.row; i < ball.row + ball.size; ++i) trial[i] = impulse[i] - weights.of(ball) * u[i];
    sizes[k] = norm_of(trial.data() + ball.row, ball.size);
  }
  const double normal = impulse[contact.row] - weights.of(contact) * (u[contact.row] + shift);
  const double projected = projected_normal(problem, contact, weights, normal, sizes);
  const double wrong = impulse[contact.row] - projected;
  double share = wrong * wrong / weights.of(contact);
  for (int k = 0; k < contact.balls; ++k) {
    const FrictionBall& ball = problem.balls[contact.first_ball + k];
    const double bound = ball.radius * projected, shrink = sizes[k] > bound ? bound / sizes[k] : 1;
    for (int i = ball.row; i < ball.row + ball.size; ++i) {
      const double f = impulse[i] - shrink * trial[i];
      share += f * f / weights.of(ball);
    }
  }
  return share;
}

// Of the free velocities, and of all that is added up to local velocities, in the norm of the residual.
struct Scales {
  double free = 0, summed = 0;
};

Scales scales_of(const ContactProblem& problem, const std::vector<double>& impulse) {
  Scales scales;
  const auto add = [&](int row, double weight) {
    const double* w = problem.delassus_row(row);
    double sum = std::abs(problem.offset[row]);
    scales.free += weight * sum * sum;
    for (int j = 0; j < problem.rows; ++j) sum += std::abs(w[j] * impulse[j]);
    scales.summed += weight * sum * sum;
  };
  for (const ProblemContact& contact : problem.contacts) {
    add(contact.row, contact.weight);
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      for (int k = 0; k < problem.balls[b].size; ++k) add(problem.balls[b].row + k, problem.balls[b].weight);
    }
  }
  return {std::sqrt(scales.free), std::sqrt(scales.summed)};
}

}  // namespace

std::vector<double> local_velocities(const ContactProblem& problem, const std::vector<double>& impulse) {
  std::vector<double> u = problem.offset;
  for (int i = 0; i < problem.rows; ++i) {
    const double* row = problem.delassus_row(i);
    for (int j = 0; j < problem.rows; ++j) u[i] += row[j] * impulse[j];
  }
  return u;
}

CoulombResidual coulomb_residual(const ContactProblem& problem, const std::vector<double>& impulse,
                                 const std::vector<double>& u) {
  std::vector<double> trial(problem.rows), sizes;
  CoulombResidual result;
  double weighted = 0, unweighted = 0, largest = 0;
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ProblemContact& contact = problem.contacts[c];
    const double share = contact_share(problem, contact, {}, u, impulse, trial, sizes);
    weighted += share;
    if (share > largest) largest = share, result.worst = static_cast<int>(c);
    unweighted += contact_share(problem, contact, {.unit = true}, u, impulse, trial, sizes);
  }
  result.absolute = std::sqrt(weighted);
  result.unweighted = std::sqrt(unweighted);
  const Scales scales = scales_of(problem, impulse);
  const double scale = scales.free > 0 ? scales.free : 1;
  result.relative = result.absolute / scale;
  result.rounding = std::numeric_limits<double>::epsilon() * scales.summed / scale;
  // Numbers so large that their squares are none tell nothing.
  if (!std::isfinite(scales.summed) || !std::isfinite(result.relative))
    result.relative = std::numeric_limits<double>::infinity(), result.rounding = 0;
  return result;
}

}  // namespace carom::inline impact
