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
namespace carom {

// Rows [row, row + size) of a contact that its normal impulse bounds.
struct ImpulseBall {
  int row = 0, size = 0;
  double radius = 0;  // μ for sliding; m for rolling and spinning
  double weight = 1;  // of u against λ: about the inverse of the diagonal of W
};

struct ImpulseContact {
  int row = 0;  // the normal one; balls follow
  double weight = 1;
  int first_ball = 0, balls = 0;
};

struct ImpulseProblem {
  int rows = 0;
  std::vector<ImpulseContact> contacts;
  std::vector<ImpulseBall> balls;
  std::vector<double> response;  // W, rows × rows, row by row
  std::vector<double> offset;    // b
  double negligible = 0;         // of u: smaller errors do not matter

  void clear() {
    rows = 0;
    contacts.clear(), balls.clear();
  }
  double* response_row(int row) { return response.data() + static_cast<std::ptrdiff_t>(row) * rows; }
  const double* response_row(int row) const { return response.data() + static_cast<std::ptrdiff_t>(row) * rows; }
  // After contacts and balls are known.
  void make_room() {
    response.assign(static_cast<std::size_t>(rows) * rows, 0.0);
    offset.assign(rows, 0.0);
  }
  // Weights from the diagonal blocks of W. A row that no impulse moves gets a weight by the largest response.
  void set_weights();
};

}  // namespace carom
