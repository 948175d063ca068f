#include "impact/contact_problem.h"

namespace carom::inline impact {

// One over a bound of the largest eigenvalue of the block: with a larger weight Newton's iteration may run in circles
// between two directions of slip (formulation 2.8).
void ContactProblem::set_weights() {
  constexpr double immobile = 1e-9;  // of the largest response
  double largest = 0;
  for (int k = 0; k < rows; ++k) largest = std::max(largest, delassus_row(k)[k]);
  const double floor = largest > 0 ? immobile * largest : 1;
  for (ProblemContact& contact : contacts) {
    contact.weight = 1 / std::max(delassus_row(contact.row)[contact.row], floor);
    for (int k = 0; k < contact.balls; ++k) {
      FrictionBall& ball = balls[contact.first_ball + k];
      double bound = 0;
      for (int i = 0; i < ball.size; ++i) {
        double sum = 0;
        for (int j = 0; j < ball.size; ++j) sum += std::abs(delassus_row(ball.row + i)[ball.row + j]);
        bound = std::max(bound, sum);
      }
      ball.weight = 1 / std::max(bound, floor);
    }
  }
}

}  // namespace carom::inline impact
