#include "contacts/contact_set.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "contacts/combine_materials.h"

namespace carom {
namespace {

Geometry sphere(double radius) {
  Geometry shape;
  shape.shape = "sphere";
  shape.settings.set("radius", radius);
  return shape;
}

BodyModel ball(const std::string& name, const Eigen::Vector3d& position, double radius) {
  BodyModel body;
  body.name = name;
  body.position = position;
  body.geometry = {sphere(radius)};
  return body;
}

ContactModel contact_with(const std::string& law) {
  ContactModel contact;
  contact.name = "touch";
  contact.law = law;
  contact.restitution = 0.7;
  contact.settings.set("stiffness", 1e6);
  contact.settings.set("damping", 2.0);
  contact.friction = "tanh";
  contact.friction_settings.set("coefficient", 0.3);
  contact.friction_settings.set("slip_scale", 0.05);
  contact.rolling_resistance = 1e-3;
  contact.spinning_resistance = 2e-3;
  return contact;
}

PairModel pair_of(const std::string& a, const std::string& b) {
  PairModel pair;
  pair.name = a + "-" + b;
  pair.bodies = {a, b};
  pair.contact = "touch";
  return pair;
}

struct Random {
  std::mt19937 engine{7};
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Eigen::Vector3d vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
};

BodyState<3> state_of(const BodyModel& model, Random& random) {
  BodyState<3> body;
  body.position = model.position;
  body.velocity = random.vector(1);
  body.angular_velocity = random.vector(3);
  return body;
}

// Two balls that overlap and move anyhow.
struct TwoBalls {
  Model model;
  Bodies<3> bodies{3};

  TwoBalls(const std::string& law, Random& random) {
    model.ground.name = "ground";
    model.bodies = {ball("a", {0, 0, 0}, 0.1), ball("b", {0.12, 0.1, 0.115}, 0.1)};
    model.contacts = {contact_with(law)};
    model.pairs = {pair_of("a", "b")};
    for (int k = 0; k < 2; ++k) bodies[k + 1] = state_of(model.bodies[k], random);
  }

