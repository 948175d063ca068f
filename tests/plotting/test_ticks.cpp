#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "plotting/decimate.h"
#include "plotting/ticks.h"

namespace carom {
namespace {

using testing::ElementsAre;

TEST(LinearTicks, LieAtRoundNumbersWithinTheRange) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-12, 12), sign(-1, 1);
  for (int trial = 0; trial < 3000; ++trial) {
    const double middle = sign(random) * std::pow(10, exponent(random)), half = std::pow(10, exponent(random));
    if (half < 1e-8 * std::abs(middle)) continue;
    const Range range = {middle - half, middle + half};
    const int wanted = 1 + trial % 10;
    const Ticks ticks = linear_ticks(range, wanted);
    ASSERT_GE(ticks.major.size(), 2u);
    ASSERT_LE(ticks.major.size(), static_cast<std::size_t>(std::max(wanted + 1, 5)));
    ASSERT_EQ(ticks.labels.size(), ticks.major.size());
    const double step = ticks.major[1] - ticks.major[0];
    const double digit = step / std::pow(10, std::floor(std::log10(step * 1.0001)));
    ASSERT_TRUE(std::abs(digit - 1) < 1e-3 || std::abs(digit - 2) < 1e-3 || std::abs(digit - 5) < 1e-3) << step;
    for (std::size_t i = 0; i < ticks.major.size(); ++i) {
      ASSERT_GE(ticks.major[i], range.low - 1e-6 * half);
      ASSERT_LE(ticks.major[i], range.high + 1e-6 * half);
      for (std::size_t j = 0; j < i; ++j) ASSERT_NE(ticks.labels[i], ticks.labels[j]);
    }
  }
}

TEST(LinearTicks, TakeOutACommonFactorAndOffset) {
  EXPECT_THAT(linear_ticks({0, 1}, 5).labels, ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_EQ(linear_ticks({0, 1}, 5).factor, "");
  EXPECT_THAT(linear_ticks({-2e-5, 2e-5}, 4).labels, ElementsAre("−20", "−10", "0", "10", "20"));
  EXPECT_EQ(linear_ticks({-2e-5, 2e-5}, 4).factor, "×10⁻⁶");
  EXPECT_EQ(linear_ticks({0, 3e6}, 4).factor, "×10⁶");
  EXPECT_THAT(linear_ticks({0, 20000}, 2).labels, ElementsAre("0", "10000", "20000"));
  const Ticks offset = linear_ticks({1.25 - 2e-6, 1.25 + 2e-6}, 4);
  EXPECT_EQ(offset.factor, "×10⁻⁶ + 1.25");
  EXPECT_THAT(offset.labels, ElementsAre("−2", "−1", "0", "1", "2"));
}

TEST(LogTicks, LieAtPowersOfTen) {
  const Ticks ticks = log_ticks({1e-4, 1e1}, 8);
  EXPECT_THAT(ticks.labels, ElementsAre("10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹"));
  EXPECT_EQ(ticks.minor.size(), 5u * 8);
  EXPECT_LE(log_ticks({1e-30, 1e30}, 6).major.size(), 8u);
  EXPECT_THAT(log_ticks({1, 20}, 6).labels, ElementsAre("1", "2", "5", "10", "20"));
  EXPECT_GE(log_ticks({3, 4}, 4).major.size(), 2u);
  EXPECT_GE(log_ticks({3, 18}, 4).major.size(), 2u);
}

TEST(Ranges, AreMadeDrawable) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const bool logarithmic : {false, true}) {
    for (const Range range : {Range{infinite, -infinite}, Range{5, 5}, Range{0, 0}, Range{-3, -3}, Range{-1e308, 1e308},
                              Range{1, 1 + 1e-15}, Range{1e-320, 1e-320}}) {
      const Range good = drawable(range, logarithmic);
      EXPECT_LT(good.low, good.high);
      EXPECT_TRUE(std::isfinite(good.high - good.low));
      EXPECT_TRUE(!logarithmic || good.low > 0);
    }
  }
}

TEST(Decimation, KeepsExtremesEndsAndOrder) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise;
  std::vector<PagePoint> points;
  for (int i = 0; i < 100'000; ++i) points.push_back({500.0 * i / 100'000, noise(random)});
  const auto lines = decimate_line(points, 0.5);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_LE(lines[0].size(), 4001u);
  EXPECT_EQ(lines[0].front().y, points.front().y);
  EXPECT_EQ(lines[0].back().y, points.back().y);
  const auto extremes = [](const auto& list) {
    double low = 0, high = 0;
    for (const PagePoint& point : list) low = std::min(low, point.y), high = std::max(high, point.y);
    return std::pair(low, high);
  };
  EXPECT_EQ(extremes(lines[0]), extremes(points));
  for (std::size_t i = 1; i < lines[0].size(); ++i) ASSERT_GE(lines[0][i].x, lines[0][i - 1].x);
}

TEST(Decimation, BreaksAtGapsAndKeepsFewPoints) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto lines = decimate_line({{nan, 0}, {0, 1}, {1, 2}, {2, nan}, {3, 4}, {nan, nan}}, 0.5);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].size(), 2u);
  EXPECT_EQ(lines[1].size(), 1u);
  EXPECT_TRUE(decimate_line({}, 0.5).empty());
  EXPECT_EQ(decimate_points({{1, 1}, {1.1, 1.1}, {9, 9}, {nan, 1}}, 0.5).size(), 2u);
}

}  // namespace
}  // namespace carom
