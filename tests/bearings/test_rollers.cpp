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

// Ribs hold the inner ring one way or both ways once their clearance is passed; all rollers stand between them.
TEST(RollerBearing, RibsHoldTheRingAlongTheAxis) {
  RollingGeometry geometry = cylindrical();
  geometry.rib_clearance = 50e-6, geometry.rib_stiffness = 2e8, geometry.clearance = 10e-6;
  const auto axial = [&](BearingRibs ribs, double moved) {
    geometry.ribs = ribs;
    return QuasiStaticBearing(geometry).force(moved * RingPlace::Unit(2), {})[2];
  };
  using enum BearingRibs;
  EXPECT_EQ(axial(both, 40e-6), 0);
  EXPECT_NEAR(axial(both, 60e-6), 14 * 2e8 * 10e-6, 1e-6);
  EXPECT_NEAR(axial(both, -60e-6), -14 * 2e8 * 10e-6, 1e-6);
  EXPECT_NEAR(axial(along, 60e-6), 14 * 2e8 * 10e-6, 1e-6);
  EXPECT_EQ(axial(along, -60e-6), 0);
  EXPECT_EQ(axial(against, 60e-6), 0);
  EXPECT_NEAR(axial(against, -60e-6), -14 * 2e8 * 10e-6, 1e-6);
  EXPECT_EQ(axial(none, 60e-6), 0);
  // Tilted, the rollers on one side bear more: Σ k R² cos² φ against the tilt.
  geometry.ribs = both;
  const QuasiStaticBearing bearing(geometry);
  RingPlace place = RingPlace::Zero();
  place[2] = 100e-6, place[3] = 1e-4;
  EXPECT_NEAR(bearing.force(place, {})[3], 7 * 2e8 * 0.0325 * 0.0325 * 1e-4, 1e-9);
  EXPECT_NEAR(bearing.element(0, place, {}).rib_load, 2e8 * (50e-6 - 0.0325e-4), 1e-6);
  EXPECT_NEAR(bearing.forces(place, {}).ribs, 14 * 2e8 * 50e-6, 1e-6);
}

// The forces of both races and of the rib on a tapered roller balance, as vectors: normals of the races half an angle
// of the cone to either side of that of its axis.
TEST(RollerBearing, TheRibOfATaperedRollerBalancesTheRaces) {
  RollingGeometry geometry = cylindrical();
  geometry.type = BearingType::tapered_roller, geometry.contact_angle = 0.25, geometry.mass = 0.006;
  const double half = geometry.half_taper();
  // The tips of the roller and of the cone of roller axes are one point of the bearing's axis.
  EXPECT_NEAR(0.005 / std::tan(half), 0.0325 / std::sin(0.25 - half), 1e-12);
  const QuasiStaticBearing bearing(geometry);
  const RingSpeeds speeds{.outer = 0, .spin = 800};
  const ElementResult roller = bearing.element(0, RingPlace{{10e-6, 0, 10e-6, 0, 0}}, speeds);
  ASSERT_GT(roller.inner_load, 100);
  const Eigen::Vector2d along(1, 0), across(0, 1);  // the axis of the roller, and from it outwards
  const Eigen::Vector2d inner = roller.inner_load * (std::sin(half) * along + std::cos(half) * across),
                        outer = roller.outer_load * (std::sin(half) * along - std::cos(half) * across);
  EXPECT_NEAR(roller.rib_load, (inner + outer).dot(along), 1e-9 * roller.rib_load);
}

// Slice by slice, as it stands.
RollerLoads by_slices(const RollerLaw& law, const Eigen::Vector2d& approach, const RingSpeeds& speeds) {
  const std::size_t count = law.slices;
  std::vector<double> inner(count), outer(count), middle(count), none(count);
  slice_loads(law, approach, speeds, inner.data(), outer.data());
  slice_loads(law, approach, {}, middle.data(), none.data());
  RollerLoads loads;
  for (std::size_t s = 0; s < count; ++s) {
    loads.force += inner[s] * Eigen::Vector2d(1, law.place[s]);
    loads.standing += middle[s] * Eigen::Vector2d(1, law.place[s]);
  }
  return loads;
}

