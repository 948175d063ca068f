#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "contact_laws/hertz_stress.h"
#include "durability/bearing_life.h"

namespace carom {
namespace {

// Size of a 6205 deep-groove ball bearing.
BallBearing size_6205() {
  BallBearing bearing;
  bearing.balls = 9;
  bearing.ball_diameter = 7.938e-3;
  bearing.pitch_diameter = 39.04e-3;
  bearing.inner_groove_radius = bearing.outer_groove_radius = 0.52 * bearing.ball_diameter;
  return bearing;
}

BallBearing of_ratio(double ratio, double outer_groove) {
  BallBearing bearing;
  bearing.balls = 10;
  bearing.ball_diameter = 0.01;
  bearing.pitch_diameter = 0.01 / ratio;
  bearing.inner_groove_radius = 0.52 * bearing.ball_diameter;
  bearing.outer_groove_radius = outer_groove * bearing.ball_diameter;
  return bearing;
}

// ISO 281:2007, table 2, single-row radial contact groove ball bearings, for γ = 0.01, 0.02 … 0.40.
TEST(bearing_life, geometry_factor_of_the_standard) {
  const double table[] = {29.1, 35.8, 40.3, 43.8, 46.7, 49.1, 51.1, 52.8, 54.3, 55.5, 56.6, 57.5, 58.2, 58.8,
                          59.3, 59.6, 59.8, 59.9, 60.0, 59.9, 59.8, 59.6, 59.3, 59.0, 58.6, 58.2, 57.7, 57.1,
                          56.6, 56.0, 55.3, 54.6, 53.9, 53.2, 52.4, 51.7, 50.9, 50.0, 49.2, 48.4};
  double ratio = 0;
  for (const double expected : table) {
    ratio += 0.01;
    EXPECT_NEAR(geometry_factor(of_ratio(ratio, 0.52)), expected, 0.06) << ratio;
  }
  // Tighter grooves gain nothing, wider ones cost.
  BallBearing tight = of_ratio(0.2, 0.505), wide = of_ratio(0.2, 0.52);
  tight.inner_groove_radius = 0.505 * tight.ball_diameter;
  wide.inner_groove_radius = 0.54 * wide.ball_diameter;
  EXPECT_EQ(geometry_factor(tight), geometry_factor(of_ratio(0.2, 0.52)));
  EXPECT_LT(geometry_factor(of_ratio(0.2, 0.53)), 0.985 * geometry_factor(tight));
  EXPECT_LT(geometry_factor(wide), 0.9 * geometry_factor(tight));
}

// ISO 76:2006, table 1, f₀ of radial contact groove ball bearings: the outer raceway limits up to γ = 0.09, the inner
// above.
TEST(bearing_life, static_factor_of_the_standard) {
  const double table[][2] = {{0.01, 14.9}, {0.05, 15.7}, {0.07, 16.1}, {0.09, 16.5}, {0.10, 16.4}, {0.14, 15.4},
                             {0.16, 14.9}, {0.20, 14.0}, {0.26, 12.5}, {0.30, 11.6}, {0.40, 9.4}};
  for (const auto& [ratio, expected] : table) {
    const double factor = static_load_rating(of_ratio(ratio, 0.53)) / (10 * 10 * 10);  // Z D_w² in mm²
    EXPECT_NEAR(factor, expected, 0.06) << ratio;
  }
}

// By hand: γ = 7.938/39.04 = 0.20333, γ^0.3 = 0.62010, (1 − γ)^1.39 = 0.72908, (1 + γ)^(1/3) = 1.06364, 26^0.41
// = 3.80311; 1.04 · 0.66205^1.72 = 0.51165, to the power 10/3 0.10713, and 1.10713^(−0.3) = 0.96993; f_c = 38.1969 ·
// 0.62010 · 0.72908/1.06364 · 3.80311 · 0.96993 = 59.89. 9^(2/3) = 4.32675 and 7.938^1.8 = 41.637, so that C = 1.3
// · 59.89 · 4.32675 · 41.637 = 14 026 N. Catalogues say 14.0 kN, and 7.8 kN for C₀.
TEST(bearing_life, worked_example) {
  const BallBearing bearing = size_6205();
  EXPECT_NEAR(diameter_ratio(bearing), 0.20333, 5e-6);
  EXPECT_NEAR(geometry_factor(bearing), 59.89, 0.01);
  const double rating = dynamic_load_rating(bearing);
  EXPECT_NEAR(rating, 14026, 5);
  EXPECT_NEAR(static_load_rating(bearing), 7800, 100);
  // P = 2 kN: (14 026/2000)³ = 344.9 million revolutions; at 1500 rpm 3832 h; 99 % reliable 951 h.
  const double life = basic_rating_life(rating, 2000);
  EXPECT_NEAR(life / 1e6, 344.9, 0.3);
  const double hours = life_in_hours(life, 1500 * 2 * M_PI / 60);
  EXPECT_NEAR(hours, 3832, 3);
  EXPECT_NEAR(reliability_factor(0.99) * hours, 951, 2);
}

// Both formulas meet at one inch, within the rounding of 3.647.
TEST(bearing_life, large_balls_and_rows) {
  BallBearing bearing = size_6205();
  const auto rating_at = [&](double diameter) {
    bearing.ball_diameter = diameter;
    bearing.pitch_diameter = diameter / 0.2;
    bearing.inner_groove_radius = bearing.outer_groove_radius = 0.52 * diameter;
    return dynamic_load_rating(bearing);
  };
  EXPECT_NEAR(rating_at(25.4000001e-3) / rating_at(25.4e-3), 1, 2e-4);
  EXPECT_NEAR(rating_at(50e-3) / rating_at(30e-3), std::pow(50.0 / 30, 1.4), 1e-12);
  EXPECT_NEAR(rating_at(20e-3) / rating_at(10e-3), std::pow(2, 1.8), 1e-12);
  const double single = rating_at(10e-3);
  bearing.rows = 2;
  EXPECT_NEAR(rating_at(10e-3) / single, std::pow(2, 0.7), 1e-12);
}

// C follows from the two raceways' ratings: each alone 0.41 Q_c Z cos α (turning ring) and 0.41/1.04 Q_c Z cos α
// (standing ring), joined as tracks that must both survive.
TEST(bearing_life, rating_from_the_raceways) {
  BallBearing bearing = size_6205();
  bearing.outer_groove_radius = 0.535 * bearing.ball_diameter;
  bearing.contact_angle = 0.3;
  const double inner = 0.41 * element_load_rating(bearing, Raceway::inner);
  const double outer = 0.41 / 1.04 * element_load_rating(bearing, Raceway::outer);
  const double both = std::pow(std::pow(inner, -10.0 / 3) + std::pow(outer, -10.0 / 3), -0.3) * bearing.balls *
                      std::cos(bearing.contact_angle) * bearing.reduction_factor * bearing.manufacture_factor;
  EXPECT_NEAR(dynamic_load_rating(bearing) / both, 1, 1e-3);  // 98.1 against 98.0665, 1.39 + 1/3 against 1.72
}

// The curvatures of a ball in its grooves: Harris, Rolling Bearing Analysis, F(ρ) and Σρ.
TEST(bearing_life, contact_of_ball_and_raceway) {
  BallBearing bearing = size_6205();
  bearing.contact_angle = 0.4;
  const double ratio = diameter_ratio(bearing), diameter = bearing.ball_diameter;
  const auto inner = raceway_contact(bearing, Raceway::inner), outer = raceway_contact(bearing, Raceway::outer);
  ASSERT_TRUE(inner && outer);
  EXPECT_NEAR(inner->curvature * 2, (4 - 1 / 0.52 + 2 * ratio / (1 - ratio)) / diameter, 1e-9);
  EXPECT_NEAR(outer->curvature * 2, (4 - 1 / 0.52 - 2 * ratio / (1 + ratio)) / diameter, 1e-9);
  EXPECT_LT(inner->axis_ratio, outer->axis_ratio);
  bearing.inner_groove_radius = bearing.ball_diameter / 2;
  EXPECT_FALSE(raceway_contact(bearing, Raceway::inner));
}

TEST(bearing_life, life_equation) {
  EXPECT_EQ(basic_rating_life(1000, 1000), 1e6);
  EXPECT_NEAR(basic_rating_life(1000, 500), 8e6, 1e-6);
  EXPECT_NEAR(basic_rating_life(1000, 500, roller_life_exponent), 1e6 * std::pow(2, 10.0 / 3), 1e-3);
  EXPECT_TRUE(std::isinf(basic_rating_life(1000, 0)));
  EXPECT_NEAR(life_in_hours(3600, 2 * M_PI), 1, 1e-15);
  // 6205 under F_a = 0.5 kN, F_a/C₀ ≈ 0.07 (e = 0.27, X = 0.56, Y = 1.6).
  const AxialFactors factors{0.27, 0.56, 1.6};
  EXPECT_EQ(equivalent_dynamic_load(2000, 500, factors), 2000);
  EXPECT_NEAR(equivalent_dynamic_load(1000, 500, factors), 1360, 1e-10);
  EXPECT_EQ(equivalent_dynamic_load(1500, 410, factors), 1500);
}

// The mean load of a sine, 0 … P: ∫ sin³ over a half wave is 4/(3π); and the life of a spectrum by Miner's sum.
TEST(bearing_life, load_spectrum) {
  std::vector<LoadPart> spectrum;
  for (int k = 0; k < 2000; ++k) spectrum.push_back({5e3 * std::sin(M_PI * (k + 0.5) / 2000), 0.7});
  EXPECT_NEAR(mean_equivalent_load(spectrum) / (5e3 * std::cbrt(4 / (3 * M_PI))), 1, 1e-6);
  const std::vector<LoadPart> parts = {{1000, 2e6}, {3000, 5e5}, {0, 1e6}};
  for (const double exponent : {ball_life_exponent, roller_life_exponent}) {
    double damage = 0, revolutions = 0;
    for (const LoadPart& part : parts) {
      damage += part.revolutions / basic_rating_life(9000, part.load, exponent);
      revolutions += part.revolutions;
    }
    const double load = mean_equivalent_load(parts, exponent);
    EXPECT_NEAR(basic_rating_life(9000, load, exponent) * damage / revolutions, 1, 1e-12);
  }
  EXPECT_EQ(mean_equivalent_load({}), 0);
}

// ISO 281:2007, table 12.
TEST(bearing_life, reliability) {
  const double table[][2] = {{0.90, 1},      {0.95, 0.64},    {0.96, 0.55},    {0.97, 0.47},   {0.98, 0.37},
                             {0.99, 0.25},   {0.992, 0.22},   {0.994, 0.19},   {0.996, 0.16},  {0.998, 0.12},
                             {0.999, 0.093}, {0.9992, 0.087}, {0.9994, 0.080}, {0.9995, 0.077}};
  for (const auto& [reliability, factor] : table)
    EXPECT_NEAR(reliability_factor(reliability), factor, factor > 0.1 ? 0.0055 : 0.00055) << reliability;
}

}  // namespace
}  // namespace carom
