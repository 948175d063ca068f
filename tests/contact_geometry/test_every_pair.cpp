#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "contact_geometry/shape_description.h"
#include "sample_shapes.h"
#include "surface_samples.h"

// What must hold for every pair of the catalogue.
namespace carom {
namespace {

// The points of a pair with what meets there, slots that hold none left out.
template <int D>
struct Points {
  std::vector<Feature> features;
  std::vector<ContactPoint<D>> points;

  const ContactPoint<D>* find(Feature feature) const {
    const auto found = std::find(features.begin(), features.end(), feature);
    return found == features.end() ? nullptr : &points[found - features.begin()];
  }
  double least() const {
    double gap = std::numeric_limits<double>::infinity();
    for (const ContactPoint<D>& point : points) gap = std::min(gap, point.gap);
    return gap;
  }
};

template <int D>
Points<D> evaluate(const PairDescription<D>& pair, const Scene<D>& scene, std::vector<double>* memory = nullptr) {
  std::vector<double> cold(pair.memory(scene.a, scene.b), 0.0);
  ContactManifold<D> manifold(pair.points(scene.a, scene.b));
  write_manifold(pair, scene.a, scene.b, scene.body_a, scene.body_b, manifold,
                 memory != nullptr ? memory->data() : cold.data());
  Points<D> result;
  for (int k = 0; k < manifold.size(); ++k) {
    result.features.push_back(manifold.feature(k));
    result.points.push_back(manifold.point(k));
  }
  return result;
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
  std::size_t found = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Scene<D> scene = sample_scene(pair, dice);
    const Points<D> all = evaluate(pair, scene);
    const std::set<Feature> different(all.features.begin(), all.features.end());
    ASSERT_EQ(different.size(), all.features.size()) << "trial " << trial;
    found += all.points.size();
    for (const ContactPoint<D>& point : all.points) {
      ASSERT_TRUE(std::isfinite(point.gap));
      EXPECT_NEAR(point.normal.norm(), 1, 1e-14);
      EXPECT_NEAR((point.point_b - point.point_a - point.gap * point.normal).norm(), 0, 1e-13);
    }
  }
  EXPECT_GT(found, 100);
}

TEST(EveryPair, PointsGapAndNormalAgree) {
  for_every_pair([](const auto& pair) { check_points(pair); });
}

// Where the middle of a tube, or the edge of a bore, is inside a solid that has curved edges, or beyond the middle of
// one, the gap is not exact any more.
template <int D>
bool is_too_deep(const PairDescription<D>& pair, const Scene<D>& scene, const ContactPoint<D>& point) {
  if constexpr (D == 3) {
    if (pair.b == torus_kind && point.gap < -scene.b.half[0]) return true;
    const bool straight = pair.b == ShapeKind::box || pair.b == hull_kind || pair.b == ShapeKind::cylinder;
    if (pair.a == ShapeKind::bore && point.gap < (straight ? -0.05 : 0)) return true;
  }
  return false;
}

template <int D>
void check_rate(const PairDescription<D>& pair) {
  Dice dice(2);
  constexpr double step = 1e-6;
  int checked = 0, switches = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Scene<D> scene = sample_scene(pair, dice);
    std::vector<double> memory(pair.memory(scene.a, scene.b), 0.0);
    const Points<D> now = evaluate(pair, scene, &memory);
    const auto memory_now = memory;
    const Points<D> later = evaluate(pair, moved(scene, step), &memory);
    memory = memory_now;
    const Points<D> before = evaluate(pair, moved(scene, -step), &memory);
    for (std::size_t k = 0; k < now.points.size(); ++k) {
      const ContactPoint<D>& point = now.points[k];
      if (is_too_deep(pair, scene, point)) continue;
      ++checked;
      const ContactPoint<D>*const next = later.find(now.features[k]), *const last = before.find(now.features[k]);
      // A switch of feature shows as a point that is gone, or as a breakpoint or a jump of the gap.
      const double bend = next && last ? (next->gap - 2 * point.gap + last->gap) / (step * step)
                                       : std::numeric_limits<double>::infinity();
      if (!(std::abs(bend) < 500)) {
        ++switches;
        continue;
      }
      const double central = (next->gap - last->gap) / (2 * step);
      const VectorOf<D> relative = scene.body_b.velocity_at(point.point_b - scene.body_b.position) -
                                   scene.body_a.velocity_at(point.point_a - scene.body_a.position);
      EXPECT_NEAR(central, point.normal.dot(relative), 1e-6)
          << "feature " << now.features[k] << " of trial " << trial << ", bend " << bend;
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
    const Points<D> here = evaluate(pair, scene), there = evaluate(pair, elsewhere);
    ASSERT_EQ(there.features, here.features) << "trial " << trial;
    for (std::size_t k = 0; k < here.points.size(); ++k) {
      const ContactPoint<D>&one = here.points[k], &two = there.points[k];
      if (is_too_deep(pair, scene, one)) continue;
      EXPECT_NEAR(two.gap, one.gap, 1e-12);
      EXPECT_NEAR((two.normal - turn * one.normal).norm(), 0, 1e-8);
      EXPECT_NEAR((two.point_a - turn * one.point_a - shift).norm(), 0, 1e-8);
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
    const double gap = evaluate(pair, scene).least();
    // The rims of cylinders and cones are blunted a little.
    const auto blunt_rim = [](const Shape<D>& shape) {
      if (shape.kind == ShapeKind::cylinder) return 1e-4 * shape.radius;
      return shape.kind == kind_named("cone") ? 1e-4 * std::max(shape.radius, shape.half[0]) : 0;
    };
    const double blunt = blunt_rim(scene.a) + blunt_rim(scene.b);
    EXPECT_LE(gap, sampled + blunt + 1e-12) << "trial " << trial;
    EXPECT_GE(gap, sampled - 0.01) << "trial " << trial;
    ++checked;
  }
  EXPECT_GT(checked, 10);
}

// Edges that cross are not to be had by samples of surfaces; test_convex_pairs.cpp proves the gaps of such pairs.
template <int D>
bool are_checked_elsewhere(const PairDescription<D>& pair) {
  return D == 3 && pair.b != ShapeKind::plane && pair.a != ShapeKind::cavity && pair.a != ShapeKind::slot &&
         (pair.write != nullptr || (pair.a != ShapeKind::sphere && pair.a != ShapeKind::capsule));
}

TEST(EveryPair, GapIsTheSampledDistance) {
  for_every_pair([](const auto& pair) {
    const bool no_field = pair.a == ShapeKind::ellipsoid && pair.b == ShapeKind::ellipsoid;
    if (has_surface_samples(pair.a) && has_surface_samples(pair.b) && !no_field && !are_checked_elsewhere(pair))
      check_distance(pair);
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
