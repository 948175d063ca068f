#include <cmath>

#include <gtest/gtest.h>

#include "verification/separation.h"

// How runs part: growth that is exponential is told from all other growth.
namespace carom {
namespace {

// A body that goes through a metre in a second, `off` by so much.
template <class F>
RecordedRun going(std::size_t intervals, F off) {
  RecordedRun run;
  run.header.groups = {{"body:a", {{"x", "m", ""}, {"vx", "m/s", ""}}}};
  for (std::size_t k = 0; k <= intervals; ++k) {
    const double t = static_cast<double>(k) / static_cast<double>(intervals);
    run.times.push_back(t);
    run.values.insert(run.values.end(), {t + off(t), 1});
  }
  return run;
}

const RecordedRun exact = going(1000, [](double) { return 0.0; });

TEST(Separation, IsAPartOfTheRangeAndNamesTheCoordinate) {
  const SeparationCurve curve = separation(going(1000, [](double t) { return 0.03 * t; }), exact, "other");
  ASSERT_EQ(curve.t.size(), 1001u);
  EXPECT_NEAR(curve.largest, 0.03, 1e-12);
  EXPECT_NEAR(curve.largest_at, 1, 1e-12);
  EXPECT_EQ(curve.coordinate, "body:a.x");
  ASSERT_TRUE(curve.parts_at);
  EXPECT_NEAR(*curve.parts_at, 1.0 / 3, 2e-3);
}

TEST(Separation, ComparesRunsOfOtherSampling) {
  const RecordedRun dense = going(4000, [](double t) { return 1e-6 * t; });
  const SeparationCurve curve = separation(exact, dense, "other");
  ASSERT_EQ(curve.t.size(), 1001u);
  EXPECT_NEAR(curve.largest, 1e-6, 1e-9);
  EXPECT_EQ(at_times_of(dense, exact).times, exact.times);
  // Times that are not there are not made up.
  EXPECT_EQ(at_times_of(going(700, [](double) { return 0.0; }), exact).times.size(), 701u);
  EXPECT_TRUE(separation(exact, going(700, [](double) { return 0.0; }), "other").t.empty());
}

TEST(Separation, GrowthThatIsExponentialHasARate) {
  const auto growing = [](double t) { return 1e-9 * std::exp(15 * t) * (1 + 0.5 * std::sin(200 * t)); };
  const auto rate = growth_rate(separation(going(1000, growing), exact, "other"));
  ASSERT_TRUE(rate);
  EXPECT_NEAR(*rate, 15, 0.5);
}

TEST(Separation, GrowthByAPowerOrByOneEventHasNone) {
  for (const double power : {1.0, 2.0, 3.0})
    EXPECT_FALSE(growth_rate(separation(going(1000, [=](double t) { return 9e-3 * std::pow(t, power); }), exact, "")));
  const auto struck = [](double t) { return t < 0.5 ? 1e-10 : 5e-3 * t; };
  EXPECT_FALSE(growth_rate(separation(going(1000, struck), exact, "")));
  EXPECT_FALSE(growth_rate(separation(exact, exact, "")));
}

// A journal that rattles in a bearing of 0.5 mm moves little beside a machine, and its runs part all the same.
TEST(Separation, PlayIsMeasuredByItself) {
  RecordedRun steady = exact, rattling = exact;
  for (RecordedRun* run : {&steady, &rattling}) {
    run->header.groups.push_back({"joint:pin", {{"ex", "m", ""}}});
    run->values.clear();
    for (const double t : run->times)
      run->values.insert(run->values.end(), {t, 1, 5e-4 * std::sin(run == &steady ? 50 * t : 53 * t)});
  }
  const SeparationCurve curve = separation(rattling, steady, "other");
  EXPECT_EQ(curve.coordinate, "joint:pin.ex");
  EXPECT_GT(curve.largest, 0.5);
  EXPECT_EQ(followed_columns({"body:a.x", "body:a.vx", "joint:pin.ex", "joint:pin.fx"}).front(), "joint:pin.ex");
}

// What stands still differs by rounding alone, and that is nothing beside the size of the model.
TEST(Separation, WhatStandsStillIsMeasuredByItsSize) {
  RecordedRun still = exact, beside = exact;
  for (std::size_t k = 0; k < exact.times.size(); ++k) still.values[2 * k] = 1, beside.values[2 * k] = 1 + 1e-13;
  EXPECT_LT(separation(beside, still, "").largest, 1e-7);
}

}  // namespace
}  // namespace carom
