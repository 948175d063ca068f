#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "signals/waterfall.h"

namespace carom {
namespace {

// A tone of amplitude 3 that rises from 100 Hz by 20 Hz each second, for 10 s.
EvenSamples rising_tone() {
  EvenSamples samples{.start = 2, .step = 1e-3};
  for (int k = 0; k < 10000; ++k) {
    const double t = 1e-3 * k;
    samples.values.push_back(7 + 3 * std::sin(2 * std::numbers::pi * (100 * t + 10 * t * t)));
  }
  return samples;
}

TEST(Waterfall, FollowsARisingTone) {
  const Waterfall waterfall = waterfall_of(rising_tone(), 0.1, 200);
  ASSERT_EQ(waterfall.times.size(), 200u);
  EXPECT_DOUBLE_EQ(waterfall.resolution, 10);
  for (std::size_t k = 0; k < waterfall.times.size(); ++k) {
    const auto& lines = waterfall.amplitudes[k];
    const auto top = std::max_element(lines.begin(), lines.end());
    const double expected = 100 + 20 * (waterfall.times[k] - 2);
    ASSERT_NEAR(static_cast<double>(top - lines.begin()) * 10, expected, 5.5) << waterfall.times[k];
    // Between two lines a Hann window shows 15 % less.
    EXPECT_LE(*top, 3.02);
    EXPECT_GE(*top, 0.83 * 3);
  }
}

TEST(Waterfall, HasWindowsFromTheFirstSampleToTheLast) {
  const Waterfall few = waterfall_of(rising_tone(), 0.5, 3);
  ASSERT_EQ(few.times.size(), 3u);
  EXPECT_NEAR(few.times[0], 2 + 0.25, 1e-9);
  EXPECT_NEAR(few.times[1], 2 + 5, 1e-3);
  EXPECT_NEAR(few.times[2], 12 - 0.25, 1e-9);
  const Waterfall dense = waterfall_of(rising_tone(), 0.5, 1000);
  EXPECT_LT(dense.times.size(), 100u) << "windows that overlap by three quarters show all there is";
  const Waterfall one = waterfall_of(rising_tone(), 10, 1000);
  EXPECT_EQ(one.times.size(), 1u);
}

TEST(Waterfall, OfTooLittleIsNothing) {
  EXPECT_TRUE(waterfall_of({}, 1, 10).times.empty());
  EXPECT_TRUE(waterfall_of(rising_tone(), 11, 10).times.empty());
  EXPECT_TRUE(waterfall_of(rising_tone(), 0.005, 10).times.empty());
}

}  // namespace
}  // namespace carom
