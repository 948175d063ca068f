#include <gtest/gtest.h>

#include <cmath>

#include "durability/wear.h"

namespace carom {
namespace {

// Archard's law by hand: k = 10⁻³, H = 2 GPa, 100 N over 1 km take 50 mm³.
TEST(wear, archard) {
  const double rate = specific_wear_rate(1e-3, 2e9);
  EXPECT_NEAR(rate, 5e-13, 1e-27);
  EXPECT_NEAR(worn_volume(rate, 100, 1000), 50e-9, 1e-20);
  EXPECT_EQ(worn_volume(rate, 100, -1000), worn_volume(rate, 100, 1000));
  EXPECT_EQ(worn_volume(rate, -5, 1000), 0);
  EXPECT_NEAR(worn_depth(50e-9, 1e-4), 5e-4, 1e-18);
}

// Steps against the integral ∫ F |v| dt of a swinging slip under a swinging force: second order, reversals included.
TEST(wear, steps_sum_to_the_integral) {
  const auto force = [](double t) { return 80 + 60 * std::sin(t + 0.4); };
  const auto slip = [](double t) { return 0.2 * std::cos(3 * t) + 0.05; };
  const auto sum = [&](int steps) {
    double volume = 0;
    const double h = 5.0 / steps;
    for (int k = 0; k < steps; ++k)
      volume += worn_volume_of_step(1e-14, force(k * h), force((k + 1) * h), slip(k * h), slip((k + 1) * h), h);
    return volume;
  };
  double exact = 0;
  const int n = 2000000;
  for (int k = 0; k < n; ++k)
    exact += 1e-14 * force(5.0 * (k + 0.5) / n) * std::abs(slip(5.0 * (k + 0.5) / n)) * 5.0 / n;
  const double coarse = std::abs(sum(50) / exact - 1), fine = std::abs(sum(200) / exact - 1);
  EXPECT_LT(fine, 1e-3);
  EXPECT_GT(coarse / fine, 10);
  EXPECT_LT(coarse / fine, 25);
}

// F = 10 + 20 t, v = 3 − 4 t over one second: the slip turns at ¾ s. F v = 30 + 20 t − 80 t², so that
// ∫ F |v| dt = (22.5 + 5.625 − 11.25) + (185/12 − 4.375 − 7.5) = 16.875 + 85/24.
TEST(wear, straight_lines_are_exact) {
  EXPECT_NEAR(worn_volume_of_step(1, 10, 30, 3, -1, 1), 16.875 + 85.0 / 24, 1e-13);
  EXPECT_NEAR(worn_volume_of_step(2, 10, 10, 3, 3, 0.5), 30, 1e-13);
  EXPECT_EQ(worn_volume_of_step(1, -10, -2, 3, 3, 1), 0);
  EXPECT_EQ(worn_volume_of_step(1, 10, 20, 0, 0, 1), 0);
  // An impulse of 2 N s at slips of 3 and 1 m/s: the mean slip, or both triangles when it turns.
  EXPECT_NEAR(worn_volume_of_impulse(1, 2, 3, 1), 4, 1e-14);
  EXPECT_NEAR(worn_volume_of_impulse(1, 2, 3, -1), 2 * (0.75 * 1.5 + 0.25 * 0.5), 1e-14);
}

// A load that stands still in the bearing while the journal turns: the journal wears all around, the bearing in one
// place.
TEST(wear, revolute_joint) {
  const double radius = 9.95e-3, bore = 10e-3, length = 0.02, journal = 2e-15, bearing = 5e-15;
  RevoluteWear wear(radius, bore, length, journal, bearing, 60);
  EXPECT_NEAR(wear.clearance(1, 2), 50e-6, 1e-18);
  const double force = 400;
  const int steps = 36000;
  double distance = 0;
  for (int k = 0; k < steps; ++k) {
    const double turn = 2 * M_PI * 10 / steps;
    wear.add(force * radius * turn, -k * turn, -M_PI / 2);
    distance += radius * turn;
  }
  EXPECT_NEAR(wear.journal_volume() / (journal * force * distance), 1, 1e-11);
  EXPECT_NEAR(wear.bearing_volume() / (bearing * force * distance), 1, 1e-11);
  const double even = wear.journal_volume() / (2 * M_PI * radius * length);
  for (const double angle : {0.0, 1.0, -2.5, 40.0}) EXPECT_NEAR(wear.journal_depth(angle) / even, 1, 1e-3);
  // Sector 45 of 60 has its middle at −π/2.
  EXPECT_NEAR(wear.bearing_depth(-M_PI / 2) * 2 * M_PI * bore * length / 60 / wear.bearing_volume(), 1, 1e-9);
  EXPECT_NEAR(wear.bearing_depth(3 * M_PI / 2), wear.bearing_depth(-M_PI / 2), 1e-9 * wear.bearing_depth(-M_PI / 2));
  EXPECT_EQ(wear.bearing_depth(0), 0);
  EXPECT_NEAR(wear.clearance(0.3, -M_PI / 2), bore - radius + wear.journal_depth(0.3) + wear.bearing_depth(-M_PI / 2),
              1e-18);
  EXPECT_NEAR(wear.mean_growth(), even + wear.bearing_volume() / (2 * M_PI * bore * length), 1e-18);
}

// The depth integrated around the part is the worn volume, wherever the wear happened.
TEST(wear, depth_keeps_the_volume) {
  RevoluteWear wear(0.01, 0.011, 0.03, 1e-14, 3e-14, 24);
  for (int k = 0; k < 500; ++k) wear.add(10 + k % 7, 0.37 * k, 0.8 * std::sin(0.21 * k));
  const int n = 24000;
  double on_journal = 0, on_bearing = 0;
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * M_PI * k / n;
    on_journal += wear.journal_depth(angle) * 0.01 * 0.03 * 2 * M_PI / n;
    on_bearing += wear.bearing_depth(angle) * 0.011 * 0.03 * 2 * M_PI / n;
  }
  EXPECT_NEAR(on_journal / wear.journal_volume(), 1, 1e-10);
  EXPECT_NEAR(on_bearing / wear.bearing_volume(), 1, 1e-10);
}

}  // namespace
}  // namespace carom
