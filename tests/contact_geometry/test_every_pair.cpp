#include <gtest/gtest.h>

#include <array>
#include <set>

#include "contact_geometry/shape_description.h"
#include "sample_shapes.h"
#include "surface_samples.h"

// What must hold for every pair of the catalogue.
namespace carom {
namespace {

constexpr int most_slots = 32;

template <int D>
using Slots = std::array<ContactPoint<D>, most_slots>;

template <int D>
Slots<D> evaluate(const PairDescription<D>& pair, const Scene<D>& scene, std::vector<double>* memory = nullptr) {
  std::vector<double> cold(pair.memory(scene.a, scene.b), 0.0);
  Slots<D> slots;
  pair.evaluate(scene.a, scene.b, scene.body_a, scene.body_b, slots.data(),
                memory != nullptr ? memory->data() : cold.data());
  return slots;
}

template <int D>
Scene<D> moved(const Scene<D>& scene, double time) {
  return {scene.a, scene.b, after<D>(scene.body_a, time), after<D>(scene.body_b, time)};
}

// Those that write manifolds have tests of their own.
template <typename Check>
void for_every_pair(Check check) {
  for (const auto& pair : pair_catalogue<2>()) {
    SCOPED_TRACE(pair.name + " in the plane");
    if (!pair.evaluate) continue;
    check(pair);
  }
  for (const auto& pair : pair_catalogue<3>()) {
    SCOPED_TRACE(pair.name + " in space");
    if (!pair.evaluate) continue;
    check(pair);
  }
}

template <int D>
void check_points(const PairDescription<D>& pair) {
  Dice dice(1);
  int found = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Scene<D> scene = sample_scene(pair, dice);
    const int count = pair.points(scene.a, scene.b);
    ASSERT_LE(count, most_slots);
    const Slots<D> slots = evaluate(pair, scene);
    for (int k = 0; k < count; ++k) {
      ASSERT_FALSE(std::isnan(slots[k].gap));
      if (std::isinf(slots[k].gap)) {
        EXPECT_GT(slots[k].gap, 0);
        continue;
      }
      ++found;
      EXPECT_NEAR(slots[k].normal.norm(), 1, 1e-14);
      EXPECT_NEAR((slots[k].point_b - slots[k].point_a - slots[k].gap * slots[k].normal).norm(), 0, 1e-13);
    }
  }
  EXPECT_GT(found, 100);
}

TEST(EveryPair, PointsGapAndNormalAgree) {
  for_every_pair([](const auto& pair) { check_points(pair); });
}

template <int D>
void check_rate(const PairDescription<D>& pair) {
  Dice dice(2);
  constexpr double step = 1e-6;
  int checked = 0, switches = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Scene<D> scene = sample_scene(pair, dice);
    const int count = pair.points(scene.a, scene.b);
    std::vector<double> memory(pair.memory(scene.a, scene.b), 0.0);
    const Slots<D> now = evaluate(pair, scene, &memory);
    const auto memory_now = memory;
    const Slots<D> later = evaluate(pair, moved(scene, step), &memory);
    memory = memory_now;
    const Slots<D> before = evaluate(pair, moved(scene, -step), &memory);
    for (int k = 0; k < count; ++k) {
      if (!std::isfinite(now[k].gap)) continue;
      ++checked;
      const double central = (later[k].gap - before[k].gap) / (2 * step);
      const VectorOf<D> relative = scene.body_b.velocity_at(now[k].point_b - scene.body_b.position) -
                                   scene.body_a.velocity_at(now[k].point_a - scene.body_a.position);
      const double rate = now[k].normal.dot(relative);
      // A switch of feature shows as a breakpoint or a jump of the gap.
      const double bend = (later[k].gap - 2 * now[k].gap + before[k].gap) / (step * step);
      if (!(std::abs(bend) < 500)) {
        ++switches;
        continue;
      }
      EXPECT_NEAR(central, rate, 1e-6) << "slot " << k << " of trial " << trial << ", bend " << bend;
    }
  }
  EXPECT_LT(switches, checked / 50 + 1);
}

TEST(EveryPair, GapRateIsTheNormalVelocityOfTheMaterialPoints) {
  for_every_pair([](const auto& pair) { check_rate(pair); });
}

