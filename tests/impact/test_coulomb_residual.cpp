#include "impact/coulomb_residual.h"

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "impact/problem_solver.h"

namespace carom {
namespace {

// n contacts with one ball of sliding and, if asked for, one of rolling; W = H Hᵀ with `columns` columns.
ContactProblem random_problem(std::mt19937& random, int contacts, int dimension, int columns, bool rolling = false) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> radius(0, 0.9);
  ContactProblem problem;
  for (int c = 0; c < contacts; ++c) {
    problem.contacts.push_back(
        {.row = problem.rows, .first_ball = static_cast<int>(problem.balls.size()), .balls = rolling ? 2 : 1});
    problem.rows += 1;
    for (int b = 0; b < (rolling ? 2 : 1); ++b) {
      problem.balls.push_back({.row = problem.rows, .size = dimension - 1, .radius = radius(random)});
      problem.rows += dimension - 1;
    }
  }
  problem.make_room();
  std::vector<double> h(static_cast<std::size_t>(problem.rows) * columns);
  for (double& each : h) each = normal(random);
  for (int i = 0; i < problem.rows; ++i) {
    for (int k = 0; k < columns; ++k) problem.offset[i] += h[i * columns + k];
    for (int j = 0; j < problem.rows; ++j) {
      for (int k = 0; k < columns; ++k) problem.delassus_row(i)[j] += h[i * columns + k] * h[j * columns + k];
    }
  }
  problem.set_weights();
  return problem;
}

// One contact with W = 1 and u = b + λ, whose solution can be reported.
ContactProblem one_contact(double friction, std::vector<double> offset) {
  ContactProblem problem;
  problem.rows = static_cast<int>(offset.size());
  problem.contacts = {{.row = 0, .first_ball = 0, .balls = 1}};
  problem.balls = {{.row = 1, .size = problem.rows - 1, .radius = friction}};
  problem.make_room();
  problem.offset = offset;
  for (int k = 0; k < problem.rows; ++k) problem.delassus_row(k)[k] = 1;
  problem.set_weights();
  return problem;
}

TEST(CoulombResidual, VanishesWhereCoulombsLawHolds) {
  // Open, sticking, and slipping against (3, 4) at the bound 0.5 × 2.
  EXPECT_EQ(coulomb_residual(one_contact(0.5, {1, 3, 4}), {0, 0, 0}).absolute, 0);
  EXPECT_EQ(coulomb_residual(one_contact(0.5, {-10, 3, 4}), {10, -3, -4}).absolute, 0);
  EXPECT_NEAR(coulomb_residual(one_contact(0.5, {-2, 3, 4}), {2, -0.6, -0.8}).absolute, 0, 1e-15);
  EXPECT_NEAR(coulomb_residual(one_contact(0.5, {-2, 3}), {2, -1}).unweighted, 0, 1e-15);
}

// The convex relaxation of Coulomb's law lets a slipping contact lift off with u_N = μ |u_T|: that is no solution.
TEST(CoulombResidual, DoesNotTakeTheConvexRelaxationForTheLaw) {
  // λ = (2.8, −1.4) minimises ½ λᵀλ + bᵀλ over the cone for b = (−2, 3): u = (0.8, 1.6), with u ⊥ λ in the dual cone.
  const ContactProblem problem = one_contact(0.5, {-2, 3});
  const std::vector<double> relaxed = {2.8, -1.4};
  const std::vector<double> u = local_velocities(problem, relaxed);
  EXPECT_NEAR(u[0] * relaxed[0] + u[1] * relaxed[1], 0, 1e-14);
  EXPECT_GT(coulomb_residual(problem, relaxed).relative, 0.1);
  EXPECT_EQ(coulomb_residual(problem, relaxed).worst, 0);
}

// Against the projection found by brute force along the boundary and the axis of the cone.
TEST(CoulombResidual, ProjectsOnTheConeOfOneBall) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    const double mu = 0.1 + std::abs(normal(random));
    // λ = 0 and W = 1: F = −projection of −(b + μ |b_T| n).
    const ContactProblem problem = one_contact(mu, {normal(random), normal(random)});
    const double a = -(problem.offset[0] + mu * std::abs(problem.offset[1])), t = -problem.offset[1];
    const bool inside = a >= 0 && std::abs(t) <= mu * a;
    double nearest = std::hypot(a, t), size = 0;
    for (const double sign : {-1.0, 1.0}) {
      const double along = std::max(0.0, (a + sign * mu * t) / (1 + mu * mu));
      const double distance = std::hypot(a - along, t - sign * mu * along);
      if (distance <= nearest) nearest = distance, size = along * std::hypot(1, mu);
    }
    if (inside) size = std::hypot(a, t);
    EXPECT_NEAR(coulomb_residual(problem, {0, 0}).unweighted, size, 1e-12) << trial;
  }
}

