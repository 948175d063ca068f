#include "force_recovery/impact_force.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "contact_laws/free_impact.h"

namespace carom {
namespace {

// Two balls of the thesis of Sánchez, 4 cm, 0.15 m/s each: durations, peak forces and depths of the exact profile.
Impact two_balls(double restitution) {
  return {.speed = 0.3, .mass = 0.046, .restitution = restitution, .stiffness = 5.5e9, .exponent = 1.5};
}

TEST(ImpactForce, MeetsTheExactProfile) {
  struct Row {
    double e, duration, force, depth;
  };
  for (const Row& row : {Row{0.8, 0.1559e-3, 306.9, 14.18e-6},
                         {0.6, 0.1636e-3, 303.8, 12.77e-6},
                         {0.4, 0.1795e-3, 325.0, 11.15e-6},
                         {0.2, 0.2249e-3, 388.3, 9.02e-6}}) {
    const ImpactPulse pulse = PulseTable(PulseProfile::exact).pulse(two_balls(row.e));
    EXPECT_NEAR(pulse.duration, row.duration, 1e-3 * row.duration) << row.e;
    EXPECT_NEAR(pulse.peak_force, row.force, 1e-3 * row.force) << row.e;
    EXPECT_NEAR(pulse.max_penetration, row.depth, 1e-3 * row.depth) << row.e;
    EXPECT_NEAR(pulse.impulse, 0.046 * 0.3 * (1 + row.e), 1e-12);
  }
}

TEST(ImpactForce, MeetsTheCubicProfile) {
  for (const auto& [e, duration] : {std::pair(0.8, 0.1601e-3), {0.6, 0.1665e-3}, {0.4, 0.1820e-3}, {0.2, 0.2302e-3}})
    EXPECT_NEAR(PulseTable(PulseProfile::cubic).pulse(two_balls(e)).duration, duration, 5e-4 * duration) << e;
}

// Histories, their sums and the closed forms tell the same, and momentum is what the impulse says.
TEST(ImpactForce, HistoriesAgreeWithTheirSums) {
  for (const PulseProfile profile : {PulseProfile::exact, PulseProfile::cubic}) {
    for (const double e : {1.0, 0.9, 0.5, 0.2, 0.05}) {
      const Impact impact = two_balls(e);
      const auto history = pulse_history(impact, profile, 4001);
      const ImpactPulse sums = pulse_of(history), closed = PulseTable(profile).pulse(impact);
      EXPECT_NEAR(sums.duration, closed.duration, 2e-4 * closed.duration) << e;
      EXPECT_NEAR(sums.peak_force, closed.peak_force, 1e-4 * closed.peak_force) << e;
      EXPECT_NEAR(sums.max_penetration, closed.max_penetration, 1e-4 * closed.max_penetration) << e;
      EXPECT_NEAR(sums.impulse, closed.impulse, 1e-3 * closed.impulse) << e;
      EXPECT_NEAR(sums.compression, closed.compression, 1e-3 * closed.duration) << e;
      EXPECT_NEAR(sums.restitution, e, 1e-3) << e;
    }
  }
}

// One solution serves all impacts with the same restitution and exponent.
TEST(ImpactForce, Scales) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> magnitude(-2, 2);
  for (const double n : {1.0, 1.5, 2.2}) {
    PulseTable table(PulseProfile::exact);
    for (int k = 0; k < 20; ++k) {
      const Impact impact{.speed = std::pow(10, magnitude(random)),
                          .mass = std::pow(10, magnitude(random)),
                          .restitution = 0.7,
                          .stiffness = 1e8 * std::pow(10, magnitude(random)),
                          .exponent = n};
      const ImpactPulse pulse = table.pulse(impact);
      const FreeImpact direct =
          free_impact(exact_hysteresis(0.7), ElasticLaw::power(impact.stiffness, n), impact.mass, impact.speed);
      EXPECT_NEAR(pulse.peak_force, direct.max_force, 1e-9 * direct.max_force);
      EXPECT_NEAR(pulse.duration, direct.duration, 1e-9 * direct.duration);
      EXPECT_NEAR(pulse.max_penetration, direct.max_penetration, 1e-9 * direct.max_penetration);
    }
  }
}

// What does not rebound is compressed without loss until it stands.
TEST(ImpactForce, PlasticImpactsEndAtTheDeepestPoint) {
  const Impact impact = two_balls(0);
  const ImpactPulse pulse = PulseTable(PulseProfile::exact).pulse(impact),
                    elastic = PulseTable(PulseProfile::exact).pulse(two_balls(1));
  EXPECT_NEAR(pulse.peak_force, elastic.peak_force, 1e-9 * elastic.peak_force);
  EXPECT_NEAR(pulse.duration, elastic.duration / 2, 1e-9 * elastic.duration);
  EXPECT_NEAR(pulse.impulse, 0.046 * 0.3, 1e-12);
  const auto history = pulse_history(impact, PulseProfile::exact, 501);
  EXPECT_NEAR(history.back().rate, 0, 1e-6);
  EXPECT_NEAR(pulse_of(history).impulse, pulse.impulse, 1e-3 * pulse.impulse);
}

// Every law of the catalogue gives a pulse whose impulse is the change of momentum.
TEST(ImpactForce, EveryLawKeepsMomentum) {
  int laws = 0;
  for (const NormalLawDescription& law : normal_law_catalogue()) {
    bool needs_parameters = false;
    for (const auto& parameter : law.parameters) needs_parameters = needs_parameters || parameter.required;
    if (needs_parameters) continue;
    ++laws;
    Impact impact = two_balls(std::max(0.8, law.least_restitution));
    if (law.elastic == "linear") impact.exponent = 1, impact.stiffness = 2e7;
    const auto history = pulse_history(impact, PulseProfile::exact, 4001, {&law, {}});
    const ImpactPulse pulse = pulse_of(history);
    EXPECT_NEAR(pulse.impulse, impact.mass * impact.speed * (1 + pulse.restitution), 2e-3 * pulse.impulse) << law.name;
    EXPECT_GT(pulse.peak_force, 100) << law.name;
    if (law.restitution_out) {
      EXPECT_NEAR(pulse.restitution, law.restitution_out(impact.restitution), 2e-3) << law.name;
    }
  }
  EXPECT_GE(laws, 12);
}

TEST(ImpactForce, ManyImpactsAsOne) {
  std::vector<Impact> impacts;
  for (int k = 0; k < 50000; ++k) {
    impacts.push_back(two_balls(0.3 + 0.1 * (k % 5)));
    impacts.back().speed = 0.1 + 1e-4 * k;
  }
  const std::vector<PulseLaw> laws = {{}, {find_normal_law("flores"), {}}};
  std::vector<int> of(impacts.size(), 0);
  of.back() = 1;
  const auto pulses = recover_pulses(impacts, PulseProfile::exact, laws, of);
  ASSERT_EQ(pulses.size(), impacts.size());
  for (const std::size_t k : {0u, 20001u, 49999u}) {
    const ImpactPulse one = PulseTable(PulseProfile::exact).pulse(impacts[k], laws[of[k]]);
    EXPECT_NEAR(pulses[k].peak_force, one.peak_force, 1e-12 * one.peak_force);
    EXPECT_NEAR(pulses[k].duration, one.duration, 1e-12 * one.duration);
  }
}

TEST(ImpactForce, SplitsImpulses) {
  const std::vector<double> impulses = {0, 5, 0, 0, 1, 1, 4, 1, 2, 1, 0};
  const SplitImpulses two = split_impulses(impulses);
  const ThreeImpulses three = split_in_three(impulses);
  EXPECT_EQ(two.continuous, (std::vector<double>{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0}));
  EXPECT_EQ(two.impact, (std::vector<double>{0, 5, 0, 0, 0, 0, 3, 0, 1, 0, 0}));
  EXPECT_EQ(three.continuous, two.continuous);
  EXPECT_EQ(three.isolated, (std::vector<double>{0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(three.on_load, (std::vector<double>{0, 0, 0, 0, 0, 0, 3, 0, 1, 0, 0}));
}

// With a law whose rebound is not that of the run, peak and duration are the law's own: a ball of 1 kg at 4.4272 m/s.
TEST(ImpactForce, FollowsTheLawOfTheContact) {
  const PulseLaw flores{find_normal_law("flores"), {}};
  struct Row {
    double e, duration, force, depth;
  };
  for (const Row& row : {Row{1, 1.318e-3, 12358, 1.983e-3},
                         {0.8, 1.357e-3, 11306, 1.808e-3},
                         {0.6, 1.431e-3, 11262, 1.615e-3},
                         {0.4, 1.601e-3, 12276, 1.386e-3},
                         {0.2, 2.163e-3, 15421, 1.072e-3}}) {
    const Impact impact{.speed = 4.4272, .mass = 1, .restitution = row.e, .stiffness = 1.4e8, .exponent = 1.5};
    const ImpactPulse pulse = PulseTable(PulseProfile::exact).pulse(impact, flores);
    EXPECT_NEAR(pulse.duration, row.duration, 5e-7) << row.e;
    EXPECT_NEAR(pulse.peak_force, row.force, 1) << row.e;
    EXPECT_NEAR(pulse.max_penetration, row.depth, 5e-7) << row.e;
  }
  // The cubics with the factor of Flores, as the thesis draws them.
  for (const auto& [e, force] :
       {std::pair(1.0, 11544.0), {0.8, 10902.0}, {0.6, 11297.0}, {0.4, 13070.0}, {0.2, 17857.0}}) {
    const Impact impact{.speed = 4.4272, .mass = 1, .restitution = e, .stiffness = 1.4e8, .exponent = 1.5};
    EXPECT_NEAR(PulseTable(PulseProfile::cubic).pulse(impact, flores).peak_force, force, 1) << e;
  }
}

// Larger loads come from a table in steps; the motion itself reports how well it holds.
TEST(PulseTable, FollowsLargerLoads) {
  PulseTable table(PulseProfile::exact);
  for (const double restitution : {1.0, 0.6}) {
    for (const double load : {-300.0, 30.0, 100.0, 1000.0, 3000.0}) {
      const Impact impact{.speed = 0.5, .mass = 2, .restitution = restitution, .stiffness = 1e8, .load = load};
      const ImpactPulse pulse = table.pulse(impact),
                        exact = pulse_of(pulse_history(impact, PulseProfile::exact, 20001));
      EXPECT_NEAR(pulse.peak_force, exact.peak_force, 1e-4 * exact.peak_force) << load;
      EXPECT_NEAR(pulse.max_penetration, exact.max_penetration, 1e-3 * exact.max_penetration) << load;
      if (load < 1000) {  // above, some loads hold the bodies and their neighbours in the table do not
        EXPECT_NEAR(pulse.duration, exact.duration, 1e-3 * exact.duration) << load;
      }
    }
  }
}

// Bodies that a load keeps together do not part again: the pulse ends where they rest.
TEST(PulseTable, EndsWhereALoadHoldsTheBodies) {
  const Impact impact{.speed = 0.01, .mass = 1, .restitution = 0.3, .stiffness = 1e8, .load = 1000};
  const ImpactPulse pulse = PulseTable(PulseProfile::exact).pulse(impact);
  EXPECT_GT(pulse.peak_force, 1000);
  // By then the penetration creeps towards that of the load at rest.
  EXPECT_NEAR(1e8 * std::pow(pulse.max_penetration, 1.5), 1000, 50);
  EXPECT_NEAR(pulse.restitution, 0, 1e-3);
}

// Two equal contacts in a row yield as one spring of K/2ⁿ, each by half.
TEST(PulseTable, TakesSqueezedBodiesForOneSpring) {
  Impact alone{.speed = 0.4, .mass = 2, .restitution = 0.7, .stiffness = 1e9, .load = 30};
  Impact squeezed = alone;
  squeezed.backing = squeezed.stiffness;
  alone.stiffness /= std::pow(2, 1.5);
  PulseTable table(PulseProfile::exact);
  const ImpactPulse one = table.pulse(alone), two = table.pulse(squeezed);
  EXPECT_NEAR(two.peak_force, one.peak_force, 1e-12 * one.peak_force);
  EXPECT_NEAR(two.duration, one.duration, 1e-12 * one.duration);
  EXPECT_NEAR(two.max_penetration, one.max_penetration / 2, 1e-12 * one.max_penetration);
  const std::vector<PulseSample> history = pulse_history(squeezed, PulseProfile::exact, 101);
  const ImpactPulse drawn = pulse_of(history);
  EXPECT_NEAR(drawn.max_penetration, two.max_penetration, 1e-3 * two.max_penetration);
  EXPECT_NEAR(history.front().rate, 0.2, 1e-12);
  // A soft floor takes all of the compression.
  squeezed.backing = 1e-3 * squeezed.stiffness;
  EXPECT_NEAR(squeezed.share(), 0.01 / 1.01, 1e-12);
}

// In the ratio of the impulses, over the same time.
TEST(PulseTable, PassesPulsesOn) {
  const ImpactPulse source = PulseTable(PulseProfile::exact).pulse({.speed = 1, .mass = 1, .stiffness = 1e9});
  const ImpactPulse pulse = passed_on(source, 2, 1, 1e9, 1.5);
  EXPECT_DOUBLE_EQ(pulse.peak_force, source.peak_force / 2);
  EXPECT_DOUBLE_EQ(pulse.duration, source.duration);
  EXPECT_NEAR(1e9 * std::pow(pulse.max_penetration, 1.5), pulse.peak_force, 1e-9 * pulse.peak_force);
}

}  // namespace
}  // namespace carom
