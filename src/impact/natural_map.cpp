#include "impact/natural_map.h"

namespace carom::inline impact {
namespace {

double velocity_of(const ContactProblem& problem, const std::vector<double>& impulses, int row) {
  const double* w = problem.delassus_row(row);
  double sum = problem.offset[row];
  for (int j = 0; j < problem.rows; ++j) sum += w[j] * impulses[j];
  return sum;
}

}  // namespace

NaturalMapResidual natural_map_residual(const ContactProblem& problem, const std::vector<double>& impulses) {
  NaturalMapResidual result;
  double total = 0, scale = 0;
  const auto add = [&](double square, double weight) {
    total += square / weight;
    result.velocity = std::max(result.velocity, std::sqrt(square) / weight);
  };
  for (const ProblemContact& contact : problem.contacts) {
    const double lambda = impulses[contact.row];
    const double sigma = lambda - contact.weight * velocity_of(problem, impulses, contact.row);
    const double normal = contact.bilateral ? sigma : std::max(0.0, sigma);
    add((lambda - normal) * (lambda - normal), contact.weight);
    scale += std::max(lambda * lambda, sigma * sigma) / contact.weight;
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      const FrictionBall& ball = problem.balls[b];
      double trial[largest_ball], square = 0;
      for (int k = 0; k < ball.size; ++k) {
        const int row = ball.row + k;
        trial[k] = impulses[row] - ball.weight * velocity_of(problem, impulses, row);
        square += trial[k] * trial[k];
      }
      const double size = std::sqrt(square), bound = ball.radius * std::max(0.0, normal);
      const double shrink = size > bound ? bound / size : 1;
      double wrong = 0;
      for (int k = 0; k < ball.size; ++k) {
        const double each = impulses[ball.row + k] - shrink * trial[k];
        wrong += each * each;
      }
      add(wrong, ball.weight);
    }
  }
  result.relative = scale > 0 ? std::sqrt(total / scale) : 0;
  return result;
}

}  // namespace carom::inline impact
