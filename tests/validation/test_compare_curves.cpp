#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "signals/curve.h"
#include "validation/compare_curves.h"

namespace carom {
namespace {

using std::numbers::pi;

std::vector<double> instants(double begin, double end, int count) {
  std::vector<double> t;
  for (int k = 0; k < count; ++k) t.push_back(begin + (end - begin) * k / (count - 1));
  return t;
}

template <class Function>
std::vector<double> values(const std::vector<double>& t, Function function) {
  std::vector<double> x;
  for (const double each : t) x.push_back(function(each));
  return x;
}

TEST(ValueAt, liesOnTheLineBetweenSamples) {
  const std::vector<double> t = {0, 1, 3}, x = {5, 7, -1};
  EXPECT_EQ(value_at(t, x, 0), 5);
  EXPECT_EQ(value_at(t, x, 1), 7);
  EXPECT_EQ(value_at(t, x, 3), -1);
  EXPECT_DOUBLE_EQ(value_at(t, x, 0.25), 5.5);
  EXPECT_DOUBLE_EQ(value_at(t, x, 2.5), 1);
  EXPECT_EQ(value_at(t, x, -1), 5);
  EXPECT_EQ(value_at(t, x, 4), -1);
}

TEST(IntegralOf, isExactOfLinesAndBetweenSamples) {
  const std::vector<double> t = {0, 0.5, 2, 3};
  const std::vector<double> x = values(t, [](double at) { return 1 + 2 * at; });
  EXPECT_DOUBLE_EQ(integral_of(t, x, 0, 3), 12);
  EXPECT_DOUBLE_EQ(integral_of(t, x, 0.25, 2.5), 2.25 + 2.5 * 2.5 - 0.25 * 0.25);
  EXPECT_EQ(integral_of(t, x, 1, 1), 0);
}

TEST(IntegralOf, isOfSecondOrder) {
  double before = 0;
  for (const int count : {51, 101, 201}) {
    const auto t = instants(0, pi, count);
    const double error = std::abs(integral_of(t, values(t, [](double at) { return std::sin(at); }), 0, pi) - 2);
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 0.01);
    }
    before = error;
  }
}

TEST(IntegralOf, leavesOutWhatIsNotFinite) {
  const std::vector<double> t = {0, 1, 2, 3, 4}, x = {1, 1, std::numeric_limits<double>::quiet_NaN(), 1, 1};
  EXPECT_DOUBLE_EQ(integral_of(t, x, 0, 4), 2);
}

TEST(CompareCurves, aCurveDoesNotDifferFromItself) {
  const auto t = instants(0, 2, 101);
  const auto x = values(t, [](double at) { return std::cos(at); });
  const CurveDifference d = compare_curves({t, x}, {t, x}, common_span(t, t));
  EXPECT_EQ(d.samples, 101u);
  EXPECT_EQ(d.rms, 0);
  EXPECT_EQ(d.largest, 0);
  EXPECT_DOUBLE_EQ(d.range, 1 - std::cos(2));
  EXPECT_TRUE(same_times(t, t, common_span(t, t)));
}

// 3 sin t over whole periods: rms 3/√2, largest 3 at π/2.
TEST(CompareCurves, findsRmsAndLargestWithItsTime) {
  const auto t = instants(0, 2 * pi, 401);
  const auto a = values(t, [](double at) { return 10 * at; });
  const auto b = values(t, [](double at) { return 10 * at + 3 * std::sin(at); });
  const CurveDifference d = compare_curves({t, a}, {t, b}, common_span(t, t));
  EXPECT_NEAR(d.rms, 3 / std::numbers::sqrt2, 1e-12);
  EXPECT_NEAR(d.largest, 3, 1e-12);
  EXPECT_NEAR(d.time, pi / 2, 1e-12);
  EXPECT_NEAR(d.range, 20 * pi, 1e-12);
}

// Samples where little happens must not outweigh those where much does.
TEST(CompareCurves, meansOverTimeAndNotOverSamples) {
  std::vector<double> t = instants(0, 1, 1001);
  t.insert(t.end(), {1 + 1e-9, 2});
  const std::vector<double> a(t.size(), 0);
  const auto b = values(t, [](double at) { return at > 1 ? 1.0 : 0.0; });
  EXPECT_NEAR(compare_curves({t, a}, {t, b}, common_span(t, t)).rms, std::sqrt(0.5), 1e-6);
}

TEST(CompareCurves, interpolatesBWhereItsSamplesLieElsewhere) {
  const auto t = instants(0, 1, 101), other = instants(0, 1, 8);
  const auto line = [](double at) { return 4 - 3 * at; };
  const TimeSpan span = common_span(t, other);
  EXPECT_FALSE(same_times(t, other, span));
  EXPECT_LT(compare_curves({t, values(t, line)}, {other, values(other, line)}, span).largest, 1e-14);
}

TEST(CompareCurves, looksAtWhatBothHave) {
  const auto t = instants(0, 2, 201), other = instants(0.5, 1, 51);
  const TimeSpan span = common_span(t, other);
  EXPECT_EQ(span.begin, 0.5);
  EXPECT_EQ(span.end, 1);
  EXPECT_TRUE(same_times(t, other, span));
  const auto a = values(t, [](double at) { return at > 1 + 1e-9 ? 1e9 : at; });
  const auto b = values(other, [](double at) { return at + 0.25; });
  const CurveDifference d = compare_curves({t, a}, {other, b}, span);
  EXPECT_EQ(d.samples, 51u);
  EXPECT_NEAR(d.largest, 0.25, 1e-12);
  EXPECT_NEAR(d.range, 0.5, 1e-12);
}

TEST(CompareCurves, survivesASingleSampleAndInfiniteOnes) {
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<double> t = {0, 1}, a = {-infinite, 2}, b = {-infinite, 5};
  const CurveDifference d = compare_curves({t, a}, {t, b}, common_span(t, t));
  EXPECT_EQ(d.samples, 1u);
  EXPECT_EQ(d.rms, 3);
  EXPECT_EQ(d.largest, 3);
  EXPECT_EQ(d.time, 1);
}

TEST(SumOfIncrements, countsEachOnceFromTheBeginOn) {
  const std::vector<double> t = {0, 1, 2, 3}, x = {100, 1, 2, 4};
  EXPECT_EQ(sum_of_increments({t, x}, {0, 3}), 7);
  EXPECT_EQ(sum_of_increments({t, x}, {1, 2}), 2);
}

}  // namespace
}  // namespace carom
