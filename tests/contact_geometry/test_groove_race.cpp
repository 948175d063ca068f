#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "contact_geometry/separation.h"
#include "contact_geometry/shape_description.h"
#include "sample_shapes.h"

// Balls in the grooves of bearings in space.
namespace carom {
namespace {

constexpr double ball_radius = 4.7625e-3, groove_radius = 4.953e-3, inner_radius = 18.2e-3, outer_radius = 27.8e-3;

Shape<3> groove(bool outer) {
  return {.kind = outer ? ShapeKind::outer_race : ShapeKind::inner_race,
          .radius = outer ? outer_radius : inner_radius,
          .groove_radius = groove_radius};
}

ContactPoint<3> touch(bool outer, const Eigen::Vector3d& centre) {
  BodyState<3> at;
  at.position = centre;
  ContactPoint<3> point;
  find_pair<3>(groove(outer).kind, ShapeKind::sphere)
      ->evaluate(groove(outer), {.kind = ShapeKind::sphere, .radius = ball_radius}, {}, at, &point, nullptr);
  return point;
}

// Where the wall is nearest, by samples of it.
double sampled_distance(bool outer, const Eigen::Vector3d& centre) {
  const double circle = outer ? outer_radius - groove_radius : inner_radius + groove_radius;
  const double around = std::atan2(centre.y(), centre.x());
  double least = 1;
  for (int i = -200; i <= 200; ++i) {
    for (int j = -500; j <= 500; ++j) {
      const double turn = around + 1e-4 * i, angle = 2.09 * j / 500, down = groove_radius * std::cos(angle);
      const double radius = circle + (outer ? down : -down);
      const Eigen::Vector3d wall(radius * std::cos(turn), radius * std::sin(turn), groove_radius * std::sin(angle));
      least = std::min(least, (wall - centre).norm());
    }
  }
  return least;
}

TEST(GrooveRace, GapIsTheDistanceFromTheWall) {
  Dice dice(5);
  for (int trial = 0; trial < 12; ++trial) {
    const bool outer = trial % 2 == 0;
    const double circle = outer ? outer_radius - groove_radius : inner_radius + groove_radius;
    // A load at a contact angle of up to 60°, and the clearance.
    const double angle = dice.between(-1, 1), turn = dice.between(-3, 3), size = dice.between(1e-4, 2.2e-4);
    const double radial = circle + (outer ? size : -size) * std::cos(angle);
    const Eigen::Vector3d centre(radial * std::cos(turn), radial * std::sin(turn), size * std::sin(angle));
    EXPECT_NEAR(touch(outer, centre).gap, sampled_distance(outer, centre) - ball_radius, 3e-8) << trial;
    EXPECT_NEAR(touch(outer, centre).gap, groove_radius - ball_radius - size, 1e-12);
    EXPECT_NEAR(touch(outer, centre).normal.z(), -std::sin(angle), 1e-9);
  }
}

// On the other side of the arc there is no race.
TEST(GrooveRace, HasAnOpenSide) {
  EXPECT_TRUE(std::isinf(touch(true, {outer_radius - groove_radius - 1e-3, 0, 0}).gap));
  EXPECT_TRUE(std::isinf(touch(false, {inner_radius + groove_radius + 1e-3, 0, 0}).gap));
  EXPECT_NEAR(touch(true, {outer_radius - groove_radius, 0, 0}).gap, groove_radius - ball_radius, 1e-12);
  EXPECT_NEAR(touch(false, {inner_radius + groove_radius, 0, 0}).normal.x(), 1, 1e-12);
}

Shape<3> groove_at(bool outer, double contact_angle, const std::vector<double>& spalls = {},
                   const std::vector<double>& waves = {}) {
  Shape<3> race = groove(outer);
  Settings keys;
  keys.set("contact_angle", contact_angle);
  keys.set("spalls", spalls);
  keys.set("waves", waves);
  keys.set("ball_radius", ball_radius);
  description_of<3>(race.kind).take(keys, race);
  return race;
}

double circle_of(bool outer) {
  return outer ? outer_radius - groove_radius : inner_radius + groove_radius;
}

// Principal radii of the wall where balls run, as books have them: along the way the normal of a cone.
TEST(GrooveRace, RadiiAreThoseOfBooks) {
  const Shape<3> ball{.kind = ShapeKind::sphere, .radius = ball_radius};
  for (const bool outer : {false, true}) {
    for (const double angle : {0.0, 0.3, -0.8}) {
      const Shape<3> race = groove_at(outer, angle);
      const auto radii = find_pair<3>(race.kind, ShapeKind::sphere)->radii(race, ball);
      const double wall = circle_of(outer) + (outer ? 1 : -1) * groove_radius * std::cos(angle);
      EXPECT_NEAR(radii[0].along, (outer ? -1 : 1) * wall / std::cos(angle), 1e-12);
      EXPECT_NEAR(radii[0].across, -groove_radius, 1e-15);
      EXPECT_NEAR(radii[1].along, ball_radius, 1e-15);
    }
  }
}

ContactPoint<3> touch_race(const Shape<3>& race, const Shape<3>& ball, const BodyState<3>& at) {
  ContactPoint<3> point;
  find_pair<3>(race.kind, ShapeKind::sphere)->evaluate(race, ball, {}, at, &point, nullptr);
  return point;
}

// A ball beside a groove, at an azimuth, at an angle of contact; `down` is the gap beside a round groove.
BodyState<3> ball_at(bool outer, double azimuth, double angle, double down) {
  const double size = groove_radius - ball_radius - down, sign = outer ? 1 : -1;
  const double radial = circle_of(outer) + sign * size * std::cos(angle);
  BodyState<3> at;
  at.position << radial * std::cos(azimuth), radial * std::sin(azimuth), size * std::sin(angle);
  return at;
}

// What is left of a wall beside a spall over its whole width: the wall, the edges, and the ground.
double sampled_distance_of_spalled(bool outer, const Eigen::Vector3d& centre, double azimuth, double angle,
                                   double extent, double depth) {
  const double sign = outer ? 1 : -1, wall = circle_of(outer) + sign * groove_radius * std::cos(angle),
               half = extent / (2 * wall);
  double least = 1;
  const auto look = [&](double turn, double lean, double radius) {
    const double radial = circle_of(outer) + sign * radius * std::cos(lean);
    const Eigen::Vector3d place(radial * std::cos(azimuth + turn), radial * std::sin(azimuth + turn),
                                radius * std::sin(lean));
    least = std::min(least, (place - centre).norm());
  };
  for (int j = -150; j <= 150; ++j) {
    const double lean = angle + 1e-3 * j;
    for (const double side : {-half, half}) look(side, lean, groove_radius);
    for (int i = -400; i <= 400; ++i) {
      const double turn = 2.5e-4 * i;
      look(turn, lean, std::abs(turn) < half ? groove_radius + depth : groove_radius);
    }
  }
  return least;
}

// The way of a ball over a spall is that over the edges; its corners are rounded over a tenth of its depth.
TEST(GrooveRace, SpallIsWhatIsMissing) {
  const Shape<3> ball{.kind = ShapeKind::sphere, .radius = ball_radius};
  for (const bool outer : {false, true}) {
    for (const double angle : {0.0, 0.6}) {
      for (const double depth : {8e-6, 0.1e-3}) {
        constexpr double azimuth = 0.7, extent = 1.2e-3;
        const Shape<3> race = groove_at(outer, angle, {azimuth, extent, depth});
        const double deepest = std::min(depth, extent * extent / (8 * ball_radius) * 1.3);
        for (const double from : {-0.05, -0.02, -0.008, 0.0, 0.004, 0.015}) {
          const BodyState<3> at = ball_at(outer, azimuth + from, angle, 2e-6);
          const double expected =
              sampled_distance_of_spalled(outer, at.position, azimuth, angle, extent, depth) - ball_radius;
          EXPECT_NEAR(touch_race(race, ball, at).gap, expected, 0.06 * deepest + 5e-8)
              << outer << " " << angle << " " << depth << " " << from;
          if (std::abs(from) > 0.04) {
            EXPECT_NEAR(touch_race(race, ball, at).gap, 2e-6, 1e-12);
          }
        }
      }
    }
  }
}

// The rate of a gap is that of the bodies' points along its normal: for round and uneven races and balls. A ball with a
// spall turns, too.
TEST(GrooveRace, NormalIsTheGradientOfTheGap) {
  Shape<3> spalled{.kind = ShapeKind::sphere, .radius = ball_radius};
  Settings keys;
  keys.set("spalls", std::vector{0.0, 1.2e-3, 0.1e-3});
  description_of<3>(ShapeKind::sphere).take(keys, spalled);
  const Shape<3> round{.kind = ShapeKind::sphere, .radius = ball_radius};
  for (const bool outer : {false, true}) {
    for (const double angle : {0.0, 0.5}) {
      const Shape<3> even = groove_at(outer, angle),
                     uneven = groove_at(outer, angle, {0.7, 1.2e-3, 0.1e-3}, {9, 2e-6, 0.1});
      for (const auto& [race, ball, turned] :
           {std::tuple{even, round, 0.0}, {uneven, round, 0.0}, {even, spalled, 0.05}, {even, spalled, -0.08}}) {
        for (const double from : {-0.015, 0.006}) {
          BodyState<3> at = ball_at(outer, 0.7 + from, angle, -1e-6);
          // Its track across the axis about which it rolls; x looks at the race, turned by so much.
          const Eigen::Vector3d out(std::cos(0.7 + from), std::sin(0.7 + from), 0);
          const Eigen::Vector3d wall =
              (outer ? 1 : -1) * std::cos(angle) * out + std::sin(angle) * Eigen::Vector3d::UnitZ();
          Eigen::Matrix3d axes;
          axes.col(0) = wall;
          axes.col(1) = Eigen::Vector3d::UnitZ().cross(out);
          axes.col(2) = axes.col(0).cross(axes.col(1));
          const Eigen::Quaterniond start(axes * Eigen::AngleAxisd(turned, Eigen::Vector3d::UnitZ()).toRotationMatrix());
          at.orientation = Rotation<3>(start.toRotationMatrix());
          const ContactPoint<3> here = touch_race(race, ball, at);
          const Eigen::Vector3d speed(0.3, -0.2, 0.25), spin(20, -35, 50);
          constexpr double h = 1e-7;
          const auto after = [&](double time) {
            BodyState<3> moved = at;
            moved.position += time * speed;
            const Eigen::Vector3d turn = time * spin;
            moved.orientation = Rotation<3>((rotation_from_vector(turn) * start).toRotationMatrix());
            return touch_race(race, ball, moved).gap;
          };
          const double rate = (after(h) - after(-h)) / (2 * h);
          const double expected = here.normal.dot(speed + spin.cross(here.point_b - at.position));
          // Where an edge touches, it is looked for in the plane of the line of contact: off by a hundredth of the
          // speed across the track.
          EXPECT_NEAR(rate, expected, turned != 0 ? 4e-3 : 1e-5)
              << outer << " " << angle << " " << turned << " " << from;
        }
      }
    }
  }
}

// A ball whose spall is at the race sinks until both of its edges stand on it: by r (1 − cos β) and the race's own
// curve.
TEST(GrooveRace, SpallOfABallLetsItSink) {
  Shape<3> spalled{.kind = ShapeKind::sphere, .radius = ball_radius};
  constexpr double extent = 1.2e-3;
  Settings keys;
  keys.set("spalls", std::vector{0.4, extent, 0.2e-3});
  description_of<3>(ShapeKind::sphere).take(keys, spalled);
  EXPECT_GT(reach_of<3>(spalled), 0) << "its turns are noticed";
  const double half = extent / (2 * ball_radius), aside = ball_radius * std::sin(half);
  for (const bool outer : {false, true}) {
    const double sign = outer ? 1 : -1, race_radius = outer ? outer_radius : inner_radius;
    const auto gap_at = [&](double turned) {
      BodyState<3> at = ball_at(outer, 0, 0, 0);
      // The spall is at the azimuth 0.4 + turned − (0 of outward, π of inward) from the race.
      at.orientation = Rotation<3>(
          Eigen::AngleAxisd((outer ? 0 : M_PI) - 0.4 + turned, Eigen::Vector3d::UnitZ()).toRotationMatrix());
      return touch_race(groove(outer), spalled, at).gap;
    };
    const double sunk = ball_radius * (1 - std::cos(half)) -
                        sign * (race_radius - std::sqrt(race_radius * race_radius - aside * aside));
    // Rounded over a tenth of its depth between flat sides, of which a quarter is missing in the middle.
    EXPECT_NEAR(gap_at(0), sunk - 0.025 * ball_radius * (1 - std::cos(half)), 1e-4 * sunk) << outer;
    EXPECT_NEAR(gap_at(1.1 * half), 0, 1e-12);
    EXPECT_NEAR(gap_at(-1.1 * half), 0, 1e-12);
    EXPECT_NEAR(gap_at(0.3 * half), gap_at(-0.3 * half), 1e-9);
  }
}

// Whatever the race and the ball do in a short time, the gap stays above what the bound says.
TEST(GrooveRace, SearchIsBounded) {
  const auto& pair = *find_pair<3>(ShapeKind::inner_race, ShapeKind::sphere);
  for (const auto kind : {ShapeKind::inner_race, ShapeKind::outer_race}) {
    EXPECT_EQ(gap_kind<3>({.kind = kind}, {.kind = ShapeKind::sphere}), GapKind::own);
    EXPECT_GT(reach_of<3>(groove(kind == ShapeKind::outer_race)), 0) << "races that tilt are noticed";
  }
  Dice dice(9);
  for (int trial = 0; trial < 300; ++trial) {
    const Scene<3> scene = sample_scene(pair, dice);
    const double span = 0.05;
    const auto gap_after = [&](double time) {
      const BodyState<3> a = after<3>(scene.body_a, time), b = after<3>(scene.body_b, time);
      ContactPoint<3> point;
      pair.evaluate(scene.a, scene.b, a, b, &point, nullptr);
      return point.gap;
    };
    // Speeds against each other, and of the points of a turning frame.
    const double reach = (scene.body_b.position - scene.body_a.position).norm() + 1;
    const double omega = scene.body_a.angular_velocity.norm(), omega_b = scene.body_b.angular_velocity.norm();
    const double arm_a = scene.a.position.norm() + 2, arm_b = scene.b.position.norm();
    const double speed =
        (scene.body_b.velocity - scene.body_a.velocity).norm() + omega * (reach + arm_a) + omega_b * arm_b;
    const double bend = omega * omega * (reach + arm_a) + 2 * omega * speed + omega_b * omega_b * arm_b +
                        speed * speed * sharpness_of<3>(scene.a);
    const double first = gap_after(0), last = gap_after(span), middle = gap_after(span / 2);
    if (!std::isfinite(first + last + middle)) continue;
    EXPECT_GE(middle, least_between(first, last, bend * span * span) - 1e-12) << trial;
  }
}

}  // namespace
}  // namespace carom
