#include <gtest/gtest.h>

#include <cmath>

#include "bearings/contact_figures.h"
#include "contact_laws/stiffness.h"

namespace carom {
namespace {

RollingGeometry cylindrical() {
  RollingGeometry geometry{
      .type = BearingType::cylindrical_roller, .elements = 14, .element_diameter = 0.01, .pitch_diameter = 0.065};
  geometry.rows = {{}};
  geometry.length = 0.01, geometry.slices = 41;
  geometry.composite_modulus.fill(composite_modulus(207e9, 0.3, 207e9, 0.3));
  geometry.poisson = 0.3;
  return geometry;
}

RingPlace under_load(const QuasiStaticBearing& bearing, double load, double tilt) {
  RingPlace place = RingPlace::Zero();
  place[3] = tilt;
  double low = 0, high = 3e-4;
  for (int k = 0; k < 100; ++k) {
    place[0] = (low + high) / 2;
    (bearing.force(place, {})[0] < load ? low : high) = place[0];
  }
  return place;
}

// Stribeck: straight rollers without clearance share a load as (cos φ)^(10/9), the most loaded takes F/(Z J).
TEST(RollerBearing, SharesALoadAsStribeckSays) {
  const QuasiStaticBearing bearing(cylindrical());
  const RingPlace place = under_load(bearing, 5000, 0);
  double sum = 0;
  for (int k = 0; k < 14; ++k) {
    const double cosine = std::cos(2 * M_PI * k / 14);
    if (cosine > 0) sum += std::pow(cosine, 10.0 / 9) * cosine;
  }
  for (int k = 0; k < 14; ++k) {
    const double cosine = std::cos(bearing.azimuth(k));
    const double expected = cosine > 1e-9 ? 5000 / sum * std::pow(cosine, 10.0 / 9) : 0;
    EXPECT_NEAR(bearing.element(k, place, {}).inner_load, expected, 1e-6 * 5000) << k;
  }
  // Stribeck's integral for a load without clearance, n = 10/9: F = 0.2453 Z Q_max; rule of thumb 4 F/Z.
  EXPECT_NEAR(5000 / (14 * bearing.element(0, place, {}).inner_load), 0.2453, 0.003);
}

// The deflection of one roller, with the numbers of the source: δ = (Q/35948 L^(8/9))^0.9 in N and mm.
TEST(RollerBearing, YieldsAsTheSourceSays) {
  RollingGeometry geometry = cylindrical();
  geometry.composite_modulus.fill(207e9 / (2 * 0.91));
  const RollerForce force = roller_force(roller_law(geometry), {20e-6, 0}, {});
  EXPECT_NEAR(force.force[0], 35948 * std::pow(10, 8.0 / 9) * std::pow(0.02, 10.0 / 9), 1e-6 * force.force[0]);
}

double edge_pressure(const QuasiStaticBearing& bearing, const RingPlace& place) {
  const ContactFigures figures(bearing.geometry());
  return figures.worse(bearing, 0, place, {}, bearing.element(0, place, {})).pressure;
}

// A misaligned straight roller presses with its edge; a crowned one does not.
TEST(RollerBearing, CrowningTakesThePressureFromTheEdge) {
  const QuasiStaticBearing straight(cylindrical());
  RollingGeometry geometry = cylindrical();
  geometry.profile = RollerProfile::logarithmic, geometry.crowning = 0.00035 * geometry.element_diameter;
  const QuasiStaticBearing crowned(geometry);
  const double aligned = edge_pressure(straight, under_load(straight, 5000, 0));
  const double tilted = edge_pressure(straight, under_load(straight, 5000, 3e-3));
  const double tilted_crowned = edge_pressure(crowned, under_load(crowned, 5000, 3e-3));
  EXPECT_GT(tilted, 1.3 * aligned);
  EXPECT_LT(tilted_crowned, 0.9 * tilted);
  // The pressure of the aligned roller is Hertz' under its load per length.
  const double load = straight.element(0, under_load(straight, 5000, 0), {}).inner_load;
  EXPECT_NEAR(aligned,
              line_contact_patch(1 / (1 / 0.005 + 1 / 0.0275), load / 0.01, geometry.composite_modulus[0]).max_pressure,
              1e-6 * aligned);
  // The slice that is pressed most lies at the end of the straight roller and inside of the crowned one.
  const auto highest = [](const QuasiStaticBearing& bearing) {
    std::vector<double> inner(41), outer(41);
    slice_loads(bearing.rollers(), bearing.numbers(0, under_load(bearing, 5000, 1e-3)), {}, inner.data(), outer.data());
    return std::max_element(inner.begin(), inner.end()) - inner.begin();
  };
  EXPECT_EQ(highest(straight), 40);
  EXPECT_LT(highest(crowned), 36);
}

TEST(RollerBearing, CrownDropsAreThoseOfTheirFormulas) {
  RollingGeometry geometry = cylindrical();
  EXPECT_EQ(crown_drop(geometry, 0.004), 0);
  geometry.profile = RollerProfile::circular, geometry.crowning = 5e-6;
  EXPECT_EQ(crown_drop(geometry, 0), 0);
  EXPECT_NEAR(crown_drop(geometry, 0.005), 5e-6, 1e-17);
  EXPECT_NEAR(crown_drop(geometry, 0.0025), 1.25e-6, 1e-12);
  geometry.profile = RollerProfile::logarithmic, geometry.crowning = 3.5e-6;
  EXPECT_NEAR(crown_drop(geometry, 0.0025), 3.5e-6 * std::log(1 / 0.75), 1e-18);
}

// Outside a roller carries the centrifugal force besides; without load only the outer race carries it.
TEST(RollerBearing, CentrifugalForceFallsOnTheOuterRace) {
  RollingGeometry geometry = cylindrical();
  geometry.mass = 0.006;
  const QuasiStaticBearing bearing(geometry);
  const RingSpeeds speeds{.outer = 0, .spin = 1500};
  const double round = 1500 * (1 - 0.01 / 0.065) / 2, thrown = 0.006 * 0.0325 * round * round;
  const RingPlace place = 10e-6 * RingPlace::Unit(0);
  for (const int k : {0, 2, 7}) {
    const ElementResult roller = bearing.element(k, place, speeds);
    EXPECT_NEAR(roller.outer_load - roller.inner_load, thrown, 1e-9 * thrown) << k;
  }
  EXPECT_EQ(bearing.element(7, place, speeds).inner_load, 0);
  EXPECT_GT(bearing.element(0, place, speeds).inner_load, 100);
}

}  // namespace
}  // namespace carom
