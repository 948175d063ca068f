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

// Axes that cross: pushed by its depth along its normal, one capsule touches the other from outside.
TEST(CapsuleCapsule, ThatCrossInThePlaneArePushedApartTheShortestWay) {
  Dice dice(5);
  int crossed = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Scene<2> scene;
    scene.a = {.kind = ShapeKind::capsule, .radius = 0.1, .length = 2};
    scene.b = {.kind = ShapeKind::capsule, .radius = 0.05, .length = 1};
    scene.body_b.position = {dice.between(-0.8, 0.8), dice.between(-0.4, 0.4)};
    const double angle = dice.between(0.3, 2.8);
    scene.body_b.orientation = Rotation<2>(angle);
    // The ends of b lie on both sides of a, and between the ends of a.
    const Eigen::Vector2d tip = 0.5 * Eigen::Vector2d(std::cos(angle), std::sin(angle));
    const double one = scene.body_b.position.y() + tip.y(), two = scene.body_b.position.y() - tip.y();
    const double x = scene.body_b.position.x() - scene.body_b.position.y() * tip.x() / tip.y();
    if (one * two >= 0 || std::abs(x) >= 1) continue;
    ++crossed;
    auto slots = slots_of(scene);
    const auto& deep = slots[0].gap < slots[1].gap ? slots[0] : slots[1];
    ASSERT_LT(deep.gap, -0.15);
    EXPECT_NEAR(deep.normal.dot(deep.point_b - deep.point_a), deep.gap, 1e-14);
    EXPECT_LE(-deep.gap, std::min(std::abs(one), std::abs(two)) + 0.15 + 1e-14);
    scene.body_b.position -= deep.gap * deep.normal;
    slots = slots_of(scene);
    EXPECT_NEAR(std::min(slots[0].gap, slots[1].gap), 0, 1e-12);
  }
  EXPECT_GT(crossed, 100);
}