// From wherever a roller settled last, loaded heavily, lightly, on an edge or not at all, it comes to the same rest, in
// which the outer race carries the centrifugal force besides: as the slices one by one say.
TEST(RollerBearing, SettlesToTheSameFromWhereverItWas) {
  for (const double crowning : {0.0, 3.5e-6}) {
    RollingGeometry geometry = cylindrical();
    geometry.mass = 0.006;
    if (crowning > 0) geometry.profile = RollerProfile::logarithmic, geometry.crowning = crowning;
    const RollerLaw law = roller_law(geometry);
    RollerRest rest;
    int loaded = 0;
    for (int k = 0; k < 3000; ++k) {
      // Ways of little steps, and jumps.
      const double phase = 0.01 * k + (k % 500 == 0 ? 1.7 : 0.0);
      const Eigen::Vector2d approach(20e-6 * std::sin(phase), 2e-3 * std::sin(0.37 * phase));
      const RingSpeeds speeds{.outer = 20, .spin = 1200 + 1100 * std::sin(0.11 * phase)};
      const RollerLoads loads = roller_loads(law, approach, speeds, rest);
      const auto [force, standing] = by_slices(law, approach, speeds);
      const double round = speeds.outer + law.orbit_share * speeds.spin,
                   scale = standing[0] + law.centrifugal * round * round;
      EXPECT_NEAR(loads.force[0], force[0], 1e-9 * scale) << k;
      EXPECT_NEAR(loads.force[1], force[1], 1e-9 * scale * 0.01) << k;
      EXPECT_NEAR(loads.standing[0], standing[0], 1e-10 * scale) << k;
      EXPECT_NEAR(loads.standing[1], standing[1], 1e-10 * scale * 0.01) << k;
      loaded += force[0] > 0;
    }
    EXPECT_GT(loaded, 1000);
    EXPECT_LT(loaded, 2900);
  }
}

// A motion in little steps, as a run has it, is followed by series of the slices, through slices that come into contact
// and leave it: their loads are those of the slices to 1e-10 of what the roller bears.
TEST(RollerBearing, FollowsAMotionBySeriesOfItsSlices) {
  for (const int slices : {3, 12, 31}) {
    for (const double speed : {0.0, 500.0, 1200.0}) {
      for (const double tilt : {0.0, 4e-4}) {
        RollingGeometry geometry = cylindrical();
        geometry.mass = 0.006, geometry.slices = slices;
        geometry.profile = RollerProfile::logarithmic, geometry.crowning = 3.5e-6;
        const RollerLaw law = roller_law(geometry);
        RollerRest rest;
        int by_series = 0;
        constexpr int looks = 4000;
        for (int k = 0; k < looks; ++k) {
          const Eigen::Vector2d approach(7e-6 + 5e-6 * std::sin(4e-3 * k), tilt * std::sin(2e-3 * k));
          const RingSpeeds speeds{.outer = 0, .spin = speed * (1 + 0.1 * std::sin(1e-3 * k))};
          const RollerLoads loads = roller_loads(law, approach, speeds, rest),
                            expected = by_slices(law, approach, speeds);
          const double round = law.orbit_share * speeds.spin,
                       size = expected.standing[0] + law.centrifugal * round * round;
          ASSERT_NEAR(loads.force[0], expected.force[0], 1e-10 * size) << slices << " " << speed << " " << k;
          ASSERT_NEAR(loads.force[1], expected.force[1], 1e-10 * size * 0.005) << slices << " " << speed << " " << k;
          ASSERT_NEAR(loads.standing[0], expected.standing[0], 1e-10 * size) << slices << " " << speed << " " << k;
          ASSERT_NEAR(loads.standing[1], expected.standing[1], 1e-10 * size * 0.005) << slices << " " << speed;
          by_series += rest.has_series;
        }
        // The shift of the roller by its centrifugal force takes from their reach.
        EXPECT_GT(by_series, (speed > 1000 ? 0.3 : 0.7) * looks) << slices << " " << speed << " " << tilt;
      }
    }
  }
}

}  // namespace
}  // namespace carom
