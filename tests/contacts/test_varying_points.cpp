#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "contacts/compliant_contacts.h"
#include "contacts/contact_pairs.h"
#include "contacts/nonsmooth_contacts.h"

// Contacts whose number of points varies, and what they remember.
namespace carom {
namespace {

constexpr double tile = 0.31;  // m
constexpr double near = 0.05;  // m

// A box on a floor of tiles: corners near the floor, each on its tile.
void write_tiles(const Shape<2>& box, const Shape<2>& floor, const BodyState<2>& body, const BodyState<2>& ground,
                 ContactManifold<2>& manifold, double*) {
  const Eigen::Vector2d normal = plane_normal<2>(floor, ground), along = axis_of<2>(floor, ground, 0);
  const Eigen::Vector2d base = centre_of<2>(floor, ground);
  for (int corner = 0; corner < 4; ++corner) {
    const Eigen::Vector2d local((corner & 1) != 0 ? box.half[0] : -box.half[0],
                                (corner & 2) != 0 ? box.half[1] : -box.half[1]);
    const Eigen::Vector2d point = centre_of<2>(box, body) + to_world<2>(box, body, local);
    const double gap = normal.dot(point - base);
    if (gap > near) continue;
    const auto number = static_cast<std::uint32_t>(std::floor(along.dot(point - base) / tile) + 1000);
    manifold.add(feature_of(corner, number), {gap, -normal, point, point - gap * normal});
  }
}

const PairDescription<2>& box_on_tiles() {
  static const PairDescription<2> pair{.a = ShapeKind::box,
                                       .b = ShapeKind::plane,
                                       .name = "box_on_tiles",
                                       .summary = "",
                                       .points = fixed_count<2, 4>,
                                       .memory = fixed_count<2, 0>,
                                       .write = write_tiles};
  return pair;
}

// Box and box as in the catalogue, but corners that are nowhere near are not written.
const PairDescription<2>& varying_box_box() {
  static const PairDescription<2> pair{
      .a = ShapeKind::box,
      .b = ShapeKind::box,
      .name = "varying_box_box",
      .summary = "",
      .points = fixed_count<2, 8>,
      .memory = fixed_count<2, 0>,
      .write = [](const Shape<2>& a, const Shape<2>& b, const BodyState<2>& body_a, const BodyState<2>& body_b,
                  ContactManifold<2>& manifold, double* memory) {
        write_manifold(*find_pair<2>(ShapeKind::box, ShapeKind::box), a, b, body_a, body_b, manifold, memory);
      }};
  return pair;
}

CompliantLaw hertz_law() {
  const Settings settings;
  const ElasticLaw elastic = ElasticLaw::power(1e6, 1.5);
  return {.normal = find_normal_law("exact")->make({elastic, 0.6, 1, settings}),
          .stiffness = 1e6,
          .exponent = 1.5,
          .mass = 1};
}

// One pair of two boxes, or of a box on a floor.
struct Scene {
  ContactPairs<2> pairs;
  CompliantContacts<2> compliant{pairs};
  NonsmoothContacts<2> impulses{pairs};
  Bodies<2> bodies{3};

  explicit Scene(const PairDescription<2>& kind) {
    Shape<2> box, other;
    box.kind = kind.a, box.body = 1, box.half = {0.2, 0.1};
    other.kind = kind.b, other.body = kind.b == ShapeKind::plane ? 0 : 2, other.half = {0.15, 0.25};
    const int a = pairs.add_shape(box), b = pairs.add_shape(other);
    const int group = pairs.add_group({.name = "contact:box", .pairs = 1});
    compliant.add_group({});
    impulses.add_law({});
    pairs.add_pair({.kind = &kind, .a = a, .b = b, .group = group, .law = compliant.add_law(hertz_law())});
    pairs.group(group).points = pairs.point_count();
    compliant.start();
    impulses.start();
  }

