#include <gtest/gtest.h>

#include <cmath>

#include "contact_geometry/known_features.h"
#include "mesh_touch.h"

// Meshes that touch and have moved against each other by next to nothing are followed by the features that are known.
namespace carom {
namespace {

Manifold touch_again(const PairDescription<3>& pair, const Scene<3>& scene, std::vector<double>& memory) {
  Manifold manifold(pair.points(scene.a, scene.b));
  write_manifold<3>(pair, scene.a, scene.b, scene.body_a, scene.body_b, manifold, memory.data());
  return manifold;
}

BodyState<3> shaken(BodyState<3> body, Dice& dice, double way) {
  body.position += dice.vector<3>(way);
  body.orientation = product<3>(dice.rotation<3>(way), body.orientation);
  return body;
}

// In the axes of a, which are those of the world here.
MeshPoints points_of(const Manifold& manifold) {
  MeshPoints points(0);
  for (int k = 0; k < manifold.size(); ++k) points.add_other(manifold.feature(k), manifold.point(k));
  return points;
}

int find_feature(const Manifold& manifold, Feature feature) {
  for (int k = 0; k < manifold.size(); ++k) {
    if (manifold.feature(k) == feature) return k;
  }
  return -1;
}

// Whatever was looked at before, the points of what overlaps are those that a search from the start finds.
TEST(KnownFeatures, PointsAreThoseThatASearchFinds) {
  const PairDescription<3>& pair = *find_pair<3>(mesh_kind, mesh_kind);
  Dice dice(5);
  int compared = 0, missed = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Scene<3> scene = sample_scene(pair, dice);
    std::vector<double> memory(pair.memory(scene.a, scene.b), 0.0);
    touch_again(pair, scene, memory);
    const double size = std::min(mesh_of(scene.a).size(), mesh_of(scene.b).size());
    for (int look = 0; look < 4; ++look) {
      scene.body_b = shaken(scene.body_b, dice, 3e-5 * size);
      const Manifold known = touch_again(pair, scene, memory), found = touch(pair, scene);
      for (int k = 0; k < found.size(); ++k) {
        const ContactPoint<3>& point = found.point(k);
        if (point.gap > 0) continue;
        ++compared;
        const int place = find_feature(known, found.feature(k));
        if (place < 0) {
          ++missed;
          continue;
        }
        EXPECT_NEAR(known.point(place).gap, point.gap, 1e-9 * size) << trial;
        EXPECT_NEAR((known.point(place).normal - point.normal).norm(), 0, 1e-6) << trial;
        EXPECT_NEAR((known.point(place).point_a - point.point_a).norm(), 0, 1e-9 * size) << trial;
      }
    }
  }
  EXPECT_GT(compared, 3000);
  EXPECT_LT(missed, compared / 50);
}

// A box on another one: its four corners, and the edges that cross.
TEST(KnownFeatures, AreFollowedUntilTheyLeaveTheirPlace) {
  Scene<3> scene;
  scene.a.kind = scene.b.kind = mesh_kind;
  scene.a.data = mesh_data(box_soup({1, 1, 0.5}));
  scene.b.data = mesh_data(box_soup({0.3, 0.3, 0.3}));
  scene.body_b.position = Eigen::Vector3d(0.02, 0.3, 0.8 - 1e-7);
  scene.body_b.orientation = Rotation<3>(rotation_from_vector(Eigen::Vector3d(0, 0, 0.3)).toRotationMatrix());
  const PairDescription<3>& pair = *find_pair<3>(mesh_kind, mesh_kind);
  std::vector<double> numbers(KnownFeatures::numbers, 0.0);
  const KnownFeatures known(numbers.data());
  const auto meeting = [&] {
    const PlacedFrame a(scene.a, scene.body_a), b(scene.b, scene.body_b);
    return MeshMeeting(mesh_of(scene.a), mesh_of(scene.b), a.axes.transpose() * b.axes, a.inside(b.origin),
                       Eigen::Vector3d::Ones());
  };
  const PlacedFrame frame(scene.a, scene.body_a);
  Manifold manifold(pair.points(scene.a, scene.b));
  EXPECT_FALSE(known.follow(meeting(), manifold, frame));
  const Manifold found = touch(pair, scene);
  known.remember(meeting(), points_of(found), 1e-3, 1e-4, 1e-9);
  ASSERT_TRUE(known.follow(meeting(), manifold, frame));
  EXPECT_EQ(manifold.size(), found.size());
  for (int k = 0; k < manifold.size(); ++k) EXPECT_NEAR(manifold.point(k).gap, -1e-7, 1e-12);
  scene.body_b.position += Eigen::Vector3d(1e-5, -2e-5, 3e-5);
  manifold.clear();
  ASSERT_TRUE(known.follow(meeting(), manifold, frame));
  for (int k = 0; k < manifold.size(); ++k) {
    EXPECT_NEAR(manifold.point(k).gap, 3e-5 - 1e-7, 1e-12);
    EXPECT_EQ(manifold.feature(k), found.feature(k));
  }
  scene.body_b.position.z() += 1e-4;
  manifold.clear();
  EXPECT_FALSE(known.follow(meeting(), manifold, frame)) << "too far";
  // A corner beyond the side of the lower box.
  scene.body_b.position = Eigen::Vector3d(0.02, 0.6, 0.8 - 1e-7);
  scene.body_b.orientation = Rotation<3>();
  known.remember(meeting(), points_of(touch(pair, scene)), 1e-3, 0.5, 1e-9);
  scene.body_b.position.y() = 0.75;
  EXPECT_FALSE(known.follow(meeting(), manifold, frame)) << "beside the face";
  EXPECT_EQ(manifold.size(), 0);
}

}  // namespace
}  // namespace carom
