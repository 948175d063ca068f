#include "impact/impulse_solver.h"

#include <random>

#include <gtest/gtest.h>

namespace carom {
namespace {

// n contacts of three rows each with a response H Hᵀ of full rank, or of `rank` columns.
ContactProblem random_problem(std::mt19937& random, int contacts, double friction, int rank = -1) {
  std::normal_distribution<double> normal;
  ContactProblem problem;
  for (int c = 0; c < contacts; ++c) {
    problem.contacts.push_back({.row = 3 * c, .first_ball = c, .balls = 1});
    problem.balls.push_back({.row = 3 * c + 1, .size = 2, .radius = friction});
  }
  problem.rows = 3 * contacts;
  problem.make_room();
  const int columns = rank < 0 ? 2 * problem.rows : rank;
  std::vector<double> h(static_cast<std::size_t>(problem.rows) * columns), speed(columns);
  for (double& each : h) each = normal(random);
  for (double& each : speed) each = normal(random);
  for (int i = 0; i < problem.rows; ++i) {
    for (int k = 0; k < columns; ++k) problem.offset[i] += h[i * columns + k] * speed[k];
    for (int j = 0; j < problem.rows; ++j) {
      for (int k = 0; k < columns; ++k) problem.delassus_row(i)[j] += h[i * columns + k] * h[j * columns + k];
    }
  }
  problem.set_weights();
  return problem;
}

// The laws themselves, not the projections that the solver uses.
void expect_laws(const ContactProblem& problem, const std::vector<double>& impulse, double tolerance) {
  std::vector<double> u = problem.offset;
  double size = 0;
  for (int i = 0; i < problem.rows; ++i) {
    for (int j = 0; j < problem.rows; ++j) u[i] += problem.delassus_row(i)[j] * impulse[j];
    size = std::max(size, std::abs(problem.offset[i]));
  }
  const double close = tolerance * size;
  for (const ProblemContact& contact : problem.contacts) {
    const double push = impulse[contact.row];
    EXPECT_GE(push, -tolerance * size * contact.weight);
    EXPECT_GE(u[contact.row], -close);
    EXPECT_LE(std::min(push / 1.0, u[contact.row]), close) << "pushes although it opens";
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      const FrictionBall& ball = problem.balls[b];
      double force = 0, slip = 0, power = 0;
      for (int k = ball.row; k < ball.row + ball.size; ++k) {
        force += impulse[k] * impulse[k], slip += u[k] * u[k], power += impulse[k] * u[k];
      }
      force = std::sqrt(force), slip = std::sqrt(slip);
      EXPECT_LE(force, ball.radius * push + close * ball.weight);
      EXPECT_NEAR(power, -force * slip, close * (force + ball.weight * slip + close));
      if (slip > 100 * close) {
        EXPECT_NEAR(force, ball.radius * push, close * ball.weight * 10);
      }
    }
  }
}

TEST(ImpulseSolver, SolvesOneContactThatSticksSlipsOrOpens) {
  ImpulseSolver solver;
  ContactProblem problem;
  problem.contacts = {{.row = 0, .first_ball = 0, .balls = 1}};
  problem.balls = {{.row = 1, .size = 2, .radius = 0.5}};
  problem.rows = 3;
  problem.make_room();
  for (int k = 0; k < 3; ++k) problem.delassus_row(k)[k] = k == 0 ? 1 : 2;
  problem.set_weights();
  const auto solve = [&](double normal, double x, double y) {
    problem.offset = {normal, x, y};
    std::vector<double> impulse;
    EXPECT_TRUE(solver.solve(problem, impulse).converged);
    return impulse;
  };
  EXPECT_EQ(solve(1, 3, 4), std::vector<double>({0, 0, 0}));
  EXPECT_EQ(solver.statuses()[0], ContactStatus::open);
  const auto stuck = solve(-10, 3, 4);
  EXPECT_NEAR(stuck[0], 10, 1e-12);
  EXPECT_NEAR(stuck[1], -1.5, 1e-12);
  EXPECT_NEAR(stuck[2], -2, 1e-12);
  EXPECT_EQ(solver.statuses()[0], ContactStatus::stick);
  const auto slipping = solve(-10, 30, 40);
  EXPECT_NEAR(slipping[1], -3, 1e-11);
  EXPECT_NEAR(slipping[2], -4, 1e-11);
  EXPECT_EQ(solver.statuses()[0], ContactStatus::slip);
}

// One contact is solved in closed form where that is possible; a little coupling takes the other way.
TEST(ImpulseSolver, SolvesOneContactInEitherWay) {
  ImpulseSolver solver;
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 50; ++trial) {
    ContactProblem problem;
    problem.contacts = {{.row = 0, .first_ball = 0, .balls = 1}};
    problem.balls = {{.row = 1, .size = 2, .radius = 0.4}};
    problem.rows = 3;
    problem.make_room();
    for (int k = 0; k < 3; ++k) problem.delassus_row(k)[k] = k == 0 ? 1.5 : 2.5;
    for (double& each : problem.offset) each = normal(random);
    problem.set_weights();
    std::vector<double> closed, iterated;
    ASSERT_TRUE(solver.solve(problem, closed).converged);
    const ContactStatus status = solver.statuses()[0];
    problem.delassus_row(0)[1] = problem.delassus_row(1)[0] = 1e-12;
    ASSERT_TRUE(solver.solve(problem, iterated).converged);
    EXPECT_EQ(solver.statuses()[0], status);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(closed[k], iterated[k], 1e-9);
  }
}

