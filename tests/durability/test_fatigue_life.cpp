#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "contact_laws/stiffness.h"
#include "durability/fatigue_life.h"

namespace carom {
namespace {

const double steel = composite_modulus(207e9, 0.3, 207e9, 0.3);

BallBearing deep_groove(int balls, double diameter, double pitch) {
  BallBearing bearing;
  bearing.balls = balls;
  bearing.ball_diameter = diameter;
  bearing.pitch_diameter = pitch;
  bearing.inner_groove_radius = bearing.outer_groove_radius = 0.52 * diameter;
  return bearing;
}

BallBearing size_6205() {
  return deep_groove(9, 7.938e-3, 39.04e-3);
}

// Lundberg and Palmgren's exponents make life fall with the third power of the load for points, the fourth for lines.
TEST(fatigue_life, exponents_of_the_load) {
  const auto contact = raceway_contact(size_6205(), Raceway::inner);
  const auto point = [&](double load) { return stressed_track(point_contact_patch(*contact, load, steel), 0.1); };
  const TrackLife points(point(1000), 1e6);
  EXPECT_NEAR(points.passes(point(1000)), 1e6, 1e-3);
  EXPECT_NEAR(points.passes(point(500)) / 1e6, 8, 1e-9);
  EXPECT_NEAR(points.passes(point(4000)) / 1e6, 1.0 / 64, 1e-11);
  EXPECT_TRUE(std::isinf(points.passes(point(0))));
  const auto line = [&](double load) {
    const StressPeak shear = orthogonal_shear(line_contact_patch(0.01, load, steel));
    return StressedTrack{.shear = shear.value, .depth = shear.depth, .half_width = 0.005, .length = 0.1};
  };
  const TrackLife lines(line(1e5), 1e6, {.weibull_slope = 9.0 / 8});
  EXPECT_NEAR(lines.passes(line(2e5)) / 1e6, 1.0 / 16, 1e-11);
}

// A longer track dies sooner, as the weakest of its parts; cutting a track into arcs changes nothing.
TEST(fatigue_life, weakest_link) {
  const StressedTrack whole{.shear = 5e8, .depth = 1e-4, .half_width = 1e-3, .length = 0.12};
  StressedTrack arc = whole;
  arc.length /= 12;
  const TrackLife life(whole, 3e7);
  EXPECT_NEAR(life.passes(arc) / life.passes(whole), std::pow(12, 0.9), 1e-10);
  const std::vector<TrackLoad> history = {{arc, 4e6}, {arc, 1e6}};
  const std::vector<double> damages(12, life.damage(history));
  EXPECT_NEAR(combined_damage(damages), 5e6 / 3e7, 1e-14);
  // Tracks survive independently of each other.
  const double a = 0.4, b = 1.3;
  EXPECT_NEAR(survival_probability(combined_damage(std::vector<double>{a, b})),
              survival_probability(a) * survival_probability(b), 1e-14);
  EXPECT_NEAR(survival_probability(1), 0.9, 1e-15);
  EXPECT_EQ(survival_probability(0), 1);
}

// A spectrum of loads by stresses is ISO 281's mean load of exponent 3.
TEST(fatigue_life, spectrum_by_stresses_and_by_loads) {
  const auto contact = raceway_contact(size_6205(), Raceway::outer);
  const auto track = [&](double load) { return stressed_track(point_contact_patch(*contact, load, steel), 0.1); };
  const TrackLife life(track(2500), 1e6);
  const std::vector<LoadPart> loads = {{300, 5e6}, {900, 2e6}, {2000, 1e5}, {0, 3e6}};
  std::vector<TrackLoad> history;
  double passes = 0;
  for (const LoadPart& part : loads) {
    history.push_back({track(part.load), part.revolutions});
    passes += part.revolutions;
  }
  EXPECT_NEAR(passes / life.damage(history) / basic_rating_life(2500, mean_equivalent_load(loads)), 1, 1e-10);
}

// Integrals over the load zone, of Sjövall J_r and of Lundberg and Palmgren J₁ (turning ring) and J₂ (standing ring),
// which are elementary for half of the ring loaded, Q ~ cos^(3/2) ψ, and for all of it, Q ~ cos³(ψ/2). Harris, Rolling
// Bearing Analysis, has 0.2288, 0.5625, 0.5875 and 0.2546, 0.6372, 0.6566.
TEST(fatigue_life, integrals_over_the_load_zone) {
  const double turning = std::sqrt(M_PI) * std::tgamma(2.75) / std::tgamma(3.25);  // ∫ cos^4.5
  const double radial = std::sqrt(M_PI) * std::tgamma(1.75) / std::tgamma(2.25);   // ∫ cos^2.5
  const double table[][4] = {
      {0.5, radial / (2 * M_PI), std::cbrt(turning / (2 * M_PI)), std::pow(16.0 / 15 / (2 * M_PI), 0.3)},
      {1.0, 0.8 / M_PI, std::cbrt(256 / (315 * M_PI)), std::pow(63.0 / 256, 0.3)}};
  EXPECT_NEAR(table[0][1], 0.2288, 5e-5);
  EXPECT_NEAR(table[0][2], 0.5625, 5e-5);
  EXPECT_NEAR(table[1][2], 0.6372, 5e-5);
  EXPECT_NEAR(table[1][3], 0.6566, 5e-5);
  const BearingFatigue fatigue(size_6205(), steel, 14026);
  for (const auto& [zone, sum, first, second] : table) {
    const auto loads = radial_load_distribution(1000, 9, 0, zone, 1440);
    double carried = 0;
    for (std::size_t k = 0; k < loads.size(); ++k)
      carried += loads[k] * std::cos(2 * M_PI * static_cast<double>(k) / 1440) * 9 / 1440;
    EXPECT_NEAR(carried, 1000, 1e-9);
    EXPECT_NEAR(1000 / (9 * loads[0]), sum, 1e-6) << zone;
    const std::vector<double> even(1440, loads[0]);
    const auto share = [&](Raceway ring) { return std::cbrt(fatigue.life(ring, even) / fatigue.life(ring, loads)); };
    EXPECT_NEAR(share(Raceway::inner), first, 1e-7) << zone;
    EXPECT_NEAR(share(Raceway::outer), second, 1e-7) << zone;
  }
}

TEST(fatigue_life, bearing_at_its_rating) {
  const BallBearing bearing = size_6205();
  const double rating = dynamic_load_rating(bearing);
  const BearingFatigue fatigue(bearing, steel, rating);
  const auto loads = [&](double load, int places) { return radial_load_distribution(load, 9, 0, 0.5, places); };
  EXPECT_NEAR(fatigue.life(loads(rating, 1440)) / 1e6, 1, 1e-10);
  EXPECT_NEAR(fatigue.life(loads(rating, 72)) / 1e6, 1, 1e-4);
  EXPECT_NEAR(fatigue.life(loads(2000, 1440)) / basic_rating_life(rating, 2000), 1, 1e-9);
  EXPECT_LT(fatigue.life(loads(2000, 72)), fatigue.life(Raceway::inner, loads(2000, 72)));
  // A tighter load zone, as clearance makes it, costs life; more so when a single ball carries all.
  const double clearance = fatigue.life(radial_load_distribution(2000, 9, 0, 0.2, 1440));
  EXPECT_LT(clearance, 0.9 * basic_rating_life(rating, 2000));
  // A double-row bearing of the same total rating and load has the same life.
  BallBearing rows = bearing;
  rows.rows = 2;
  const BearingFatigue pair(rows, steel, rating);
  EXPECT_NEAR(pair.life(loads(1000, 1440)) / basic_rating_life(rating, 2000), 1, 1e-9);
}

// Lundberg and Palmgren's closed formulas come from these stresses. The ratio of their ratings of both raceways, and
// the steel behind ISO's ratings of bearings of different size, are therefore found again, within the powers that they
// fitted.
TEST(fatigue_life, closed_formulas_of_lundberg_and_palmgren) {
  const BallBearing bearings[] = {size_6205(), deep_groove(8, 3.969e-3, 17.5e-3), deep_groove(8, 19.05e-3, 80e-3),
                                  deep_groove(14, 9.525e-3, 90e-3)};
  const StressedTrack probe{.shear = 5e8, .depth = 1e-4, .half_width = 1e-3, .length = 0.1};
  double first_steel = 0;
  for (const BallBearing& bearing : bearings) {
    const BearingFatigue fatigue(bearing, steel, dynamic_load_rating(bearing));
    const std::vector<double> even(8, 1000.0);
    const double by_stress = std::cbrt(fatigue.life(Raceway::inner, even) / fatigue.life(Raceway::outer, even));
    const double by_formula =
        element_load_rating(bearing, Raceway::inner) / element_load_rating(bearing, Raceway::outer);
    EXPECT_NEAR(by_stress / by_formula, 1, 0.02) << bearing.ball_diameter;
    const double load_of_probe = std::cbrt(fatigue.tracks().passes(probe));
    if (first_steel == 0) first_steel = load_of_probe;
    EXPECT_NEAR(load_of_probe / first_steel, 1, 0.01) << bearing.ball_diameter;
  }
}

// p₀ ~ Q^(1/3): a counted history of the Hertz pressure with m = 9 damages like the loads with exponent 3.
TEST(fatigue_life, counted_pressures) {
  const auto contact = raceway_contact(size_6205(), Raceway::inner);
  const auto pressure = [&](double load) { return point_contact_patch(*contact, load, steel).max_pressure; };
  const double loads[] = {800, 300, 1200, 500};
  std::vector<double> history = {0};
  double damage = 0;
  for (int turn = 0; turn < 50; ++turn)
    for (const double load : loads) {
      history.insert(history.end(), {0.6 * pressure(load), pressure(load), 0});
      damage += 1 / basic_rating_life(1000, load);
    }
  const WoehlerLine line{.reference_range = pressure(1000), .reference_cycles = 1e6, .exponent = 9};
  const auto cycles = count_rainflow(history);
  EXPECT_NEAR(miner_damage(cycles, line) / damage, 1, 1e-10);
  EXPECT_NEAR(200 / line.cycles(equivalent_range(cycles, 9)) / damage, 1, 1e-10);
  // Small loads fall below a limit.
  WoehlerLine limited = line;
  limited.endurance_limit = pressure(600);
  const double large = 50 / basic_rating_life(1000, 800) + 50 / basic_rating_life(1000, 1200);
  EXPECT_NEAR(miner_damage(cycles, limited) / large, 1, 1e-10);
  // Bins at their upper edges are on the safe side.
  RangeHistogram histogram(pressure(1200), 64);
  for (const CountedCycle& cycle : cycles) histogram.add(cycle);
  const double binned = miner_damage(histogram.spectrum(), line);
  EXPECT_GE(binned, damage * (1 - 1e-12));
  EXPECT_LT(binned, 1.2 * damage);
  EXPECT_EQ(miner_damage({}, line), 0);
  EXPECT_EQ(equivalent_range({}, 9), 0);
}

}  // namespace
}  // namespace carom
