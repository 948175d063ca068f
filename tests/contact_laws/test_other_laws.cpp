#include <gtest/gtest.h>

#include "impact_by_steps.h"

namespace carom {
namespace {

constexpr double mass = 0.046, stiffness = 5.5e9;
const ElasticLaw hertz = ElasticLaw::power(stiffness, 1.5);

SteppedImpact impact_of(const std::string& name, const Settings& settings, double restitution, double speed,
                        const ElasticLaw& elastic = hertz) {
  const auto law = find_normal_law(name)->make({elastic, restitution, mass, settings});
  const double scale = 3 * elastic_penetration(elastic, mass, speed) / speed;
  return ImpactStepper(*law, mass, speed, scale).run();
}

// h = 3/2 α v₀, hence the exact restitution of the family at every speed.
TEST(marhefka_orin, restitution_follows_the_speed) {
  Settings settings;
  settings.set("damping", 0.5);
  for (double speed : {0.01, 0.3, 2.0})
    EXPECT_NEAR(impact_of("marhefka-orin", settings, 1, speed).restitution, output_restitution(0.75 * speed), 1e-8);
  EXPECT_NEAR(impact_of("marhefka-orin", settings, 1, 0.01).restitution, 1 - 0.5 * 0.01, 3e-5);
}

// e = 1 − C x + 3/5 (C x)² …, C = 6/5 (5/4)^(3/5) B(3/5, 3/2).
TEST(kuwabara_kono, series_at_low_loss) {
  const double c = 1.2 * std::pow(1.25, 0.6) * std::tgamma(0.6) * std::tgamma(1.5) / std::tgamma(2.1);
  EXPECT_NEAR(c, 1.730173, 5e-7);
  for (double x : {0.001, 0.004, 0.01}) {
    Settings settings;
    settings.set("end", std::string("adhesive"));
    settings.set("relaxation_time", x / (std::pow(stiffness / mass, 0.4) * std::pow(0.3, 0.2)));
    const double expected = 1 - c * x + 0.6 * c * c * x * x;
    EXPECT_NEAR(impact_of("kuwabara-kono", settings, 1, 0.3).restitution, expected, 10 * x * x * x + 1e-8) << x;
  }
}

TEST(walton_braun, loading_and_unloading_are_linear) {
  const auto linear = ElasticLaw::power(1.7e7, 1);
  const double natural = std::sqrt(1.7e7 / mass);
  for (double e : {1.0, 0.6, 0.2}) {
    const SteppedImpact impact = impact_of("walton-braun", {}, e, 0.3, linear);
    EXPECT_NEAR(impact.restitution, e, 1e-8);
    EXPECT_NEAR(impact.compression_time, M_PI / 2 / natural, 1e-7 / natural);
    EXPECT_NEAR(impact.duration, M_PI / 2 / natural * (1 + e), 1e-7 / natural);  // unloading is 1/e² as stiff
  }
}

// Unloading, loading again along the same line, then on along the first one.
TEST(goldsmith, reloading_climbs_the_unloading_branch) {
  const auto law = find_normal_law("goldsmith")->make({hertz, 0.5, mass, Settings()});
  const double deepest = 1e-5;
  EXPECT_NEAR(law->release_penetration({.deepest = deepest}), 0.75e-5, 1e-18);
  EXPECT_EQ(law->force({0.7e-5, 0.1, 0.3, deepest}), 0);
  EXPECT_EQ(law->force({0.9e-5, 0.1, 0.3, deepest}), law->force({0.9e-5, -0.1, 0.3, deepest}));
  EXPECT_NEAR(law->force({deepest * (1 - 1e-12), 0.1, 0.3, deepest}), hertz.force(deepest), 1e-6);
  EXPECT_EQ(law->force({1.2e-5, 0.1, 0.3, deepest}), hertz.force(1.2e-5));
  EXPECT_NEAR(law->energy({deepest, 0, 0.3, deepest}), law->energy({deepest * (1 - 1e-12), 0, 0.3, deepest}), 1e-12);
  EXPECT_NEAR(law->energy({deepest, 0, 0.3, deepest}), 0.25 * hertz.evaluate(deepest).energy, 1e-15);
}

// The derived damping follows the speed, so that the restitution does not.
TEST(ristow, derived_damping) {
  for (double e : {0.95, 0.9, 0.8, 0.6, 0.4}) {
    const double slow = impact_of("ristow", {}, e, 0.01).restitution, fast = impact_of("ristow", {}, e, 3).restitution;
    EXPECT_NEAR(slow, fast, 1e-7) << e;
    EXPECT_NEAR(slow, e, e < 0.8 ? 0.065 : 0.006) << e;
  }
  Settings settings;
  settings.set("damping", 100.0);
  EXPECT_LT(impact_of("ristow", settings, 1, 0.01).restitution, impact_of("ristow", settings, 1, 3).restitution);
}

// Restitution between full and none, and the clamp in its place: damping only where there is depth.
TEST(adams, damped_impact) {
  Settings settings;
  settings.set("damping", 800.0);
  settings.set("depth", 5e-6);
  const SteppedImpact impact = impact_of("adams", settings, 1, 0.3);
  EXPECT_GT(impact.restitution, 0.3);
  EXPECT_LT(impact.restitution, 0.9);
  const auto law = find_normal_law("adams")->make({hertz, 1, mass, settings});
  const double deep = 1e-5;
  EXPECT_NEAR(law->force({deep, 0.1, 0.3, deep}), hertz.force(deep) + 80, 1e-9);
  EXPECT_NEAR(law->force({2.5e-6, 0.1, 0.3, deep}), hertz.force(2.5e-6) + 40, 1e-9);
}

// Liu's shape under the exact factor returns what is asked for too: the restitution knows nothing of the shape.
TEST(exact, any_shape) {
  const auto liu = ElasticLaw::liu(1e11, 2e-3, 1e-5);
  for (double e : {0.9, 0.5, 0.2}) EXPECT_NEAR(impact_of("exact", {}, e, 0.3, liu).restitution, e, 1e-8);
}

}  // namespace
}  // namespace carom
