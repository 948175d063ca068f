#include "impact/restitution_share.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "impact/impulse_solver.h"

namespace carom {
namespace {

struct Impact {
  ContactProblem problem;
  std::vector<double> before, restitution;
};

// Contacts of `rows` rows each, on bodies with so many degrees of freedom that W has full rank or not.
Impact random_impact(std::mt19937& random, int contacts, int rows) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Impact impact;
  ContactProblem& problem = impact.problem;
  for (int c = 0; c < contacts; ++c) {
    problem.contacts.push_back({.row = rows * c, .first_ball = c, .balls = 1});
    problem.balls.push_back({.row = rows * c + 1, .size = rows - 1, .radius = std::exp(normal(random))});
  }
  problem.rows = rows * contacts;
  problem.make_room();
  const int columns = problem.rows + 1;
  std::vector<double> h(static_cast<std::size_t>(problem.rows) * columns), v(columns);
  for (double& each : h) each = normal(random);
  for (double& each : v) each = normal(random);
  impact.before.assign(problem.rows, 0.0), impact.restitution.assign(problem.rows, 0.0);
  for (int i = 0; i < problem.rows; ++i) {
    for (int k = 0; k < columns; ++k) impact.before[i] += h[i * columns + k] * v[k];
    for (int j = 0; j < problem.rows; ++j) {
      for (int k = 0; k < columns; ++k) problem.delassus_row(i)[j] += h[i * columns + k] * h[j * columns + k];
    }
  }
  problem.set_weights();
  const double e = uniform(random), tangential = uniform(random) < 0.3 ? 2 * uniform(random) - 1 : 0;
  for (int c = 0; c < contacts; ++c) {
    impact.restitution[rows * c] = e * std::min(0.0, impact.before[rows * c]);
    for (int k = 1; k < rows; ++k) impact.restitution[rows * c + k] = tangential * impact.before[rows * c + k];
  }
  return impact;
}

// J, ½ Λᵀ W Λ + Λᵀ γ⁻, and the sum of the magnitudes in it.
std::pair<double, double> gain_of(const Impact& impact, const std::vector<double>& impulses) {
  double gain = 0, size = 0;
  for (int i = 0; i < impact.problem.rows; ++i) {
    double change = 0;
    for (int j = 0; j < impact.problem.rows; ++j) change += impact.problem.delassus_row(i)[j] * impulses[j];
    gain += impulses[i] * (impact.before[i] + 0.5 * change);
    size += std::abs(impulses[i]) * (std::abs(impact.before[i]) + 0.5 * std::abs(change));
  }
  return {gain, size};
}

TEST(RestitutionShare, NeverGainsInRandomImpacts) {
  std::mt19937 random(11);
  ImpulseSolver solver;
  std::vector<double> impulses;
  int reduced = 0, failed = 0;
  long solves = 0;
  for (int k = 0; k < 30000; ++k) {
    Impact impact = random_impact(random, 1 + k % 3, 2 + k % 2);
    RestitutionShare share;
    std::pair<double, double> gain;
    bool found = false;
    do {
      impulses.assign(impact.problem.rows, 0.0);
      for (int i = 0; i < impact.problem.rows; ++i)
        impact.problem.offset[i] = impact.before[i] + share.factor() * impact.restitution[i];
      found = solver.solve(impact.problem, impulses).converged;
      gain = gain_of(impact, impulses);
      if (!found && share.factor() == 1) break;
      ++solves;
    } while (!share.settle(found ? gain.first : INFINITY, gain.second));
    if (!found) {
      ++failed;
      continue;
    }
    ASSERT_LE(gain.first, 1e-10 * gain.second) << k;
    ASSERT_GE(share.factor(), 0);
    ASSERT_EQ(share.was_reduced(), share.factor() < 1);
    reduced += share.was_reduced();
  }
  EXPECT_GT(reduced, 300);
  EXPECT_LE(failed, 10);
  EXPECT_LT(solves, 30000 + 20L * reduced);
}

// No more than needed is taken back: a little more restitution would gain.
TEST(RestitutionShare, TakesBackNoMoreThanNeeded) {
  const auto gain = [](double factor) { return factor * factor * factor - 0.3; };
  RestitutionShare share;
  int solves = 1;
  while (!share.settle(gain(share.factor()), 1)) ++solves;
  EXPECT_LE(gain(share.factor()), 0);
  EXPECT_NEAR(share.factor(), std::cbrt(0.3), 1e-7);
  EXPECT_NEAR(share.avoided(), 0.7, 1e-15);
  EXPECT_LT(solves, 20);
}

// As where friction changes from sliding to sticking.
TEST(RestitutionShare, FindsTheEndOfAJump) {
  const auto gain = [](double factor) { return factor > 0.37 ? 5 + factor : -1 - factor; };
  RestitutionShare share;
  while (!share.settle(gain(share.factor()), 1)) {
  }
  EXPECT_LE(share.factor(), 0.37);
  EXPECT_GT(share.factor(), 0.37 - 1e-8);
}

TEST(RestitutionShare, LeavesLossesAlone) {
  RestitutionShare share;
  EXPECT_TRUE(share.settle(-1, 1));
  EXPECT_EQ(share.factor(), 1);
  EXPECT_FALSE(share.was_reduced());
}

}  // namespace
}  // namespace carom
