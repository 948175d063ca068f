#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact_laws/friction_law.h"

namespace carom {
namespace {

Settings settings_of(const FrictionLawDescription& law) {
  Settings settings;
  for (const auto& parameter : law.parameters) {
    if (parameter.name == "coefficient" || parameter.name == "static_coefficient") settings.set(parameter.name, 0.4);
    if (parameter.name == "kinetic_coefficient") settings.set(parameter.name, 0.25);
    if (parameter.name == "viscous") settings.set(parameter.name, 0.02);
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
      bool near_kink = false;
      for (double kink : law->kinks()) near_kink |= std::abs(kink - speed) < 2 * step;
      if (near_kink) continue;
      const double difference =
          (law->evaluate(speed + step, 10).coefficient - law->evaluate(speed - step, 10).coefficient) / (2 * step);
      EXPECT_NEAR(friction.by_speed, difference, 1e-6 * std::abs(difference) + 1e-14 / step)
          << description.name << " " << speed;
    }
    for (double kink : law->kinks())
      EXPECT_NEAR(law->evaluate(kink * (1 - 1e-12), 10).coefficient, law->evaluate(kink * (1 + 1e-12), 10).coefficient,
                  1e-9)
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
  EXPECT_EQ(law->kinks(), (std::vector<double>{1e-4, 1e-3}));
}

TEST(friction, threlfall_as_published_jumps) {
  Settings settings;
  settings.set("coefficient", 1.0);
  settings.set("renormalised", false);
  const auto law = find_friction_law("threlfall")->make(settings);
  EXPECT_NEAR(law->evaluate(1e-3, 1).coefficient, 0.9502, 5e-5);
  EXPECT_EQ(law->evaluate(1.0001e-3, 1).coefficient, 1);
}

}  // namespace
}  // namespace carom
