#include "contact_geometry/manifold.h"

#include <gtest/gtest.h>

#include "sample_shapes.h"

namespace carom {
namespace {

TEST(Feature, TheLeadIsTheUpperHalf) {
  EXPECT_TRUE(have_same_lead(feature_of(7, 12), feature_of(7, 13)));
  EXPECT_TRUE(have_same_lead(feature_of(0, 1), feature_of(0, 2)));
  EXPECT_FALSE(have_same_lead(feature_of(7, 12), feature_of(8, 12)));
  EXPECT_FALSE(have_same_lead(feature_of_slot(3), feature_of_slot(4)));
  EXPECT_NE(feature_of(7, 12), feature_of(12, 7));
  EXPECT_EQ(feature_of_slot(5), 5U);
}

// The points of any pair are its slots that hold one, in their order and with their numbers.
template <int D>
void check_slots() {
  Dice dice(11);
  bool some_are_absent = false;
  for (const PairDescription<D>& pair : pair_catalogue<D>()) {
    if (!pair.evaluate) continue;
    for (int trial = 0; trial < 50; ++trial) {
      const Scene<D> scene = sample_scene(pair, dice);
      const int count = pair.points(scene.a, scene.b);
      std::vector<ContactPoint<D>> slots(count);
      std::vector<double> memory(pair.memory(scene.a, scene.b), 0.0), again = memory;
      pair.evaluate(scene.a, scene.b, scene.body_a, scene.body_b, slots.data(), memory.data());
      ContactManifold<D> manifold(count);
      write_manifold(pair, scene.a, scene.b, scene.body_a, scene.body_b, manifold, again.data());
      int next = 0;
      for (int slot = 0; slot < count; ++slot) {
        if (!std::isfinite(slots[slot].gap)) continue;
        ASSERT_LT(next, manifold.size()) << pair.name;
        EXPECT_EQ(manifold.feature(next), feature_of_slot(slot)) << pair.name;
        EXPECT_EQ(manifold.point(next).gap, slots[slot].gap) << pair.name;
        EXPECT_EQ(manifold.point(next).point_a, slots[slot].point_a) << pair.name;
        ++next;
      }
      EXPECT_EQ(next, manifold.size()) << pair.name;
      some_are_absent = some_are_absent || next < count;
    }
  }
  EXPECT_TRUE(some_are_absent || D == 3);  // corners of boxes in the plane
}

TEST(Manifold, HoldsTheSlotsThatAreThere) {
  check_slots<2>();
  check_slots<3>();
}

// A pair that writes manifolds is asked for as many points as there are.
TEST(Manifold, VariesInSize) {
  // The ends of a capsule that are below a line.
  PairDescription<2> dipping{.a = ShapeKind::capsule, .b = ShapeKind::plane, .name = "dipping", .summary = ""};
  dipping.points = fixed_count<2, 2>;
  dipping.memory = fixed_count<2, 0>;
  dipping.write = [](const Shape<2>& rod, const Shape<2>&, const BodyState<2>& body, const BodyState<2>&,
                     ContactManifold<2>& manifold, double*) {
    for (const int end : {0, 1}) {
      const Eigen::Vector2d point = centre_of<2>(rod, body) + (end - 0.5) * rod.length * capsule_axis<2>(rod, body);
      if (point.y() < 0) manifold.add(feature_of(end, 0), {point.y(), -Eigen::Vector2d::UnitY(), point, point});
    }
  };
  Shape<2> rod, line;
  rod.length = 2;
  ContactManifold<2> manifold(2);
  const auto size_at = [&](double height, double angle) {
    BodyState<2> body;
    body.position.y() = height;
    body.orientation = Rotation<2>(angle);
    write_manifold(dipping, rod, line, body, BodyState<2>{}, manifold, nullptr);
    return manifold.size();
  };
  EXPECT_EQ(size_at(0.1, 0), 0);
  EXPECT_EQ(size_at(-0.1, 0), 2);
  EXPECT_EQ(size_at(0, 0.5), 1);
  EXPECT_EQ(manifold.feature(0), feature_of(0, 0));
  EXPECT_EQ(size_at(0, -0.5), 1);
  EXPECT_EQ(manifold.feature(0), feature_of(1, 0));
}

}  // namespace
}  // namespace carom
