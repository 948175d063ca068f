#include "contact_geometry/curvature.h"

#include <algorithm>
#include <cmath>

#include "contact_geometry/faced_shapes.h"
#include "contact_geometry/flat_sided.h"
#include "contact_geometry/ring.h"

namespace carom::inline contact_geometry {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double at_border = 1e-3;  // of the size: nearer to an edge than this, the edge touches

Matrix3d in_all_directions(const Vector3d& n, double curvature) {
  return curvature * (Matrix3d::Identity() - n * n.transpose());
}

// Along a direction, less what it has along the normal.
Matrix3d along_line(const Vector3d& direction, const Vector3d& n, double curvature) {
  const Vector3d tangent = direction - n.dot(direction) * n;
  const double size = tangent.squaredNorm();
  return size > 1e-12 ? Matrix3d(curvature / size * tangent * tangent.transpose()) : in_all_directions(n, curvature);
}

// Across an edge that runs along a direction.
Matrix3d across_line(const Vector3d& direction, const Vector3d& n, double curvature) {
  return along_line(n.cross(direction), n, curvature);
}

// With f = Σ x²/a² = 1: the second derivative of f over the length of its gradient.
Matrix3d of_ellipsoid(const Vector3d& half, const Vector3d& n) {
  // The point whose normal is n, which need not be where an overlap is said to be.
  const Vector3d scaled = half.cwiseProduct(n), at = half.cwiseProduct(scaled) / scaled.norm();
  const Vector3d inverse = half.cwiseAbs2().cwiseInverse();
  const Matrix3d tangent = Matrix3d::Identity() - n * n.transpose();
  return tangent * inverse.asDiagonal() * tangent / inverse.cwiseProduct(at).norm();
}

// 1/tube around the tube, and along the ring cos u / (R + tube cos u) with the angle u from the outermost circle.
Matrix3d of_torus(const Shape<3>& torus, const Vector3d& point, const Vector3d& n) {
  const double flat = std::hypot(point.x(), point.y());
  const Vector3d out = flat > 0 ? Vector3d(point.x() / flat, point.y() / flat, 0) : Vector3d(Vector3d::UnitX());
  const Vector3d along = Vector3d::UnitZ().cross(out);
  const double cosine = n.dot(out);
  return across_line(along, n, 1 / torus.half[0]) +
         along_line(along, n, cosine / (torus.radius + torus.half[0] * cosine));
}

// The side of a cylinder, a cone or a bore, its ends, and the rims between them.
Matrix3d of_revolution(const Shape<3>& solid, const Vector3d& point, const Vector3d& n, double edge) {
  const double top = solid.kind == cone_kind ? solid.half[0] : solid.radius;
  const double slope = (top - solid.radius) / solid.length, size = std::hypot(1, slope);
  const double flat = std::hypot(point.x(), point.y()), part = point.z() / solid.length + 0.5;
  const double radius = solid.radius + (top - solid.radius) * std::clamp(part, 0.0, 1.0);
  const Vector3d out = flat > 0 ? Vector3d(point.x() / flat, point.y() / flat, 0) : Vector3d(Vector3d::UnitX());
  const Vector3d around = Vector3d::UnitZ().cross(out), side = (out - slope * Vector3d::UnitZ()) / size;
  // By the normal: one of the side, one of an end, or one between the two.
  if (n.dot(side) > 1 - 1e-6)
    return radius > 0 ? along_line(around, n, 1 / (radius * size)) : in_all_directions(n, edge);
  if (std::abs(n.z()) > 1 - 1e-12) return Matrix3d::Zero();
  const double rim = n.z() < 0 ? solid.radius : top;
  if (!(rim > 0)) return in_all_directions(n, edge);
  return across_line(around, n, edge) + along_line(around, n, std::max(0.0, n.dot(out)) / rim);
}

// Of boxes and hulls, by what of their surface is nearest.
Matrix3d of_flat_sides(const Shape<3>& shape, const Vector3d& point, const Vector3d& n, double edge) {
  const FlatSided flat = flat_sided(shape);
  const TriangleMesh& mesh = *flat.mesh;
  const SurfacePlace place = mesh.nearest(point.cwiseQuotient(flat.stretch));
  const double near = at_border * flat.size;
  const auto at = [&](int vertex) -> Vector3d { return flat.stretch.cwiseProduct(mesh.vertex(vertex).position); };
  int edges = 0;
  Vector3d direction = Vector3d::Zero();
  for (const int index : mesh.face(place.face).edge) {
    const TriangleMesh::Edge& side = mesh.edge(index);
    if (!side.is_ridge()) continue;
    const Vector3d from = at(side.vertex[0]), along = (at(side.vertex[1]) - from).normalized(), off = point - from;
    if ((off - off.dot(along) * along).norm() < near) ++edges, direction = along;
  }
  for (const int vertex : mesh.face(place.face).vertex) {
    if (mesh.vertex(vertex).is_corner && (point - at(vertex)).norm() < near) edges = 2;
  }
  if (edges == 0) return Matrix3d::Zero();
  return edges == 1 ? across_line(direction, n, edge) : in_all_directions(n, edge);
}

}  // namespace

