#include <gtest/gtest.h>

#include <cmath>

#include "contact_laws/stiffness.h"
#include "durability/rolling_life.h"

namespace carom {
namespace {

RollingGeometry ball_bearing(BearingType type, int balls, double angle) {
  RollingGeometry geometry{.type = type, .elements = balls, .element_diameter = 0.01, .pitch_diameter = 0.06};
  geometry.contact_angle = angle;
  geometry.rows = {{}};
  geometry.groove_radius.fill(0.0052);
  geometry.composite_modulus.fill(composite_modulus(207e9, 0.3, 207e9, 0.3));
  geometry.poisson = 0.3;
  return geometry;
}

RollingGeometry roller_bearing() {
  RollingGeometry geometry{
      .type = BearingType::cylindrical_roller, .elements = 15, .element_diameter = 0.01, .pitch_diameter = 0.065};
  geometry.rows = {{}};
  geometry.length = 0.01, geometry.slices = 41;
  geometry.composite_modulus.fill(composite_modulus(207e9, 0.3, 207e9, 0.3));
  geometry.poisson = 0.3;
  return geometry;
}

// A radial load without clearance is what ISO 281 rates: half of the elements carry.
TEST(RollingLife, OfHalfTheElementsIsThatOfTheRating) {
  const RingPlace moved = 12e-6 * RingPlace::Unit(0);
  const QuasiStaticBearing balls(ball_bearing(BearingType::deep_groove, 15, 0));
  const double rating = dynamic_rating(balls.geometry());
  EXPECT_NEAR(reference_life(balls, moved, {}).revolutions / basic_rating_life(rating, balls.force(moved, {})[0]), 1,
              0.01);

  // Lundberg and Palmgren's exponent of a line is 4; ISO 281 takes 10/3 and a factor of 0.83 for what is not ideal,
  // instead of which the slices near the ends of a straight roller bear more.
  const QuasiStaticBearing rollers(roller_bearing());
  const int slices = rollers.geometry().slices;
  double risen = 0;
  for (int k = 1; k <= slices; ++k) {
    const double off = std::abs(2.0 * k - slices - 1) / (2.0 * slices - 2);
    risen += std::pow(off > 0 ? 1 - 0.01 / std::log(1.985 * off) : 1, 4.5) / slices;
  }
  const double ideal = basic_rating_life(dynamic_rating(rollers.geometry()) / 0.83, rollers.force(moved, {})[0], 4);
  EXPECT_NEAR(reference_life(rollers, moved, {}).revolutions / (ideal * std::pow(risen, -8.0 / 9)), 1, 0.02);
}

// Lundberg and Palmgren: P = 0.4 cot α F_a. (ISO 281's Y is that over η = 1 − ⅓ sin α, for what is not ideal there.)
TEST(RollingLife, OfThrustIsThatOfTheEquivalentLoad) {
  const double angle = 40 * M_PI / 180;
  const QuasiStaticBearing bearing(ball_bearing(BearingType::angular_contact, 15, angle));
  const RingPlace moved = 3e-6 * RingPlace::Unit(2);
  const double force = bearing.force(moved, {})[2], rating = dynamic_rating(bearing.geometry());
  const double life =
      reference_life(bearing, moved, {}).revolutions / basic_rating_life(rating, 0.4 / std::tan(angle) * force);
  EXPECT_NEAR(std::cbrt(life), 1, 0.03);
}

TEST(RollingLife, OfTwoRowsIsThatOfAnyAndBoth) {
  RollingGeometry geometry = ball_bearing(BearingType::deep_groove, 9, 0);
  const RingPlace moved = 10e-6 * RingPlace::Unit(0);
  const double one = reference_life(QuasiStaticBearing(geometry), moved, {}).revolutions;
  geometry.rows = {{-0.01, 1}, {0.01, 1}};
  const double two = reference_life(QuasiStaticBearing(geometry), moved, {}).revolutions;
  EXPECT_NEAR(two / one, std::pow(2, -0.9), 1e-12);
}

TEST(RollingLife, MisalignmentAndClearanceCostIt) {
  const auto life_under = [](RollingGeometry geometry, double tilt) {
    const QuasiStaticBearing bearing(geometry);
    // The displacement under 3 kN.
    double low = 0, high = 2e-4;
    RingPlace place = RingPlace::Zero();
    place[3] = tilt;
    for (int k = 0; k < 60; ++k) {
      place[0] = (low + high) / 2;
      (bearing.force(place, {})[0] < 3000 ? low : high) = place[0];
    }
    return reference_life(bearing, place, {}).revolutions;
  };
  RollingGeometry straight = roller_bearing(), loose = straight, crowned = straight;
  loose.clearance = 30e-6;
  EXPECT_LT(life_under(loose, 0), 0.9 * life_under(straight, 0));
  EXPECT_LT(life_under(straight, 2e-3), 0.6 * life_under(straight, 0));
  crowned.profile = RollerProfile::logarithmic, crowned.crowning = 0.00035 * crowned.element_diameter;
  EXPECT_GT(life_under(crowned, 2e-3), life_under(straight, 2e-3));
}

TEST(RollingLife, RatingsAreThoseOfTheStandard) {
  // 6206 of catalogues: 19.5 kN.
  RollingGeometry deep = ball_bearing(BearingType::deep_groove, 9, 0);
  deep.element_diameter = 0.009525, deep.pitch_diameter = 0.046;
  deep.groove_radius.fill(0.52 * deep.element_diameter);
  EXPECT_NEAR(dynamic_rating(deep), 19.5e3, 0.03 * 19.5e3);
  // ISO 281, table of thrust ball bearings, α = 90°: f_c = 36.7 at D_w/D_pw = 0.01, with grooves of 0.535 D_w.
  RollingGeometry thrust = ball_bearing(BearingType::thrust_ball, 27, M_PI / 2);
  thrust.pitch_diameter = 100 * thrust.element_diameter;
  thrust.groove_radius.fill(0.535 * thrust.element_diameter);
  EXPECT_NEAR(dynamic_rating(thrust) / (1.3 * 9 * std::pow(10, 1.8)), 36.7, 0.1);
  // Its table of radial roller bearings: f_c = 88.5 where it is largest, about γ = 0.16.
  RollingGeometry rollers = roller_bearing();
  rollers.pitch_diameter = rollers.element_diameter / 0.16, rollers.elements = 16;
  EXPECT_NEAR(dynamic_rating(rollers) / (1.1 * std::pow(10, 7.0 / 9) * 8 * std::pow(10, 29.0 / 27)), 88.5, 0.5);
}

// Lives that a commercial program prints for the bearing of test_quasi_static.cpp at 1000 N, with C = 23.4 kN given
// (github.com/minzhun/ISO16281): across and along.
TEST(RollingLife, IsThatOfACommercialProgram) {
  RollingGeometry geometry{
      .type = BearingType::deep_groove, .elements = 7, .element_diameter = 0.0115, .pitch_diameter = 0.0435};
  geometry.rows = {{}};
  geometry.groove_radius = {0.52 * 0.0115, 0.53 * 0.0115};
  geometry.composite_modulus.fill(composite_modulus(210e9, 0.3, 210e9, 0.3));
  geometry.poisson = 0.3;
  const QuasiStaticBearing bearing(geometry);
  const auto millions = [&](const RingPlace& place) {
    return 1e-6 * reference_life(bearing, place, {}).revolutions *
           std::pow(23400 / dynamic_rating(bearing.geometry()), 3);
  };
  EXPECT_NEAR(millions(15.1101e-6 * RingPlace::Unit(0)), 13163.019, 1e-3 * 13163.019);
  EXPECT_NEAR(millions(133.5381e-6 * RingPlace::Unit(2)), 2222.7318, 1e-3 * 2222.7318);
}

}  // namespace
}  // namespace carom
