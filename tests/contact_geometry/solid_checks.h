#pragma once

#include <algorithm>
#include <cmath>

#include "sample_shapes.h"

// Convex solids in space by textbook formulas, to check pairs against. Nothing here calls what it checks.
namespace carom::check_solids {

using Eigen::Vector3d;

struct PlacedSolid {
  Shape<3> shape;
  Vector3d centre;
  Eigen::Matrix3d axes;
  std::vector<Vector3d> points = {};  // of a hull, local axes

  PlacedSolid(const Shape<3>& shape_, const BodyState<3>& body, std::vector<Vector3d> points_ = {})
      : shape(shape_),
        centre(body.position + body.orientation.matrix() * shape_.position),
        axes(body.orientation.matrix() * shape_.orientation.matrix()),
        points(std::move(points_)) {
    if (shape.kind == hull_kind && points.empty()) points = hull_of(shape).vertices;
  }

  double top_radius() const { return shape.kind == ShapeKind::cylinder ? shape.radius : shape.half[0]; }

  // m, greatest n · p over the solid.
  double farthest(const Vector3d& n) const {
    const Vector3d d = axes.transpose() * n;
    const double flat = std::hypot(d.x(), d.y());
    double reach = 0;
    if (!points.empty()) {
      reach = -1e300;
      for (const Vector3d& point : points) reach = std::max(reach, d.dot(point));
    } else if (shape.kind == ShapeKind::sphere) {
      reach = shape.radius;
    } else if (shape.kind == ShapeKind::box) {
      reach = shape.half.dot(d.cwiseAbs());
    } else if (shape.kind == ShapeKind::ellipsoid) {
      reach = shape.half.cwiseProduct(d).norm();
    } else if (shape.kind == ShapeKind::capsule) {
      reach = shape.radius + 0.5 * shape.length * std::abs(d.z());
    } else {
      reach =
          std::max(shape.radius * flat - 0.5 * shape.length * d.z(), top_radius() * flat + 0.5 * shape.length * d.z());
    }
    return n.dot(centre) + reach;
  }

  // m, by which a point is outside, to first order; ≤ 0 inside. Of a hull: 0, the directions have to do.
  double outside(const Vector3d& world) const {
    const Vector3d x = axes.transpose() * (world - centre);
    if (!points.empty()) return 0;
    if (shape.kind == ShapeKind::sphere) return x.norm() - shape.radius;
    if (shape.kind == ShapeKind::box) return (x.cwiseAbs() - shape.half).maxCoeff();
    if (shape.kind == ShapeKind::ellipsoid) return (x.cwiseQuotient(shape.half).norm() - 1) * shape.half.minCoeff();
    const double flat = std::hypot(x.x(), x.y());
    if (shape.kind == ShapeKind::capsule)
      return std::hypot(flat, std::max(0.0, std::abs(x.z()) - 0.5 * shape.length)) - shape.radius;
    const double slope = (top_radius() - shape.radius) / shape.length;
    const double wall = shape.radius + slope * (x.z() + 0.5 * shape.length);
    return std::max(std::abs(x.z()) - 0.5 * shape.length, (flat - wall) / std::hypot(1, slope));
  }
};

inline double separation(const PlacedSolid& a, const PlacedSolid& b, const Vector3d& n) {
  return -b.farthest(-n) - a.farthest(n);
}

// The greatest separation that many directions, and better and better ones near the best of them, show.
inline double searched_separation(const PlacedSolid& a, const PlacedSolid& b, const Vector3d& start, Dice& dice) {
  Vector3d found = start;
  double most = separation(a, b, start);
  const auto offer = [&](const Vector3d& n) {
    const double here = separation(a, b, n);
    if (here > most) most = here, found = n;
    return here >= most;
  };
  for (int k = 0; k < 300; ++k) offer(dice.vector<3>(1).normalized());
  for (double spread = 0.1; spread > 1e-9;) {
    bool better = false;
    for (int k = 0; k < 10; ++k) {
      const double before = most;
      offer((found + dice.vector<3>(spread)).normalized());
      better = better || most > before;
    }
    if (!better) spread *= 0.6;
  }
  return most;
}

}  // namespace carom::check_solids
