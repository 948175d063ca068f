#include "impact/sweep_solver.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

// A ball of radius 0.1, 1 kg, on the ground, and one on top of it; both fall at 1 m/s.
SweepSolver<3> tower() {
  SweepSolver<3> solver;
  solver.bodies.resize(3);
  for (int b : {1, 2}) {
    solver.bodies[b].inverse_mass = 1;
    solver.bodies[b].inverse_inertia = Eigen::Matrix3d::Identity() / 0.004;
    solver.bodies[b].velocity = {0, 0, -1};
  }
  for (int c : {0, 1}) {
    SweepContact<3> contact;
    contact.a = c, contact.b = c + 1;
    contact.normal = Eigen::Vector3d::UnitZ(), contact.tangent = Eigen::Vector3d::UnitX();
    contact.lever_a = c == 0 ? Eigen::Vector3d::Zero() : Eigen::Vector3d(0, 0, 0.1);
    contact.lever_b = Eigen::Vector3d(0, 0, -0.1);
    contact.offset.setZero(), contact.impulse.setZero();
    contact.friction = 0.3;
    solver.set_weights(contact);
    solver.contacts.push_back(contact);
  }
  return solver;
}

TEST(SweepSolver, StopsATowerOfTwo) {
  SweepSolver<3> solver = tower();
  const SweepOutcome outcome = solver.solve(1e-12, 1000);
  EXPECT_LE(outcome.residual, 1e-12);
  EXPECT_NEAR(solver.contacts[0].impulse[0], 2, 1e-10);
  EXPECT_NEAR(solver.contacts[1].impulse[0], 1, 1e-10);
  EXPECT_NEAR(solver.bodies[2].velocity.norm(), 0, 1e-10);
  EXPECT_LE(solver.law_error().largest, 1e-10);
}

TEST(SweepSolver, HoldsWhatFrictionCanHold) {
  SweepSolver<3> solver = tower();
  solver.bodies[1].velocity = {0.1, 0, -1};  // slow enough: the impulse to stop the slip is below 0.3 × 2
  solver.solve(1e-13, 5000);
  const Eigen::Vector3d slip = solver.relative_velocity(solver.contacts[0]);
  EXPECT_NEAR(slip.head<2>().norm(), 0, 1e-9);
  solver = tower();
  solver.bodies[1].velocity = {100, 0, -1};
  solver.solve(1e-13, 5000);
  EXPECT_NEAR(std::hypot(solver.contacts[0].impulse[1], solver.contacts[0].impulse[2]),
              0.3 * solver.contacts[0].impulse[0], 1e-9);
}

TEST(SweepSolver, GoesOnFromItsOwnSolution) {
  SweepSolver<3> solver = tower();
  solver.solve(1e-12, 1000);
  for (int b : {1, 2}) {
    solver.bodies[b].velocity = {0, 0, -1};
    solver.bodies[b].spin.setZero();
  }
  solver.apply_first_guess();
  EXPECT_EQ(solver.solve(1e-9, 1000).sweeps, 1);
}

TEST(SweepSolver, AsksTheBodiesHowFarItIsOff) {
  SweepSolver<3> solver = tower();
  EXPECT_NEAR(solver.law_error().largest, 1, 1e-12);  // the lower ball runs into the ground
}

// A spinning ball on the ground: the torque is bounded by the normal impulse.
TEST(SweepSolver, ResistsSpinning) {
  SweepSolver<3> solver = tower();
  solver.contacts.pop_back();
  solver.bodies[1].spin = {0, 0, 5};
  solver.turnings.push_back({.spinning = 1e-3});
  solver.contacts[0].turning = 0;
  solver.set_weights(solver.contacts[0]);
  solver.solve(1e-13, 1000);
  EXPECT_NEAR(solver.bodies[1].spin.z(), 5 - 1e-3 / 0.004, 1e-10);
  solver.bodies[1].spin = {0, 0, 0.1};
  solver.contacts[0].impulse.setZero();
  solver.turnings[0].impulse.setZero();
  solver.bodies[1].velocity = {0, 0, -1};
  solver.solve(1e-13, 1000);
  EXPECT_NEAR(solver.bodies[1].spin.norm(), 0, 1e-10);
}

// The two balls glued together, as a body of two kilograms that cannot turn: each feels what pushes the other.
TEST(SweepSolver, TiedBodiesAnswerTogether) {
  SweepSolver<3> solver = tower();
  solver.tied_bodies = {1, 2};
  solver.tied_response.setZero(12, 12);
  for (const int row : {0, 6}) {
    for (const int column : {0, 6}) solver.tied_response.block<3, 3>(row, column) = Eigen::Matrix3d::Identity() / 2;
  }
  for (const int b : {1, 2}) {
    solver.bodies[b].tied = b - 1;
    solver.bodies[b].inverse_mass = 0;
    solver.bodies[b].inverse_inertia.setZero();
    solver.bodies[b].velocity = {0.1, 0, -1};
  }
  for (SweepContact<3>& contact : solver.contacts) solver.set_weights(contact);
  EXPECT_NEAR(solver.contacts[0].normal_weight, 2, 1e-12);
  EXPECT_EQ(solver.contacts[1].normal_weight, 0);  // nothing can move them apart
  solver.solve(1e-13, 100);
  EXPECT_NEAR(solver.contacts[0].impulse[0], 2, 1e-12);
  EXPECT_NEAR(solver.contacts[0].impulse.tail<2>().norm(), 0.2, 1e-12);  // sticks
  for (const int b : {1, 2}) EXPECT_NEAR(solver.bodies[b].velocity.norm(), 0, 1e-12);
}

}  // namespace
}  // namespace carom
