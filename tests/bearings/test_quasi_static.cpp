#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/Eigenvalues>

#include "bearings/quasi_static.h"
#include "contact_laws/stiffness.h"

namespace carom {
namespace {

// The bearing of the reference: Z 7, D_w 11.5 mm, D_pw 43.5 mm, grooves of 0.52 and 0.53 D_w.
RollingGeometry deep_groove() {
  RollingGeometry geometry{.elements = 7, .element_diameter = 0.0115, .pitch_diameter = 0.0435};
  geometry.rows = {{}};
  geometry.groove_radius = {0.52 * 0.0115, 0.53 * 0.0115};
  geometry.composite_modulus.fill(composite_modulus(210e9, 0.3, 210e9, 0.3));
  geometry.poisson = 0.3;
  const double radius = geometry.element_diameter / 2;
  geometry.mass = 7800 * 4.0 / 3 * M_PI * radius * radius * radius;
  geometry.inertia = 0.4 * geometry.mass * radius * radius;
  return geometry;
}

// Harris' 218: Z 16, D_w 22.225 mm, D_pw 125.26 mm, 0.5232, 40°.
RollingGeometry angular_contact() {
  RollingGeometry geometry = deep_groove();
  geometry.type = BearingType::angular_contact;
  geometry.elements = 16, geometry.element_diameter = 0.022225, geometry.pitch_diameter = 0.12526;
  geometry.groove_radius.fill(0.5232 * 0.022225);
  geometry.contact_angle = 40 * M_PI / 180;
  const double radius = geometry.element_diameter / 2;
  geometry.mass = 7800 * 4.0 / 3 * M_PI * radius * radius * radius;
  geometry.inertia = 0.4 * geometry.mass * radius * radius;
  return geometry;
}

RollingGeometry tapered() {
  RollingGeometry geometry = deep_groove();
  geometry.type = BearingType::tapered_roller;
  geometry.elements = 17, geometry.element_diameter = 0.0075, geometry.pitch_diameter = 0.046;
  geometry.contact_angle = 14 * M_PI / 180;
  geometry.length = 0.011, geometry.slices = 31, geometry.profile = RollerProfile::logarithmic;
  geometry.crowning = 0.00035 * geometry.element_diameter;
  geometry.mass = 7800 * M_PI * 0.00375 * 0.00375 * 0.011;
  return geometry;
}

// Where a force that grows reaches a value.
template <class F>
double solve(const F& force, double wanted, double high) {
  double low = 0;
  for (int k = 0; k < 200; ++k) {
    const double middle = (low + high) / 2;
    (force(middle) < wanted ? low : high) = middle;
  }
  return low;
}

TEST(QuasiStaticBearing, MeetsTheDeflectionsOfTheReference) {
  const QuasiStaticBearing bearing(deep_groove());
  const auto moved = [&](int k) {
    return [&bearing, k](double by) { return bearing.force(by * RingPlace::Unit(k), {})[k]; };
  };
  EXPECT_NEAR(solve(moved(0), 1000, 1e-3), 15.1101e-6, 1e-3 * 15.1101e-6);
  EXPECT_NEAR(solve(moved(2), 1000, 1e-3), 133.5381e-6, 1e-3 * 133.5381e-6);
  EXPECT_NEAR(solve(moved(3), 1, 0.1), 3.647e-3, 5e-3 * 3.647e-3);
}

// tools/references/rolling_bearings.py, which shares nothing with this program.
TEST(QuasiStaticBearing, ContactAnglesPartAtSpeed) {
  struct Row {
    double rpm, displacement, inner_angle, outer_angle, inner_load, outer_load;
  };
  const QuasiStaticBearing bearing(angular_contact());
  for (const Row& row : {Row{2500, 3.5502669e-05, 42.051568, 40.904245, 1660.9456, 1688.0324},
                         Row{7500, 2.8678714e-05, 46.437344, 35.969136, 1535.285, 1784.2823},
                         Row{10000, 1.45545e-05, 49.928618, 31.332131, 1453.7865, 1921.845}}) {
    const RingSpeeds speeds{.outer = 0, .spin = row.rpm * M_PI / 30};
    const double found =
        solve([&](double by) { return bearing.force(by * RingPlace::Unit(2), speeds)[2]; }, 17800, 3e-4);
    EXPECT_NEAR(found, row.displacement, 1e-6 * row.displacement);
    const ElementResult ball = bearing.element(5, found * RingPlace::Unit(2), speeds);
    EXPECT_NEAR(ball.inner_angle * 180 / M_PI, row.inner_angle, 1e-5);
    EXPECT_NEAR(ball.outer_angle * 180 / M_PI, row.outer_angle, 1e-5);
    EXPECT_NEAR(ball.inner_load, row.inner_load, 1e-3);
    EXPECT_NEAR(ball.outer_load, row.outer_load, 1e-3);
  }
}

struct Trial {
  RollingGeometry geometry;
  RingPlace place;
  RingSpeeds speeds;
  const char* name;
};

std::vector<Trial> trials() {
  std::vector<Trial> all;
  RingPlace place;
  place << 8e-6, -5e-6, 40e-6, 4e-4, -7e-4;
  all.push_back({deep_groove(), place, {}, "deep groove"});
  RollingGeometry loose = deep_groove();
  loose.clearance = 5e-6;
  all.push_back({loose, place, {.outer = 0, .spin = 900}, "deep groove with clearance and speed"});
  all.push_back({angular_contact(), place, {}, "angular contact"});
  all.push_back({angular_contact(), place, {.outer = 30, .spin = 1000}, "angular contact with speed"});
  RollingGeometry pair = angular_contact();
  pair.rows = {{-0.02, 1}, {0.02, -1}};
  pair.preload = 500;
  all.push_back({pair, place, {}, "pair"});
  all.push_back({pair, place, {.outer = -20, .spin = 800}, "pair with speed"});
  all.push_back({tapered(), place, {}, "tapered"});
  all.push_back({tapered(), place, {.outer = 10, .spin = 600}, "tapered with speed"});
  RollingGeometry cylinders = tapered();
  cylinders.type = BearingType::cylindrical_roller, cylinders.contact_angle = 0;
  all.push_back({cylinders, place, {.outer = 0, .spin = 600}, "cylindrical with speed"});
  return all;
}

TEST(QuasiStaticBearing, StiffnessIsTheDerivativeOfTheForce) {
  for (const Trial& trial : trials()) {
    const QuasiStaticBearing bearing(trial.geometry);
    const RingLoad load = bearing.load(trial.place, trial.speeds);
    ASSERT_TRUE(bearing.settled()) << trial.name;
    EXPECT_TRUE(load.force.isApprox(bearing.force(trial.place, trial.speeds), 1e-12)) << trial.name;
    ASSERT_GT(load.force.norm(), 100) << trial.name;
    for (int k = 0; k < 5; ++k) {
      const double step = k < 3 ? 1e-9 : 2e-8;
      RingPlace slope = RingPlace::Zero();
      // Fourth order.
      for (const auto& [at, weight] : {std::pair(-2, 1.0), std::pair(-1, -8.0), std::pair(1, 8.0), std::pair(2, -1.0)})
        slope += weight / (12 * step) * bearing.force(trial.place + at * step * RingPlace::Unit(k), trial.speeds);
      const RingPlace exact = load.stiffness.col(k);
      for (int row = 0; row < 5; ++row) {
        const double scale = std::sqrt(std::abs(load.stiffness(row, row) * load.stiffness(k, k)));
        const double rounding = 1e-14 * load.force.norm() / step;
        EXPECT_NEAR(exact[row], slope[row], 1e-6 * scale + rounding) << trial.name << " " << row << " " << k;
      }
    }
    for (const bool outer : {true, false}) {
      if (trial.speeds.standing()) continue;
      constexpr double step = 1e-2;
      const auto at = [&](double by) {
        RingSpeeds speeds = trial.speeds;
        (outer ? speeds.outer : speeds.spin) += by;
        return bearing.force(trial.place, speeds);
      };
      const RingPlace slope = (at(step) - at(-step)) / (2 * step), exact = outer ? load.by_outer : load.by_spin;
      EXPECT_LT((slope - exact).norm(), 1e-6 * exact.norm() + 1e-7) << trial.name << " " << outer;
    }
  }
}

TEST(QuasiStaticBearing, StandingItIsAPotential) {
  for (const Trial& trial : trials()) {
    const QuasiStaticBearing bearing(trial.geometry);
    const RingLoad load = bearing.load(trial.place, {});
    EXPECT_TRUE(load.stiffness.isApprox(load.stiffness.transpose(), 1e-13)) << trial.name;
    for (int k = 0; k < 5; ++k) {
      const double step = k < 3 ? 1e-8 : 1e-6;
      const double slope = (bearing.standing_energy(trial.place + step * RingPlace::Unit(k)) -
                            bearing.standing_energy(trial.place - step * RingPlace::Unit(k))) /
                           (2 * step);
      EXPECT_NEAR(load.force[k], slope, 1e-5 * load.force.norm()) << trial.name << " " << k;
    }
  }
}

TEST(QuasiStaticBearing, PreloadIsTheForceOfARow) {
  RollingGeometry single = angular_contact();
  single.preload = 750;
  EXPECT_NEAR(QuasiStaticBearing(single).force(RingPlace::Zero(), {})[2], 750, 1e-6);
  RollingGeometry pair = single;
  pair.rows = {{-0.02, 1}, {0.02, -1}};
  EXPECT_NEAR(QuasiStaticBearing(pair).force(RingPlace::Zero(), {})[2], 0, 1e-6);
}

// Balls that the inner ring has left are free at any distance and speed, and all is finite.
TEST(QuasiStaticBearing, RingsFarApartDoNotTouch) {
  RollingGeometry thrust = deep_groove();
  thrust.type = BearingType::thrust_ball, thrust.contact_angle = M_PI / 2;
  RollingGeometry loose = deep_groove();
  loose.clearance = 400e-6;
  for (const RingSpeeds& speeds : {RingSpeeds{}, RingSpeeds{.outer = 0, .spin = 300}}) {
    for (const double apart : {1e-6, 1e-4, 1e-3, 3e-3, 0.1}) {
      const QuasiStaticBearing bearing(thrust);
      const RingLoad load = bearing.load(-apart * RingPlace::Unit(2), speeds);
      // The centrifugal force wedges balls between rings that are a little apart.
      if (speeds.standing() || apart > 5e-4) {
        EXPECT_EQ(load.force.norm(), 0) << apart;
        EXPECT_EQ(load.stiffness.norm(), 0) << apart;
      }
      EXPECT_TRUE(bearing.settled()) << apart;
      // Across, the balls of one side alone are pressed.
      const QuasiStaticBearing across(deep_groove());
      const RingLoad pressed = across.load(apart * RingPlace::Unit(0), speeds);
      EXPECT_TRUE(across.settled()) << apart;
      EXPECT_GT(pressed.force[0], 0) << apart;
      EXPECT_TRUE(pressed.stiffness.allFinite()) << apart;
      EXPECT_EQ(across.element(3, apart * RingPlace::Unit(0), speeds).inner_load, 0) << apart;
    }
    const QuasiStaticBearing bearing(loose);
    EXPECT_EQ(bearing.load(RingPlace::Zero(), speeds).force.norm(), 0);
    EXPECT_TRUE(bearing.settled());
  }
}

}  // namespace
}  // namespace carom