bool has_curvature(ShapeKind kind) {
  using enum ShapeKind;
  return kind == sphere || kind == plane || kind == box || kind == ellipsoid || kind == cylinder || kind == capsule ||
         kind == cavity || kind == bore || kind == slot || kind == cone_kind || kind == hull_kind || kind == torus_kind;
}

bool knows_curvature(const Shape<3>& shape) {
  return has_curvature(shape.kind) || (shape.kind == step_kind && faced_solid_of_step(shape));
}

Matrix3d curvature_at(const Shape<3>& shape, const BodyState<3>& body, const Vector3d& point, const Vector3d& outward,
                      double edge) {
  const PlacedFrame frame(shape, body);
  const Vector3d at = frame.inside(point), n = frame.axes.transpose() * outward;
  const auto local = [&]() -> Matrix3d {
    const Vector3d around(-at.y(), at.x(), 0);
    switch (shape.kind) {
      case ShapeKind::sphere:
        return in_all_directions(n, 1 / shape.radius);
      case ShapeKind::cavity:
        return in_all_directions(n, -1 / shape.radius);
      case ShapeKind::plane:
      case ShapeKind::slot:
        return Matrix3d::Zero();
      case ShapeKind::bore:
        return along_line(around, n, -1 / shape.radius);
      case ShapeKind::capsule:
        return std::abs(n.z()) < 1e-9 ? across_line(Vector3d::UnitZ(), n, 1 / shape.radius)
                                      : in_all_directions(n, 1 / shape.radius);
      case ShapeKind::ellipsoid:
        return of_ellipsoid(shape.half, n);
      case ShapeKind::cylinder:
        return of_revolution(shape, at, n, edge);
      default:
        if (shape.kind == step_kind) return faced_solid_of_step(shape)->curvature(at, n, edge);
        if (shape.kind == torus_kind) return of_torus(shape, at, n);
        return shape.kind == cone_kind ? of_revolution(shape, at, n, edge) : of_flat_sides(shape, at, n, edge);
    }
  };
  return frame.axes * local() * frame.axes.transpose();
}

RelativeCurvature relative_curvature(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a,
                                     const BodyState<3>& body_b, const ContactPoint<3>& contact) {
  const double size = std::min(a.bounding_radius(), b.bounding_radius()), edge = 1 / (rounded_edge * size);
  const Matrix3d sum = curvature_at(a, body_a, contact.point_a, contact.normal, edge) +
                       curvature_at(b, body_b, contact.point_b, Vector3d(-contact.normal), edge);
  const Vector3d x = contact.normal.unitOrthogonal(), y = contact.normal.cross(x);
  const double xx = x.dot(sum * x), yy = y.dot(sum * y), xy = x.dot(sum * y);
  const double mean = 0.5 * (xx + yy), half = std::hypot(0.5 * (xx - yy), xy);
  const double straight = 1 / (straight_radius * size);
  return {std::max(straight, mean + half), std::max(straight, mean - half)};
}

}  // namespace carom::inline contact_geometry
