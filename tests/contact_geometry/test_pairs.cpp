#include <gtest/gtest.h>

#include "sample_shapes.h"

// Single pairs against configurations whose answer is known.
namespace carom {
namespace {

template <int D>
std::vector<ContactPoint<D>> slots_of(const Scene<D>& scene) {
  const auto* pair = find_pair<D>(scene.a.kind, scene.b.kind);
  std::vector<ContactPoint<D>> slots(pair->points(scene.a, scene.b));
  std::vector<double> memory(pair->memory(scene.a, scene.b), 0.0);
  pair->evaluate(scene.a, scene.b, scene.body_a, scene.body_b, slots.data(), memory.data());
  return slots;
}

int finite(const std::vector<ContactPoint<2>>& slots) {
  int count = 0;
  for (const auto& slot : slots) count += std::isfinite(slot.gap) ? 1 : 0;
  return count;
}

TEST(BoreCylinder, EndsTouchWhereRimAndWallAreNearest) {
  const auto* pair = find_pair<3>(ShapeKind::bore, ShapeKind::cylinder);
  Dice dice(11);
  for (int trial = 0; trial < 50; ++trial) {
    Scene<3> scene = sample_scene(*pair, dice);
    const auto slots = slots_of(scene);
    if (!std::isfinite(slots[0].gap)) continue;
    // In the axes of the bore.
    const Eigen::Vector3d centre =
        to_shape<3>(scene.a, scene.body_a, centre_of<3>(scene.b, scene.body_b) - centre_of<3>(scene.a, scene.body_a));
    const auto axis_in_bore = [&](int k) {
      return to_shape<3>(scene.a, scene.body_a, axis_of<3>(scene.b, scene.body_b, k));
    };
    const Eigen::Vector3d x = axis_in_bore(0), y = axis_in_bore(1), z = axis_in_bore(2);
    for (const int slot : {0, 1}) {
      const double side = slot == 0 ? 1 : -1, sense = z.z() > 0 ? 1 : -1;
      const Eigen::Vector3d end = centre + side * sense * scene.b.length / 2 * z;
      const bool looks_out = side * end.z() > scene.a.length / 2;
      double sampled = 1;
      for (int i = 0; i < 20000; ++i) {
        const double cosine = std::cos(i * M_PI / 10000), sine = std::sin(i * M_PI / 10000);
        if (looks_out) {
          const Eigen::Vector3d edge(scene.a.radius * cosine, scene.a.radius * sine, side * scene.a.length / 2);
          sampled = std::min(sampled, (edge - centre).cross(z).norm() - scene.b.radius);
        } else {
          const Eigen::Vector3d rim = end + scene.b.radius * (cosine * x + sine * y);
          sampled = std::min(sampled, scene.a.radius - rim.head<2>().norm());
        }
      }
      EXPECT_NEAR(slots[slot].gap, sampled, 1e-7);
      EXPECT_LE(slots[slot].gap, sampled + 1e-14);
    }
  }
}

TEST(BoreCylinder, StopsTheJournalAfterItsPlay) {
  Scene<3> scene;
  scene.a = {.kind = ShapeKind::bore, .radius = 0.02, .length = 0.05, .half = {0, 0, 0.001}};
  scene.b = {.kind = ShapeKind::cylinder, .radius = 0.0199, .length = 0.06};
  scene.body_b.position = {0, 0, 0.0012};
  const auto slots = slots_of(scene);
  ASSERT_EQ(slots.size(), 4u);
  EXPECT_NEAR(slots[2].gap, -0.0002, 1e-15);
  EXPECT_NEAR(slots[3].gap, 0.0022, 1e-15);
  EXPECT_NEAR(slots[2].normal.z(), -1, 1e-15);
  EXPECT_NEAR(slots[0].gap, 0.0001, 1e-15);
}

TEST(CapsuleCapsule, ParallelOnesTouchAtBothEndsOfTheirCommonStretch) {
  Scene<3> scene;
  scene.a = {.kind = ShapeKind::capsule, .radius = 0.1, .length = 2};
  scene.b = {.kind = ShapeKind::capsule, .radius = 0.2, .length = 2};
  scene.body_b.position = {0.25, 0, 0.5};
  const auto slots = slots_of(scene);
  for (const auto& slot : slots) {
    EXPECT_NEAR(slot.gap, -0.05, 1e-15);
    EXPECT_NEAR((slot.normal - Eigen::Vector3d::UnitX()).norm(), 0, 1e-15);
  }
  EXPECT_NEAR(slots[0].point_a.z(), -0.5, 1e-15);
  EXPECT_NEAR(slots[1].point_a.z(), 1, 1e-15);
}

TEST(CylinderPlane, StandsOnFourPointsAndRollsOnTwo) {
  Scene<3> scene;
  scene.a = {.kind = ShapeKind::cylinder, .radius = 0.5, .length = 0.2};
  scene.b = {.kind = ShapeKind::plane};
  scene.body_a.position = {0, 0, 0.1};
  auto slots = slots_of(scene);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(slots[k].gap, 0, 1e-15);
  for (int k = 4; k < 8; ++k) EXPECT_NEAR(slots[k].gap, 0.2, 1e-15);
  // On its side, turned by any angle: only the lowest points of the two rims come near.
  for (const double roll : {0.0, 0.3, 1.1, 2.6}) {
    const Eigen::Matrix3d lie = rotation_from_vector({M_PI / 2, 0, 0}).toRotationMatrix();
    scene.body_a.orientation = Rotation<3>(lie * rotation_from_vector({0, 0, roll}).toRotationMatrix());
    scene.body_a.position = {0, 0, 0.5};
    slots = slots_of(scene);
    for (int k = 0; k < 8; ++k) {
      if (k % 4 == 0) {
        EXPECT_NEAR(slots[k].gap, 0, 1e-15);
      } else {
        EXPECT_GT(slots[k].gap, 0.049);
      }
    }
  }
}

TEST(BoxBox, FlushBoxesTouchAtTwoCornersOfTheCommonFace) {
  Scene<2> scene;
  scene.a = {.kind = ShapeKind::box, .half = {1, 0.5}};
  scene.b = {.kind = ShapeKind::box, .half = {1, 0.5}};
  scene.body_b.position = {0.0, 0.999};
  const auto slots = slots_of(scene);
  EXPECT_EQ(finite(slots), 2);
  for (const auto& slot : slots) {
    if (!std::isfinite(slot.gap)) continue;
    EXPECT_NEAR(slot.gap, -0.001, 1e-15);
    EXPECT_NEAR(slot.normal.y(), 1, 1e-15);
  }
}

TEST(BoxBox, OverhangTouchesWithACornerOfEach) {
  Scene<2> scene;
  scene.a = {.kind = ShapeKind::box, .half = {1, 0.5}};
  scene.b = {.kind = ShapeKind::box, .half = {1, 0.5}};
  scene.body_b.position = {0.7, 0.999};
  const auto slots = slots_of(scene);
  EXPECT_EQ(finite(slots), 2);
  EXPECT_NEAR(slots[3].gap, -0.001, 1e-15);      // upper right corner of the lower box
  EXPECT_NEAR(slots[4 + 0].gap, -0.001, 1e-15);  // lower left corner of the upper box
}

TEST(SphereBox, LeavesByTheNearestFace) {
  Scene<3> scene;
  scene.a = {.kind = ShapeKind::sphere, .radius = 0.1};
  scene.b = {.kind = ShapeKind::box, .half = {1, 2, 3}};
  scene.body_a.position = {-0.9, 0.2, 0.3};
  const auto slots = slots_of(scene);
  EXPECT_NEAR(slots[0].gap, -0.2, 1e-15);
  EXPECT_NEAR(slots[0].normal.x(), 1, 1e-15);  // pushes the box to +x, the sphere to −x
}

}  // namespace
}  // namespace carom
