#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

// Contact of rigid bodies with friction, seen from the contacts alone. The impulses λ change the local velocities (or
// displacements)
//   u = W λ + b,
// one row for the normal and a few for what friction opposes, such that
//   0 ≤ u_N ⊥ λ_N ≥ 0,
//   λ_B lies in the ball |λ_B| ≤ r λ_N, and where it is not at rest, on its surface and against u_B.
// Sliding, rolling and spinning are such balls, each with its own radius r; sliding and spinning coupled after
// Contensou are one ball of three rows. This is Coulomb's law as it is, without the dilatation of its convex cousins.
//
// All physics is in the problem: the Delassus operator W has the inertia of the bodies and what ties them together, and
// the offset b the free local velocities and what restitution asks for. A solver only solves.
namespace carom::inline impact {

constexpr int largest_ball = 3;  // rows of one

// Of the rows of a ball.
inline double norm_of(const double* values, int size) {
  double sum = 0;
  for (int k = 0; k < size; ++k) sum += values[k] * values[k];
  return std::sqrt(sum);
}

// Rows [row, row + size) of a contact that its normal impulse bounds.
struct FrictionBall {
  int row = 0, size = 0;
  double radius = 0;  // μ for sliding; m for rolling and spinning
  double weight = 1;  // of u against λ: about the inverse of the diagonal of W
};

struct ProblemContact {
  int row = 0;  // the normal one; balls follow
  double weight = 1;
  int first_ball = 0, balls = 0;
  bool bilateral = false;  // u_N = 0, by an impulse of either sign
};

struct ContactProblem {
  int rows = 0;
  std::vector<ProblemContact> contacts;
  std::vector<FrictionBall> balls;
  std::vector<double> delassus;  // W, rows × rows, row by row
  std::vector<double> offset;    // b: free local velocities plus restitution times those before
  double negligible = 0;         // of u: smaller errors do not matter
  double tolerance = 1e-11;      // relative, in the energy norm of λ

  void clear() {
    rows = 0;
    tolerance = 1e-11;
    contacts.clear(), balls.clear();
  }
  double* delassus_row(int row) { return delassus.data() + static_cast<std::ptrdiff_t>(row) * rows; }
  const double* delassus_row(int row) const { return delassus.data() + static_cast<std::ptrdiff_t>(row) * rows; }
  // After contacts and balls are known.
  void make_room() {
    delassus.assign(static_cast<std::size_t>(rows) * rows, 0.0);
    offset.assign(rows, 0.0);
  }
  // A contact that can neither close nor open, without friction.
  void hold(int contact) {
    contacts[contact].bilateral = true;
    for (int b = 0; b < contacts[contact].balls; ++b) balls[contacts[contact].first_ball + b].radius = 0;
  }
  // Weights from the diagonal blocks of W. A row that no impulse moves gets a weight by the largest of the diagonal.
  void set_weights();
};

}  // namespace carom::inline impact
