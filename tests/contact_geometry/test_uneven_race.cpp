#include <gtest/gtest.h>

#include <cmath>

#include "contact_geometry/separation.h"
#include "contact_geometry/shape_description.h"
#include "contact_geometry/uneven_race.h"
#include "sample_shapes.h"

// Balls on races with spalls and waves.
namespace carom {
namespace {

constexpr double ball_radius = 4.7625e-3, inner_radius = 18.2375e-3, outer_radius = 27.7675e-3;

Shape<2> race_of(bool outer, const std::vector<double>& spalls, const std::vector<double>& waves = {}) {
  Shape<2> race{.kind = outer ? ShapeKind::outer_race : ShapeKind::inner_race,
                .radius = outer ? outer_radius : inner_radius,
                .groove_radius = 5e-3};
  Settings keys;
  keys.set("spalls", spalls);
  keys.set("waves", waves);
  keys.set("ball_radius", ball_radius);
  description_of<2>(race.kind).take(keys, race);
  return race;
}

ContactPoint<2> touch(const Shape<2>& race, const Eigen::Vector2d& centre, const BodyState<2>& body = {}) {
  const Shape<2> ball{.kind = ShapeKind::sphere, .radius = ball_radius};
  BodyState<2> at;
  at.position = centre;
  ContactPoint<2> point;
  find_pair<2>(race.kind, ShapeKind::sphere)->evaluate(race, ball, body, at, &point, nullptr);
  return point;
}

Eigen::Vector2d polar(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

// The distance of the centre from what is left of the race: its arcs beside the spall, and the ground of that.
double sampled_distance(bool outer, const Eigen::Vector2d& centre, double angle, double extent, double depth) {
  const double radius = outer ? outer_radius : inner_radius, half = extent / (2 * radius);
  double least = 1;
  constexpr int count = 400000;
  for (int k = 0; k < count; ++k) {
    const double from = 0.4 * (2.0 * k / count - 1);
    const double at = std::abs(from) < half ? radius + (outer ? depth : -depth) : radius;
    least = std::min(least, (centre - polar(at, angle + from)).norm());
  }
  for (const double side : {-1.0, 1.0}) least = std::min(least, (centre - polar(radius, angle + side * half)).norm());
  return least;
}

TEST(UnevenRace, SpallIsWhatIsMissing) {
  constexpr double angle = 2.9;
  for (const bool outer : {false, true}) {
    const double round = outer ? outer_radius - ball_radius : inner_radius + ball_radius;
    for (const double extent : {0.8e-3, 2e-3, 4e-3}) {
      for (const double depth : {5e-6, 30e-6, 0.2e-3}) {
        const Shape<2> race = race_of(outer, {angle, extent, depth});
        const double deepest = sinking({angle, extent, depth}, race.radius, ball_radius, outer);
        for (const double from : {-0.15, -0.05, -0.02, -0.004, 0.0, 0.01, 0.03, 0.06}) {
          const Eigen::Vector2d centre = polar(round + (outer ? -3e-6 : 3e-6), angle + from);
          const double expected = sampled_distance(outer, centre, angle, extent, depth) - ball_radius;
          const double gap = touch(race, centre).gap;
          // Corners of the way are rounded by up to a fortieth of its depth, twice.
          EXPECT_NEAR(gap, expected, 0.055 * deepest + 1e-9) << outer << " " << extent << " " << depth << " " << from;
          if (std::abs(from) > 0.12) {
            EXPECT_NEAR(gap, 3e-6, 1e-12);
          }
        }
      }
    }
  }
}

// Two edges 2 mm apart: the ball sinks by r − √(r² − 1 mm²) between flat sides, less on a hollow race, more on a round
// one, by (1 mm)²/2R.
TEST(UnevenRace, BallSinksUntilBothEdgesHoldIt) {
  const double flat = ball_radius - std::sqrt(ball_radius * ball_radius - 1e-6);
  EXPECT_NEAR(sinking({0, 2e-3, 1e-3}, outer_radius, ball_radius, true), flat - 1e-6 / (2 * outer_radius), 2e-7);
  EXPECT_NEAR(sinking({0, 2e-3, 1e-3}, inner_radius, ball_radius, false), flat + 1e-6 / (2 * inner_radius), 2e-7);
  EXPECT_EQ(sinking({0, 2e-3, 20e-6}, inner_radius, ball_radius, false), 20e-6);
}

TEST(UnevenRace, WavesAreAddedToTheRadius) {
  for (const bool outer : {false, true}) {
    const Shape<2> race = race_of(outer, {}, {7, 2e-6, 0.3, 12, 1e-6, -1});
    const double round = outer ? outer_radius - ball_radius : inner_radius + ball_radius;
    for (double angle = -3; angle < 3; angle += 0.37) {
      const double wave = 2e-6 * std::cos(7 * (angle - 0.3)) + 1e-6 * std::cos(12 * (angle + 1));
      // Aslant by 1e-3 at the most, so the distance across is shorter by half of its square.
      EXPECT_NEAR(touch(race, polar(round, angle)).gap, outer ? wave : -wave, 5e-9) << angle;
    }
  }
}

// Any place beside the race, any motion: the gap changes as the material points part.
TEST(UnevenRace, GapRateIsTheNormalVelocity) {
  Dice dice(11);
  for (int trial = 0; trial < 2000; ++trial) {
    const bool outer = trial % 2 == 0;
    Shape<2> race = race_of(outer, {0.2, 2e-3, 0.1e-3, -2, 1e-3, 4e-6}, {9, 1e-6, 0.1});
    race.position = dice.vector<2>(0.01);
    race.orientation = dice.rotation<2>();
    const Shape<2> ball{.kind = ShapeKind::sphere, .radius = ball_radius};
    const double round = outer ? outer_radius - ball_radius : inner_radius + ball_radius;
    BodyState<2> body, at;
    body.position = dice.vector<2>(0.1);
    body.orientation = dice.rotation<2>();
    body.velocity = dice.vector<2>(1);
    body.angular_velocity[0] = dice.between(-100, 100);
    const double angle = trial % 4 < 2 ? 0.2 + dice.between(-0.06, 0.06) : dice.between(-3, 3);
    at.position = centre_of<2>(race, body) + to_world<2>(race, body, polar(round + dice.between(-4e-6, 4e-6), angle));
    at.velocity = dice.vector<2>(1);
    const auto gap_at = [&](double time) {
      ContactPoint<2> point;
      find_pair<2>(race.kind, ShapeKind::sphere)
          ->evaluate(race, ball, after<2>(body, time), after<2>(at, time), &point, nullptr);
      return point;
    };
    constexpr double step = 1e-9;
    const ContactPoint<2> now = gap_at(0);
    EXPECT_NEAR(now.normal.norm(), 1, 1e-14);
    EXPECT_NEAR((now.point_b - now.point_a - now.gap * now.normal).norm(), 0, 1e-15);
    EXPECT_NEAR((now.point_b - at.position).norm(), ball_radius, 1e-15);
    const Eigen::Vector2d relative =
        at.velocity_at(now.point_b - at.position) - body.velocity_at(now.point_a - body.position);
    const double central = (gap_at(step).gap - gap_at(-step).gap) / (2 * step);
    // Rounding of lengths of 0.1 m over 2 ns.
    ASSERT_NEAR(central, now.normal.dot(relative), 1e-4) << trial << " " << angle;
  }
}

TEST(UnevenRace, SharpnessBoundsTheWay) {
  for (const bool outer : {false, true}) {
    for (const double extent : {0.5e-3, 2e-3, 5e-3}) {
      for (const double depth : {3e-6, 50e-6, 0.3e-3}) {
        const Shape<2> race = race_of(outer, {0, extent, depth}, {20, 0.5e-6, 0});
        const UnevenRace& uneven = *uneven_race(race);
        const double round = outer ? outer_radius - ball_radius : inner_radius + ball_radius;
        double most = 0;
        for (double angle = -0.3; angle < 0.3; angle += 1e-5) {
          const PathDeviation way = uneven.deviation(angle, race.radius, ball_radius, outer);
          const double r = round + way.size, v = r * r + way.slope * way.slope;
          most = std::max(most, std::abs(r * r + 2 * way.slope * way.slope - r * way.bend) / std::pow(v, 1.5));
        }
        EXPECT_LE(most, sharpness_of<2>(race) + 1 / round) << outer << " " << extent << " " << depth;
        EXPECT_GE(most, 0.05 * sharpness_of<2>(race)) << outer << " " << extent << " " << depth;
      }
    }
  }
}

TEST(UnevenRace, RoundOnesStayWhatTheyAre) {
  EXPECT_EQ(race_of(true, {}).data, nullptr);
  EXPECT_EQ(gap_kind<2>(race_of(false, {}), {.kind = ShapeKind::sphere}), GapKind::convex);
  EXPECT_EQ(gap_kind<2>(race_of(false, {0, 1e-3, 1e-4}), {.kind = ShapeKind::sphere}), GapKind::own);
  EXPECT_EQ(touch(race_of(true, {}), {0.0229, 0}).gap, outer_radius - ball_radius - 0.0229);
}

}  // namespace
}  // namespace carom