template <int D>
void check_invariance(const PairDescription<D>& pair) {
  Dice dice(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Scene<D> scene = sample_scene(pair, dice);
    const Rotation<D> turn = dice.rotation<D>();
    const VectorOf<D> shift = dice.vector<D>(2);
    Scene<D> elsewhere = scene;
    for (BodyState<D>* body : {&elsewhere.body_a, &elsewhere.body_b}) {
      body->position = turn * body->position + shift;
      body->orientation = product<D>(turn, body->orientation);
    }
    const Slots<D> slots = evaluate(pair, scene), same = evaluate(pair, elsewhere);
    for (int k = 0; k < pair.points(scene.a, scene.b); ++k) {
      if (std::isinf(slots[k].gap)) {
        EXPECT_EQ(same[k].gap, slots[k].gap);
        continue;
      }
      EXPECT_NEAR(same[k].gap, slots[k].gap, 1e-12);
      EXPECT_NEAR((same[k].normal - turn * slots[k].normal).norm(), 0, 1e-8);
      EXPECT_NEAR((same[k].point_a - turn * slots[k].point_a - shift).norm(), 0, 1e-8);
    }
  }
}

TEST(EveryPair, IsTheSameAnywhereInTheWorld) {
  for_every_pair([](const auto& pair) { check_invariance(pair); });
}

template <int D>
void check_distance(const PairDescription<D>& pair) {
  Dice dice(4);
  int checked = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Scene<D> scene = sample_scene(pair, dice);
    const double sampled = sampled_gap(scene);
    if (!(sampled > 0.02)) continue;  // overlapping shapes have no distance
    const Slots<D> slots = evaluate(pair, scene);
    double gap = std::numeric_limits<double>::infinity();
    for (int k = 0; k < pair.points(scene.a, scene.b); ++k) gap = std::min(gap, slots[k].gap);
    // The rims of cylinders and cones are blunted a little.
    const double blunt = pair.a == ShapeKind::cylinder  ? 1e-4 * scene.a.radius
                         : pair.a == kind_named("cone") ? 1e-4 * std::max(scene.a.radius, scene.a.half[0])
                                                        : 0;
    EXPECT_LE(gap, sampled + blunt + 1e-12) << "trial " << trial;
    EXPECT_GE(gap, sampled - 0.01) << "trial " << trial;
    ++checked;
  }
  EXPECT_GT(checked, 10);
}

TEST(EveryPair, GapIsTheSampledDistance) {
  for_every_pair([](const auto& pair) {
    if (has_surface_samples(pair.a) && has_surface_samples(pair.b)) check_distance(pair);
  });
}

TEST(EveryPair, IsFoundByItsShapesAndOnlyOnce) {
  for_every_pair([]<int D>(const PairDescription<D>& pair) {
    EXPECT_EQ(find_pair<D>(pair.a, pair.b), &pair);
    EXPECT_TRUE(pair.a == pair.b || find_pair<D>(pair.b, pair.a) == nullptr);
    EXPECT_EQ(pair.name, description_of<D>(pair.a).name + "_" + description_of<D>(pair.b).name);
    EXPECT_FALSE(pair.summary.empty());
  });
}

TEST(RoundPairs, HaveTheirEffectiveRadii) {
  Shape<2> hole{.kind = ShapeKind::cavity, .radius = 0.01}, disc{.kind = ShapeKind::sphere, .radius = 0.0095};
  const auto* journal = find_pair<2>(ShapeKind::cavity, ShapeKind::sphere);
  EXPECT_NEAR(journal->effective_radius(hole, disc), 1 / (1 / 0.0095 - 1 / 0.01), 1e-15);
  EXPECT_NEAR(journal->clearance(hole, disc), 0.0005, 1e-18);
  const auto* spheres = find_pair<2>(ShapeKind::sphere, ShapeKind::sphere);
  EXPECT_NEAR(spheres->effective_radius(disc, disc), 0.0095 / 2, 1e-18);
  EXPECT_EQ(spheres->clearance, nullptr);
}

TEST(RoundPairs, CentredJournalHasItsClearance) {
  Shape<2> hole{.kind = ShapeKind::cavity, .radius = 0.01}, disc{.kind = ShapeKind::sphere, .radius = 0.0095};
  ContactPoint<2> point;
  find_pair<2>(ShapeKind::cavity, ShapeKind::sphere)->evaluate(hole, disc, {}, {}, &point, nullptr);
  EXPECT_DOUBLE_EQ(point.gap, 0.0005);
  EXPECT_DOUBLE_EQ(point.normal.norm(), 1);
}

}  // namespace
}  // namespace carom
