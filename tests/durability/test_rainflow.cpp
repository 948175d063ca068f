#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "durability/rainflow.h"

namespace carom {
namespace {

std::map<double, double> by_range(const std::vector<CountedCycle>& cycles) {
  std::map<double, double> counts;
  for (const CountedCycle& cycle : cycles) counts[cycle.range] += cycle.count;
  return counts;
}

// ASTM E1049-85, figure 6 and its table: A = −2, B = 1, C = −3, D = 5, E = −1, F = 3, G = −4, H = 4, I = −2.
TEST(rainflow, example_of_the_standard) {
  const std::vector<double> history = {-2, 1, -3, 5, -1, 3, -4, 4, -2};
  const auto cycles = count_rainflow(history);
  const double expected[][3] = {{3, -0.5, 0.5}, {4, -1, 0.5}, {4, 1, 1},  {8, 1, 0.5},
                                {9, 0.5, 0.5},  {8, 0, 0.5},  {6, 1, 0.5}};  // A–B, B–C, E–F, C–D, D–G, G–H, H–I
  ASSERT_EQ(cycles.size(), std::size(expected));
  for (std::size_t k = 0; k < cycles.size(); ++k) {
    EXPECT_EQ(cycles[k].range, expected[k][0]) << k;
    EXPECT_EQ(cycles[k].mean, expected[k][1]) << k;
    EXPECT_EQ(cycles[k].count, expected[k][2]) << k;
  }
  const std::map<double, double> table = {{3, 0.5}, {4, 1.5}, {6, 0.5}, {8, 1.0}, {9, 0.5}};
  EXPECT_EQ(by_range(cycles), table);
}

// Points between the turning points, and repeated ones, change nothing; nor does the sign.
TEST(rainflow, samples_between_turning_points) {
  const std::vector<double> history = {-2, 1, -3, 5, -1, 3, -4, 4, -2};
  std::vector<double> dense, mirrored;
  for (std::size_t k = 0; k + 1 < history.size(); ++k)
    for (int step = 0; step < 4; ++step) {
      dense.push_back(history[k] + (history[k + 1] - history[k]) * step / 4);
      if (step != 1) dense.push_back(dense.back());
    }
  dense.push_back(history.back());
  dense.push_back(history.back());
  EXPECT_EQ(by_range(count_rainflow(dense)), by_range(count_rainflow(history)));
  for (const double value : dense) mirrored.push_back(-value);
  EXPECT_EQ(by_range(count_rainflow(mirrored)), by_range(count_rainflow(history)));
}

TEST(rainflow, short_histories) {
  EXPECT_TRUE(count_rainflow({}).empty());
  EXPECT_TRUE(count_rainflow(std::vector<double>{3}).empty());
  EXPECT_TRUE(count_rainflow(std::vector<double>{3, 3, 3}).empty());
  const auto rise = count_rainflow(std::vector<double>{3, 3, 4, 7});
  ASSERT_EQ(rise.size(), 1u);
  EXPECT_EQ(rise[0].range, 4);
  EXPECT_EQ(rise[0].mean, 5);
  EXPECT_EQ(rise[0].count, 0.5);
}

// A pulsating stress of n passes is n cycles of its full range, and small ripples on it are cycles of their own.
TEST(rainflow, passes_of_a_load) {
  std::vector<double> history = {0};
  for (int k = 0; k < 1000; ++k) history.insert(history.end(), {600, 590, 900, 0});
  const auto counts = by_range(count_rainflow(history));
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts.at(900), 1000);
  EXPECT_EQ(counts.at(10), 1000);
}

// Equal ranges close each other, so that a steady history is counted while it runs and the stack stays short.
TEST(rainflow, steady_history_is_counted_while_it_runs) {
  RainflowCounter counter;
  double counted = 0;
  const auto sink = [&](const CountedCycle& cycle) { counted += cycle.count; };
  for (int k = 0; k <= 2000; ++k) counter.push(k % 2, sink);
  EXPECT_EQ(counted, 999);  // the last sample may still turn out to be no peak
  counter.finish(sink);
  EXPECT_EQ(counted, 1000);
  // Empty again: the next history has nothing of this one.
  counter.push(5, sink);
  counter.finish(sink);
  EXPECT_EQ(counted, 1000);
}

// Rychlik's definition, which looks at the whole history at once: the range that belongs to a maximum is its distance
// to the higher one of the two minima that separate it from values above it. For a history that starts and ends at its
// lowest value no half cycle hides anything.
TEST(rainflow, definition_of_rychlik) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(0, 1);
  std::vector<double> history(401);
  for (double& sample : history) sample = value(random);
  history.front() = history.back() = -1;
  std::vector<double> expected;
  for (std::size_t k = 1; k + 1 < history.size(); ++k) {
    if (history[k] <= history[k - 1] || history[k] <= history[k + 1]) continue;
    double left = history[k], right = history[k];
    for (std::size_t i = k; i-- > 0 && history[i] < history[k];) left = std::min(left, history[i]);
    for (std::size_t i = k + 1; i < history.size() && history[i] < history[k]; ++i) right = std::min(right, history[i]);
    expected.push_back(history[k] - std::max(left, right));
  }
  std::vector<double> counted;
  double halves = 0;
  for (const CountedCycle& cycle : count_rainflow(history)) {
    if (cycle.count == 1) {
      counted.push_back(cycle.range);
    } else {
      halves += cycle.count;
      EXPECT_EQ(cycle.range, *std::max_element(history.begin(), history.end()) + 1);
    }
  }
  EXPECT_EQ(halves, 1);
  counted.push_back(*std::max_element(history.begin(), history.end()) + 1);
  std::sort(expected.begin(), expected.end());
  std::sort(counted.begin(), counted.end());
  EXPECT_EQ(counted, expected);
}

