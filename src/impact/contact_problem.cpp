#include "impact/contact_problem.h"

namespace carom::inline impact {

namespace {

// Largest sum of the magnitudes in a row of a square block in a matrix with rows of `stride` entries.
inline double largest_row(const double* block, int size, std::ptrdiff_t stride) {
  double largest = 0;
  for (int i = 0; i < size; ++i) {
    double sum = 0;
    for (int j = 0; j < size; ++j) sum += std::abs(block[i * stride + j]);
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

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
      const double* const block = delassus_row(ball.row) + ball.row;
      // Most slips have two directions: with their number known beforehand, the loops are unrolled.
      const double bound = ball.size == 2 ? largest_row(block, 2, rows) : largest_row(block, ball.size, rows);
      ball.weight = 1 / std::max(bound, floor);
    }
  }
}

}  // namespace carom::inline impact
