#include <gtest/gtest.h>

#include "impact/body_gauss_seidel.h"
#include "impact/impulse_solver.h"
#include "impact/island_newton.h"
#include "random_problems.h"

namespace carom {
namespace {

using namespace random_problems;

template <int D>
std::vector<double> local_velocities(const BodyContactProblem<D>& problem) {
  std::vector<double> all;
  double u[6];
  for (const BodyContact<D>& contact : problem.contacts) {
    problem.local_velocity(contact, problem.relative_velocity(contact),
                           problem.bodies[contact.b].angular_velocity - problem.bodies[contact.a].angular_velocity, u);
    all.insert(all.end(), u, u + problem.row_count(contact));
  }
  return all;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

struct Count {
  int all = 0;
  int newton = 0, gauss_seidel_iterations = 0, both = 0;  // that reached the tolerance by the natural map
  int same = 0;                                           // with the same local velocities, of both
  int silent = 0;                                         // that a solver calls solved, and the natural map does not
};

// Newton on the assembled operator against projected Gauss–Seidel on bodies and levers.
template <int D>
void compare(std::mt19937& random, const Scene& scene, Count& count) {
  constexpr double tolerance = 1e-9, least_change = 1e-13;
  BodyContactProblem<D> problem = random_problem<D>(random, scene);
  std::vector<int> chosen;
  for (int c = 0; c < scene.contacts; ++c) chosen.push_back(c);
  ContactProblem assembled;
  ContactSolution by_newton, by_gauss_seidel;
  problem.assemble(chosen, assembled, by_newton.impulses);
  ImpulseSolver newton;
  solve(assembled, newton, by_newton);
  const GaussSeidelOutcome outcome = BodyGaussSeidel<D>().solve(problem, least_change, 20000);
  problem.assemble(chosen, assembled, by_gauss_seidel.impulses);
  by_gauss_seidel.residual = natural_map_residual(assembled, by_gauss_seidel.impulses);
  const bool newton_solved = by_newton.residual.relative < tolerance;
  const bool iterations_solved = by_gauss_seidel.residual.relative < tolerance;
  if (by_newton.outcome.converged && by_newton.residual.relative > 1.1 * by_newton.outcome.residual + tolerance)
    ++count.silent;
  if (outcome.residual <= least_change && by_gauss_seidel.residual.velocity > 1e-6) ++count.silent;
  ++count.all;
  count.newton += newton_solved, count.gauss_seidel_iterations += iterations_solved;
  if (!newton_solved || !iterations_solved) return;
  ++count.both;
  if (largest_difference(by_newton.velocities, local_velocities(problem)) < 1e-6) ++count.same;
}

Count compare_many(Scene scene, int problems, unsigned seed) {
  std::mt19937 random(seed);
  Count count;
  for (int k = 0; k < problems; ++k) {
    scene.contacts = 1 + k % 12;
    scene.bodies = std::min(scene.contacts, 1 + (k / 12) % (scene.contacts / 2 + 1));
    compare<2>(random, scene, count);
    compare<3>(random, scene, count);
  }
  EXPECT_EQ(count.silent, 0);
  return count;
}

TEST(RandomProblems, SolversAgreeWithoutFriction) {
  const Count count = compare_many({}, 96, 1);
  EXPECT_GE(count.both, 0.97 * count.all);
  EXPECT_EQ(count.same, count.both);
}

TEST(RandomProblems, SolversAgreeWhereContactsAreRedundant) {
  const Count count = compare_many({.friction = 0.5, .redundant = true}, 96, 6);
  EXPECT_GE(count.both, 0.97 * count.all);
  EXPECT_EQ(count.same, count.both);
}

// With much friction on bodies that turn, rigid contact may have several solutions, or none: solvers may differ there.
TEST(RandomProblems, SolversAgreeWithFrictionButForSeveralSolutions) {
  for (const double friction : {0.3, 1.0, 2.0}) {
    const Count count = compare_many({.friction = friction}, 96, 2);
    EXPECT_GE(count.gauss_seidel_iterations, 0.97 * count.all) << friction;
    EXPECT_GE(count.newton, 0.88 * count.all) << friction;
    EXPECT_GE(count.same, (friction < 0.5 ? 0.98 : 0.92) * count.both) << friction;
  }
}

TEST(RandomProblems, SolversAgreeWithRollingAndSpinningResistance) {
  const Count count = compare_many({.friction = 0.5, .resistance = 0.05}, 96, 5);
  EXPECT_GE(count.gauss_seidel_iterations, 0.97 * count.all);
  EXPECT_GE(count.newton, 0.88 * count.all);
  EXPECT_GE(count.same, 0.92 * count.both);
}

TEST(RandomProblems, SolversAgreeWithRatiosOfMassesToAMillion) {
  const Count count = compare_many({.friction = 0.5, .largest_ratio = 1e6}, 48, 7);
  EXPECT_GE(count.newton, 0.75 * count.all);
  EXPECT_GE(count.same, 0.92 * count.both);
}

// A light ball under a heavy one, which both stop: Gauss–Seidel iterations would take as many as the ratio of the
// masses.
TEST(IslandNewton, SettlesHeavyOnLight) {
  for (const double ratio : {1.0, 1e3, 1e6, 1e9}) {
    BodyContactProblem<2> problem;
    problem.bodies.resize(3);
    for (const int b : {1, 2}) {
      const double mass = b == 1 ? 1 : ratio;
      problem.bodies[b].inverse_mass = 1 / mass;
      problem.bodies[b].inverse_inertia(0, 0) = 100 / mass;
      problem.bodies[b].velocity = {0.3, -1};
    }
    for (const int c : {0, 1}) {
      BodyContact<2> contact;
      contact.a = c, contact.b = c + 1;
      contact.normal = Eigen::Vector2d::UnitY(), contact.tangent = -Eigen::Vector2d::UnitX();
      contact.lever_a = c == 0 ? Eigen::Vector2d::Zero() : Eigen::Vector2d(0, 0.1);
      contact.lever_b = {0, -0.1};
      contact.offset.setZero(), contact.impulse.setZero();
      contact.friction = 0.5;
      problem.set_weights(contact);
      problem.contacts.push_back(contact);
    }
    BodyGaussSeidel<2>().solve(problem, 1e-3, 20);
    const int both[] = {0, 1};
    ASSERT_TRUE(IslandNewton<2>().solve(problem, both, 2, 1e-12));
    EXPECT_NEAR(problem.contacts[0].impulse[0], 1 + ratio, 1e-6 * ratio) << ratio;
    for (const BodyContact<2>& contact : problem.contacts)
      EXPECT_NEAR(contact.normal.dot(problem.relative_velocity(contact)), 0, 1e-6) << ratio;
  }
}

}  // namespace
}  // namespace carom
