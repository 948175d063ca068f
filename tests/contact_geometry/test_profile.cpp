#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "contact_geometry/profile.h"
#include "sample_shapes.h"

namespace carom {
namespace {

TEST(Profile, PassesThroughItsPointsTwiceContinuously) {
  const Profile profile = bean(1);
  double s = 0;
  for (int k = 0; k < 48; ++k) {
    const auto point = [&](int i) {
      const double angle = 2 * M_PI * i / 48;
      return Eigen::Vector2d(1.2 * std::cos(angle), 0.5 * std::sin(angle) - 0.3 * std::cos(2 * angle));
    };
    EXPECT_NEAR((profile.at(s).position - point(k)).norm(), 0, 1e-14);
    const CurvePoint left = profile.at(s - 1e-9), right = profile.at(s + 1e-9);
    EXPECT_NEAR((left.first - right.first).norm(), 0, 1e-7);
    EXPECT_NEAR((left.second - right.second).norm(), 0, 1e-6);
    s += (point(k + 1) - point(k)).norm();
  }
  EXPECT_NEAR(s, profile.end(), 1e-12);
}

TEST(Profile, DerivativesAreThoseOfThePosition) {
  const Profile closed = bean(0.7), open = Profile::through({{0, 0}, {1, 0.2}, {1.5, 1}, {1, 2}}, false);
  for (const Profile* profile : {&closed, &open}) {
    for (double part = 0.013; part < 1; part += 0.037) {
      const double s = part * profile->end(), h = 1e-6 * profile->end();
      const CurvePoint point = profile->at(s), before = profile->at(s - h), after = profile->at(s + h);
      EXPECT_NEAR((point.first - (after.position - before.position) / (2 * h)).norm(), 0, 1e-8);
      EXPECT_NEAR((point.second - (after.first - before.first) / (2 * h)).norm(), 0, 1e-7);
    }
  }
}

TEST(Profile, RunsCounterClockwiseWhicheverWayItIsGiven) {
  std::vector<Eigen::Vector2d> points = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
  for (int way = 0; way < 2; ++way) {
    const Profile profile = Profile::through(points, true);
    for (double s = 0; s < profile.end(); s += 0.1) {
      EXPECT_GT(profile.normal(s).dot(profile.at(s).position - Eigen::Vector2d(0.5, 0.5)), 0);
      EXPECT_GT(profile.curvature(s), 0);
    }
    std::reverse(points.begin(), points.end());
  }
}

TEST(Profile, KnowsLengthAndCurvature) {
  const Profile circle = Profile::circle(0.3, {1, 2});
  EXPECT_NEAR(circle.length(), 0.6 * M_PI, 1e-12);
  EXPECT_NEAR(circle.curvature(0.4), 1 / 0.3, 1e-12);
  EXPECT_TRUE(circle.is_convex());
  const Profile ellipse = Profile::ellipse(2, 1);
  EXPECT_NEAR(ellipse.length(), 8 * std::comp_ellint_2(std::sqrt(0.75)), 1e-7);
  EXPECT_NEAR(ellipse.curvature(0), 2, 1e-12);
  EXPECT_NEAR(ellipse.bounding_radius(), 2, 0.01);
  EXPECT_NEAR(Profile::arc(0.2, 1, 0).curvature(0.05), -5, 1e-12);
}

TEST(Profile, IsCutWhereItTurnsHollow) {
  const Profile profile = bean(1);
  ASSERT_EQ(profile.pieces().size(), 2u);
  EXPECT_NE(profile.pieces()[0].concave, profile.pieces()[1].concave);
  EXPECT_FALSE(profile.is_convex());
  double turn = 0;
  for (const auto& piece : profile.pieces()) turn += (piece.concave ? -1 : 1) * (piece.high - piece.low);
  EXPECT_NEAR(turn, 2 * M_PI, 1e-9);
}

TEST(Profile, JoinsPartsToAStadium) {
  const std::vector<Profile> parts = {
      Profile::line({-1, -0.5}, {1, -0.5}), Profile::arc(0.5, -M_PI / 2, M_PI / 2, {1, 0}),
      Profile::line({1, 0.5}, {-1, 0.5}), Profile::arc(0.5, M_PI / 2, 1.5 * M_PI, {-1, 0})};
  const Profile stadium = Profile::joined(parts, true);
  EXPECT_NEAR(stadium.length(), 4 + M_PI, 1e-12);
  EXPECT_TRUE(stadium.is_convex());
  EXPECT_THROW(Profile::joined(std::span(parts).first(2), true), std::invalid_argument);
}

TEST(Profile, FindsItsSelfCrossing) {
  EXPECT_FALSE(bean(1).find_self_crossing());
  EXPECT_FALSE(Profile::ellipse(3, 1).find_self_crossing());
  EXPECT_FALSE(Profile::through({{0, 0}, {1, 0.2}, {1.5, 1}, {1, 2}}, false).find_self_crossing());
  std::vector<Eigen::Vector2d> eight;
  for (int k = 0; k < 20; ++k) {
    const double angle = 2 * M_PI * (k + 0.3) / 20;
    eight.emplace_back(std::cos(angle), std::sin(2 * angle));
  }
  const Profile profile = Profile::through(eight, true);
  const auto crossing = profile.find_self_crossing();
  ASSERT_TRUE(crossing);
  EXPECT_GT(std::abs(crossing->first - crossing->second), 1);
  EXPECT_NEAR((profile.at(crossing->first).position - profile.at(crossing->second).position).norm(), 0, 1e-13);
}

TEST(Profile, RefusesUnsoundPoints) {
  EXPECT_THROW(Profile::through({{0, 0}, {1, 0}}, true), std::invalid_argument);
  EXPECT_THROW(Profile::through({{0, 0}}, false), std::invalid_argument);
  EXPECT_THROW(Profile::through({{0, 0}, {0, 0}, {1, 1}}, false), std::invalid_argument);
  EXPECT_THROW(Profile::through({{0, 0}, {std::nan(""), 0}, {1, 1}}, false), std::invalid_argument);
}

}  // namespace
}  // namespace carom
