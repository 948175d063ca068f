#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "signals/settling.h"

namespace carom {
namespace {

// A value that decays onto another, and a scatter that never repeats.
std::vector<double> decaying(double per_turn, int turns, double scatter = 0) {
  std::vector<double> values;
  for (int k = 0; k < turns; ++k) values.push_back(3 + std::pow(per_turn, k) + scatter * std::sin(k * k));
  return values;
}

TEST(Settling, FindsTheEndOfADecay) {
  // 0.5^k is below the resolution of 1e-3 from turn 10 on; what is left of it before costs more than it gains.
  const auto found = transient_length(decaying(0.5, 100), 1e-3);
  ASSERT_TRUE(found);
  EXPECT_GE(*found, 6u);
  EXPECT_LE(*found, 11u);
  EXPECT_EQ(transient_length(decaying(0, 100), 1e-3), 1u);
  EXPECT_EQ(transient_length(std::vector<double>(50, 2.0), 1e-3), 0u);
}

TEST(Settling, TakesScatterForAState) {
  const auto found = transient_length(decaying(0.5, 200, 0.05), 1e-3);
  ASSERT_TRUE(found);
  EXPECT_LE(*found, 8u);
}

TEST(Settling, KnowsADriftThatDoesNotEnd) {
  std::vector<double> drift;
  for (int k = 0; k < 100; ++k) drift.push_back(k);
  EXPECT_FALSE(transient_length(drift, 1e-3));
}

// The mean of each turn is the same from the start; the amplitude is not.
TEST(Settling, LooksAtAmplitudesToo) {
  std::vector<double> times, values;
  for (int k = 0; k <= 5000; ++k) {
    times.push_back(0.01 * k);
    values.push_back((1 + std::exp(-0.5 * times.back())) * std::sin(2 * std::numbers::pi * times.back()));
  }
  const auto turns = turns_to_settle(times, values, 0, 1);
  ASSERT_TRUE(turns);
  EXPECT_GE(*turns, 6u);
  EXPECT_LE(*turns, 20u);
  EXPECT_LT(*turns_to_settle(times, values, 10, 1), *turns);
}

}  // namespace
}  // namespace carom
