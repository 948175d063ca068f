#include <gtest/gtest.h>

#include "contact_geometry/curvature.h"
#include "sample_shapes.h"

// Principal curvatures where shapes touch, against closed forms and against differences of their normals.
namespace carom {
namespace {

using Eigen::Vector3d;

ContactPoint<3> nearest(const Scene<3>& scene) {
  const PairDescription<3>& pair = *find_pair<3>(scene.a.kind, scene.b.kind);
  ContactManifold<3> manifold(pair.points(scene.a, scene.b));
  std::vector<double> memory(pair.memory(scene.a, scene.b), 0.0);
  write_manifold<3>(pair, scene.a, scene.b, scene.body_a, scene.body_b, manifold, memory.data());
  ContactPoint<3> best;
  for (int k = 0; k < manifold.size(); ++k) {
    if (manifold.point(k).gap < best.gap) best = manifold.point(k);
  }
  return best;
}

RelativeCurvature curvature(const Scene<3>& scene) {
  return relative_curvature(scene.a, scene.b, scene.body_a, scene.body_b, nearest(scene));
}

Rotation<3> turned(const Vector3d& turn) {
  return Rotation<3>(rotation_from_vector(turn).toRotationMatrix());
}

TEST(Curvature, ATorusStandsOnItsRim) {
  Scene<3> scene;
  scene.a = {.kind = torus_kind, .radius = 0.3, .half = {0.1, 0, 0}};
  scene.b.kind = ShapeKind::plane;
  scene.body_a.position.z() = 0.4;
  for (const double tilt : {0.0, 0.3, 1.0}) {
    // The axis is level, then raised.
    scene.body_a.orientation = turned({0, M_PI / 2 - tilt, 0});
    const RelativeCurvature own = curvature(scene);
    EXPECT_NEAR(own.greatest, 1 / 0.1, 1e-9) << tilt;
    EXPECT_NEAR(own.least, std::cos(tilt) / (0.3 + 0.1 * std::cos(tilt)), 1e-9) << tilt;
  }
  // A ball in the middle of the ring touches it from inside, where it is hollow.
  scene.a = {.kind = ShapeKind::sphere, .radius = 0.15};
  scene.b = {.kind = torus_kind, .radius = 0.3, .half = {0.1, 0, 0}};
  scene.body_a.position = Vector3d(0.05, 0, 0);
  const RelativeCurvature inside = curvature(scene);
  EXPECT_NEAR(inside.greatest, 1 / 0.15 + 1 / 0.1, 1e-9);
  EXPECT_NEAR(inside.least, 1 / 0.15 - 1 / 0.2, 1e-9);
}

TEST(Curvature, AnEllipsoidOnItsPolesAndBetween) {
  const Vector3d half(0.3, 0.2, 0.1);
  Scene<3> scene;
  scene.a = {.kind = ShapeKind::ellipsoid, .half = half};
  scene.b.kind = ShapeKind::plane;
  const RelativeCurvature pole = curvature(scene);
  EXPECT_NEAR(pole.greatest, 0.1 / (0.2 * 0.2), 1e-9);
  EXPECT_NEAR(pole.least, 0.1 / (0.3 * 0.3), 1e-9);
  // Gauss' curvature of an ellipsoid with the height h of its tangent plane: h⁴ / (a b c)².
  Dice dice(1);
  for (int trial = 0; trial < 100; ++trial) {
    scene.body_a.orientation = dice.rotation<3>();
    const Vector3d n = inverse<3>(scene.body_a.orientation) * Vector3d::UnitZ();
    const double height = half.cwiseProduct(n).norm();
    const RelativeCurvature own = curvature(scene);
    EXPECT_NEAR(own.greatest * own.least, std::pow(height, 4) / std::pow(half.prod(), 2), 1e-7);
  }
}

// Johnson, Contact Mechanics, (4.7): A + B and B − A of two cylinders whose axes cross.
TEST(Curvature, CylindersThatCross) {
  constexpr double r = 0.1, s = 0.25;
  for (const double angle : {0.4, 1.0, M_PI / 2}) {
    Scene<3> scene;
    scene.a = {.kind = ShapeKind::cylinder, .radius = r, .length = 2};
    scene.b = {.kind = ShapeKind::cylinder, .radius = s, .length = 2};
    scene.body_a.orientation = turned({M_PI / 2, 0, 0});
    scene.body_b.orientation = Rotation<3>(turned({0, 0, angle}).matrix() * turned({M_PI / 2, 0, 0}).matrix());
    scene.body_b.position.z() = r + s - 1e-6;
    const RelativeCurvature own = curvature(scene);
    const double sum = 1 / r + 1 / s, square = 1 / (r * r) + 1 / (s * s) + 2 / (r * s) * std::cos(2 * angle);
    EXPECT_NEAR(own.greatest + own.least, sum, 1e-6) << angle;
    EXPECT_NEAR(own.greatest - own.least, std::sqrt(square), 1e-6) << angle;
  }
}

TEST(Curvature, ConesCapsulesHolesAndBalls) {
  Scene<3> scene;
  // A cone lies on its side: cos α / ρ around, straight along. The nearest of its points is at a rim, whichever.
  scene.a = {.kind = kind_named("cone"), .radius = 0.2, .length = 1, .half = {0.1, 0, 0}};
  const Vector3d side = Vector3d(1, 0, 0.1).normalized();
  const Eigen::Matrix3d cone = curvature_at(scene.a, {}, Vector3d(0.15, 0, 0), side, 1000);
  EXPECT_NEAR(Vector3d::UnitY().dot(cone * Vector3d::UnitY()), side.x() / 0.15, 1e-9);
  const Vector3d down = Vector3d(-0.1, 0, 1).normalized();
  EXPECT_NEAR(down.dot(cone * down), 0, 1e-9);
  // A ball in a bore.
  scene.a = {.kind = ShapeKind::bore, .radius = 0.5, .length = 2};
  scene.b = {.kind = ShapeKind::sphere, .radius = 0.4};
  scene.body_b.position = Vector3d(0.1, 0, 0);
  const RelativeCurvature bore = curvature(scene);
  EXPECT_NEAR(bore.greatest, 1 / 0.4, 1e-9);
  EXPECT_NEAR(bore.least, 1 / 0.4 - 1 / 0.5, 1e-9);
  // A capsule across a ball.
  scene.a = {.kind = ShapeKind::capsule, .radius = 0.1, .length = 2};
  scene.b = {.kind = ShapeKind::sphere, .radius = 0.4};
  scene.body_b.position = Vector3d(0.5, 0, 0.2);
  const RelativeCurvature capsule = curvature(scene);
  EXPECT_NEAR(capsule.greatest, 1 / 0.1 + 1 / 0.4, 1e-9);
  EXPECT_NEAR(capsule.least, 1 / 0.4, 1e-9);
}

// A ball on a face, over an edge, over a corner.
TEST(Curvature, FacesAreFlatAndEdgesRounded) {
  Scene<3> scene;
  scene.a = {.kind = ShapeKind::sphere, .radius = 0.2};
  scene.b = {.kind = ShapeKind::box, .half = {0.5, 0.4, 0.3}};
  const double edge = 1 / (rounded_edge * 0.2);
  scene.body_a.position = Vector3d(0.1, 0.1, 0.5);
  EXPECT_NEAR(curvature(scene).greatest, 5, 1e-9);
  scene.body_a.position = Vector3d(0.64, 0.1, 0.44);
  EXPECT_NEAR(curvature(scene).greatest, 5 + edge, 1e-6);
  EXPECT_NEAR(curvature(scene).least, 5, 1e-9);
  scene.body_a.position = Vector3d(0.6, 0.5, 0.4);
  EXPECT_NEAR(curvature(scene).least, 5 + edge, 1e-6);
}

}  // namespace
}  // namespace carom
