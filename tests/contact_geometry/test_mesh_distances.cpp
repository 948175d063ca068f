#include <gtest/gtest.h>

#include <cmath>

#include "contact_geometry/hull.h"
#include "reference_solids.h"

// Distances of meshes from all other shapes, against brute force: over all pairs of triangles, or over all triangles
// with the least distance of each from a round solid by golden sections of its own.
namespace carom {
namespace {

using brute_force::Tri;
using Eigen::Vector3d;
using reference::from_solid;

std::vector<Tri> placed(const std::vector<std::array<Vector3d, 3>>& triangles, const Shape<3>& shape,
                        const BodyState<3>& body) {
  std::vector<Tri> result;
  for (const auto& each : triangles) {
    Tri triangle;
    for (int k = 0; k < 3; ++k) triangle.p[k] = centre_of<3>(shape, body) + to_world<3>(shape, body, each[k]);
    result.push_back(triangle);
  }
  return result;
}

// Of meshes, boxes and hulls, local axes; empty for others.
std::vector<std::array<Vector3d, 3>> triangles_of(const Shape<3>& shape) {
  std::vector<std::array<Vector3d, 3>> result;
  if (shape.kind == ShapeKind::box) {
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {-1.0, 1.0}) {
        const auto corner = [&](double u, double v) {
          Vector3d at;
          at[axis] = side, at[(axis + 1) % 3] = u, at[(axis + 2) % 3] = v;
          return Vector3d(at.cwiseProduct(shape.half));
        };
        result.push_back({corner(-1, -1), corner(1, -1), corner(1, 1)});
        result.push_back({corner(-1, -1), corner(1, 1), corner(-1, 1)});
      }
    }
  } else if (shape.kind == hull_kind) {
    const Polytope& solid = hull_of(shape);
    for (const PolytopeFace& face : solid.faces) {
      for (std::size_t k = 1; k + 1 < face.corners.size(); ++k)
        result.push_back(
            {solid.vertices[face.corners[0]], solid.vertices[face.corners[k]], solid.vertices[face.corners[k + 1]]});
    }
  } else if (shape.kind == mesh_kind) {
    const TriangleMesh& mesh = mesh_of(shape);
    for (int f = 0; f < static_cast<int>(mesh.faces().size()); ++f)
      result.push_back({mesh.corner(f, 0), mesh.corner(f, 1), mesh.corner(f, 2)});
  }
  return result;
}

template <typename Function>
double least_on_line(const Function& function, const Vector3d& p, const Vector3d& q) {
  double at = 0;
  const auto along = [&](double part) { return function(Vector3d(p + part * (q - p))); };
  return std::min({reference::golden_section(along, 0, 1, at), along(0), along(1)});
}

// The distance from a convex solid is convex over a triangle. Beside a torus it is not: in small triangles it is.
double from_triangle(const Shape<3>& solid, const Tri& t, double best, int cuts) {
  const Vector3d middle = (t.p[0] + t.p[1] + t.p[2]) / 3;
  double reach = 0;
  for (const Vector3d& corner : t.p) reach = std::max(reach, (corner - middle).norm());
  if (from_solid(solid, middle) - reach > best) return best;
  if (cuts > 0) {
    const Vector3d m[3] = {0.5 * (t.p[0] + t.p[1]), 0.5 * (t.p[1] + t.p[2]), 0.5 * (t.p[2] + t.p[0])};
    for (const Tri& part :
         {Tri{{t.p[0], m[0], m[2]}}, Tri{{t.p[1], m[1], m[0]}}, Tri{{t.p[2], m[2], m[1]}}, Tri{{m[0], m[1], m[2]}}})
      best = from_triangle(solid, part, best, cuts - 1);
    return best;
  }
  const auto field = [&](const Vector3d& x) { return from_solid(solid, x); };
  return std::min(best,
                  least_on_line([&](const Vector3d& x) { return least_on_line(field, x, t.p[2]); }, t.p[0], t.p[1]));
}

// m, > 0: apart; 0 or less: they overlap. NaN: one lies within the other.
double true_distance(const Scene<3>& scene) {
  const std::vector<Tri> a = placed(triangles_of(scene.a), scene.a, scene.body_a);
  const auto flat = triangles_of(scene.b);
  double least = 1e300;
  if (!flat.empty()) {
    const std::vector<Tri> b = placed(flat, scene.b, scene.body_b);
    for (const Tri& one : a) {
      for (const Tri& two : b) least = std::min(least, brute_force::triangle_triangle(one, two));
    }
    const bool within =
        least > 0 && (brute_force::winding(a[0].p[0], b) > 0.5 || std::abs(brute_force::winding(b[0].p[0], a)) > 0.5);
    return within ? std::nan("") : least;
  }
  const Vector3d origin = centre_of<3>(scene.b, scene.body_b);
  for (const Tri& each : a) {
    Tri local;
    for (int k = 0; k < 3; ++k) local.p[k] = to_shape<3>(scene.b, scene.body_b, Vector3d(each.p[k] - origin));
    least = from_triangle(scene.b, local, least, scene.b.kind == torus_kind ? 5 : 0);
  }
  const bool within = least > 0 && scene.b.kind != ShapeKind::plane && brute_force::winding(origin, a) > 0.5;
  return within ? std::nan("") : least;
}

