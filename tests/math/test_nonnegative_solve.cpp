#include "math/nonnegative_solve.h"

#include <gtest/gtest.h>

#include <random>

namespace carom {
namespace {

// Random rows of few degrees of freedom, so that many depend on each other: gaps of contacts on one body.
TEST(NonnegativeSolve, FindsLeastPushesOfRedundantContacts) {
  std::mt19937 dice(7);
  std::uniform_real_distribution<double> between(-1, 1);
  NonnegativeSolve solver;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 2 + trial % 9, dofs = 1 + trial % 4;
    std::vector<double> rows(n * dofs), w(n * n), b(n), x;
    // A direction that opens all of them, so that there is a solution.
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < dofs; ++k) rows[i * dofs + k] = k == 0 ? 1 : 0.5 * between(dice);
      b[i] = -100 + between(dice);
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int k = 0; k < dofs; ++k) w[i * n + j] += rows[i * dofs + k] * rows[j * dofs + k];
      }
    }
    ASSERT_TRUE(solver.solve(n, w.data(), b.data(), 1e-9, x)) << "trial " << trial;
    for (int i = 0; i < n; ++i) {
      double u = b[i];
      for (int j = 0; j < n; ++j) u += w[i * n + j] * x[j];
      EXPECT_GE(x[i], 0);
      EXPECT_GE(u, -1e-7) << "trial " << trial;
      if (x[i] > 0) {
        EXPECT_NEAR(u, 0, 1e-7) << "trial " << trial;
      }
    }
  }
}

TEST(NonnegativeSolve, SaysThatThereIsNoRoom) {
  // Two walls that a body overlaps from both sides.
  const double w[] = {1, -1, -1, 1}, b[] = {-1, -1};
  std::vector<double> x;
  EXPECT_FALSE(NonnegativeSolve().solve(2, w, b, 1e-9, x) && x[0] < 1e6);
}

}  // namespace
}  // namespace carom