  void place(int body, double x, double y, double angle) {
    bodies[body].position = {x, y};
    bodies[body].angle = angle;
    bodies[body].orientation = Rotation<2>(angle);
  }
  std::vector<ContactReading> read() const {
    std::vector<ContactReading> readings(pairs.point_count());
    compliant.read(bodies, readings.data());
    return readings;
  }
  int point_of(Feature feature) const {
    for (int k = 0; k < pairs.point_count(); ++k) {
      if (pairs.feature_of_point(k) == feature) return k;
    }
    return -1;
  }
};

TEST(VaryingPoints, OnlyThoseThatAreThereHaveAGap) {
  Scene scene(box_on_tiles());
  const auto present = [&] {
    const auto readings = scene.read();
    return std::count_if(readings.begin(), readings.end(),
                         [](const ContactReading& reading) { return std::isfinite(reading.penetration); });
  };
  scene.place(1, 0, 1, 0);
  EXPECT_EQ(present(), 0);
  scene.place(1, 0, 0.1, 0);
  EXPECT_EQ(present(), 2);
  scene.place(1, 0, 0.22, 0.7);
  EXPECT_EQ(present(), 1);
}

// A corner that slides over the tiles stays one contact with its impact speed, episode and number; so it does when the
// other corner leaves and comes back on another tile.
TEST(VaryingPoints, CompliantMemoryFollowsACornerOverTheTiles) {
  Scene scene(box_on_tiles());
  scene.pairs.hold_contacts();
  scene.place(1, 0, 0.099, 0);
  auto readings = scene.read();
  const int left = scene.point_of(feature_of(0, 999)), right = scene.point_of(feature_of(1, 1000));
  ASSERT_GE(left, 0);
  ASSERT_GE(right, 0);
  for (const auto& [point, speed] : {std::pair(left, 0.7), {right, 0.9}}) {
    readings[point].rate = speed;
    scene.compliant.begin(point, 0.5, readings[point], 0);
  }
  const auto force = [&] {
    Eigen::VectorXd forces = Eigen::VectorXd::Zero(6);
    Loads<2> loads(forces);
    scene.compliant.apply(scene.bodies, loads, nullptr);
    return forces[1];
  };
  const double at_start = force();
  EXPECT_GT(at_start, 0);
  for (int step = 1; step <= 200; ++step) {
    scene.place(1, 0.01 * step, 0.099, 0);
    EXPECT_EQ(force(), at_start) << step;
    // States that were only tried leave the contact where it was.
    if (step == 100) {
      EXPECT_EQ(scene.pairs.feature_of_point(left), feature_of(0, 999));
    }
    if (step % 100 == 0) scene.pairs.refresh(scene.bodies);
  }
  EXPECT_EQ(scene.pairs.feature_of_point(left), feature_of(0, 1005));
  EXPECT_TRUE(scene.compliant.touches(left));
  EXPECT_EQ(scene.compliant.episode(right).impact_speed, 0.9);

  scene.place(1, 2, 0.22, 0.7);  // on one corner
  readings = scene.read();
  EXPECT_FALSE(std::isfinite(readings[right].penetration));
  const ContactEpisode ended = scene.compliant.end(right, 0.8, readings[right], 0);
  EXPECT_EQ(ended.impact_speed, 0.9);
  EXPECT_TRUE(scene.compliant.touches(left));
  scene.place(1, 5, 0.099, 0);
  readings = scene.read();
  const int again = scene.point_of(feature_of(1, 1016));
  EXPECT_FALSE(scene.compliant.touches(again));
  EXPECT_GT(readings[again].penetration, 0);
}

TEST(VaryingPoints, NonsmoothMemoryFollowsACornerOverTheTiles) {
  Scene scene(box_on_tiles());
  std::vector<NonsmoothContact<2>> closed;
  scene.place(1, 0, 0.1, 0);
  scene.impulses.find(scene.bodies, 1e-9, closed);
  ASSERT_EQ(closed.size(), 2U);
  scene.impulses.begin_step();
  for (std::size_t c = 0; c < 2; ++c) {
    NonsmoothMemory<2>& memory = scene.impulses.memory(closed[c].point);
    memory.step = scene.impulses.step();
    memory.status = NonsmoothStatus::slip;
    memory.impulse = {0, 1.0 + static_cast<double>(c)};
  }
  scene.impulses.keep_memories();
  const std::vector<NonsmoothContact<2>> before = closed;
  scene.place(1, 0.4, 0.1, 0);
  scene.impulses.find(scene.bodies, 1e-9, closed);
  ASSERT_EQ(closed.size(), 2U);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(closed[c].point, before[c].point);
    EXPECT_TRUE(scene.impulses.is_closed(closed[c].point));
    EXPECT_EQ(scene.impulses.memory(closed[c].point).impulse.y(), 1.0 + static_cast<double>(c));
  }
  // Where they were at the start of the step.
  scene.place(1, 0, 0.1, 0);
  scene.impulses.update(scene.bodies, closed);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(closed[c].gap, 0, 1e-12);
    EXPECT_NEAR(closed[c].lever_a.x(), before[c].lever_a.x(), 1e-12);
  }
  // On its upper side other corners touch; they remember nothing.
  scene.place(1, 0, 0.1, M_PI);
  scene.impulses.find(scene.bodies, 1e-9, closed);
  ASSERT_EQ(closed.size(), 2U);
  for (const NonsmoothContact<2>& contact : closed) EXPECT_FALSE(scene.impulses.is_closed(contact.point));
}