// Twice the counted ranges is the way that the quantity goes, and half as many cycles as reversals are counted.
TEST(rainflow, nothing_is_lost) {
  std::mt19937 random(11);
  std::normal_distribution<double> step;
  std::vector<double> history = {0};
  for (int k = 0; k < 5000; ++k) history.push_back(0.99 * history.back() + step(random));
  double way = 0, reversals = 0, counted_way = 0, counted = 0;
  for (std::size_t k = 1; k < history.size(); ++k) {
    way += std::abs(history[k] - history[k - 1]);
    if (k > 1 && (history[k] - history[k - 1]) * (history[k - 1] - history[k - 2]) < 0) ++reversals;
  }
  RangeHistogram histogram(10, 20);
  for (const CountedCycle& cycle : count_rainflow(history)) {
    counted_way += 2 * cycle.count * cycle.range;
    counted += cycle.count;
    histogram.add(cycle);
  }
  EXPECT_NEAR(counted_way / way, 1, 1e-12);
  EXPECT_EQ(2 * counted, reversals + 1);
  double binned = 0;
  for (const double count : histogram.counts()) binned += count;
  EXPECT_EQ(binned, counted);
}

TEST(rainflow, histogram) {
  RangeHistogram histogram(8, 4);
  for (const CountedCycle& cycle : count_rainflow(std::vector<double>{-2, 1, -3, 5, -1, 3, -4, 4, -2}))
    histogram.add(cycle);
  EXPECT_EQ(histogram.width(), 2);
  const std::vector<double> expected = {0, 0.5, 1.5, 2};
  EXPECT_EQ(histogram.counts(), expected);
  const auto spectrum = histogram.spectrum();
  ASSERT_EQ(spectrum.size(), 3u);
  EXPECT_EQ(spectrum[0].range, 4);
  EXPECT_EQ(spectrum[2].range, 9);  // what was seen above the last bin
  EXPECT_NEAR(spectrum[1].mean, (0.5 * -1 + 1 * 1) / 1.5, 1e-15);
  EXPECT_EQ(spectrum[2].count, 2);
}

}  // namespace
}  // namespace carom