  void touch(ContactSet<3>& set) const {
    std::vector<ContactReading> readings(set.point_count());
    set.read(bodies, readings.data());
    for (int k = 0; k < set.point_count(); ++k) {
      ContactReading at_touch = readings[k];
      at_touch.rate = 0.8;
      set.begin(k, 0, at_touch, 0);
    }
  }
};

// The power of all forces is what the stored energy loses plus what is not stored.
TEST(ContactSet, PowerAndEnergyAccountForTheWorkOfItsForces) {
  Random random;
  for (const std::string law : {"exact", "flores", "hertz", "marhefka-orin"}) {
    int pushing = 0;  // the others part so fast that the law is clamped
    for (int trial = 0; trial < 20; ++trial) {
      TwoBalls scene(law, random);
      ContactSet<3> set(scene.model);
      scene.touch(set);
      Eigen::VectorXd forces = Eigen::VectorXd::Zero(12);
      Loads<3> loads(forces);
      double lost = 0;
      ASSERT_TRUE(set.apply(scene.bodies, loads, &lost));
      pushing += forces.norm() > 0 ? 1 : 0;
      double power = 0;
      for (int b = 1; b <= 2; ++b) {
        power += forces.segment<3>(6 * b - 6).dot(scene.bodies[b].velocity) +
                 forces.segment<3>(6 * b - 3).dot(
                     scene.bodies[b].angular_velocity);  // unturned bodies: world axes are theirs
      }
      const double h = 1e-7;
      const auto energy_after = [&](double t) {
        Bodies<3> moved = scene.bodies;
        for (int b = 1; b <= 2; ++b) moved[b].position += t * moved[b].velocity;
        return set.energy(moved);
      };
      const double stored = (energy_after(h) - energy_after(-h)) / (2 * h);
      EXPECT_NEAR(power, lost - stored, 1e-6 * (std::abs(power) + std::abs(stored) + 1)) << law;
      EXPECT_LE(lost, 0) << law;
    }
    EXPECT_GT(pushing, 5) << law;
  }
}

TEST(ContactSet, ActionIsReaction) {
  Random random;
  TwoBalls scene("exact", random);
  ContactSet<3> set(scene.model);
  scene.touch(set);
  Eigen::VectorXd forces = Eigen::VectorXd::Zero(12);
  Loads<3> loads(forces);
  set.apply(scene.bodies, loads, nullptr);
  EXPECT_LT((forces.segment<3>(0) + forces.segment<3>(6)).norm(), 1e-12 * forces.norm());
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (int b = 1; b <= 2; ++b) {
    const Eigen::Vector3d force = forces.segment<3>(6 * b - 6);
    moment += scene.bodies[b].position.cross(force) + forces.segment<3>(6 * b - 3);
  }
  EXPECT_LT(moment.norm(), 1e-12 * forces.norm());
}

TEST(ContactSet, FreePointsGiveNoForceAndTheGuardSeesThem) {
  Random random;
  TwoBalls scene("exact", random);
  ContactSet<3> set(scene.model);
  Eigen::VectorXd forces = Eigen::VectorXd::Zero(12);
  Loads<3> loads(forces);
  EXPECT_TRUE(set.apply(scene.bodies, loads, nullptr));
  EXPECT_EQ(forces.norm(), 0);
  set.set_guard(1e-9);
  EXPECT_FALSE(set.apply(scene.bodies, loads, nullptr));
  EXPECT_FALSE(set.make_event_free());
}

// Many pairs go through the broad phase, few are all looked at: the same forces.
TEST(ContactSet, NearPairsAreAllThatMatter) {
  Random random;
  Model model;
  model.ground.name = "ground";
  Geometry floor;
  floor.shape = "plane";
  model.ground.geometry = {floor};
  constexpr int count = 30;
  for (int k = 0; k < count; ++k)
    model.bodies.push_back(ball("s" + std::to_string(k), random.vector(0.25), random.number(0.08, 0.1)));
  ContactModel contact = contact_with("marhefka-orin");
  model.contacts = {contact};

  Model all = model;
  for (int a = 0; a < count; ++a) {
    all.pairs.push_back(pair_of(model.bodies[a].name, "ground"));
    for (int b = a + 1; b < count; ++b) all.pairs.push_back(pair_of(model.bodies[a].name, model.bodies[b].name));
  }
  model.pairs = {pair_of("*", "*"), pair_of("*", "ground")};

  ContactSet<3> near_set(model), full_set(all);
  ASSERT_TRUE(near_set.pairs_change());
  ASSERT_FALSE(full_set.pairs_change());
  ASSERT_TRUE(near_set.make_event_free());
  ASSERT_TRUE(full_set.make_event_free());
  Bodies<3> bodies(count + 1);
  for (int b = 1; b <= count; ++b) bodies[b] = state_of(model.bodies[b - 1], random);
  for (int step = 0; step < 30; ++step) {
    near_set.refresh(bodies);
    Eigen::VectorXd few = Eigen::VectorXd::Zero(6 * count), many = few;
    Loads<3> few_loads(few), many_loads(many);
    near_set.apply(bodies, few_loads, nullptr);
    full_set.apply(bodies, many_loads, nullptr);
    ASSERT_GT(many.norm(), 0);
    EXPECT_LT((few - many).norm(), 1e-12 * many.norm()) << "step " << step;
    EXPECT_NEAR(near_set.energy(bodies), full_set.energy(bodies), 1e-12 * full_set.energy(bodies));
    for (int b = 1; b <= count; ++b) bodies[b].position += 0.01 * bodies[b].velocity;
  }
  EXPECT_LT(near_set.point_count(), full_set.point_count());
}

// Patterns choose among bodies that are alike, whether all pairs are looked at or only near ones; no pair comes twice.
TEST(ContactSet, PatternsChooseBodies) {
  Random random;
  Model model;
  model.ground.name = "ground";
  for (const int count : {10, 60}) {
    model.bodies.clear();
    for (int k = 0; k < count; ++k)
      model.bodies.push_back(ball((k % 2 ? "odd" : "even") + std::to_string(k), {0.19 * k, 0, 0}, 0.1));
    model.contacts = {contact_with("exact")};
    Bodies<3> bodies(count + 1);
    for (int b = 1; b <= count; ++b) bodies[b].position = model.bodies[b - 1].position;
    // Neighbours in the row touch: an odd and an even one each.
    for (const auto& [first, second, touching] : {std::tuple("odd*", "even*", count - 1),
                                                  {"even*", "*", count - 1},
                                                  {"*", "*", count - 1},
                                                  {"odd*", "odd*", 0},
                                                  {"even?", "odd?", 9},
                                                  {"odd*", "even2", 2}}) {
      model.pairs = {pair_of(first, second)};
      ContactSet<3> set(model);
      set.refresh(bodies);
      std::vector<ContactReading> readings(set.point_count());
      set.read(bodies, readings.data());
      const auto overlaps = [](const ContactReading& each) { return each.penetration > 0; };
      EXPECT_EQ(std::count_if(readings.begin(), readings.end(), overlaps), touching)
          << first << " " << second << " of " << count;
    }
  }
}

// Points that touch keep their memory while the list of near pairs changes.
TEST(ContactSet, EpisodesOutliveANewListOfPairs) {
  Random random;
  Model model;
  model.ground.name = "ground";
  constexpr int count = 30;
  for (int k = 0; k < count; ++k) {
    const int couple = k / 2;
    model.bodies.push_back(ball("s" + std::to_string(k), {0.19 * (k % 2) + couple, 0, 0}, 0.1));
  }
  model.contacts = {contact_with("exact")};
  model.pairs = {pair_of("*", "*")};
  ContactSet<3> set(model);
  Bodies<3> bodies(count + 1);
  for (int b = 1; b <= count; ++b) bodies[b].position = model.bodies[b - 1].position;
  set.refresh(bodies);
  ASSERT_EQ(set.point_count(), count / 2);
  std::vector<ContactReading> readings(set.point_count());
  set.read(bodies, readings.data());
  for (int k = 0; k < set.point_count(); ++k) {
    readings[k].rate = 0.1 * (k + 1);
    set.begin(k, 0.5, readings[k], 0);
  }
  bodies[1].position.x() -= 1;  // the first pair parts
  bodies[2].position.x() -= 1;
  bodies[2].position.x() += 0.5;
  ASSERT_TRUE(set.refresh(bodies));
  ASSERT_EQ(set.point_count(), count / 2 - 1);
  for (int k = 0; k < set.point_count(); ++k) {
    EXPECT_TRUE(set.touches(k));
    EXPECT_EQ(set.episode(k).impact_speed, 0.1 * (k + 2));
  }
}

TEST(CombineMaterials, ByComplianceAndGeometricMean) {
  Material hard, soft;
  hard.young = 200e9, hard.restitution = 0.9, hard.friction = 0.4;
  soft.young = 1e6, soft.restitution = 0.5, soft.friction = 0.1;
  EXPECT_NEAR(combined_restitution(&hard, &soft), 0.5, 1e-5);  // the soft partner stores all
  EXPECT_NEAR(combined_restitution(&hard, &hard), 0.9, 1e-15);
  EXPECT_NEAR(combined_friction(&hard, &soft), 0.2, 1e-15);
  hard.restitution = -1;
  EXPECT_EQ(combined_restitution(&hard, &soft), 0.5);
  EXPECT_LT(combined_restitution(nullptr, &hard), 0);
}

}  // namespace
}  // namespace carom
