#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "exports/shaded_mesh.h"

namespace carom {
namespace {

double area_of(const std::vector<Eigen::Vector3d>& points, const std::vector<std::array<int, 3>>& triangles) {
  double area = 0;
  for (const auto& [a, b, c] : triangles) {
    const double each = 0.5 * (points[b] - points[a]).cross(points[c] - points[a]).z();
    EXPECT_GE(each, 0);
    area += each;
  }
  return area;
}

TEST(CutPolygon, FillsAStarWithDents) {
  std::vector<Eigen::Vector3d> points;
  std::vector<int> polygon;
  double area = 0;
  for (int k = 0; k < 20; ++k) {
    const double radius = k % 2 == 0 ? 1 : 0.3, angle = std::numbers::pi * k / 10;
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0);
    polygon.push_back(k);
    area += 0.5 * 0.3 * std::sin(std::numbers::pi / 10);
  }
  const auto triangles = cut_polygon(points, polygon);
  EXPECT_EQ(triangles.size(), 18);
  EXPECT_NEAR(area_of(points, triangles), area, 1e-12);
}

// A hole is reached by a bridge that is passed twice.
TEST(CutPolygon, LeavesAHoleOpen) {
  const std::vector<Eigen::Vector3d> points = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0},
                                               {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}};
  const auto triangles = cut_polygon(points, {0, 1, 2, 3, 0, 4, 5, 6, 7, 4});
  EXPECT_NEAR(area_of(points, triangles), 12, 1e-12);
}

TEST(CutPolygon, EndsForAPolygonThatCrossesItself) {
  const std::vector<Eigen::Vector3d> points = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_EQ(cut_polygon(points, {0, 1, 2, 3}).size(), 2);
}

TEST(ShadedMesh, HasRoundBallsAndSharpBoxes) {
  const ShadedMesh ball = shaded_mesh(ball_solid(2, 24));
  for (std::size_t k = 0; k < ball.points.size(); k += 3) {
    const Eigen::Vector3d point(ball.points[k], ball.points[k + 1], ball.points[k + 2]);
    const Eigen::Vector3d normal(ball.normals[k], ball.normals[k + 1], ball.normals[k + 2]);
    EXPECT_GT(normal.dot(point) / 2, std::cos(0.08));
  }
  const ShadedMesh box = shaded_mesh(box_solid({1, 2, 3}));
  EXPECT_EQ(box.triangles.size(), 36);
  for (std::size_t k = 0; k < box.normals.size(); k += 3)
    EXPECT_NEAR(std::max({std::abs(box.normals[k]), std::abs(box.normals[k + 1]), std::abs(box.normals[k + 2])}), 1,
                1e-6);
}

}  // namespace
}  // namespace carom
