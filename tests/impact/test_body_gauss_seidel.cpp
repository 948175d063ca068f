#include "impact/body_gauss_seidel.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

// A ball of radius 0.1, 1 kg, on the ground, and others on top of it; all fall at 1 m/s.
BodyContactProblem<3> tower(int balls = 2) {
  BodyContactProblem<3> problem;
  problem.bodies.resize(1 + balls);
  for (int b = 1; b <= balls; ++b) {
    problem.bodies[b].inverse_mass = 1;
    problem.bodies[b].inverse_inertia = Eigen::Matrix3d::Identity() / 0.004;
    problem.bodies[b].velocity = {0, 0, -1};
  }
  for (int c = 0; c < balls; ++c) {
    BodyContact<3> contact;
    contact.a = c, contact.b = c + 1;
    contact.normal = Eigen::Vector3d::UnitZ(), contact.tangent = Eigen::Vector3d::UnitX();
    contact.lever_a = c == 0 ? Eigen::Vector3d::Zero() : Eigen::Vector3d(0, 0, 0.1);
    contact.lever_b = Eigen::Vector3d(0, 0, -0.1);
    contact.offset.setZero(), contact.impulse.setZero();
    contact.friction = 0.3;
    problem.set_weights(contact);
    problem.contacts.push_back(contact);
  }
  return problem;
}

TEST(BodyGaussSeidel, StopsATowerOfTwo) {
  BodyContactProblem<3> problem = tower();
  const GaussSeidelOutcome outcome = BodyGaussSeidel<3>().solve(problem, 1e-12, 1000);
  EXPECT_LE(outcome.residual, 1e-12);
  EXPECT_NEAR(problem.contacts[0].impulse[0], 2, 1e-10);
  EXPECT_NEAR(problem.contacts[1].impulse[0], 1, 1e-10);
  EXPECT_NEAR(problem.bodies[2].velocity.norm(), 0, 1e-10);
  EXPECT_LE(problem.law_error().largest, 1e-10);
}

// Gauss–Seidel alone carries an impulse up through n balls in some n² iterations: 7464 and 42 945 here. Below and above
// the size from which towers are laid out for vector registers; with balls that resist spinning as well.
TEST(BodyGaussSeidel, StopsATallTowerInFewIterations) {
  for (const int balls : {40, 100}) {
    for (const bool spins : {false, true}) {
      BodyContactProblem<3> problem = tower(balls);
      if (spins) {
        problem.bodies.back().angular_velocity = {0, 0, 5};
        for (BodyContact<3>& contact : problem.contacts) {
          contact.turning = static_cast<int>(problem.turnings.size());
          problem.turnings.push_back({.rolling = 1e-3, .spinning = 1e-3});
          problem.set_weights(contact);
        }
      }
      const GaussSeidelOutcome outcome = BodyGaussSeidel<3>().solve(problem, 1e-6, 10000);
      EXPECT_LE(outcome.residual, 1e-6);
      EXPECT_LE(outcome.gauss_seidel_iterations, 20 * balls) << balls << spins;
      EXPECT_LE(problem.law_error().largest, 1e-5);
      for (int c = 0; c < balls; ++c) EXPECT_NEAR(problem.contacts[c].impulse[0], balls - c, 1e-6 * balls * balls);
    }
  }
}

TEST(BodyGaussSeidel, HoldsWhatFrictionCanHold) {
  BodyContactProblem<3> problem = tower();
  problem.bodies[1].velocity = {0.1, 0, -1};  // slow enough: the impulse to stop the slip is below 0.3 × 2
  BodyGaussSeidel<3>().solve(problem, 1e-13, 5000);
  const Eigen::Vector3d slip = problem.relative_velocity(problem.contacts[0]);
  EXPECT_NEAR(slip.head<2>().norm(), 0, 1e-9);
  problem = tower();
  problem.bodies[1].velocity = {100, 0, -1};
  BodyGaussSeidel<3>().solve(problem, 1e-13, 5000);
  EXPECT_NEAR(std::hypot(problem.contacts[0].impulse[1], problem.contacts[0].impulse[2]),
              0.3 * problem.contacts[0].impulse[0], 1e-9);
}

TEST(BodyGaussSeidel, GoesOnFromItsOwnSolution) {
  BodyContactProblem<3> problem = tower();
  BodyGaussSeidel<3>().solve(problem, 1e-12, 1000);
  for (int b : {1, 2}) {
    problem.bodies[b].velocity = {0, 0, -1};
    problem.bodies[b].angular_velocity.setZero();
  }
  constexpr auto acts = BodyGaussSeidel<3>::FirstGuess::acts;
  EXPECT_EQ(BodyGaussSeidel<3>().solve(problem, 1e-9, 1000, 0, acts).gauss_seidel_iterations, 1);
}

TEST(BodyGaussSeidel, AsksTheBodiesHowFarItIsOff) {
  BodyContactProblem<3> problem = tower();
  EXPECT_NEAR(problem.law_error().largest, 1, 1e-12);  // the lower ball runs into the ground
}

// A spinning ball on the ground: the torque is bounded by the normal impulse.
TEST(BodyGaussSeidel, ResistsSpinning) {
  BodyContactProblem<3> problem = tower();
  problem.contacts.pop_back();
  problem.bodies[1].angular_velocity = {0, 0, 5};
  problem.turnings.push_back({.spinning = 1e-3});
  problem.contacts[0].turning = 0;
  problem.set_weights(problem.contacts[0]);
  BodyGaussSeidel<3>().solve(problem, 1e-13, 1000);
  EXPECT_NEAR(problem.bodies[1].angular_velocity.z(), 5 - 1e-3 / 0.004, 1e-10);
  problem.bodies[1].angular_velocity = {0, 0, 0.1};
  problem.contacts[0].impulse.setZero();
  problem.turnings[0].impulse.setZero();
  problem.bodies[1].velocity = {0, 0, -1};
  BodyGaussSeidel<3>().solve(problem, 1e-13, 1000);
  EXPECT_NEAR(problem.bodies[1].angular_velocity.norm(), 0, 1e-10);
}

// The two balls glued together, as a body of two kilograms that cannot turn: each feels what pushes the other.
TEST(BodyGaussSeidel, ConstrainedBodiesRespondTogether) {
  BodyContactProblem<3> problem = tower();
  problem.constrained_bodies = {1, 2};
  problem.constrained_response.setZero(12, 12);
  for (const int row : {0, 6}) {
    for (const int column : {0, 6})
      problem.constrained_response.block<3, 3>(row, column) = Eigen::Matrix3d::Identity() / 2;
  }
  for (const int b : {1, 2}) {
    problem.bodies[b].constrained = b - 1;
    problem.bodies[b].inverse_mass = 0;
    problem.bodies[b].inverse_inertia.setZero();
    problem.bodies[b].velocity = {0.1, 0, -1};
  }
  for (BodyContact<3>& contact : problem.contacts) problem.set_weights(contact);
  EXPECT_NEAR(problem.contacts[0].normal_weight, 2, 1e-12);
  EXPECT_EQ(problem.contacts[1].normal_weight, 0);  // nothing can move them apart
  BodyGaussSeidel<3>().solve(problem, 1e-13, 100);
  EXPECT_NEAR(problem.contacts[0].impulse[0], 2, 1e-12);
  EXPECT_NEAR(problem.contacts[0].impulse.tail<2>().norm(), 0.2, 1e-12);  // sticks
  for (const int b : {1, 2}) EXPECT_NEAR(problem.bodies[b].velocity.norm(), 0, 1e-12);
}

}  // namespace
}  // namespace carom
