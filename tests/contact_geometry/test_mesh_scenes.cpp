#include <gtest/gtest.h>

#include <algorithm>

#include "mesh_touch.h"
#include "surface_samples.h"

// Contact with meshes in scenes of which it is known what touches: balls, boxes, ridges, notches, and pins in holes.
namespace carom {
namespace {

// A finely cut ball pressed onto a plane overlaps in one point, hardly ever in more, by the depth of the ball but for
// the chord error, however fine it is: its force by a law of points tends to that of the ball.
TEST(MeshScenes, ABallOfTrianglesOverlapsAsTheBall) {
  const PairDescription<3>& pair = *find_pair<3>(mesh_kind, ShapeKind::plane);
  constexpr double radius = 0.1, depth = 1e-3;
  double before = 1;
  for (int cuts = 2; cuts <= 4; ++cuts) {
    Scene<3> scene;
    scene.a.kind = mesh_kind;
    scene.a.data = mesh_data(ball_soup(radius, cuts));
    scene.b.kind = ShapeKind::plane;
    scene.body_a.position.z() = radius - depth;
    Dice dice(11);
    int several = 0;
    double force = 0, least = 1;
    constexpr int poses = 400;
    for (int trial = 0; trial < poses; ++trial) {
      scene.body_a.orientation = dice.rotation<3>();
      const Manifold manifold = touch(pair, scene);
      int overlaps = 0;
      double sum = 0;
      for (int k = 0; k < manifold.size(); ++k) {
        if (!(manifold.point(k).gap < 0)) continue;
        ++overlaps;
        sum += std::pow(-manifold.point(k).gap, 1.5);
        least = std::min(least, -manifold.point(k).gap);
      }
      several += overlaps > 1 ? 1 : 0;
      force += (overlaps > 0 ? sum / overlaps : 0) / std::pow(depth, 1.5) / poses;
    }
    EXPECT_LT(several, poses / 8) << cuts;
    EXPECT_LT(1 - force, before) << cuts;
    before = (1 - force) / 3;  // second order in the size of the triangles
  }
  EXPECT_LT(before, 0.08 / 3);
}

// A ball that rolls over a floor of many triangles touches in one point, with the normal of the floor.
TEST(MeshScenes, ABallFeelsNoEdgesOfAFlatFloor) {
  std::vector<Eigen::Vector2d> outline;
  for (int k = 0; k < 8; ++k) outline.emplace_back(k, 0);
  for (int k = 8; k > 0; --k) outline.emplace_back(k, 5);
  Scene<3> scene;
  scene.a.kind = mesh_kind;
  TriangleSoup floor = prism(outline, 1, 3);
  for (Eigen::Vector3d& point : floor.points) point = Eigen::Vector3d(point.x() - 4, point.z() - 0.5, -point.y());
  scene.a.data = mesh_data(floor);
  scene.b.radius = 0.3;
  const PairDescription<3>& pair = *find_pair<3>(mesh_kind, ShapeKind::sphere);
  for (int k = 0; k <= 4000; ++k) {
    scene.body_b.position = Eigen::Vector3d(-3 + 6.0 * k / 4000, 0.001 * k / 4000, 0.299);
    const Manifold manifold = touch(pair, scene);
    ASSERT_EQ(manifold.size(), 1) << k;
    EXPECT_NEAR(manifold.point(0).gap, -0.001, 1e-15);
    EXPECT_NEAR(manifold.point(0).normal.z(), 1, 1e-15);
  }
}

TEST(MeshScenes, ABallInACornerTouchesBothSides) {
  Scene<3> scene;
  scene.a.kind = mesh_kind;
  scene.a.data = mesh_data(bracket(1));  // hollow along x = y = 0.3
  scene.b.radius = 0.2;
  scene.body_b.position = Eigen::Vector3d(0.499, 0.4985, 0.2);
  const Manifold manifold = touch(*find_pair<3>(mesh_kind, ShapeKind::sphere), scene);
  ASSERT_EQ(manifold.size(), 2);
  const double gaps[2] = {manifold.point(0).gap, manifold.point(1).gap};
  EXPECT_NEAR(std::min(gaps[0], gaps[1]), -0.0015, 1e-12);
  EXPECT_NEAR(std::max(gaps[0], gaps[1]), -0.001, 1e-12);
}

// The corners of a box that has entered both walls of a notch stand over neither of them, and are held by both.
TEST(MeshScenes, ABoxInANotchIsHeldByBothWalls) {
  Scene<3> scene;
  scene.a.kind = scene.b.kind = mesh_kind;
  scene.a.data = mesh_data(bracket(1));  // hollow along x = y = 0.3
  scene.b.data = mesh_data(box_soup({0.1, 0.1, 0.05}));
  scene.body_b.position = Eigen::Vector3d(0.4 - 1e-4, 0.4 - 2e-4, 0.2);
  const Manifold manifold = touch(*find_pair<3>(mesh_kind, mesh_kind), scene);
  double along[3] = {0, 0, 0};
  for (int k = 0; k < manifold.size(); ++k) {
    const ContactPoint<3>& point = manifold.point(k);
    int axis = 0;
    EXPECT_NEAR(point.normal.maxCoeff(&axis), 1, 1e-9);
    along[axis] = std::min(along[axis], point.gap);
  }
  EXPECT_NEAR(along[0], -1e-4, 1e-12);
  EXPECT_NEAR(along[1], -2e-4, 1e-12);
  EXPECT_EQ(along[2], 0);
}

// A box that has entered the side of another one and looks over its top: its lower corners lie far below the top, too,
// but leave by the side.
TEST(MeshScenes, WhatEntersASideLeavesByTheSide) {
  Scene<3> scene;
  scene.a.kind = scene.b.kind = mesh_kind;
  scene.a.data = mesh_data(box_soup({1, 1, 1}));
  scene.b.data = mesh_data(box_soup({0.3, 0.3, 0.3}));
  scene.body_b.position = Eigen::Vector3d(1.3 - 1e-6, 0.1, 1.1);
  const Manifold manifold = touch(*find_pair<3>(mesh_kind, mesh_kind), scene);
  ASSERT_GE(manifold.size(), 2);
  for (int k = 0; k < manifold.size(); ++k) {
    if (manifold.point(k).gap > 0) continue;
    EXPECT_NEAR(manifold.point(k).gap, -1e-6, 1e-12);
    EXPECT_NEAR(manifold.point(k).normal.x(), 1, 1e-9);
  }
}

// A box stands on another one by its ridge, tilted, and their ends are all but flush: its corners are nearer to the
// ends of the other one than to its top, but look along the same way as those ends and cannot leave there.
TEST(MeshScenes, WhatLiesFlushLeavesByTheTop) {
  Scene<3> scene;
  scene.a.kind = scene.b.kind = mesh_kind;
  scene.a.data = mesh_data(box_soup({1, 1, 1}));
  scene.b.data = mesh_data(box_soup({1, 0.3, 0.3}));
  const double tilt = 0.4, depth = 3e-4, lowest = 0.3 * (std::cos(tilt) + std::sin(tilt));
  scene.body_b.orientation = Rotation<3>(rotation_from_vector(Eigen::Vector3d(tilt, 0, 0)).toRotationMatrix());
  for (const double shift : {-1e-4, 0.0, 1e-4}) {
    scene.body_b.position = Eigen::Vector3d(shift, 0.1, 1 + lowest - depth);
    for (const bool reversed : {false, true}) {
      Scene<3> both = scene;
      if (reversed) std::swap(both.a, both.b), std::swap(both.body_a, both.body_b);
      const Manifold manifold = touch(*find_pair<3>(mesh_kind, mesh_kind), both);
      double left = 0, right = 0;  // the least gaps at the two ends
      for (int k = 0; k < manifold.size(); ++k) {
        const ContactPoint<3>& point = manifold.point(k);
        if (point.gap > 0) continue;
        EXPECT_NEAR(std::abs(point.normal.z()), 1, 1e-9) << shift;
        EXPECT_GT(point.gap, -depth - 1e-12) << shift;
        double& end = point.point_a.x() < 0 ? left : right;
        end = std::min(end, point.gap);
      }
      EXPECT_NEAR(left, -depth, 1e-12) << shift;
      EXPECT_NEAR(right, -depth, 1e-12) << shift;
    }
  }
}

// The lower side of a box, tilted by a milliradian, lies on a ridge of another one: where an end of the ridge and an
// end of the side cross, what lies between them is thinner than rounding. No depth is made of it.
TEST(MeshScenes, WhatBarelyOverlapsIsBarelyDeep) {
  Scene<3> scene;
  scene.a.kind = scene.b.kind = mesh_kind;
  scene.a.data = mesh_data(box_soup({1, 1, 0.5}));
  scene.b.data = mesh_data(box_soup({1, 1, 0.5}));
  const double tilt = 1.4e-3;
  const Eigen::Matrix3d turn = (rotation_from_vector(Eigen::Vector3d(tilt, 0, 0)).toRotationMatrix() *
                                rotation_from_vector(Eigen::Vector3d(0, 0, 0.017)).toRotationMatrix());
  scene.body_b.orientation = Rotation<3>(turn);
  Dice dice(10);
  for (int trial = 0; trial < 500; ++trial) {
    // The ridge is y = −1, z = 0.5; the side goes through it where the height above it is that of the depth.
    const double depth = std::pow(10, dice.between(-13, -7)), y = dice.between(-0.5, -0.2);
    const Eigen::Vector3d down = -turn.col(2);
    const Eigen::Vector3d on_ridge(0, -1, 0.5);
    Eigen::Vector3d position(dice.between(-0.05, 0.05), y, 0);
    // down · (on_ridge − position) = 0.5 − depth
    position.z() = 0.5 + (0.5 - depth - down.head<2>().dot((on_ridge - position).head<2>())) / -down.z();
    scene.body_b.position = position;
    const Manifold manifold = touch(*find_pair<3>(mesh_kind, mesh_kind), scene);
    EXPECT_GT(least_gap(manifold), -2 * depth - 1e-12) << trial << ", " << depth;
    EXPECT_LT(least_gap(manifold), 1e-11) << trial << ", " << depth;
  }
}

// Two ridges, sharp and leaning over, cross by a little: where they pass each other the line across both is outside of
// both, and still it is the way apart.
TEST(MeshScenes, SharpRidgesThatLeanCross) {
  const auto direction = [](double degrees) {
    return Eigen::Vector2d(std::cos(degrees * M_PI / 180), std::sin(degrees * M_PI / 180));
  };
  for (const double lean : {190.0, 200.0, 215.0, 240.0}) {
    for (const double angle : {20.0, 40.0}) {
      // A prism along z with its ridge in the origin, leaning from straight below it (270°) to a side.
      TriangleSoup soup = prism({{0, 0}, direction(lean), direction(lean + angle)}, 2);
      for (Eigen::Vector3d& point : soup.points) point.z() -= 1;
      Scene<3> scene;
      scene.a.kind = scene.b.kind = mesh_kind;
      scene.a.data = scene.b.data = mesh_data(soup);
      // Upside down, across the first.
      const Eigen::Matrix3d turn = rotation_from_vector(Eigen::Vector3d(M_PI, 0, 0)).toRotationMatrix() *
                                   rotation_from_vector(Eigen::Vector3d(0, M_PI / 3, 0)).toRotationMatrix();
      scene.body_b.orientation = Rotation<3>(turn);
      for (const double depth : {1e-7, 1e-5, 1e-4}) {
        scene.body_b.position = -depth * Eigen::Vector3d::UnitY();
        const Manifold manifold = touch(*find_pair<3>(mesh_kind, mesh_kind), scene);
        EXPECT_NEAR(least_gap(manifold), -depth, 1e-6 * depth) << lean << "° " << angle << "°, " << depth;
      }
    }
  }
}

// A box that lies on a box, almost flat: four corners, all with the normal of the face.
TEST(MeshScenes, ABoxLiesOnItsCorners) {
  Dice dice(8);
  const PairDescription<3>& pair = *find_pair<3>(mesh_kind, mesh_kind);
  for (int trial = 0; trial < 100; ++trial) {
    Scene<3> scene;
    scene.a.kind = scene.b.kind = mesh_kind;
    scene.a.data = mesh_data(box_soup({1, 1, 0.5}));
    scene.b.data = mesh_data(box_soup({0.3, 0.4, 0.2}));
    scene.body_b.position = Eigen::Vector3d(dice.between(-0.4, 0.4), dice.between(-0.4, 0.4), 0.7 - 1e-5);
    scene.body_b.orientation = Rotation<3>(
        rotation_from_vector(Eigen::Vector3d(dice.between(-1e-6, 1e-6), dice.between(-1e-6, 1e-6), dice.between(0, 3)))
            .toRotationMatrix());
    const Manifold manifold = touch(pair, scene);
    ASSERT_EQ(manifold.size(), 4) << trial;
    for (int k = 0; k < 4; ++k) {
      EXPECT_NEAR(manifold.point(k).gap, -1e-5, 2e-6);
      EXPECT_NEAR(manifold.point(k).normal.z(), 1, 1e-9);
    }
  }
}

// Sides that are cut into hundreds of triangles touch where those of two do.
TEST(MeshScenes, FinelyCutSidesTouchAsTheirOutline) {
  const PairDescription<3>& pair = *find_pair<3>(mesh_kind, mesh_kind);
  const auto cut_block = [](const Eigen::Vector3d& half, int pieces) {
    std::vector<Eigen::Vector2d> outline;
    const Eigen::Vector2d corners[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int side = 0; side < 4; ++side) {
      for (int k = 0; k < pieces; ++k) {
        const double part = static_cast<double>(k) / pieces;
        outline.push_back((1 - part) * corners[side] + part * corners[(side + 1) % 4]);
      }
    }
    TriangleSoup soup = prism(outline, 2, pieces);
    double middle = 0;
    for (const Eigen::Vector3d& point : soup.points) middle += point.z() / static_cast<double>(soup.points.size());
    // The sides of many triangles look up and down.
    for (Eigen::Vector3d& point : soup.points)
      point = Eigen::Vector3d(point.z() - middle, point.x(), point.y()).cwiseProduct(half);
    return soup;
  };
  Dice dice(10);
  Scene<3> coarse, fine;
  for (Scene<3>* scene : {&coarse, &fine}) {
    const int pieces = scene == &fine ? 20 : 1;
    scene->a.kind = scene->b.kind = mesh_kind;
    scene->a.data = mesh_data(cut_block({1, 1, 0.5}, pieces));
    scene->b.data = mesh_data(cut_block({0.7, 0.9, 0.2}, pieces));
  }
  for (int trial = 0; trial < 60; ++trial) {
    const double depth = trial % 3 == 0 ? -1e-4 : 1e-5;
    coarse.body_b.position = Eigen::Vector3d(dice.between(-0.8, 0.8), dice.between(-0.8, 0.8), 0.7 - depth);
    coarse.body_b.orientation = Rotation<3>(
        rotation_from_vector(Eigen::Vector3d(dice.between(-1e-6, 1e-6), dice.between(-1e-6, 1e-6), dice.between(0, 3)))
            .toRotationMatrix());
    fine.body_b = coarse.body_b;
    const Manifold one = touch(pair, coarse), other = touch(pair, fine);
    ASSERT_GT(one.size(), 2) << trial;
    // As many where they overlap as where they are apart.
    Scene<3> raised = coarse;
    raised.body_b.position.z() = 0.7 + 1e-4;
    EXPECT_EQ(one.size(), touch(pair, raised).size()) << trial;
    // Overlaps that no feature tells of count at what is near, which are more vertices where there are more.
    if (depth < 0) {
      EXPECT_EQ(one.size(), other.size()) << trial;
    }
    EXPECT_GE(other.size(), one.size()) << trial;
    EXPECT_NEAR(least_gap(one), least_gap(other), 1e-9) << trial;
    for (int k = 0; k < one.size(); ++k) {
      double apart = 1e300;
      for (int l = 0; l < other.size(); ++l)
        apart = std::min(apart, (one.point(k).point_a - other.point(l).point_a).norm() +
                                    std::abs(one.point(k).gap - other.point(l).gap));
      EXPECT_LT(apart, 1e-9) << trial << ", " << k;
    }
  }
}

// A pin of 10 mm in a hole of 10.02 mm, both of many sides: no contact where the pin has room. The sides of the hole
// stand inside its circle by the chord error, those of the pin inside its own.
void try_pin_in_hole(int wanted) {
  constexpr int sides = 720;
  constexpr double hole = 0.00501, pin = 0.005, length = 0.01;
  const double chord = hole * (1 - std::cos(M_PI / sides));
  ASSERT_LT(chord, 0.1e-6);
  std::vector<std::vector<Eigen::Vector3d>> rows(4);
  std::vector<Eigen::Vector2d> outline;
  for (int k = 0; k < sides; ++k) {
    const Eigen::Vector2d along(std::cos(2 * M_PI * k / sides), std::sin(2 * M_PI * k / sides));
    outline.push_back(pin * along);
    for (int row = 0; row < 4; ++row) {
      const double radius = row == 0 || row == 3 ? 0.012 : hole, z = row < 2 ? -length / 2 : length / 2;
      rows[row].emplace_back(radius * along.x(), radius * along.y(), z);
    }
  }
  TriangleSoup ring = joined_rows(rows, true);
  for (Triangle& t : ring.triangles) std::swap(t[1], t[2]);
  TriangleSoup bolt = prism(outline, 3 * length);
  for (Eigen::Vector3d& point : bolt.points) point.z() -= 1.5 * length;
  Scene<3> scene;
  scene.a.kind = mesh_kind;
  scene.a.data = mesh_data(ring);
  Dice dice(9);
  const Shape<3> meshed{.kind = mesh_kind, .data = mesh_data(bolt)},
      exact{.kind = ShapeKind::cylinder, .radius = pin, .length = 3 * length};
  int poses = 0;
  double least = 1;
  for (int trial = 0; poses < wanted; ++trial) {
    ASSERT_LT(trial, 100 * wanted);
    const Eigen::Vector3d turn(dice.between(-2e-3, 2e-3), dice.between(-2e-3, 2e-3), 0);
    scene.body_b.orientation =
        Rotation<3>(rotation_from_vector(turn).toRotationMatrix() *
                    rotation_from_vector(Eigen::Vector3d(0, 0, dice.between(0, 6))).toRotationMatrix());
    scene.body_b.position =
        Eigen::Vector3d(dice.between(-1e-5, 1e-5), dice.between(-1e-5, 1e-5), dice.between(-5e-3, 5e-3));
    // Room of the true pin in the true hole, at both ends of the hole.
    const Eigen::Vector3d axis = scene.body_b.orientation * Eigen::Vector3d::UnitZ();
    double room = 1;
    for (const double z : {-length / 2, length / 2}) {
      const Eigen::Vector3d at = scene.body_b.position + (z - scene.body_b.position.z()) / axis.z() * axis;
      room = std::min(room, hole - pin / axis.z() - std::hypot(at.x(), at.y()));
    }
    if (!(room > 2 * chord)) continue;
    ++poses;
    for (const Shape<3>& shape : {meshed, exact}) {
      scene.b = shape;
      const double gap = least_gap(touch(*find_pair<3>(mesh_kind, shape.kind), scene));
      EXPECT_GT(gap, 0);
      EXPECT_GT(gap, room - 2 * chord);
      EXPECT_LT(gap, room + 2 * chord);
    }
    least = std::min(least, room);
  }
  std::printf("%d poses with room from %.2g m on, chord error %.2g m\n", poses, least, chord);
}

TEST(MeshScenes, APinInAHoleTouchesNothingWhileItHasRoom) {
  try_pin_in_hole(100);
}

TEST(MeshScenes, DISABLED_APinInAHoleTouchesNothingInAThousandPoses) {
  try_pin_in_hole(1000);
}

}  // namespace
}  // namespace carom