// m, of the points along all edges of one surface that lie inside the other: the deepest of them, or −1.
double deepest_on_edges(const std::vector<Tri>& one, const std::vector<Tri>& other, double& spacing) {
  constexpr int parts = 12;
  double deepest = -1;
  for (const Tri& t : one) {
    for (int k = 0; k < 3; ++k) {
      const Vector3d way = (t.p[(k + 1) % 3] - t.p[k]) / parts;
      spacing = std::max(spacing, way.norm());
      for (int part = 0; part < parts; ++part) {
        const Vector3d point = t.p[k] + part * way;
        if (brute_force::winding(point, other) < 0.5) continue;
        double near = 1e300;
        for (const Tri& wall : other) near = std::min(near, brute_force::point_triangle(point, wall));
        deepest = std::max(deepest, near);
      }
    }
  }
  return deepest;
}

// How deep shapes lie in each other is told wherever that is, by no contact point.
TEST(MeshDistances, TellsWhatLiesDeeper) {
  for (const PairDescription<3>& pair : pair_catalogue<3>()) {
    if (pair.a != mesh_kind || !pair.lie_deeper) continue;
    SCOPED_TRACE(pair.name);
    Dice dice(31);
    int apart = 0, deep = 0;
    for (int trial = 0; trial < 16; ++trial) {
      const Scene<3> scene = sample_scene(pair, dice);
      const auto lie_deeper = [&](double depth) {
        return pair.lie_deeper(scene.a, scene.b, scene.body_a, scene.body_b, depth);
      };
      const double distance = true_distance(scene);
      if (distance > 1e-9) {
        ++apart;
        EXPECT_FALSE(lie_deeper(1e-9)) << trial << ", apart by " << distance;
        continue;
      }
      const auto flat = triangles_of(scene.b);
      double spacing = 0, least = -distance, most = 2 * scene.b.bounding_radius();
      if (!flat.empty()) {
        const auto a = placed(triangles_of(scene.a), scene.a, scene.body_a), b = placed(flat, scene.b, scene.body_b);
        least = std::max(deepest_on_edges(a, b, spacing), deepest_on_edges(b, a, spacing));
        most = least + spacing;
      }
      if (!(least > 1e-2)) continue;
      ++deep;
      EXPECT_TRUE(lie_deeper(1e-2 * least)) << trial << ", deep by " << least;
      EXPECT_FALSE(lie_deeper(most)) << trial << ", deep by " << least;
    }
    EXPECT_GT(apart, 2);
    EXPECT_GT(deep, 2);
  }
}

// Shapes that touch without a gap do not lie in each other, by more than rounding.
TEST(MeshDistances, WhatTouchesDoesNotLieDeeper) {
  for (const PairDescription<3>& pair : pair_catalogue<3>()) {
    if (pair.a != mesh_kind || !pair.lie_deeper) continue;
    SCOPED_TRACE(pair.name);
    Dice dice(32);
    int touching = 0;
    for (int trial = 0; trial < 60; ++trial) {
      Scene<3> scene = sample_scene(pair, dice);
      ContactManifold<3> manifold(pair.points(scene.a, scene.b));
      std::vector<double> memory(pair.memory(scene.a, scene.b), 0.0);
      write_manifold<3>(pair, scene.a, scene.b, scene.body_a, scene.body_b, manifold, memory.data());
      ContactPoint<3> nearest;
      for (int k = 0; k < manifold.size(); ++k) {
        if (manifold.point(k).gap < nearest.gap) nearest = manifold.point(k);
      }
      if (!(nearest.gap > 0)) continue;
      ++touching;
      for (const double depth : {0.0, 1e-6}) {
        Scene<3> moved = scene;
        moved.body_b.position -= (nearest.gap + depth) * nearest.normal;
        EXPECT_FALSE(pair.lie_deeper(moved.a, moved.b, moved.body_a, moved.body_b, 1.01 * depth + 1e-10)) << trial;
      }
    }
    EXPECT_GT(touching, 10);
  }
}

}  // namespace
}  // namespace carom