TEST(CylinderPlane, StandsOnFourPointsAndRollsOnTwo) {
  Scene<3> scene;
  scene.a = {.kind = ShapeKind::cylinder, .radius = 0.5, .length = 0.2};
  scene.b = {.kind = ShapeKind::plane};
  scene.body_a.position = {0, 0, 0.1};
  auto slots = slots_of(scene);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(slots[k].gap, 0, 1e-15);
  for (int k = 5; k < 8; ++k) EXPECT_NEAR(slots[k].gap, 0.2, 1e-15);
  EXPECT_NEAR(slots[4].gap, 0.2 - 2 * 1e-4 * 0.5, 1e-15);  // the far side of the spheroid of the upper end
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

// A cylinder whose lower end looks down at this tilt, towards this side.
Scene<3> tilted_cylinder(double tilt, double towards) {
  Scene<3> scene;
  scene.a = {.kind = ShapeKind::cylinder, .radius = 0.5, .length = 0.2};
  scene.b = {.kind = ShapeKind::plane};
  scene.body_a.orientation = Rotation<3>(
      rotation_from_vector(tilt * Eigen::Vector3d(std::cos(towards), std::sin(towards), 0)).toRotationMatrix());
  scene.body_a.position = {0.3, -0.2, 0.4};
  return scene;
}

TEST(CylinderPlane, LowestPointHasTheHeightOfAFlatSpheroid) {
  constexpr double flatness = 1e-4, radius = 0.5, length = 0.2;
  for (const double tilt : {0.0, 1e-9, 1e-6, 1e-4, 1e-3, 0.1, 0.7, 1.3, M_PI / 2, 2.0, M_PI}) {
    const auto slots = slots_of(tilted_cylinder(tilt, 0.8));
    for (const int end : {0, 1}) {
      const double s = std::sin(tilt), c = (end == 0 ? 1 : -1) * std::cos(tilt);
      const double support = radius * std::hypot(s, flatness * c) - flatness * radius * c;
      EXPECT_NEAR(slots[4 * end].gap, 0.4 - length / 2 * c - support, 1e-15) << "tilt " << tilt << ", end " << end;
    }
  }
  // Far from flat the rim is blunted by less than a ten-thousandth of its radius, and not at all on its side.
  EXPECT_NEAR(slots_of(tilted_cylinder(M_PI / 2, 0))[0].gap, 0.4 - radius, 1e-15);
}

TEST(CylinderPlane, LowestPointPassesThroughTheMiddleWhenFlat) {
  const auto flat = slots_of(tilted_cylinder(0, 0));
  EXPECT_NEAR((flat[0].point_a - Eigen::Vector3d(0.3, -0.2, 0.3)).norm(), 0, 1e-15);
  // Its way is as long as the tilt is large, in units of the flatness: no jump, whatever the direction.
  for (int k = 0; k < 12; ++k) {
    const auto slots = slots_of(tilted_cylinder(1e-8, 2 * M_PI * k / 12));
    EXPECT_NEAR((slots[0].point_a - flat[0].point_a).norm(), 0.5 * 1e-8 / 1e-4, 1e-8);
  }
}

TEST(CylinderPlane, GapRateIsThatOfTheMaterialFlatOrNot) {
  Dice dice(7);
  for (int trial = 0; trial < 300; ++trial) {
    const double tilt = trial % 3 == 0 ? 0.0 : trial % 3 == 1 ? dice.between(0, 3e-4) : dice.between(0, 3);
    Scene<3> scene = tilted_cylinder(tilt, dice.between(0, 6));
    scene.body_a.velocity = dice.vector<3>(1);
    scene.body_a.angular_velocity = dice.vector<3>(1);
    scene.body_b.velocity = dice.vector<3>(1);
    const auto gap_after = [&](double time, int slot) {
      return slots_of(Scene<3>{scene.a, scene.b, after<3>(scene.body_a, time), after<3>(scene.body_b, time)})[slot].gap;
    };
    const auto slots = slots_of(scene);
    for (int k = 0; k < 8; ++k) {
      // Of fourth order, with steps that resolve the turn of the lowest point near flat.
      constexpr double step = 2e-6;
      const double central =
          (8 * (gap_after(step, k) - gap_after(-step, k)) - gap_after(2 * step, k) + gap_after(-2 * step, k)) /
          (12 * step);
      const Eigen::Vector3d relative = scene.body_b.velocity_at(slots[k].point_b - scene.body_b.position) -
                                       scene.body_a.velocity_at(slots[k].point_a - scene.body_a.position);
      EXPECT_NEAR(central, slots[k].normal.dot(relative), 1e-6) << "tilt " << tilt << ", slot " << k;
    }
  }
}

TEST(SlotBox, InSpaceEveryCornerMeetsEveryWall) {
  const auto* pair = find_pair<3>(ShapeKind::slot, ShapeKind::box);
  Dice dice(11);
  for (int trial = 0; trial < 100; ++trial) {
    const Scene<3> scene = sample_scene(*pair, dice);
    const auto slots = slots_of(scene);
    ASSERT_EQ(slots.size(), 32u);
    for (int corner = 0; corner < 8; ++corner) {
      const Eigen::Vector3d local(scene.b.half.x() * (corner % 2 == 0 ? -1 : 1),
                                  scene.b.half.y() * (corner / 2 % 2 == 0 ? -1 : 1),
                                  scene.b.half.z() * (corner / 4 == 0 ? -1 : 1));
      const Eigen::Vector3d world =
          scene.body_b.position +
          scene.body_b.orientation.matrix() * (scene.b.position + scene.b.orientation.matrix() * local);
      const Eigen::Vector3d in_slot =
          scene.a.orientation.matrix().transpose() *
          (scene.body_a.orientation.matrix().transpose() * (world - scene.body_a.position) - scene.a.position);
      const double gaps[4] = {scene.a.half.x() - in_slot.x(), scene.a.half.x() + in_slot.x(),
                              scene.a.half.y() - in_slot.y(), scene.a.half.y() + in_slot.y()};
      for (int wall = 0; wall < 4; ++wall) {
        EXPECT_NEAR(slots[4 * corner + wall].gap, gaps[wall], 1e-14);
        EXPECT_NEAR((slots[4 * corner + wall].point_b - world).norm(), 0, 1e-14);
      }
    }
  }
}

TEST(SlotBox, InSpaceABlockAlongTheChannelHasItsClearance) {
  Scene<3> scene;
  scene.a = {.kind = ShapeKind::slot, .half = {0.01, 0.02, 0}};
  scene.b = {.kind = ShapeKind::box, .half = {0.009, 0.0195, 0.05}};
  EXPECT_NEAR(find_pair<3>(ShapeKind::slot, ShapeKind::box)->clearance(scene.a, scene.b), 0.0005, 1e-17);
  scene.body_b.position = {0.0012, 0, 7};
  const auto slots = slots_of(scene);
  for (int corner = 0; corner < 8; ++corner) {
    const bool right = corner % 2 != 0;
    EXPECT_NEAR(slots[4 * corner + (right ? 0 : 1)].gap, right ? -0.0002 : 0.0022, 1e-16);
    EXPECT_NEAR(slots[4 * corner].normal.x(), -1, 1e-16);
    EXPECT_NEAR(slots[4 * corner + (corner / 2 % 2 == 0 ? 3 : 2)].gap, 0.0005, 1e-16);
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
