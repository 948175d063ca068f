#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "../support/meshes.h"
#include "geometry_io/surface_edges.h"

namespace carom {
namespace {

using testing::Contains;
using testing::HasSubstr;

void expect_closed(const ClosedSurface& surface) {
  for (const SurfaceEdge& edge : edges_of(surface.triangles)) {
    EXPECT_EQ(edge.users, 2);
    EXPECT_FALSE(edge.same_way);
  }
  for (const Triangle& t : surface.triangles) {
    const Eigen::Vector3d &a = surface.points[t[0]], &b = surface.points[t[1]], &c = surface.points[t[2]];
    EXPECT_GT((b - a).cross(c - a).norm(), 0);
  }
}

std::string failure_of(TriangleSoup soup) {
  try {
    close_surface(std::move(soup));
  } catch (const std::invalid_argument& failure) {
    return failure.what();
  }
  return "";
}

TEST(CloseSurface, EqualPointsAreJoined) {
  const TriangleSoup part = box_soup({1, 2, 3});
  TriangleSoup apart;  // as STL has it
  for (const Triangle& t : part.triangles) {
    const int first = static_cast<int>(apart.points.size());
    for (const int corner : t) apart.points.push_back(part.points[corner]);
    apart.triangles.push_back({first, first + 1, first + 2});
  }
  const ClosedSurface surface = close_surface(apart);
  EXPECT_EQ(surface.points.size(), 8U);
  EXPECT_NEAR(surface.volume, 48, 1e-12);
  EXPECT_TRUE(surface.remarks.empty());
  expect_closed(surface);
}

TEST(CloseSurface, PointsThatRoundingHasSeparatedAreJoinedAndThatIsSaid) {
  const TriangleSoup part = ball_soup(1, 2);
  TriangleSoup apart;
  for (const Triangle& t : part.triangles) {
    const int first = static_cast<int>(apart.points.size());
    for (const int corner : t)
      apart.points.push_back(part.points[corner] * (1 + 1e-8 * static_cast<double>(apart.points.size() % 7)));
    apart.triangles.push_back({first, first + 1, first + 2});
  }
  const ClosedSurface surface = close_surface(apart);
  EXPECT_EQ(surface.points.size(), part.points.size());
  EXPECT_THAT(surface.remarks, Contains(HasSubstr("joined")));
  expect_closed(surface);
}

TEST(CloseSurface, AnOpenSurfaceIsRefusedWithThePlace) {
  TriangleSoup part = box_soup({1, 1, 1});
  part.triangles.pop_back();
  EXPECT_THAT(failure_of(part), HasSubstr("3 edges of one triangle only, the first at"));
}

TEST(CloseSurface, WhatLooksInwardsIsTurned) {
  TriangleSoup part = ball_soup(1, 1);
  for (Triangle& t : part.triangles) std::swap(t[0], t[1]);
  ClosedSurface surface = close_surface(part);
  EXPECT_GT(surface.volume, 0);
  EXPECT_THAT(surface.remarks, Contains(HasSubstr("inside out")));
  part = ball_soup(1, 1);
  std::swap(part.triangles[7][0], part.triangles[7][1]);
  surface = close_surface(part);
  EXPECT_THAT(surface.remarks, Contains(HasSubstr("1 triangle looked inwards")));
  expect_closed(surface);
}

TEST(CloseSurface, TrianglesWithoutAreaAreTakenOutAndNoHoleIsLeft) {
  for (const double height : {0.0, 1e-20, 1e-14}) {
    TriangleSoup part = box_soup({1, 1, 1});
    const double volume = close_surface(part).volume;
    // A thin triangle between two faces: the side a–b of one face goes by a point m a hair beside it.
    const Triangle cut = part.triangles[0];
    const int a = cut[0], b = cut[1], c = cut[2], m = static_cast<int>(part.points.size());
    part.points.push_back(0.5 * (part.points[a] + part.points[b]) + height * (part.points[c] - part.points[a]));
    part.triangles[0] = {a, m, c};
    part.triangles.push_back({m, b, c});
    part.triangles.push_back({a, b, m});
    const ClosedSurface surface = close_surface(part);
    EXPECT_NEAR(surface.volume, volume, 1e-12);
    EXPECT_THAT(surface.remarks, Contains(HasSubstr("1 triangle without area was taken out")));
    expect_closed(surface);
  }
}

TEST(CloseSurface, SheetsAndBranchesAreRefused) {
  TriangleSoup sheet;
  sheet.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 1}, {1, 3, 2}, {1, 2, 3}};
  EXPECT_FALSE(failure_of(sheet).empty());
  TriangleSoup two = box_soup({1, 1, 1});
  TriangleSoup other = box_soup({1, 1, 1});
  const int shift = static_cast<int>(two.points.size());
  for (Eigen::Vector3d& p : other.points) two.points.push_back(p + Eigen::Vector3d(2, 2, 0));  // along one edge
  for (const Triangle& t : other.triangles) two.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  EXPECT_THAT(failure_of(two), HasSubstr("more than two triangles"));
}

// Nor does the corner that a triangle begins with, to the last bit.
TEST(CloseSurface, TheOrderOfPointsAndTrianglesChangesNothing) {
  const TriangleSoup part = torus(1, 0.3, 24, 12);
  const ClosedSurface surface = close_surface(part);
  std::mt19937 random(3);
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<int> number(part.points.size());
    std::iota(number.begin(), number.end(), 0);
    std::shuffle(number.begin(), number.end(), random);
    TriangleSoup other = part;
    for (std::size_t k = 0; k < number.size(); ++k) other.points[number[k]] = part.points[k];
    std::shuffle(other.triangles.begin(), other.triangles.end(), random);
    for (Triangle& t : other.triangles) {
      for (int& corner : t) corner = number[corner];
      std::rotate(t.begin(), t.begin() + random() % 3, t.end());
    }
    const ClosedSurface same = close_surface(other);
    EXPECT_EQ(same.points, surface.points);
    EXPECT_EQ(same.triangles, surface.triangles);
    EXPECT_EQ(same.volume, surface.volume);
  }
}

TEST(CloseSurface, SelfCrossingsAreFound) {
  EXPECT_TRUE(find_self_crossings(close_surface(torus(1, 0.3, 24, 12)), 10).empty());
  EXPECT_TRUE(find_self_crossings(close_surface(bracket(1)), 10).empty());
  // Two balls in each other.
  TriangleSoup two = ball_soup(1, 1);
  const TriangleSoup other = ball_soup(1, 1);
  const int shift = static_cast<int>(two.points.size());
  for (const Eigen::Vector3d& p : other.points) two.points.push_back(p + Eigen::Vector3d(0.5, 0.31, 0.17));
  for (const Triangle& t : other.triangles) two.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  EXPECT_GT(find_self_crossings(close_surface(two), 1000).size(), 10U);
}

}  // namespace
}  // namespace carom