// Bodies that nothing can move: however large the impulses, the contact goes on closing.
TEST(CoulombResidual, IsNotFooledByLargeImpulses) {
  ContactProblem problem = one_contact(0.5, {-1, 0});
  problem.delassus.assign(4, 0.0);
  problem.set_weights();
  EXPECT_NEAR(coulomb_residual(problem, {1e12, 0}).relative, 1, 1e-3);
  EXPECT_FALSE(solve_problem(problem, {}).converged);
}

// Squares that overflow must not pass for a small residual.
TEST(CoulombResidual, IsInfiniteWhereNumbersAreTooLarge) {
  EXPECT_EQ(coulomb_residual(one_contact(0.5, {-1e200, 0}), {0, 0}).relative, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(solve_problem(one_contact(0.5, {-1e200, 0}), {}).converged);
}

TEST(CoulombResidual, CountsAllBallsOfAContact) {
  std::mt19937 random(8);
  for (int trial = 0; trial < 20; ++trial) {
    const ContactProblem problem = random_problem(random, 3, 3, 40, true);
    const SolvedProblem solved = solve_problem(problem, {});
    EXPECT_LT(solved.residual.relative, 1e-8) << trial;
    std::vector<double> wrong = solved.impulses;
    for (std::size_t b = 1; b < problem.balls.size(); b += 2) wrong[problem.balls[b].row] += 0.1;
    EXPECT_GT(coulomb_residual(problem, wrong).relative, 1e-4) << trial;
  }
}

// The solutions are those of the law: both solvers find them, and where W has full rank they are the same.
TEST(ProblemSolver, BothSolversAgreeOnRandomProblems) {
  std::mt19937 random(1);
  for (const int dimension : {2, 3}) {
    for (const int contacts : {1, 2, 5, 10}) {
      for (int trial = 0; trial < 10; ++trial) {
        const ContactProblem problem = random_problem(random, contacts, dimension, 2 * dimension * contacts + 4);
        const SolvedProblem newton = solve_problem(problem, {.tolerance = 1e-11});
        const SolvedProblem iterated = solve_problem(problem, {.solver = "iterative", .tolerance = 1e-11});
        ASSERT_TRUE(newton.converged && iterated.converged) << contacts << ", " << trial;
        for (int k = 0; k < problem.rows; ++k) EXPECT_NEAR(newton.impulses[k], iterated.impulses[k], 1e-7) << k;
      }
    }
  }
}

// Redundant contacts: impulses may differ, the motion does not.
TEST(ProblemSolver, VelocitiesOfRedundantProblemsAreAlike) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 10; ++trial) {
    ContactProblem problem = random_problem(random, 8, 3, 12);
    for (FrictionBall& ball : problem.balls) ball.radius = 0;  // convex without friction: one motion only
    const SolvedProblem newton = solve_problem(problem, {.tolerance = 1e-10});
    const SolvedProblem iterated = solve_problem(problem, {.solver = "iterative", .tolerance = 1e-10});
    ASSERT_TRUE(newton.converged && iterated.converged) << trial;
    for (int k = 0; k < problem.rows; ++k) EXPECT_NEAR(newton.velocities[k], iterated.velocities[k], 1e-5) << k;
  }
}

TEST(ProblemSolver, SaysWhenItDidNotArrive) {
  std::mt19937 random(3);
  const ContactProblem problem = random_problem(random, 20, 3, 64);
  const SolvedProblem solved = solve_problem(problem, {.solver = "iterative", .tolerance = 1e-12, .max_iterations = 2});
  EXPECT_FALSE(solved.converged);
  EXPECT_EQ(solved.iterations, 2);
  EXPECT_GT(solved.residual.relative, 1e-12);
  EXPECT_GE(solved.residual.worst, 0);
}

TEST(ProblemSolver, StartsFromAGuess) {
  std::mt19937 random(5);
  const ContactProblem problem = random_problem(random, 4, 3, 30);
  const SolvedProblem first = solve_problem(problem, {});
  ASSERT_TRUE(first.converged);
  EXPECT_EQ(solve_problem(problem, {}, first.impulses).iterations, 0);
}

}  // namespace
}  // namespace carom
