#include "contact_geometry/depth_field.h"

#include <algorithm>
#include <cmath>

#include "contact_geometry/flat_sided.h"
#include "contact_geometry/hull.h"
#include "contact_geometry/ring.h"
#include "contact_geometry/solid_field.h"

namespace carom::inline contact_geometry {
namespace {

using Vector = Eigen::Vector3d;

DepthPlace depth_in_box(const Vector& half, const Vector& point) {
  const Vector beyond = point.cwiseAbs() - half, outside = beyond.cwiseMax(0);
  const Vector sign(std::copysign(1.0, point.x()), std::copysign(1.0, point.y()), std::copysign(1.0, point.z()));
  if (const double distance = outside.norm(); distance > 0) return {-distance, sign.cwiseProduct(outside) / distance};
  int axis = 0;
  const double nearest = beyond.maxCoeff(&axis);
  return {-nearest, sign[axis] * Vector::Unit(axis)};
}

// The material about a bore ends where the bore does.
DepthPlace depth_around_bore(const Shape<3>& bore, const Vector& point) {
  const double out = std::hypot(point.x(), point.y()), radial = out - bore.radius;
  const double inside = bore.length / 2 - std::abs(point.z());
  if (inside < radial) return {inside, std::copysign(1.0, point.z()) * Vector::UnitZ()};
  return {radial, out > 1e-14 ? Vector(-point.x() / out, -point.y() / out, 0) : Vector(Vector::UnitX())};
}

DepthPlace depth_beside_slot(const Shape<3>& slot, const Vector& point) {
  const Eigen::Vector2d beyond = point.head<2>().cwiseAbs() - slot.half.head<2>();
  const int axis = beyond.x() > beyond.y() ? 0 : 1;
  return {beyond[axis], -std::copysign(1.0, point[axis]) * Vector::Unit(axis)};
}

// By the nearest place of the surface; the normal there tells the inside from the outside.
DepthPlace depth_in_mesh(const TriangleMesh& mesh, const Vector& point, double most) {
  const SurfacePlace place = mesh.nearest(point, most);
  if (place.face < 0) return {-most, Vector::UnitZ()};
  const Vector& normal = mesh.normal_at(place);
  const Vector off = point - place.point;
  const double distance = off.norm();
  if (!(distance > 1e-12 * mesh.size())) return {0, normal};
  const bool outside = off.dot(normal) > 0;
  return {outside ? -distance : distance, (outside ? 1 : -1) / distance * off};
}

bool is_of_triangles(ShapeKind kind) {
  return kind == mesh_kind || kind == step_kind || kind == heightfield_kind || kind == hull_kind;
}

}  // namespace

bool has_depths(ShapeKind kind) {
  return has_field(kind) || is_of_triangles(kind) || kind == ShapeKind::plane || kind == ShapeKind::box ||
         kind == ShapeKind::bore || kind == ShapeKind::cavity || kind == ShapeKind::slot;
}

DepthPlace depth_in(const Shape<3>& shape, const Vector& point, double most) {
  switch (shape.kind) {
    case ShapeKind::plane:
      return {-point.z(), Vector::UnitZ()};
    case ShapeKind::box:
      return depth_in_box(shape.half, point);
    case ShapeKind::bore:
      return depth_around_bore(shape, point);
    case ShapeKind::slot:
      return depth_beside_slot(shape, point);
    case ShapeKind::cavity: {
      const double distance = point.norm();
      return {distance - shape.radius, distance > 0 ? Vector(-point / distance) : Vector(Vector::UnitZ())};
    }
    default:
      break;
  }
  if (is_of_triangles(shape.kind)) return depth_in_mesh(*flat_sided(shape).mesh, point, most);
  const FieldPlace place = field_of(shape, point);
  return {-place.distance, place.normal};
}

}  // namespace carom::inline contact_geometry