TEST(ImpulseSolver, MeetsTheLawsOfManyContacts) {
  std::mt19937 random(7);
  ImpulseSolver solver;
  for (const int contacts : {1, 2, 3, 5, 8, 13}) {
    for (const double friction : {0.0, 0.1, 0.5}) {
      for (int trial = 0; trial < 20; ++trial) {
        const ContactProblem problem = random_problem(random, contacts, friction);
        std::vector<double> impulse;
        const SolverOutcome outcome = solver.solve(problem, impulse);
        ASSERT_TRUE(outcome.converged) << contacts << " contacts, friction " << friction << ", trial " << trial;
        expect_laws(problem, impulse, 1e-6);
      }
    }
  }
}

// Contacts that carry a load in more than one way: fewer degrees of freedom than rows.
TEST(ImpulseSolver, SharesALoadThatCanBeCarriedInManyWays) {
  std::mt19937 random(3);
  ImpulseSolver solver;
  for (int trial = 0; trial < 20; ++trial) {
    const ContactProblem problem = random_problem(random, 6, 0.3, 12);
    std::vector<double> impulse;
    ASSERT_TRUE(solver.solve(problem, impulse).converged) << trial;
    expect_laws(problem, impulse, 1e-3);
  }
}

// Weights change the way to the solution, not the solution.
TEST(ImpulseSolver, DoesNotDependOnWeights) {
  std::mt19937 random(11);
  ImpulseSolver solver;
  for (int trial = 0; trial < 10; ++trial) {
    ContactProblem problem = random_problem(random, 4, 0.2);
    std::vector<double> first, second;
    ASSERT_TRUE(solver.solve(problem, first).converged);
    for (ProblemContact& contact : problem.contacts) contact.weight *= 0.3;
    for (FrictionBall& ball : problem.balls) ball.weight *= 0.5;
    ASSERT_TRUE(solver.solve(problem, second).converged);
    for (int k = 0; k < problem.rows; ++k) EXPECT_NEAR(first[k], second[k], 1e-8) << k;
  }
}

TEST(ImpulseSolver, StartsFromAGuess) {
  std::mt19937 random(5);
  ImpulseSolver solver;
  const ContactProblem problem = random_problem(random, 4, 0.3);
  std::vector<double> impulse;
  ASSERT_TRUE(solver.solve(problem, impulse).converged);
  EXPECT_EQ(solver.solve(problem, impulse).iterations, 0);
}

}  // namespace
}  // namespace carom
