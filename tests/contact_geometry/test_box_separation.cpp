#include <gtest/gtest.h>

#include "contact_geometry/box_separation.h"
#include "sample_shapes.h"

// What shows cheaply that two solids of triangles are apart, against their contact points.
namespace carom {
namespace {

constexpr double unknown = -std::numeric_limits<double>::infinity();

template <typename Check>
void for_scenes_with_flat_sides(Check check) {
  for (const auto& pair : pair_catalogue<3>()) {
    if (pair.a != mesh_kind) continue;
    Dice dice(5);
    for (int trial = 0; trial < 300; ++trial) {
      Scene<3> scene = sample_scene(pair, dice);
      scene.body_b.position += dice.vector<3>(1.5);
      if (!have_flat_sides(scene.a, scene.b)) continue;
      SCOPED_TRACE(pair.name);
      check(pair, scene);
    }
  }
}

ContactPoint<3> nearest(const PairDescription<3>& pair, const Scene<3>& scene) {
  ContactManifold<3> manifold(pair.points(scene.a, scene.b));
  std::vector<double> memory(pair.memory(scene.a, scene.b), 0.0);
  write_manifold<3>(pair, scene.a, scene.b, scene.body_a, scene.body_b, manifold, memory.data());
  ContactPoint<3> best;
  for (int k = 0; k < manifold.size(); ++k) {
    if (manifold.point(k).gap < best.gap) best = manifold.point(k);
  }
  return best;
}

TEST(BoxSeparation, IsNoMoreThanTheDistance) {
  int apart = 0, told = 0;
  for_scenes_with_flat_sides([&](const auto& pair, const Scene<3>& scene) {
    const double gap = nearest(pair, scene).gap;
    const double boxes = separation_of_boxes(scene.a, scene.b, scene.body_a, scene.body_b);
    EXPECT_LE(boxes, std::max(0.0, gap) + 1e-12);
    apart += gap > 0 ? 1 : 0, told += boxes > 0 ? 1 : 0;
  });
  EXPECT_GT(apart, 300);
  EXPECT_GT(told, apart / 2);
}

TEST(BoxSeparation, ASlabIsNoWiderThanTheDistance) {
  int told = 0;
  for_scenes_with_flat_sides([&](const auto& pair, const Scene<3>& scene) {
    const ContactPoint<3> point = nearest(pair, scene);
    const double width = separation_along(point.normal, scene.a, scene.b, scene.body_a, scene.body_b);
    EXPECT_LE(width, std::max(0.0, point.gap) + 1e-12);
    told += width > 0 ? 1 : 0;
  });
  EXPECT_GT(told, 200);
}

TEST(BoxSeparation, OtherShapesAreNotKnown) {
  Dice dice(1);
  const Scene<3> scene = sample_scene(*find_pair<3>(mesh_kind, ShapeKind::sphere), dice);
  EXPECT_EQ(separation_of_boxes(scene.a, scene.b, scene.body_a, scene.body_b), unknown);
  EXPECT_EQ(separation_along(Eigen::Vector3d::UnitX(), scene.a, scene.b, scene.body_a, scene.body_b), unknown);
  EXPECT_EQ(deepest_dive(scene.a, scene.b, scene.body_a, scene.body_b, 1e-6).gap, 0);
}

Shape<3> block(const Eigen::Vector3d& half) {
  Shape<3> shape;
  shape.kind = mesh_kind;
  shape.data = mesh_data(box_soup(half));
  shape.body = 1;
  return shape;
}

// A bar that lies across another one, in it by a tenth of a millimetre: of two edges that cross it the one in the
// middle of the other's side is deepest, and goes out upwards.
TEST(DeepestDive, SaysWhereAnEdgeIsAndByWhichWayItGoesOut) {
  const Shape<3> lower = block({0.1, 0.02, 0.01}), upper = block({0.02, 0.1, 0.01});
  const BodyState<3> fixed;
  BodyState<3> moving;
  moving.position.z() = 0.02 - 1e-4;
  ASSERT_TRUE(find_pair<3>(mesh_kind, mesh_kind)->lie_deeper(lower, upper, fixed, moving, 1e-5));
  const ContactPoint<3> dive = deepest_dive(lower, upper, fixed, moving, 1e-5);
  EXPECT_NEAR(dive.gap, -1e-4, 1e-9);
  EXPECT_NEAR(dive.normal.z(), 1, 1e-9);
  EXPECT_NEAR((dive.point_b - dive.point_a - dive.gap * dive.normal).norm(), 0, 1e-12);
}

TEST(DeepestDive, IsNoneOfSolidsThatAreApartOrTooDeepInEachOther) {
  const Shape<3> lower = block({0.1, 0.02, 0.01}), upper = block({0.02, 0.1, 0.01});
  const BodyState<3> fixed;
  BodyState<3> moving;
  moving.position.z() = 0.021;
  EXPECT_EQ(deepest_dive(lower, upper, fixed, moving, 1e-5).gap, 0);
  moving.position.z() = 0.01;
  EXPECT_EQ(deepest_dive(lower, upper, fixed, moving, 1e-5).gap, 0);
}

}  // namespace
}  // namespace carom
