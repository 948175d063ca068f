#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "contact_laws/friction_law.h"
#include "contact_laws/resistance.h"

namespace carom {
namespace {

Settings settings_of(const FrictionLawDescription& law) {
  Settings settings;
  for (const auto& parameter : law.parameters) {
    if (parameter.name == "coefficient" && !settings.has("coefficient")) settings.set("coefficient", 0.4);
    if (parameter.name == "static_coefficient") {
      settings.set("coefficient", 0.25);
      settings.set("static_coefficient", 0.4);
    }
    if (parameter.name == "viscous") settings.set("viscous", 0.02);
  }
  return settings;
}

TEST(every_friction_law, catalogue) {
  const auto& catalogue = friction_law_catalogue();
  EXPECT_TRUE(std::is_sorted(catalogue.begin(), catalogue.end(), [](auto& a, auto& b) { return a.name < b.name; }));
  for (const auto& law : catalogue) {
    EXPECT_FALSE(law.summary.empty() || law.formula.empty()) << law.name;
    EXPECT_EQ(find_friction_law(law.name), &law);
  }
}

// Value, slope, sign and continuity, from standstill to fast slip.
TEST(every_friction_law, curves) {
  for (const auto& description : friction_law_catalogue()) {
    const auto law = description.make(settings_of(description));
    if (!law->has_bristle()) {
      EXPECT_EQ(law->evaluate(0, 10).coefficient, 0) << description.name;
    }
    for (double speed = 1e-7; speed < 10; speed *= 1.13) {
      const Friction friction = law->evaluate(speed, 10);
      EXPECT_GE(friction.coefficient, 0) << description.name << " " << speed;
      EXPECT_LE(friction.coefficient, 0.4 + 0.02 * speed) << description.name << " " << speed;
      const double step = 1e-5 * speed;
      bool near_breakpoint = false;
      for (double breakpoint : law->breakpoints()) near_breakpoint |= std::abs(breakpoint - speed) < 2 * step;
      if (near_breakpoint) continue;
      const double difference =
          (law->evaluate(speed + step, 10).coefficient - law->evaluate(speed - step, 10).coefficient) / (2 * step);
      EXPECT_NEAR(friction.by_speed, difference, 1e-6 * std::abs(difference) + 1e-14 / step)
          << description.name << " " << speed;
    }
    for (double breakpoint : law->breakpoints())
      EXPECT_NEAR(law->evaluate(breakpoint * (1 - 1e-12), 10).coefficient,
                  law->evaluate(breakpoint * (1 + 1e-12), 10).coefficient, 1e-9)
          << description.name;
  }
}

TEST(friction, coulomb_thresholds) {
  Settings settings;
  settings.set("coefficient", 0.3);
  const auto law = find_friction_law("coulomb")->make(settings);
  EXPECT_EQ(law->evaluate(1e-4, 1).coefficient, 0);
  EXPECT_NEAR(law->evaluate(5.5e-4, 1).coefficient, 0.15, 1e-15);
  EXPECT_EQ(law->evaluate(1e-3, 1).coefficient, 0.3);
  EXPECT_EQ(law->breakpoints(), (std::vector<double>{1e-4, 1e-3}));
}

TEST(friction, threlfall_as_published_jumps) {
  Settings settings;
  settings.set("coefficient", 1.0);
  settings.set("renormalised", false);
  const auto law = find_friction_law("threlfall")->make(settings);
  EXPECT_NEAR(law->evaluate(1e-3, 1).coefficient, 0.9502, 5e-5);
  EXPECT_EQ(law->evaluate(1.0001e-3, 1).coefficient, 1);
}

// Every term of the balance, at random states, also beyond what the bristle can reach by itself.
TEST(bristle, is_dissipative_at_every_state) {
  for (const char* name : {"lugre", "elasto-plastic"}) {
    const auto law = find_friction_law(name)->make(settings_of(*find_friction_law(name)));
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int k = 0; k < 200000; ++k) {
      const double z = 8e-6 * unit(random), v = unit(random) * std::pow(10, -3 + 3 * unit(random));
      const BristleForce bristle = law->bristle(z, v, 10);
      const double step = 1e-9, stored = (law->bristle_energy(z + step) - law->bristle_energy(z - step)) / (2 * step);
      EXPECT_GE(bristle.force * v - stored * bristle.rate, -1e-9 * std::abs(v)) << name << " z " << z << " v " << v;
    }
  }
}

// Over cycles of a swinging slip the work against friction covers what is stored, and whole cycles lose.
TEST(bristle, loses_work_over_cycles) {
  for (const char* name : {"lugre", "elasto-plastic"}) {
    const auto law = find_friction_law(name)->make(settings_of(*find_friction_law(name)));
    for (double amplitude : {1e-4, 3e-3, 0.2})
      for (double frequency : {1.0, 50.0}) {
        double z = 0, work = 0, least = 0;
        const double step = std::min(1e-4 / frequency, 2e-7 / amplitude);
        const int steps = std::min(400000, static_cast<int>(3 / (frequency * step)));
        for (int k = 0; k < steps; ++k) {
          const double v = amplitude * std::sin(2 * M_PI * frequency * k * step);
          const BristleForce bristle = law->bristle(z, v, 10);
          work += bristle.force * v * step;
          z += bristle.rate * step;
          least = std::min(least, work - law->bristle_energy(z));
        }
        EXPECT_GE(least, -1e-3 * work) << name << " " << amplitude << " " << frequency;
        EXPECT_GT(work, 0);
      }
  }
}

// In steady slip the bristle settles on the curve.
TEST(bristle, settles_on_the_curve) {
  for (const char* name : {"lugre", "elasto-plastic"}) {
    const auto law = find_friction_law(name)->make(settings_of(*find_friction_law(name)));
    for (double v : {-0.5, -5e-3, 1e-4, 1e-2, 0.2}) {
      double z = 0;
      for (int k = 0; k < 4000; ++k) z += law->bristle(z, v, 10).rate * 1e-8 / std::abs(v);
      const double force = law->bristle(z, v, 10).force;
      EXPECT_NEAR(force * (v > 0 ? 1 : -1), law->evaluate(std::abs(v), 10).coefficient, 1e-4) << name << " " << v;
    }
  }
}

// A body on an incline with a shaking load below breakaway: the elasto-plastic bristle holds it, LuGre lets it creep.
TEST(bristle, only_the_elasto_plastic_one_does_not_drift) {
  double drift[2];
  int which = 0;
  for (const char* name : {"lugre", "elasto-plastic"}) {
    const auto law = find_friction_law(name)->make(settings_of(*find_friction_law(name)));
    double x = 0, v = 0, z = 0, settled = 0;  // unit mass pressed by 9.81 N
    const double step = 2e-5;
    for (int k = 0; k < 500000; ++k) {
      const double t = k * step, load = 9.81 * (0.12 + 0.1 * std::sin(2 * M_PI * 5 * t));
      const BristleForce bristle = law->bristle(z, v, 9.81);
      v += step * (load - 9.81 * bristle.force);
      z += step * bristle.rate;
      x += step * v;
      if (k == 100000) settled = x;
    }
    drift[which++] = x - settled;
  }
  EXPECT_GT(drift[0], 1e-6);
  EXPECT_NEAR(drift[1], 0, 1e-9);
}

TEST(resistance, bounded_and_dissipative) {
  const Resistance rolling(2e-4, 0.01);
  EXPECT_TRUE(rolling.is_present());
  EXPECT_FALSE(Resistance().is_present());
  for (double angular_velocity : {-30.0, -0.02, -1e-4, 0.0, 3e-3, 0.01, 1.0}) {
    const ResistanceTorque torque = rolling.evaluate(angular_velocity, 50);
    EXPECT_LE(torque.torque * angular_velocity, 0);
    EXPECT_LE(std::abs(torque.torque), 2e-4 * 50);
    const double step = 1e-6;
    EXPECT_NEAR(
        torque.by_spin,
        (rolling.evaluate(angular_velocity + step, 50).torque - rolling.evaluate(angular_velocity - step, 50).torque) /
            (2 * step),
        1e-7);
    EXPECT_NEAR(torque.by_force, rolling.evaluate(angular_velocity, 51).torque - torque.torque, 1e-12);
  }
}

}  // namespace
}  // namespace carom
