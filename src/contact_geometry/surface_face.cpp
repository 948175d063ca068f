#include "contact_geometry/surface_face.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "contact_geometry/ring.h"

namespace carom::inline contact_geometry {
namespace {

using Vector = Eigen::Vector3d;
using CellPlace = SurfaceFace::Place;
using Form = SurfaceFace::Form;

constexpr ShapeKind cone_of_faces = kind_named("cone");
constexpr double widest_dome = 0.7 * M_PI;  // rad: its corners stay short of the opposite pole
constexpr double end_of_capsule = 0.8;      // sine of the latitude from which on its end is a dome

double wrapped(double angle) {
  return std::remainder(angle, 2 * M_PI);
}

Vector on_circle(double angle, double radius, double z) {
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

Vector on_dome(const SurfaceFace& face, const CellPlace& place) {
  const double angle = std::min(place.norm(), M_PI), share = angle > 1e-8 ? std::sin(angle) / angle : 1;
  const Vector direction = std::cos(angle) * face.pole + share * (place.x() * face.first + place.y() * face.second);
  return face.origin + face.semi.cwiseProduct(direction);
}

CellPlace locate_on_dome(const SurfaceFace& face, const Vector& point) {
  const Vector direction = (point - face.origin).cwiseQuotient(face.semi).normalized();
  const CellPlace across(face.first.dot(direction), face.second.dot(direction));
  const double sine = across.norm(), angle = std::atan2(sine, face.pole.dot(direction));
  return sine > 1e-12 ? CellPlace(angle / sine * across) : CellPlace(angle, 0);
}

// Radius and height of a tube at a length along its meridian.
CellPlace meridian(const SurfaceFace& face, double along) {
  const double half = face.length / 2;
  if (face.round_ends && std::abs(along) > half) {
    const double angle = (std::abs(along) - half) / face.radius;
    return {face.radius * std::cos(angle), std::copysign(half + face.radius * std::sin(angle), along)};
  }
  const double share = face.high.y() > face.low.y() ? (along - face.low.y()) / (face.high.y() - face.low.y()) : 0;
  if (face.round_ends) return {face.radius, along};
  return {face.radius + share * (face.end_radius - face.radius), face.length * (share - 0.5)};
}

double locate_on_meridian(const SurfaceFace& face, const Vector& point) {
  const double half = face.length / 2, z = point.z();
  if (face.round_ends) {
    if (std::abs(z) <= half) return z;
    const double angle = std::atan2(std::abs(z) - half, std::hypot(point.x(), point.y()));
    return std::copysign(half + face.radius * angle, z);
  }
  return face.low.y() + (z / face.length + 0.5) * (face.high.y() - face.low.y());
}

SurfaceFace dome(const Vector& origin, const Vector& semi, const Vector& near, double side) {
  SurfaceFace face;
  face.form = Form::dome, face.origin = origin, face.semi = semi, face.side = side;
  face.low = CellPlace::Constant(-widest_dome), face.high = CellPlace::Constant(widest_dome);
  return face.about(near);
}

SurfaceFace tube(double low_radius, double high_radius, double length, const Vector& near, double side) {
  SurfaceFace face;
  face.form = Form::tube, face.side = side, face.closes = true;
  face.radius = low_radius, face.end_radius = high_radius, face.length = length;
  const double slant = std::hypot(length, high_radius - low_radius);
  face.low = {-M_PI, -slant / 2}, face.high = {M_PI, slant / 2};
  return face.about(near);
}

SurfaceFace disc(double radius, double z, const Vector& near) {
  SurfaceFace face;
  face.form = Form::disc, face.radius = radius, face.origin = {0, 0, z}, face.side = z > 0 ? -1 : 1;
  face.closes = true;
  face.low = {-M_PI, 0}, face.high = {M_PI, radius};
  return face.about(near);
}

SurfaceFace flat(const Vector& origin, const Vector& first, const Vector& second, const CellPlace& half) {
  SurfaceFace face;
  face.form = Form::flat, face.origin = origin, face.first = first, face.second = second;
  face.low = -half, face.high = half;
  return face;
}

void add_capsule(const Shape<3>& shape, const Vector& near, SurfaceFaces& faces) {
  const double half = shape.length / 2, beyond = std::abs(near.z()) - half;
  const Vector centre(0, 0, std::copysign(half, near.z()));
  if (beyond > end_of_capsule * (near - centre).norm())
    return faces.add(dome(centre, Vector::Constant(shape.radius), near, 1));
  SurfaceFace side = tube(shape.radius, shape.radius, shape.length, near, 1);
  side.round_ends = true;
  side.high.y() = half + 0.5 * M_PI * shape.radius, side.low.y() = -side.high.y();
  faces.add(side);
}

void add_cone(const Shape<3>& shape, const Vector& near, SurfaceFaces& faces) {
  const double top = shape.kind == ShapeKind::cylinder ? shape.radius : shape.half[0];
  faces.add(tube(shape.radius, top, shape.length, near, 1));
  if (shape.radius > 0) faces.add(disc(shape.radius, -shape.length / 2, near));
  if (top > 0) faces.add(disc(top, shape.length / 2, near));
}

void add_torus(const Shape<3>& shape, const Vector& near, SurfaceFaces& faces) {
  SurfaceFace face;
  face.form = Form::ring, face.closes = true;
  face.radius = shape.radius, face.end_radius = shape.half[0];
  face.low = CellPlace::Constant(-M_PI), face.high = CellPlace::Constant(M_PI);
  faces.add(face.about(near));
}

void add_box(const Vector& half, SurfaceFaces& faces) {
  for (int axis = 0; axis < 3; ++axis) {
    const int one = (axis + 1) % 3, two = (axis + 2) % 3;
    for (const double side : {-1.0, 1.0})
      faces.add(flat(side * half[axis] * Vector::Unit(axis), side * Vector::Unit(one), Vector::Unit(two),
                     {half[one], half[two]}));
  }
}

// The walls look inwards.
void add_slot(const Shape<3>& shape, const Vector& near, double reach, SurfaceFaces& faces) {
  for (const int axis : {0, 1}) {
    for (const double side : {-1.0, 1.0}) {
      SurfaceFace wall = flat(side * shape.half[axis] * Vector::Unit(axis) + near.z() * Vector::UnitZ(),
                              side * Vector::Unit(axis == 0 ? 1 : 2), Vector::Unit(axis == 0 ? 2 : 0),
                              axis == 0 ? CellPlace(shape.half[1], reach) : CellPlace(reach, shape.half[0]));
      wall.side = -1;
      faces.add(wall);
    }
  }
}

}  // namespace

Vector SurfaceFace::at(const CellPlace& place) const {
  switch (form) {
    case Form::dome:
      return on_dome(*this, place);
    case Form::tube: {
      const CellPlace section = meridian(*this, place.y());
      return on_circle(zero.x() + place.x(), section.x(), section.y());
    }
    case Form::disc:
      return on_circle(zero.x() + place.x(), place.y(), origin.z());
    case Form::ring: {
      const double tube_angle = zero.y() + place.y();
      return on_circle(zero.x() + place.x(), radius + end_radius * std::cos(tube_angle),
                       end_radius * std::sin(tube_angle));
    }
    case Form::flat:
      break;
  }
  return origin + place.x() * first + place.y() * second;
}

SurfaceFace SurfaceFace::about(const Vector& point) const {
  SurfaceFace face = *this;
  if (form == Form::flat) return face;
  if (form != Form::dome) {
    face.zero.x() = std::atan2(point.y(), point.x());
    if (form == Form::ring) face.zero.y() = std::atan2(point.z(), std::hypot(point.x(), point.y()) - radius);
    return face;
  }
  const Vector off = (point - origin).cwiseQuotient(semi);
  face.pole = off.norm() > 1e-12 ? Vector(off.normalized()) : Vector(Vector::UnitZ());
  // Along the axes of the shape where they are across the pole: the patches of an ellipsoid lie along them.
  int axis = 0;
  face.pole.cwiseAbs().minCoeff(&axis);
  face.first = (Vector::Unit(axis) - face.pole[axis] * face.pole).normalized();
  face.second = face.pole.cross(face.first);
  return face;
}

CellPlace SurfaceFace::locate(const Vector& point) const {
  CellPlace place;
  const double angle = wrapped(std::atan2(point.y(), point.x()) - zero.x());
  switch (form) {
    case Form::dome:
      place = locate_on_dome(*this, point);
      break;
    case Form::tube:
      place = {angle, locate_on_meridian(*this, point)};
      break;
    case Form::disc:
      place = {angle, std::hypot(point.x(), point.y())};
      break;
    case Form::ring:
      place = {angle, wrapped(std::atan2(point.z(), std::hypot(point.x(), point.y()) - radius) - zero.y())};
      break;
    case Form::flat:
      place = {first.dot(point - origin), second.dot(point - origin)};
      break;
  }
  return place.cwiseMax(low).cwiseMin(high);
}

bool is_hole(ShapeKind kind) {
  return kind == ShapeKind::bore || kind == ShapeKind::cavity || kind == ShapeKind::slot;
}

bool has_faces(ShapeKind kind) {
  return is_hole(kind) || kind == ShapeKind::sphere || kind == ShapeKind::ellipsoid || kind == ShapeKind::cylinder ||
         kind == ShapeKind::capsule || kind == ShapeKind::box || kind == cone_of_faces || kind == torus_kind;
}

SurfaceFaces faces_near(const Shape<3>& shape, const Vector& point, double reach) {
  SurfaceFaces faces;
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::cavity:
      faces.add(dome(Vector::Zero(), Vector::Constant(shape.radius), point, is_hole(shape.kind) ? -1 : 1));
      break;
    case ShapeKind::ellipsoid:
      faces.add(dome(Vector::Zero(), shape.half, point, 1));
      break;
    case ShapeKind::capsule:
      add_capsule(shape, point, faces);
      break;
    case ShapeKind::bore:
      faces.add(tube(shape.radius, shape.radius, shape.length, point, -1));
      break;
    case ShapeKind::box:
      add_box(shape.half, faces);
      break;
    case ShapeKind::slot:
      add_slot(shape, point, reach, faces);
      break;
    default:
      shape.kind == torus_kind ? add_torus(shape, point, faces) : add_cone(shape, point, faces);
  }
  return faces;
}

}  // namespace carom::inline contact_geometry
