#include <gtest/gtest.h>

#include <cmath>

#include "sample_shapes.h"

// Profiles in contact, against brute force and closed forms.
namespace carom {
namespace {

Shape<2> shape_of(Profile profile) {
  Shape<2> shape;
  shape.kind = ShapeKind::profile;
  shape.profile = std::make_shared<Profile>(std::move(profile));
  return shape;
}

BodyState<2> at(double x, double y, double angle = 0) {
  BodyState<2> body;
  body.position = {x, y};
  body.angle = angle;
  body.orientation = Rotation<2>(angle);
  return body;
}

struct Evaluation {
  std::vector<ContactPoint<2>> slots;
  std::vector<double> memory;
  double least = std::numeric_limits<double>::infinity();
  int touching = 0;

  void run(const Shape<2>& a, const Shape<2>& b, const BodyState<2>& body_a, const BodyState<2>& body_b) {
    const auto* pair = find_pair<2>(a.kind, b.kind);
    slots.resize(pair->points(a, b));
    memory.resize(pair->memory(a, b), 0.0);
    pair->evaluate(a, b, body_a, body_b, slots.data(), memory.data());
    least = std::numeric_limits<double>::infinity();
    touching = 0;
    for (const auto& slot : slots) {
      least = std::min(least, slot.gap);
      touching += slot.gap < 0 ? 1 : 0;
    }
  }
};

std::vector<Eigen::Vector2d> outline(const Shape<2>& shape, const BodyState<2>& body, int count) {
  std::vector<Eigen::Vector2d> result;
  for (int k = 0; k < count; ++k) {
    const Eigen::Vector2d local = shape.profile->at(shape.profile->end() * k / count).position;
    result.push_back(centre_of<2>(shape, body) + to_world<2>(shape, body, local));
  }
  return result;
}

double sampled_distance(const Scene<2>& scene) {
  double least = std::numeric_limits<double>::infinity();
  const auto points_a = outline(scene.a, scene.body_a, 1200), points_b = outline(scene.b, scene.body_b, 1200);
  for (const auto& a : points_a) {
    for (const auto& b : points_b) least = std::min(least, (a - b).squaredNorm());
  }
  return std::sqrt(least);
}

bool overlap(const Scene<2>& scene) {
  const auto inside = [](const Shape<2>& shape, const BodyState<2>& body, const std::vector<Eigen::Vector2d>& points) {
    const Eigen::Vector2d centre = centre_of<2>(shape, body);
    return std::any_of(points.begin(), points.end(), [&](const Eigen::Vector2d& point) {
      return shape.profile->contains(to_shape<2>(shape, body, Eigen::Vector2d(point - centre)));
    });
  };
  return inside(scene.a, scene.body_a, outline(scene.b, scene.body_b, 400)) ||
         inside(scene.b, scene.body_b, outline(scene.a, scene.body_a, 400));
}

void compare_with_sampling(const std::vector<Shape<2>>& shapes, unsigned seed) {
  Dice dice(seed);
  int checked = 0;
  for (int trial = 0; trial < 150; ++trial) {
    Scene<2> scene;
    scene.a = shapes[trial % shapes.size()];
    scene.b = shapes[(trial / 3) % shapes.size()];
    scene.body_a = at(dice.between(-1, 1), dice.between(-1, 1), dice.between(-3, 3));
    scene.body_b = at(dice.between(-3, 3), dice.between(-3, 3), dice.between(-3, 3));
    const double sampled = sampled_distance(scene);
    if (sampled < 0.01 || overlap(scene)) continue;
    Evaluation evaluation;
    evaluation.run(scene.a, scene.b, scene.body_a, scene.body_b);
    EXPECT_NEAR(evaluation.least, sampled, 1e-4) << "trial " << trial;
    EXPECT_LE(evaluation.least, sampled + 1e-12) << "trial " << trial;
    ++checked;
  }
  EXPECT_GT(checked, 30);
}

TEST(ProfileProfile, EllipsesAreAsFarApartAsSampled) {
  compare_with_sampling(
      {shape_of(Profile::ellipse(1, 0.4)), shape_of(Profile::ellipse(0.5, 0.9)), shape_of(Profile::ellipse(1.2, 0.1))},
      21);
}

TEST(ProfileProfile, HollowProfilesAreAsFarApartAsSampled) {
  compare_with_sampling({shape_of(bean(1)), shape_of(Profile::ellipse(0.5, 0.2)), shape_of(bean(0.5))}, 22);
}

TEST(ProfileProfile, WarmSearchFollowsTheColdOne) {
  const Shape<2> a = shape_of(Profile::ellipse(1, 0.4)), b = shape_of(Profile::ellipse(0.5, 0.9));
  Evaluation warm;
  for (int k = 0; k <= 500; ++k) {
    const double angle = 0.02 * k;
    const BodyState<2> body_b = at(2 * std::cos(angle), 2 * std::sin(angle), 3 * angle);
    Evaluation cold;
    warm.run(a, b, at(0, 0, -angle), body_b);
    cold.run(a, b, at(0, 0, -angle), body_b);
    EXPECT_NEAR(warm.least, cold.least, 1e-13);
  }
}

TEST(ProfileProfile, EllipsesSinkIntoEachOther) {
  // Along a common axis the depth is known, also for flat ellipses whose backs face each other's normals.
  for (const double flat : {0.1, 0.5, 1.0}) {
    const Shape<2> a = shape_of(Profile::ellipse(1, flat)), b = shape_of(Profile::ellipse(0.8, flat));
    for (const double gap : {0.3, 0.01, 0.0, -0.01, -0.05}) {
      Evaluation evaluation;
      evaluation.run(a, b, at(0, 0), at(0, 2 * flat + gap));
      EXPECT_NEAR(evaluation.least, gap, 1e-14) << flat;
    }
  }
}

TEST(ProfileProfile, BeanTouchesADiscWithBothLobes) {
  const Shape<2> hollow = shape_of(bean(1)), disc = shape_of(Profile::circle(8));
  Evaluation evaluation;
  evaluation.run(hollow, disc, at(0, 0), at(0, -8.32));
  EXPECT_EQ(evaluation.touching, 2);
  std::vector<double> gaps, places;
  for (const auto& slot : evaluation.slots) {
    if (slot.gap >= 0) continue;
    gaps.push_back(slot.gap);
    places.push_back(slot.point_a.x());
  }
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_NEAR(gaps[0], gaps[1], 1e-12);
  EXPECT_NEAR(places[0], -places[1], 1e-10);
  // The slots keep their lobes while the disc rolls from one to the other.
  const double side = evaluation.slots[0].point_a.x();
  for (int k = -20; k <= 20; ++k) {
    evaluation.run(hollow, disc, at(0, 0), at(0.005 * k, -8.32));
    EXPECT_GT(evaluation.slots[0].point_a.x() * side, 0);
  }
}

TEST(ProfileProfile, SmallDiscLiesInTheHollow) {
  const Shape<2> hollow = shape_of(bean(1)), disc = shape_of(Profile::circle(0.1));
  Evaluation evaluation;
  evaluation.run(hollow, disc, at(0, 0), at(0, -0.29));
  EXPECT_EQ(evaluation.touching, 1);
  EXPECT_NEAR(evaluation.least, -0.01, 1e-4);  // the spline misses the bottom of the hollow by less
}

TEST(ProfileProfile, CondyleOnPlateauHasItsClosedForm) {
  const double radius = 0.035;
  const Shape<2> condyle = shape_of(Profile::arc(radius, -3, 0, {0.002, 0.001}));
  const Shape<2> plateau = shape_of(Profile::line({0.03, 0.004}, {-0.03, -0.002}));
  Dice dice(23);
  for (int trial = 0; trial < 200; ++trial) {
    const BodyState<2> femur = at(dice.between(-0.01, 0.01), dice.between(0.02, 0.05), dice.between(-0.3, 0.3));
    const BodyState<2> tibia = at(dice.between(-0.002, 0.002), 0, dice.between(-0.2, 0.2));
    const Eigen::Vector2d centre = femur.point_position({0.002, 0.001});
    const Eigen::Vector2d normal = tibia.lever(Eigen::Vector2d(-0.006, 0.06).normalized());
    const double expected = normal.dot(centre - tibia.point_position({0.03, 0.004})) - radius;
    Evaluation evaluation;
    evaluation.run(plateau, condyle, tibia, femur);
    EXPECT_NEAR(evaluation.least, expected, 1e-12);
    EXPECT_NEAR((evaluation.slots[0].normal - normal).norm(), 0, 1e-12);
    evaluation = {};
    evaluation.run(condyle, plateau, femur, tibia);
    EXPECT_NEAR(evaluation.least, expected, 1e-12);
  }
}

TEST(ProfileProfile, CirclesAreThoseOfTheClosedForms) {
  Dice dice(24);
  const Shape<2> a = shape_of(Profile::circle(0.4)), b = shape_of(Profile::circle(0.3, {0.1, -0.2}));
  Shape<2> disc;
  disc.radius = 0.3;
  disc.position = {0.1, -0.2};
  Shape<2> other = disc;
  other.position.setZero();
  other.radius = 0.4;
  for (int trial = 0; trial < 200; ++trial) {
    const BodyState<2> body_a = at(dice.between(-1, 1), dice.between(-1, 1), dice.between(-3, 3));
    const BodyState<2> body_b = at(dice.between(-1, 1), dice.between(-1, 1), dice.between(-3, 3));
    Evaluation profiles, mixed, discs;
    discs.run(other, disc, body_a, body_b);
    if (discs.least < -0.3) continue;
    profiles.run(a, b, body_a, body_b);
    mixed.run(a, disc, body_a, body_b);
    EXPECT_NEAR(profiles.least, discs.least, 1e-13);
    EXPECT_NEAR(mixed.least, discs.least, 1e-13);
    EXPECT_NEAR((mixed.slots[0].normal - discs.slots[0].normal).norm(), 0, 1e-11);
  }
}

TEST(ProfilePlane, BeanStandsOnBothLobes) {
  const Shape<2> hollow = shape_of(bean(1));
  Shape<2> ground;
  ground.kind = ShapeKind::plane;
  Evaluation evaluation;
  evaluation.run(hollow, ground, at(0, 0.4), at(0, 0));
  EXPECT_EQ(evaluation.touching, 2);
  const auto outlines = outline(hollow, at(0, 0.4), 20000);
  double lowest = 1;
  for (const auto& point : outlines) lowest = std::min(lowest, point.y());
  EXPECT_NEAR(evaluation.least, lowest, 1e-6);
}

TEST(ProfileSphere, IsAsFarApartAsSampled) {
  Dice dice(25);
  const std::vector<Shape<2>> shapes = {shape_of(bean(1)), shape_of(Profile::ellipse(1, 0.1)),
                                        shape_of(Profile::ellipse(0.6, 0.5))};
  Shape<2> disc;
  disc.radius = 0.2;
  for (int trial = 0; trial < 200; ++trial) {
    const Shape<2>& shape = shapes[trial % 3];
    const BodyState<2> body = at(0, 0, dice.between(-3, 3));
    const BodyState<2> other = at(dice.between(-1.5, 1.5), dice.between(-1.5, 1.5));
    if (shape.profile->contains(body.orientation.back(other.position))) continue;
    double sampled = 10;
    for (const auto& point : outline(shape, body, 20000)) sampled = std::min(sampled, (point - other.position).norm());
    Evaluation evaluation;
    evaluation.run(shape, disc, body, other);
    EXPECT_NEAR(evaluation.least, sampled - 0.2, 1e-5) << "trial " << trial;
  }
}

Shape<2> wheel(int teeth) {
  std::vector<Eigen::Vector2d> points;
  for (int k = 0; k < 16 * teeth; ++k) {
    const double angle = 2 * M_PI * k / (16 * teeth), r = 1 + 1.5 / teeth * std::cos(teeth * angle);
    points.emplace_back(r * std::cos(angle), r * std::sin(angle));
  }
  return shape_of(Profile::through(points, true));
}

// There are more nearest places than slots: those that are left out must be the far ones, also of what has come from
// the other side.
TEST(ProfileSphere, NearestToothOfAWheelIsAmongItsSlots) {
  const Shape<2> toothed = wheel(80);
  Shape<2> disc;
  disc.radius = 0.1;
  Evaluation evaluation;
  for (int k = 0; k < 60; ++k) {
    const double angle = 2.5 * k, far = k % 3 == 0 ? 5 : 1.25;
    const BodyState<2> body = at(0, 0, 0.3), other = at(far * std::cos(angle), far * std::sin(angle));
    double sampled = 10;
    for (const auto& point : outline(toothed, body, 20000))
      sampled = std::min(sampled, (point - other.position).norm());
    evaluation.run(toothed, disc, body, other);
    EXPECT_NEAR(evaluation.least, sampled - 0.1, 1e-5) << "place " << k;
  }
}

TEST(ProfileProfile, NearestTeethOfTwoWheelsAreAmongTheirSlots) {
  Evaluation evaluation;
  for (int k = 0; k < 12; ++k) {
    const double angle = 2.5 * k, far = k % 3 == 0 ? 5 : 2.5;
    const Scene<2> scene{wheel(30), wheel(27), at(0, 0, 0.3),
                         at(far * std::cos(angle), far * std::sin(angle), 0.1 * k)};
    evaluation.run(scene.a, scene.b, scene.body_a, scene.body_b);
    EXPECT_NEAR(evaluation.least, sampled_distance(scene), 1e-3) << "place " << k;
  }
}

}  // namespace
}  // namespace carom
