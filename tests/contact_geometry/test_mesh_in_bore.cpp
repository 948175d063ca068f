#include <gtest/gtest.h>

#include "pressed_solids.h"

// Meshes in built-in bores: by points, and under pressure over areas.
namespace carom {
namespace {

using Vector = Eigen::Vector3d;

TriangleSoup pin_soup(double radius, double length, int sides) {
  std::vector<Eigen::Vector2d> outline;
  for (int k = 0; k < sides; ++k)
    outline.push_back(radius * Eigen::Vector2d(std::cos(2 * M_PI * k / sides), std::sin(2 * M_PI * k / sides)));
  return prism(outline, length);
}

// A meshed pin in a built-in bore: by points its gap, by areas its force.
TEST(ConformingAreas, AMeshedPinFitsIntoABore) {
  const double radius = 0.01, clearance = 2e-5, length = 0.02, depth = 1e-5;
  const Shape<3> bore = solid(ShapeKind::bore, radius + clearance, length),
                 mesh = mesh_shape(pin_soup(radius, length, 720));
  const PairDescription<3>& points = *find_pair<3>(ShapeKind::bore, mesh_kind);
  ContactManifold<3> manifold(points.points(bore, mesh));
  std::vector<double> memory(points.memory(bore, mesh));
  BodyState<3> still, moved;
  moved.position = {0.5 * clearance, 0, -length / 2};
  write_manifold(points, bore, mesh, still, moved, manifold, memory.data());
  double gap = 1;
  for (int k = 0; k < manifold.size(); ++k) gap = std::min(gap, manifold.point(k).gap);
  EXPECT_NEAR(gap, 0.5 * clearance, 1e-6 * clearance + 1e-9);
  PressedSolids meshed(bore, mesh), round(bore, solid(ShapeKind::cylinder, radius, length));
  round.body_b.position = {clearance + depth, 0, 0};
  meshed.body_b.position = {clearance + depth, 0, -length / 2};
  EXPECT_NEAR(force_of(meshed.point()) / force_of(round.point()), 1, 0.03);
  EXPECT_NEAR((meshed.point().normal + Vector::UnitX()).norm(), 0, 1e-3);
}

// It looks out of the bore, whose edge touches it.
TEST(ConformingAreas, AMeshThatLooksOutTouchesTheEdgeOfTheBore) {
  const Shape<3> bore = solid(ShapeKind::bore, 0.01, 0.02), mesh = mesh_shape(pin_soup(0.0098, 0.1, 360)),
                 pin = solid(ShapeKind::cylinder, 0.0098, 0.1);
  const auto least = [&](const Shape<3>& shape, const Vector& middle) {
    const PairDescription<3>& points = *find_pair<3>(ShapeKind::bore, shape.kind);
    ContactManifold<3> manifold(points.points(bore, shape));
    std::vector<double> memory(points.memory(bore, shape) + 1);
    BodyState<3> still, moved;
    moved.orientation = turned(Vector::UnitY(), 0.01);
    moved.position = Vector(5e-5, 0, 0) - moved.orientation * middle;
    write_manifold(points, bore, shape, still, moved, manifold, memory.data());
    double gap = 1;
    for (int k = 0; k < manifold.size(); ++k) gap = std::min(gap, manifold.point(k).gap);
    return gap;
  };
  EXPECT_NEAR(least(mesh, {0, 0, 0.05}), least(pin, Vector::Zero()), 1e-6);
}

}  // namespace
}  // namespace carom
