#include "math/nearest_in_ball.h"

#include <random>

#include <gtest/gtest.h>

namespace carom {
namespace {

TEST(NearestInBall, LeavesPointsInsideAlone) {
  const Eigen::Matrix2d A = Eigen::Vector2d(1, 3).asDiagonal();
  const auto found = nearest_in_ball<2>(A, Eigen::Vector2d(0.3, 0.4), 0.6);
  EXPECT_EQ(found.point, Eigen::Vector2d(0.3, 0.4));
  EXPECT_EQ(found.reaction(), Eigen::Vector2d::Zero());
}

TEST(NearestInBall, IsRadialForEqualMasses) {
  const auto found = nearest_in_ball<3>(2 * Eigen::Matrix3d::Identity(), Eigen::Vector3d(3, 0, 4), 0.5);
  EXPECT_TRUE(found.point.isApprox(Eigen::Vector3d(0.3, 0, 0.4), 1e-13));
  EXPECT_TRUE(found.reaction().isApprox(-0.5 * Eigen::Vector3d(2.7, 0, 3.6), 1e-13));
}

// The push explains the way, acts along the radius, and no other point of the surface is nearer.
TEST(NearestInBall, IsNearestInTheMetricOfTheMasses) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    Eigen::Matrix2d root;
    Eigen::Vector2d x;
    for (int k = 0; k < 4; ++k) root(k / 2, k % 2) = normal(random);
    const double far = std::pow(10.0, 3 * normal(random)), radius = 1e-3;
    for (int k = 0; k < 2; ++k) x[k] = far * normal(random);
    const Eigen::Matrix2d A = root * root.transpose() + 1e-3 * Eigen::Matrix2d::Identity();
    const auto found = nearest_in_ball<2>(A, x, radius);
    if (x.norm() <= radius) continue;
    ASSERT_NEAR(found.point.norm(), radius, 1e-12 * radius);
    ASSERT_TRUE((x + A * found.reaction()).isApprox(found.point, 1e-9 * far / radius)) << trial;
    const auto distance = [&](const Eigen::Vector2d& d) { return (d - x).dot(A.ldlt().solve(d - x)); };
    const double least = distance(found.point);
    for (int k = 0; k < 36; ++k) {
      const double angle = 2 * M_PI * k / 36;
      ASSERT_GE(distance(radius * Eigen::Vector2d(std::cos(angle), std::sin(angle))), least * (1 - 1e-9));
    }
  }
}

// What cannot be moved stays where it is, and nothing is infinite.
TEST(NearestInBall, DoesWhatItCanWithoutCompliance) {
  Eigen::Matrix2d A = Eigen::Matrix2d::Zero();
  EXPECT_EQ(nearest_in_ball<2>(A, Eigen::Vector2d(1, 1), 0.1).point, Eigen::Vector2d(1, 1));
  A(0, 0) = 1;
  const auto found = nearest_in_ball<2>(A, Eigen::Vector2d(1, 1), 0.1);
  EXPECT_TRUE(found.point.allFinite());
  EXPECT_LT(found.point[0], 0.1);
  EXPECT_EQ(found.point[1], 1);
}

}  // namespace
}  // namespace carom
