#include <gtest/gtest.h>

#include "contact_geometry/convex_manifold.h"
#include "contact_geometry/pair.h"
#include "solid_checks.h"

namespace carom {
namespace {

using check_solids::PlacedSolid;
using Eigen::Vector3d;

ConvexGap nearest(const Scene<3>& scene, const Vector3d& origin) {
  return convex_gap(ConvexBody(scene.a, scene.body_a, origin), ConvexBody(scene.b, scene.body_b, origin));
}

// Two points of the solids prove that the distance is no more, and a slab between them that it is no less. Overlapping
// solids have such a slab, too, and no direction has a better one.
void check_gap(const Scene<3>& scene, Dice& dice) {
  const PlacedSolid a(scene.a, scene.body_a), b(scene.b, scene.body_b);
  const Vector3d origin = a.centre;
  const ConvexGap found = nearest(scene, origin);
  const double small = 1e-9 * (scene.a.bounding_radius() + scene.b.bounding_radius());
  EXPECT_NEAR(check_solids::separation(a, b, found.normal), found.gap, small);
  EXPECT_NEAR(found.normal.dot(found.on_b - found.on_a), found.gap, small);
  if (found.gap > 0) {
    EXPECT_LT((found.on_b - found.on_a - found.gap * found.normal).norm(), small);
    EXPECT_LT(a.outside(found.on_a + origin), small);
    EXPECT_LT(b.outside(found.on_b + origin), small);
  } else {
    EXPECT_LT(check_solids::searched_separation(a, b, found.normal, dice), found.gap + small);
  }
  // No point of the manifold shows less than the distance, and one shows it; the others of solids that overlap are
  // deeper by no more than what an inclined way makes of it.
  ContactManifold<3> manifold(most_convex_points);
  write_convex_manifold(ConvexBody(scene.a, scene.body_a, origin), ConvexBody(scene.b, scene.body_b, origin), origin,
                        manifold);
  double least = 1e300;
  for (int k = 0; k < manifold.size(); ++k) least = std::min(least, manifold.point(k).gap);
  EXPECT_LT(least, found.gap + small);
  EXPECT_GT(least, (found.gap > 0 ? found.gap : 2 * found.gap) - small);
}

// 10 000 pairs altogether, in four places each: as they fall, and close to touching from both sides.
TEST(ConvexPairs, GapsAreProvenByPointsAndSlabs) {
  std::vector<const PairDescription<3>*> pairs;
  for (const auto& pair : pair_catalogue<3>()) {
    if (is_convex_body(pair.a) && is_convex_body(pair.b)) pairs.push_back(&pair);
  }
  ASSERT_EQ(pairs.size(), 28U);
  Dice dice(20);
  for (int trial = 0; trial < 10000; ++trial) {
    const PairDescription<3>& pair = *pairs[trial % pairs.size()];
    Scene<3> scene = sample_scene(pair, dice);
    if (trial % 3 == 0) scene.a.length *= 3, scene.b.half *= 0.2, scene.b.half[0] *= 5;
    SCOPED_TRACE(pair.name + ", trial " + std::to_string(trial));
    check_gap(scene, dice);
    const ConvexGap found = nearest(scene, Vector3d::Zero());
    const double gap = (trial % 2 == 0 ? 1 : -1) * std::pow(10, dice.between(-7, -2));
    scene.body_b.position += (gap - found.gap) * found.normal;
    check_gap(scene, dice);
    if (HasFailure()) return;
  }
}

Shape<3> box_of(double x, double y, double z) {
  Shape<3> box;
  box.kind = ShapeKind::box;
  box.half = Vector3d(x, y, z) / 2;
  return box;
}
Shape<3> round_of(ShapeKind kind, double radius, double length) {
  Shape<3> shape;
  shape.kind = kind;
  shape.radius = radius, shape.length = length;
  return shape;
}
BodyState<3> at(const Vector3d& position, const Vector3d& turn = Vector3d::Zero()) {
  BodyState<3> body;
  body.position = position;
  body.orientation = Rotation<3>(rotation_from_vector(turn).toRotationMatrix());
  return body;
}
ContactManifold<3> manifold_of(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a,
                               const BodyState<3>& body_b) {
  ContactManifold<3> manifold(most_convex_points);
  const PairDescription<3>* pair = find_pair<3>(a.kind, b.kind);
  EXPECT_NE(pair, nullptr);
  write_manifold(*pair, a, b, body_a, body_b, manifold, nullptr);
  return manifold;
}
void expect_points(const ContactManifold<3>& manifold, int count, double gap) {
  EXPECT_EQ(manifold.size(), count);
  for (int k = 0; k < manifold.size(); ++k) {
    EXPECT_NEAR(manifold.point(k).gap, gap, 1e-12);
    EXPECT_NEAR(manifold.point(k).normal.z(), 1, 1e-12);
  }
}

TEST(BoxOnBox, TouchesInTheCornersOfWhatTheyHaveInCommon) {
  const Shape<3> box = box_of(1, 1, 1);
  for (const double gap : {1e-3, 0.0, -1e-6}) {
    expect_points(manifold_of(box, box, at({0, 0, 0}), at({0, 0, 1 + gap})), 4, gap);
    expect_points(manifold_of(box, box, at({0, 0, 0}), at({0.3, -0.2, 1 + gap})), 4, gap);
    expect_points(manifold_of(box, box, at({0, 0, 0}), at({0, 0, 1 + gap}, {0, 0, M_PI / 4})), 8, gap);
    // A plank across another one: no corner is above the other.
    expect_points(manifold_of(box_of(4, 0.5, 1), box_of(0.5, 4, 1), at({0, 0, 0}), at({0, 0, 1 + gap})), 4, gap);
    expect_points(manifold_of(box_of(4, 4, 1), box_of(0.5, 0.5, 1), at({0, 0, 0}), at({1, 1, 1 + gap}, {0, 0, 1})), 4,
                  gap);
  }
}

TEST(BoxOnBox, KeepsItsFeaturesWhileItTurnsALittle) {
  const Shape<3> box = box_of(1, 1, 1);
  std::vector<Feature> first;
  for (const double turn : {0.0, 1e-12, -1e-9, 1e-6, -5e-6}) {
    const auto manifold = manifold_of(box, box, at({0, 0, 0}), at({0, 0, 1}, {turn / 3, -turn / 2, turn}));
    std::vector<Feature> features;
    for (int k = 0; k < manifold.size(); ++k) features.push_back(manifold.feature(k));
    if (first.empty()) first = features;
    EXPECT_EQ(features, first) << turn;
  }
}

TEST(CylinderOnBox, LiesOnTwoPointsAndStandsOnFour) {
  const Shape<3> table = box_of(4, 4, 1), rod = round_of(ShapeKind::cylinder, 0.3, 2);
  expect_points(manifold_of(table, rod, at({0, 0, 0}), at({0, 0, 0.8}, {M_PI / 2, 0, 0})), 2, 0);
  const auto standing = manifold_of(table, rod, at({0, 0, 0}), at({0, 0, 1.5}));
  EXPECT_EQ(standing.size(), 4);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(standing.point(k).gap, 0, 1e-12);
  // Over the edge of the table the side touches there.
  const auto over = manifold_of(table, rod, at({0, 0, 0}), at({0, 1.7, 0.8}, {M_PI / 2, 0, 0}));
  expect_points(over, 2, 0);
  double farthest = 0;
  for (int k = 0; k < 2; ++k) farthest = std::max(farthest, over.point(k).point_a.y());
  EXPECT_NEAR(farthest, 2, 1e-9);
}

TEST(CapsuleOnBox, LiesOnTheEndsOfItsLine) {
  const Shape<3> table = box_of(4, 4, 1), rod = round_of(ShapeKind::capsule, 0.3, 2);
  expect_points(manifold_of(table, rod, at({0, 0, 0}), at({0, 0, 0.8}, {M_PI / 2, 0, 0})), 2, 0);
  expect_points(manifold_of(table, rod, at({0, 0, 0}), at({0, 1.7, 0.8}, {M_PI / 2, 0, 0})), 2, 0);
}

TEST(CylinderOnCylinder, TouchesSideBySideAndCrossed) {
  const Shape<3> rod = round_of(ShapeKind::cylinder, 0.3, 2);
  const Vector3d lies(M_PI / 2, 0, 0);
  const auto beside = manifold_of(rod, rod, at({0, 0, 0}, lies), at({0, 0.5, 0.61}, lies));
  expect_points(beside, 2, 0.01);
  EXPECT_NEAR(std::abs(beside.point(0).point_a.y() - beside.point(1).point_a.y()), 1.5, 1e-9);
  const auto crossed = manifold_of(rod, rod, at({0, 0, 0}, lies), at({0, 0.5, 0.61}, {0, M_PI / 2, 0}));
  expect_points(crossed, 1, 0.01);
}

}  // namespace
}  // namespace carom