// With the numbers of its slots as features a pair does the same, to the last bit, whether absent points are written.
TEST(VaryingPoints, SlotsAreASpecialCase) {
  Scene fixed(*find_pair<2>(ShapeKind::box, ShapeKind::box)), varying(varying_box_box());
  ASSERT_EQ(fixed.pairs.point_count(), 8);
  std::mt19937 random(3);
  const auto number = [&](double size) { return std::uniform_real_distribution<double>(-size, size)(random); };
  int touched = 0;
  for (int step = 0; step < 500; ++step) {
    const double x = number(0.4), y = number(0.4), turn = number(3), other = number(3);
    for (Scene* scene : {&fixed, &varying}) {
      scene->place(1, 0, 0, turn);
      scene->place(2, x, y, other);
    }
    auto one = fixed.read(), two = varying.read();
    for (int k = 0; k < 8; ++k) {
      ASSERT_EQ(one[k].penetration, two[k].penetration);
      ASSERT_EQ(one[k].rate, two[k].rate);
      ASSERT_EQ(one[k].force, two[k].force);
      const bool begins = one[k].penetration > 0 && !fixed.compliant.touches(k);
      const bool ends = !(one[k].penetration > 0) && fixed.compliant.touches(k);
      one[k].rate = two[k].rate = 0.1 + step;
      for (auto& [scene, reading] : {std::pair(&fixed, one[k]), {&varying, two[k]}}) {
        if (begins) scene->compliant.begin(k, step, reading, 0);
        if (ends) scene->compliant.end(k, step, reading, 0);
      }
      touched += begins ? 1 : 0;
    }
    Eigen::VectorXd forces[2] = {Eigen::VectorXd::Zero(6), Eigen::VectorXd::Zero(6)};
    for (const int k : {0, 1}) {
      Loads<2> loads(forces[k]);
      (k == 0 ? fixed : varying).compliant.apply((k == 0 ? fixed : varying).bodies, loads, nullptr);
    }
    ASSERT_EQ(forces[0], forces[1]);
  }
  EXPECT_GT(touched, 100);
  for (int k = 8; k < varying.pairs.point_count(); ++k) EXPECT_EQ(varying.pairs.feature_of_point(k), no_feature);
}

}  // namespace
}  // namespace carom
