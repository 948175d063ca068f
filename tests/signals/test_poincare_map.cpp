#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "signals/poincare_map.h"

namespace carom {
namespace {

// cos t and −sin t: a circle run through once in 2π.
struct Circle {
  std::vector<double> times, xs, ys;
  Circle() {
    for (int i = 0; i <= 10000; ++i) {
      const double t = 0.005 * i;
      times.push_back(t);
      xs.push_back(std::cos(t));
      ys.push_back(-std::sin(t));
    }
  }
};

TEST(StroboscopicMap, ShowsAPeriodicMotionAsOnePoint) {
  const Circle circle;
  const double period = 2 * std::numbers::pi;
  const auto points = stroboscopic_map(circle.times, circle.xs, circle.ys, {.first = 1, .period = period});
  ASSERT_EQ(points.size(), 8u);  // 1 + 7 · 2π < 50
  for (const MapPoint& point : points) {
    EXPECT_NEAR(point.x, std::cos(1), 1e-5);
    EXPECT_NEAR(point.y, -std::sin(1), 1e-5);
  }
  EXPECT_NEAR(points[7].t, 1 + 7 * period, 1e-12);
  // At twice the speed the flashes see both ends of a diameter.
  EXPECT_NEAR(stroboscopic_map(circle.times, circle.xs, circle.ys, {.first = 0, .period = period / 2})[1].x, -1, 1e-5);
  EXPECT_TRUE(stroboscopic_map({}, {}, {}, {.period = 1}).empty());
}

TEST(SectionMap, TakesTheInstantsOfCrossing) {
  const Circle circle;
  const auto map = [&](Crossing way) {
    return section_map(circle.times, circle.xs, circle.ys, {.values = circle.xs, .level = 0.5, .way = way});
  };
  for (const MapPoint& point : map(Crossing::rising)) {
    EXPECT_NEAR(point.x, 0.5, 1e-12);
    EXPECT_NEAR(point.y, std::sqrt(0.75), 1e-5);
  }
  for (const MapPoint& point : map(Crossing::falling)) EXPECT_NEAR(point.y, -std::sqrt(0.75), 1e-5);
  EXPECT_EQ(map(Crossing::falling).size(), 8u);
  EXPECT_EQ(map(Crossing::both).size(), map(Crossing::rising).size() + map(Crossing::falling).size());
}

TEST(InstantMap, TakesValuesBetweenSamples) {
  const std::vector<double> times = {0, 1, 2}, xs = {0, 10, 30}, ys = {1, 1, 3};
  const auto points = instant_map(times, xs, ys, {-0.5, 0, 0.25, 1.5, 2, 2.5});
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[0].x, 0);
  EXPECT_DOUBLE_EQ(points[1].x, 2.5);
  EXPECT_DOUBLE_EQ(points[2].x, 20);
  EXPECT_DOUBLE_EQ(points[2].y, 2);
  EXPECT_EQ(points[3].x, 30);
}

}  // namespace
}  // namespace carom
