#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "impact/body_gauss_seidel.h"

// Large islands are laid out for vector registers; small ones are not. Both must obey the laws of contact.
namespace carom {
namespace {

constexpr double radius = 0.05;

// Balls (or bodies with three different inertias) on a lattice over the ground that touch their neighbours, all in
// motion at random.
BodyContactProblem<3> lattice(int side, bool round, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  BodyContactProblem<3> problem;
  problem.bodies.resize(1 + side * side * side);
  const auto body_at = [&](int x, int y, int z) { return 1 + x + side * (y + side * z); };
  const auto add_contact = [&](int a, int b, const Eigen::Vector3d& normal) {
    BodyContact<3> contact;
    contact.a = a, contact.b = b;
    contact.normal = normal, contact.tangent = normal.unitOrthogonal();
    contact.lever_a = a == 0 ? Eigen::Vector3d(0.1, 0.2, 0) : Eigen::Vector3d(radius * normal);
    contact.lever_b = -radius * normal;
    contact.offset.setZero(), contact.impulse.setZero();
    contact.friction = 0.3;
    problem.set_weights(contact);
    problem.contacts.push_back(contact);
  };
  for (int b = 1; b < static_cast<int>(problem.bodies.size()); ++b) {
    ProblemBody<3>& body = problem.bodies[b];
    body.inverse_mass = 2;
    body.is_round = round;
    const Eigen::Vector3d inverse(2000, round ? 2000 : 1500, round ? 2000 : 2500);
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(number(random), Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    body.inverse_inertia =
        round ? Eigen::Matrix3d(inverse.asDiagonal()) : Eigen::Matrix3d(turn * inverse.asDiagonal() * turn.transpose());
    for (int k = 0; k < 3; ++k) body.velocity[k] = number(random), body.angular_velocity[k] = 10 * number(random);
  }
  for (int z = 0; z < side; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        if (z == 0) add_contact(0, body_at(x, y, z), Eigen::Vector3d::UnitZ());
        if (x > 0) add_contact(body_at(x - 1, y, z), body_at(x, y, z), Eigen::Vector3d::UnitX());
        if (y > 0) add_contact(body_at(x, y - 1, z), body_at(x, y, z), Eigen::Vector3d::UnitY());
        if (z > 0) add_contact(body_at(x, y, z - 1), body_at(x, y, z), Eigen::Vector3d::UnitZ());
      }
    }
  }
  return problem;
}

Eigen::Vector3d momentum_given(const BodyContactProblem<3>& problem) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const BodyContact<3>& contact : problem.contacts) {
    if (contact.a == 0) sum += BodyContactProblem<3>::world(contact);
  }
  return sum;
}

TEST(LaneSolver, BringsLargeIslandsToTheLawsOfContact) {
  for (const bool round : {true, false}) {
    BodyContactProblem<3> problem = lattice(5, round, 11);
    ASSERT_GT(problem.contacts.size(), 300U);
    EXPECT_GT(problem.law_error().largest, 0.1);
    Eigen::Vector3d before = Eigen::Vector3d::Zero(), after = before;
    for (const ProblemBody<3>& body : problem.bodies) before += body.velocity / 2;
    const GaussSeidelOutcome outcome = BodyGaussSeidel<3>().solve(problem, 1e-9, 5000);
    EXPECT_LE(outcome.residual, 1e-9);
    EXPECT_LE(problem.law_error().largest, 1e-7);
    for (const ProblemBody<3>& body : problem.bodies) after += body.velocity / 2;
    EXPECT_LE((after - before - momentum_given(problem)).norm(), 1e-11);
  }
}

TEST(LaneSolver, GoesOnFromItsOwnSolution) {
  BodyContactProblem<3> problem = lattice(4, true, 12);
  const BodyContactProblem<3> start = problem;
  BodyGaussSeidel<3> solver;
  solver.solve(problem, 1e-11, 5000);
  problem.bodies = start.bodies;
  constexpr auto acts = BodyGaussSeidel<3>::FirstGuess::acts;
  EXPECT_EQ(solver.solve(problem, 1e-8, 100, 0, acts).gauss_seidel_iterations, 1);
  EXPECT_LE(problem.law_error().largest, 1e-7);
}

TEST(LaneSolver, GivesTheSameBytesWithAnyNumberOfThreads) {
  // Two heaps that do not touch.
  BodyContactProblem<3> problem = lattice(8, true, 13);
  const BodyContactProblem<3> other = lattice(9, true, 14);
  const int first = static_cast<int>(problem.bodies.size()) - 1;
  problem.bodies.insert(problem.bodies.end(), other.bodies.begin() + 1, other.bodies.end());
  for (BodyContact<3> contact : other.contacts) {
    if (contact.a > 0) contact.a += first;
    contact.b += first;
    problem.contacts.push_back(contact);
  }
  BodyContactProblem<3> alone = problem;
  BodyGaussSeidel<3>().solve(alone, 1e-4, 200, 1);
  for (const int threads : {2, 3}) {
    BodyContactProblem<3> together = problem;
    BodyGaussSeidel<3>().solve(together, 1e-4, 200, threads);
    for (std::size_t b = 0; b < alone.bodies.size(); ++b) {
      ASSERT_EQ(alone.bodies[b].velocity, together.bodies[b].velocity);
      ASSERT_EQ(alone.bodies[b].angular_velocity, together.bodies[b].angular_velocity);
    }
  }
}

}  // namespace
}  // namespace carom
