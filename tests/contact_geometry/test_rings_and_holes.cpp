#include <gtest/gtest.h>

#include "contact_geometry/mesh_shape.h"
#include "contact_geometry/shape_description.h"
#include "solid_checks.h"

// Tori, and solids in holes, against many points of their surfaces.
namespace carom {
namespace {

using check_solids::PlacedSolid;
using Eigen::Vector3d;

double least_gap(const PairDescription<3>& pair, const Scene<3>& scene) {
  ContactManifold<3> manifold(pair.points(scene.a, scene.b));
  write_manifold(pair, scene.a, scene.b, scene.body_a, scene.body_b, manifold, nullptr);
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < manifold.size(); ++k) least = std::min(least, manifold.point(k).gap);
  return least;
}

Vector3d ring_point(const PlacedSolid& torus, double angle) {
  return torus.centre +
         torus.axes * Vector3d(torus.shape.radius * std::cos(angle), torus.shape.radius * std::sin(angle), 0);
}

double from_ring(const PlacedSolid& torus, const Vector3d& point) {
  const Vector3d x = torus.axes.transpose() * (point - torus.centre);
  return std::hypot(std::hypot(x.x(), x.y()) - torus.shape.radius, x.z());
}

// Of a point from a solid, outside of it.
double from_solid(const PlacedSolid& solid, const Vector3d& point) {
  const Vector3d x = solid.axes.transpose() * (point - solid.centre);
  const Shape<3>& shape = solid.shape;
  const double flat = std::hypot(x.x(), x.y()), up = x.z(), half = shape.length / 2;
  if (shape.kind == torus_kind) return from_ring(solid, point) - shape.half[0];
  if (shape.kind == ShapeKind::sphere) return x.norm() - shape.radius;
  if (shape.kind == ShapeKind::box) return (x.cwiseAbs() - shape.half).cwiseMax(0.0).norm();
  if (shape.kind == ShapeKind::capsule) return std::hypot(flat, std::max(0.0, std::abs(up) - half)) - shape.radius;
  // Nearest of the sides of half of a section through the axis.
  const double low = shape.radius, high = solid.top_radius();
  if (solid.outside(point) <= 0) return solid.outside(point);
  const Eigen::Vector2d at(flat, up), corners[4] = {{0, -half}, {low, -half}, {high, half}, {0, half}};
  double least = 1e300;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector2d along = corners[k + 1] - corners[k];
    const double size = along.squaredNorm();
    const double part = size > 0 ? std::clamp(along.dot(at - corners[k]) / size, 0.0, 1.0) : 0;
    least = std::min(least, (corners[k] + part * along - at).norm());
  }
  return least;
}

// Surfaces of triangles, which these formulas do not know; test_mesh_distances.cpp does.
bool is_meshed(ShapeKind kind) {
  return kind == mesh_kind || kind == heightfield_kind || kind == step_kind;
}

TEST(Torus, IsAsFarAsItsRingIs) {
  Dice dice(31);
  for (const auto& pair : pair_catalogue<3>()) {
    if (pair.b != torus_kind || description_of<3>(pair.a).form == ShapeForm::hollow) continue;
    if (pair.a == ShapeKind::ellipsoid || pair.a == hull_kind || is_meshed(pair.a)) continue;
    for (int trial = 0; trial < 100; ++trial) {
      const Scene<3> scene = sample_scene(pair, dice);
      SCOPED_TRACE(pair.name + ", trial " + std::to_string(trial));
      const PlacedSolid a(scene.a, scene.body_a), b(scene.b, scene.body_b);
      double sampled = 1e300;
      constexpr int samples = 400;
      for (int k = 0; k < samples; ++k) {
        const Vector3d point = ring_point(b, 2 * M_PI * k / samples);
        sampled = std::min(sampled, from_solid(a, point));
      }
      if (sampled <= 0) continue;  // the middle of the tube is inside
      const double gap = least_gap(pair, scene), step = M_PI * scene.b.radius / samples;
      EXPECT_LE(gap, sampled - scene.b.half[0] + 1e-9);
      EXPECT_GE(gap, sampled - scene.b.half[0] - step);
    }
  }
}

// Points of the surface of a solid, by rays from its middle.
std::vector<Vector3d> surface_points(const PlacedSolid& solid, int count) {
  std::vector<Vector3d> points;
  if (solid.shape.kind == torus_kind) {
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < 60; ++j) {
        const double ring = 2 * M_PI * i / count, tube = 2 * M_PI * j / 60, r = solid.shape.half[0];
        const double out = solid.shape.radius + r * std::cos(tube);
        points.push_back(solid.centre +
                         solid.axes * Vector3d(out * std::cos(ring), out * std::sin(ring), r * std::sin(tube)));
      }
    }
    return points;
  }
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j <= count / 2; ++j) {
      const double one = 2 * M_PI * i / count, two = 2 * M_PI * j / count;
      const Vector3d way =
          solid.axes * Vector3d(std::sin(two) * std::cos(one), std::sin(two) * std::sin(one), std::cos(two));
      double inside = 0, outside = 3;
      for (int k = 0; k < 40; ++k) {
        const double middle = (inside + outside) / 2;
        (solid.outside(solid.centre + middle * way) > 0 ? outside : inside) = middle;
      }
      points.push_back(solid.centre + inside * way);
    }
  }
  return points;
}

TEST(SolidsInHoles, AreAsFarFromTheWallAsTheirSurfaces) {
  Dice dice(32);
  int checked = 0;
  for (const auto& pair : pair_catalogue<3>()) {
    const bool hole = pair.a == ShapeKind::cavity || pair.a == ShapeKind::slot || pair.a == ShapeKind::bore;
    if (!hole || pair.b == hull_kind || is_meshed(pair.b) ||
        (pair.a == ShapeKind::bore && pair.b == ShapeKind::cylinder))
      continue;
    for (int trial = 0; trial < 10; ++trial) {
      const Scene<3> scene = sample_scene(pair, dice);
      SCOPED_TRACE(pair.name + ", trial " + std::to_string(trial));
      const PlacedSolid a(scene.a, scene.body_a), b(scene.b, scene.body_b);
      double sampled = 1e300;
      for (const Vector3d& point : surface_points(b, 240)) {
        const Vector3d x = a.axes.transpose() * (point - a.centre);
        if (pair.a == ShapeKind::cavity) sampled = std::min(sampled, scene.a.radius - x.norm());
        if (pair.a == ShapeKind::slot)
          sampled = std::min({sampled, scene.a.half[0] - std::abs(x.x()), scene.a.half[1] - std::abs(x.y())});
        if (pair.a == ShapeKind::bore && std::abs(x.z()) <= scene.a.length / 2)
          sampled = std::min(sampled, scene.a.radius - std::hypot(x.x(), x.y()));
      }
      const double gap = least_gap(pair, scene);
      if (!std::isfinite(gap) && sampled > 1e299) continue;
      ++checked;
      // Where an edge of the bore is nearest, straight across it the wall is farther than across the surface.
      const double blunt = 1e-4 * scene.b.bounding_radius();
      if (pair.a != ShapeKind::bore || sampled > 0) {
        EXPECT_LE(gap, sampled + blunt);
      }
      if (pair.a != ShapeKind::bore) {
        EXPECT_GE(gap, sampled - 0.03);
      } else if (sampled > 0) {
        EXPECT_GT(gap, 0);
      }
      if (pair.a == ShapeKind::bore && sampled < -0.02) {
        EXPECT_LT(gap, 0);
      }
    }
  }
  EXPECT_GT(checked, 100);
}

}  // namespace
}  // namespace carom
