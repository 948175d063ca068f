#include <gtest/gtest.h>

#include "contacts/pair_sights.h"

// What is known of a pair from where it was seen last.
namespace carom {
namespace {

BodyState<3> body_at(const Eigen::Vector3d& position, const Eigen::Vector3d& turn = Eigen::Vector3d::Zero()) {
  BodyState<3> body;
  body.position = position;
  body.orientation = Rotation<3>(rotation_from_vector(turn).toRotationMatrix());
  return body;
}

TEST(PairPose, WhatBothDoTogetherIsNoWay) {
  const PairPose<3> pose(body_at({0, 0, 1}), body_at({1, 0, 1}));
  EXPECT_NEAR(pose.way(0.5, 0.5, body_at({0, 0, -9}), body_at({1, 0, -9})), 0, 1e-15);
  EXPECT_NEAR(pose.way(0.5, 0.5, body_at({0, 0, -9}), body_at({1, 0.3, -8.6})), 0.5, 1e-12);
}

TEST(PairPose, ATurnMovesAPointByItsChord) {
  const PairPose<3> pose(body_at({0, 0, 0}), body_at({1, 0, 0}));
  const Eigen::Vector3d turn(0, 0, 1.2);
  EXPECT_NEAR(pose.way(0.5, 0.25, body_at({0, 0, 0}, turn), body_at({1, 0, 0})), 0.5 * 2 * std::sin(0.6), 1e-12);
  EXPECT_NEAR(pose.way(0.5, 0.25, body_at({0, 0, 0}), body_at({1, 0, 0}, turn)), 0.25 * 2 * std::sin(0.6), 1e-12);
}

TEST(PairPose, AWallWithoutEndMayNotTurn) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  const PairPose<3> pose(body_at({0, 0, 0}), body_at({1, 0, 0}));
  EXPECT_EQ(pose.way(0.5, endless, body_at({0, 0, 0}), body_at({1, 0, 0})), 0);
  EXPECT_EQ(pose.way(0.5, endless, body_at({0, 0, 0}), body_at({1, 0, 0}, {0.1, 0, 0})), endless);
}

TEST(PairPose, InThePlane) {
  BodyState<2> a, b;
  b.position = {1, 0};
  const PairPose<2> pose(a, b);
  b.angle = 0.8, b.orientation = Rotation<2>(0.8);
  EXPECT_NEAR(pose.way(1, 0.5, a, b), 0.5 * 2 * std::sin(0.4), 1e-12);
}

TEST(PairSight, AGapIsKnownWhileThereIsRoom) {
  PairSight<3> sight;
  EXPECT_EQ(sight.gap_at(1, 1, body_at({0, 0, 0}), body_at({1, 0, 0})), PairSight<3>::unknown);
  sight.see(0.1, body_at({0, 0, 0}), body_at({1, 0, 0}));
  EXPECT_NEAR(sight.gap_at(1, 1, body_at({0, 5, 0}), body_at({1, 5.04, 0})), 0.06, 1e-12);
}

// Along a wall there is always room.
TEST(PairSight, BesideAHalfSpaceOnlyTheWayAcrossCounts) {
  PairSight<3> sight;
  sight.see(0.1, body_at({0, 0, 0}), body_at({0, 0, 0}));
  sight.normal = -Eigen::Vector3d::UnitX();
  EXPECT_NEAR(sight.gap_at(0.1, 1, body_at({0.02, 7, 0}), body_at({0, 0, 0})), 0.12, 1e-12);
  EXPECT_NEAR(sight.gap_at(0.1, 1, body_at({-0.02, 7, 0}), body_at({0, 0, 0})), 0.08, 1e-12);
}

TEST(SearchMemory, BlocksStayAndServeAgain) {
  SearchMemory memory;
  const int one = memory.take(3), two = memory.take(5), three = memory.take(3);
  memory.at(one)[0] = 1, memory.at(two)[4] = 2, memory.at(three)[2] = 3;
  memory.give(one, 3);
  const int other = memory.take(5), again = memory.take(3);
  EXPECT_EQ(again, one);
  EXPECT_EQ(memory.at(again)[0], 0);
  EXPECT_EQ(memory.at(two)[4], 2);
  EXPECT_EQ(memory.at(three)[2], 3);
  EXPECT_GE(other, three + 3);
}

}  // namespace
}  // namespace carom
