#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "studies/reductions.h"

namespace carom {
namespace {

// 3 + 2 sin(2π t) over two seconds, and a line.
RecordedRun wave() {
  RecordedRun run;
  run.header.groups = {{"body:a", {{"x", "m", ""}, {"t", "s", ""}}}};
  for (int k = 0; k <= 2000; ++k) {
    const double t = k * 1e-3;
    run.times.push_back(t);
    run.values.insert(run.values.end(), {3 + 2 * std::sin(2 * std::numbers::pi * t), t});
  }
  run.events = {
      {0.5, "touch", "contact:a", {0, 0}}, {0.6, "contact", "contact:a", {}}, {1.5, "touch", "contact:b", {0, 0}}};
  return run;
}

StudyQuantity of_x(const std::string& reduce) {
  return {.name = reduce, .of = {"body:a.x"}, .reduce = reduce};
}

double reduced(const StudyQuantity& quantity, const Window& window = {0, 2, 0}) {
  Study study;
  study.quantities = {quantity};
  return reduce(study, wave(), window, {}).values.front();
}

TEST(Reductions, OfAWaveInClosedForm) {
  EXPECT_NEAR(reduced(of_x("max")), 5, 1e-9);
  EXPECT_NEAR(reduced(of_x("min")), 1, 1e-9);
  EXPECT_NEAR(reduced(of_x("peak")), 5, 1e-9);
  EXPECT_NEAR(reduced(of_x("range")), 4, 1e-9);
  EXPECT_NEAR(reduced(of_x("mean")), 3, 1e-9);
  EXPECT_NEAR(reduced(of_x("rms")), std::sqrt(11), 1e-6);
  EXPECT_NEAR(reduced(of_x("deviation")), std::numbers::sqrt2, 1e-6);
  EXPECT_NEAR(reduced(of_x("time_of_max")), 0.25, 1e-6);
  EXPECT_NEAR(reduced(of_x("time_of_min")), 0.75, 1e-6);
  EXPECT_NEAR(reduced(of_x("integral")), 6, 1e-9);
  EXPECT_NEAR(reduced(of_x("final")), 3, 1e-9);
  StudyQuantity percentile = of_x("percentile");
  percentile.percent = 100.0 / 3;
  EXPECT_NEAR(reduced(percentile), 2, 0.01);
}

// A decay exp(−t) cos(20 t) ends below 2 % of its start after ln 50, within half a swing; a constant has settled.
TEST(Reductions, SettlingTimeIsThatOfTheEnvelope) {
  RecordedRun run;
  run.header.groups = {{"body:a", {{"x", "m", ""}}}};
  for (int k = 0; k <= 10000; ++k) {
    const double t = 1e-3 * k;
    run.times.push_back(t);
    run.values.push_back(3 + std::exp(-t) * std::cos(20 * t));
  }
  StudyQuantity quantity;
  quantity.of = {"body:a.x"};
  quantity.reduce = "settling_time";
  Study study;
  study.quantities = {quantity};
  const double settled = reduce(study, run, {0, 10, 0}, {}).values.front();
  EXPECT_LE(settled, std::log(50.0));
  EXPECT_GE(settled, std::log(50.0) - M_PI / 20);
  std::fill(run.values.begin(), run.values.end(), 3.0);
  EXPECT_EQ(reduce(study, run, {0, 10, 0}, {}).values.front(), 0);
}

// A force that jumps: 0, 1000, 999 and 0 again. A parabola through the first three would tell of 1124.
TEST(Reductions, TellOfNothingBeyondAJump) {
  RecordedRun run;
  run.header.groups = {{"contact:a", {{"normal_force", "N", ""}}}};
  run.times = {0, 1, 2, 3};
  run.values = {0, 1000, 999, 0};
  Study study;
  for (const char* how : {"max", "peak", "range", "min", "time_of_max"})
    study.quantities.push_back({.name = how, .of = {"contact:a.normal_force"}, .reduce = how});
  EXPECT_THAT(reduce(study, run, {0, 3, 0}, {}).values, testing::ElementsAre(1000, 1000, 1000, 0, 1));
}

// Signals with jumps, plateaus, large offsets, tiny and huge numbers, at uneven times.
RecordedRun random_signal(std::mt19937& random) {
  std::uniform_real_distribution<double> even(0, 1);
  const double scale = std::pow(10.0, 200 * even(random) - 100), offset = even(random) < 0.5 ? 0 : 1e3 * even(random);
  const bool sparse = even(random) < 0.5, constant = even(random) < 0.2;
  RecordedRun run;
  run.header.groups = {{"body:a", {{"x", "m", ""}}}};
  const int count = 1 + static_cast<int>(60 * even(random));
  double t = even(random);
  for (int k = 0; k < count; ++k) {
    run.times.push_back(t);
    t += std::pow(10.0, -6 * even(random));
    const double swing = constant || (sparse && even(random) < 0.7) ? 0.1 : 2 * even(random) - 1;
    run.values.push_back(scale * (offset + swing));
  }
  return run;
}

TEST(Reductions, NeverLeaveTheRangeOfTheSamples) {
  const std::vector<std::string> values = {"max", "min", "mean", "percentile", "first", "final"},
                                 magnitudes = {"peak", "rms", "power_mean"},
                                 instants = {"time_of_max", "time_of_min", "time_of_peak"};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> even(0, 1);
  for (int round = 0; round < 2000; ++round) {
    const RecordedRun run = random_signal(random);
    const double low = *std::min_element(run.values.begin(), run.values.end()),
                 high = *std::max_element(run.values.begin(), run.values.end());
    double least = std::abs(high), most = 0;
    for (const double x : run.values) least = std::min(least, std::abs(x)), most = std::max(most, std::abs(x));
    const auto of_signal = [&](const std::string& how) {
      StudyQuantity quantity = of_x(how);
      quantity.percent = 100 * even(random);
      quantity.exponent = 1 + 9 * even(random);
      Study study;
      study.quantities = {quantity};
      return reduce(study, run, {run.times.front(), run.times.back(), 0}, {}).values.front();
    };
    EXPECT_EQ(of_signal("max"), high);
    EXPECT_EQ(of_signal("min"), low);
    EXPECT_EQ(of_signal("peak"), most);
    EXPECT_EQ(of_signal("range"), high - low);
    const auto expect_within = [&](const std::vector<std::string>& names, double from, double to) {
      for (const std::string& how : names) {
        const double found = of_signal(how);
        EXPECT_TRUE(found >= from && found <= to) << how << " " << found << " of " << from << " … " << to;
      }
    };
    expect_within(values, low, high);
    expect_within(magnitudes, least, most);
    expect_within(instants, run.times.front(), run.times.back());
    EXPECT_LE(of_signal("equivalent_range"), high - low);
    StudyQuantity points = of_x("poincare");
    points.is_list = true;
    Study study;
    study.quantities = {points};
    const double period = std::max(1e-3, (run.times.back() - run.times.front()) * even(random));
    const ReducedRun result = reduce(study, run, {run.times.front(), run.times.back(), period}, {});
    for (const double x : result.lists.front()) EXPECT_TRUE(x >= low && x <= high) << x;
  }
}

TEST(Reductions, LookOnlyIntoTheWindow) {
  StudyQuantity line = {.name = "line", .of = {"body:a.t"}, .reduce = "mean"};
  EXPECT_NEAR(reduced(line, {1, 2, 0}), 1.5, 1e-12);
  line.to = 1.5;
  EXPECT_NEAR(reduced(line, {1, 2, 0}), 1.25, 1e-12);
  EXPECT_TRUE(std::isnan(reduced(line, {5, 6, 0})));
}

TEST(Reductions, CountBeginnings) {
  StudyQuantity count = {.name = "n", .of = {"contact:*"}, .reduce = "count_events"};
  EXPECT_EQ(reduced(count), 2);
  EXPECT_EQ(reduced(count, {1, 2, 0}), 1);
  count.kind = "contact";
  EXPECT_EQ(reduced(count), 1);
}

// A pair with several shapes and points: its name means all of them.
TEST(Reductions, CountAllShapesAndPointsOfAContact) {
  RecordedRun run;
  run.times = {0, 1};
  run.events = {{0.1, "touch", "contact:knock (ball.skin on floor.s1)", {}},
                {0.2, "touch", "contact:knock (ball.skin on floor.s2) point 1", {}},
                {0.3, "touch", "contact:knock (ball.skin on floor.s2) point 2", {}},
                {0.4, "touch", "contact:knocked", {}},
                {0.5, "touch", "joint:pin point 4", {}}};
  const auto count = [&](const std::vector<std::string>& of) {
    Study study;
    study.quantities = {{.name = "n", .of = of, .reduce = "count_events"}};
    return reduce(study, run, {0, 1, 0}, {}).values.front();
  };
  EXPECT_EQ(count({"contact:knock"}), 3);
  EXPECT_EQ(count({"contact:knock (ball.skin on floor.s2)"}), 2);
  EXPECT_EQ(count({"contact:knock (ball.skin on floor.s2) point 2"}), 1);
  EXPECT_EQ(count({"joint:pin", "contact:knocked"}), 2);
  EXPECT_EQ(count({"contact:*"}), 4);
}

TEST(Reductions, LifeFallsWithTheCubeOfTheLoad) {
  StudyQuantity life = {.name = "life", .of = {"body:a.t"}, .reduce = "life", .rating = 20};
  // (1/2 ∫ t³ dt)^(1/3) = 2^(1/3) over 0 … 2.
  EXPECT_NEAR(reduced(life) / (1e6 * 8000 / 2), 1, 1e-6);
}

TEST(Reductions, ExpressionsAndLists) {
  Study study;
  study.parameters = {"half"};
  study.quantities = {of_x("max"), {.name = "both", .of = {"body:a.x", "body:a.t"}, .reduce = "final"}};
  StudyQuantity points = of_x("poincare");
  points.is_list = true;
  study.quantities.push_back(points);
  StudyQuantity ratio = {.name = "ratio"};
  ratio.expression =
      std::get<Expression>(Expression::compile("max*half + both^2", {"half", "max", "both", "poincare"}, {}));
  study.quantities.push_back(ratio);
  const double half = 0.5;
  const ReducedRun result = reduce(study, wave(), {0.25, 2, 0.5}, {&half, 1});
  EXPECT_NEAR(result.values[3], 2.5 + 13, 1e-9);
  ASSERT_EQ(result.lists.size(), 1u);
  ASSERT_EQ(result.lists[0].size(), 4u);
  EXPECT_NEAR(result.lists[0][0], 5, 1e-9);
  EXPECT_NEAR(result.lists[0][1], 1, 1e-9);
}

std::vector<double> listed(StudyQuantity quantity, const Window& window = {0, 2, 0}) {
  Study study;
  quantity.is_list = true;
  study.quantities = {quantity};
  return reduce(study, wave(), window, {}).lists.front();
}

TEST(Reductions, PointsAtEventsAndCrossings) {
  StudyQuantity at_touch = {.name = "p", .of = {"body:a.t"}, .reduce = "poincare"};
  at_touch.at = StudySection{.event = "contact:*"};
  const std::vector<double> touches = listed(at_touch);
  ASSERT_EQ(touches.size(), 2u);
  EXPECT_NEAR(touches[0], 0.5, 1e-12);
  EXPECT_NEAR(touches[1], 1.5, 1e-12);
  at_touch.at->kind = "contact";
  EXPECT_EQ(listed(at_touch).size(), 1u);
  StudyQuantity passing = {.name = "p", .of = {"body:a.t"}, .reduce = "poincare"};
  passing.at = StudySection{.crossing = "body:a.x", .value = 4, .way = Crossing::falling};
  const std::vector<double> falls = listed(passing);
  ASSERT_EQ(falls.size(), 2u);
  EXPECT_NEAR(falls[0], 5.0 / 12, 1e-6);
  EXPECT_NEAR(falls[1], 17.0 / 12, 1e-6);
  passing.reduce = "poincare_spread";
  EXPECT_NEAR(reduced(passing), 0.5, 1e-6);
}

TEST(Reductions, SpectraAndTheirFrequencies) {
  const std::vector<double> amplitudes = listed(of_x("spectrum"), {0, 1.999, 0}),
                            frequencies = listed(of_x("frequencies"), {0, 1.999, 0});
  ASSERT_EQ(amplitudes.size(), frequencies.size());
  EXPECT_NEAR(frequencies[2], 1, 1e-9);
  EXPECT_NEAR(amplitudes[2], 2, 1e-6);
  EXPECT_NEAR(reduced(of_x("dominant_frequency")), 1, 1e-3);
  EXPECT_LT(reduced(of_x("spectral_entropy")), 0.3);
}

// Two swings of range 4, but for what is open at the ends: 3 → 5 → 1 → 5 → 1 → 3, half cycles of 2, 4, 4, 4 and 2.
TEST(Reductions, DamageOfCountedCycles) {
  StudyQuantity damage = of_x("damage");
  damage.woehler = WoehlerLine{.reference_range = 4, .reference_cycles = 1000, .exponent = 3};
  const double halves = 3 + 2 * std::pow(0.5, 3);
  EXPECT_NEAR(reduced(damage), 0.5 * halves / 1000, 1e-4 * halves / 1000);
  EXPECT_NEAR(reduced(of_x("equivalent_range")), 4 * std::cbrt(halves / 5), 1e-3);
  damage.woehler->endurance_limit = 5;
  EXPECT_EQ(reduced(damage), 0);
}

TEST(Reductions, TracesKeepTheSamplesOfTheWindow) {
  Study study;
  StudyQuantity line = {.name = "line", .of = {"body:a.t"}, .reduce = "trace", .is_list = true};
  StudyQuantity thin = line, turn = line, other = line;
  thin.every = 2;
  turn.of = {"turn"};
  other.models = {1};
  study.quantities = {line, thin, turn, other};
  const RecordedRun run = wave();
  const ReducedRun result = reduce(study, run, {1, 2, 0.5}, {});
  const auto within = std::count_if(run.times.begin(), run.times.end(), [](double t) { return t >= 1 - 1e-9; });
  ASSERT_EQ(result.lists[0].size(), static_cast<std::size_t>(within));
  EXPECT_EQ(result.values[0], static_cast<double>(within));
  EXPECT_NEAR(result.lists[0].front(), 1, 1e-9);
  EXPECT_NEAR(result.lists[0].back(), 2, 1e-9);
  EXPECT_EQ(result.lists[1].size(), (result.lists[0].size() + 1) / 2);
  EXPECT_EQ(result.lists[1][1], result.lists[0][2]);
  EXPECT_NEAR(result.lists[2].back(), 2, 1e-9);  // turns of half a second
  EXPECT_TRUE(result.lists[3].empty());          // asked of another model
  EXPECT_TRUE(std::isnan(result.values[3]));
}

}  // namespace
}  // namespace carom
