#include "contact_geometry/solid_field.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact_geometry/ring.h"
#include "contact_geometry/round_end.h"

namespace carom::inline contact_geometry {

namespace {

constexpr ShapeKind cone_of_field = kind_named("cone");
constexpr double blunted = 1e-4;  // of the radius

FieldPlace field_of_capsule(const Shape<3>& solid, const Eigen::Vector3d& point) {
  Eigen::Vector3d off = point;
  off.z() -= std::clamp(point.z(), -solid.length / 2, solid.length / 2);
  const double distance = off.norm();
  const Eigen::Vector3d normal = distance > 1e-14 ? Eigen::Vector3d(off / distance) : Eigen::Vector3d::UnitX();
  return {distance - solid.radius, normal};
}

// A solid of revolution whose half section is convex: straight sides from one corner to the next, outward normals to
// their right, from the axis back to the axis.
FieldPlace field_of_section(const std::array<Eigen::Vector2d, 4>& corners, const Eigen::Vector3d& point, double blunt) {
  const double radius = std::hypot(point.x(), point.y());
  const Eigen::Vector2d at(radius, point.z());
  double behind = -1e300, best = 1e300;
  Eigen::Vector2d inward_normal = Eigen::Vector2d::UnitX(), away = Eigen::Vector2d::Zero();
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector2d &from = corners[k], side = corners[k + 1] - from;
    const double length = side.norm();
    if (!(length > 0)) continue;
    const Eigen::Vector2d normal(side.y() / length, -side.x() / length);
    const double height = normal.dot(at - from);
    if (height > behind) behind = height, inward_normal = normal;
    const double part = std::clamp(side.dot(at - from) / (length * length), 0.0, 1.0);
    const Eigen::Vector2d to = at - from - part * side;
    if (to.squaredNorm() < best) best = to.squaredNorm(), away = to;
  }
  const double distance = std::sqrt(best);
  const bool outside = behind > 0 && distance > 0;
  const Eigen::Vector2d normal = outside ? Eigen::Vector2d(away / distance) : inward_normal;
  const Eigen::Vector3d out = radius > 1e-14 ? Eigen::Vector3d(point.x() / radius, point.y() / radius, 0)
                                             : Eigen::Vector3d(Eigen::Vector3d::UnitX());
  return {(outside ? distance : behind) - blunt, normal.x() * out + normal.y() * Eigen::Vector3d::UnitZ()};
}

// What lies within a blunted cone, less the blunting: its sides move inwards by it.
Rim rim_of_cone(double low_radius, double high_radius, double length, int end) {
  const double blunt = blunted * std::max(low_radius, high_radius), z = (end == 0 ? -1 : 1) * (length / 2 - blunt);
  const double slant = std::hypot(length, low_radius - high_radius) / length;
  const double radius = low_radius + (high_radius - low_radius) / length * (z + length / 2) - blunt * slant;
  return {std::max(0.0, radius), z, blunt};
}

FieldPlace field_of_rims(const Shape<3>& solid, const Eigen::Vector3d& point) {
  const Rim low = rim_of(solid, 0), high = rim_of(solid, 1);
  return field_of_section({Eigen::Vector2d(0, low.z), Eigen::Vector2d(low.radius, low.z),
                           Eigen::Vector2d(high.radius, high.z), Eigen::Vector2d(0, high.z)},
                          point, low.blunt);
}

// The nearest point is a² x / (t + a²) with the largest t for which it lies on the surface (D. Eberly, Distance from a
// point to an ellipse, an ellipsoid, or a hyperellipsoid, 2013).
FieldPlace field_of_ellipsoid(const Eigen::Vector3d& half, const Eigen::Vector3d& point) {
  const Eigen::Vector3d square = half.cwiseProduct(half), weighted = half.cwiseProduct(point);
  const double least = square.minCoeff();
  const auto excess = [&](double t) { return weighted.cwiseQuotient((square.array() + t).matrix()).squaredNorm() - 1; };
  double low = -least * (1 - 1e-12), high = weighted.norm();
  if (excess(low) < 0) low = high = -least * (1 - 1e-12);  // amid the solid: any way out is as good
  double t = std::clamp(excess(0) > 0 ? 0.0 : low, low, high);
  for (int round = 0; round < 100 && high > low; ++round) {
    const Eigen::Vector3d part = weighted.cwiseQuotient((square.array() + t).matrix());
    const double value = part.squaredNorm() - 1;
    (value > 0 ? low : high) = t;
    const double slope = -2 * part.cwiseProduct(part).cwiseQuotient((square.array() + t).matrix()).sum();
    double next = t - value / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == t || std::abs(next - t) <= 1e-16 * (least + std::abs(t))) break;
    t = next;
  }
  const Eigen::Vector3d nearest = square.cwiseProduct(point).cwiseQuotient((square.array() + t).matrix());
  const Eigen::Vector3d normal = nearest.cwiseQuotient(square).normalized();
  return {normal.dot(point - nearest), normal};
}

FieldPlace field_of_torus(const Shape<3>& solid, const Eigen::Vector3d& point) {
  const double flat = std::hypot(point.x(), point.y());
  const Eigen::Vector3d out =
      flat > 1e-14 ? Eigen::Vector3d(point.x() / flat, point.y() / flat, 0) : Eigen::Vector3d(Eigen::Vector3d::UnitX());
  const Eigen::Vector3d off = point - solid.radius * out;
  const double distance = off.norm();
  return {distance - solid.half[0], distance > 1e-14 ? Eigen::Vector3d(off / distance) : out};
}

FieldPlace field_of_ball(const Shape<3>& solid, const Eigen::Vector3d& point) {
  const double distance = point.norm();
  return {distance - solid.radius,
          distance > 1e-14 ? Eigen::Vector3d(point / distance) : Eigen::Vector3d(Eigen::Vector3d::UnitX())};
}

// The end that is nearer, or where the slope changes its sign.
double nearest_in_piece(const Shape<3>& solid, const Eigen::Vector3d& from, const Eigen::Vector3d& way,
                        const SegmentPiece& piece) {
  const auto slope_at = [&](double part) { return field_of(solid, from + part * way).normal.dot(way); };
  double start = piece.from, end = piece.to;
  double fall = slope_at(start), rise = slope_at(end);
  if (fall >= 0) return start;
  if (rise <= 0) return end;
  for (int round = 0; round < 40 && end - start > 1e-12; ++round) {
    const double part = round % 2 == 0 ? std::clamp(fall / (fall - rise), 0.02, 0.98) : 0.5;
    const double at = start + part * (end - start), slope = slope_at(at);
    (slope < 0 ? start : end) = at;
    (slope < 0 ? fall : rise) = slope;
  }
  return 0.5 * (start + end);
}

}  // namespace

bool has_field(ShapeKind kind) {
  return kind == ShapeKind::sphere || kind == ShapeKind::capsule || kind == ShapeKind::cylinder ||
         kind == ShapeKind::ellipsoid || kind == cone_of_field || kind == torus_kind;
}

FieldPlace field_of(const Shape<3>& solid, const Eigen::Vector3d& point) {
  switch (solid.kind) {
    case ShapeKind::capsule:
      return field_of_capsule(solid, point);
    case ShapeKind::ellipsoid:
      return field_of_ellipsoid(solid.half, point);
    case ShapeKind::sphere:
      return field_of_ball(solid, point);
    default:
      return solid.kind == torus_kind ? field_of_torus(solid, point) : field_of_rims(solid, point);
  }
}

// Half the slope of the squared distance from a ring along a line is Q t + P − R (A t + B)/ρ, with ρ² = A t² + 2 B t +
// C the distance from its axis. It falls where ρ³ < R (A C − B²)/Q, about the place next to the axis, and rises on both
// sides of that.
SegmentPieces pieces_beside(const Shape<3>& solid, const Eigen::Vector3d& from, const Eigen::Vector3d& way) {
  constexpr double beside_axis = 1e-9;  // where the ring has no nearest place
  if (solid.kind != torus_kind) return {};
  const double across = way.head<2>().squaredNorm(), off = way.head<2>().dot(from.head<2>());
  if (!(across > 0)) return {};
  const double area = std::max(0.0, across * from.head<2>().squaredNorm() - off * off);
  const double falling = std::cbrt(solid.radius * area / way.squaredNorm()), least = std::sqrt(area / across);
  if (falling < least) return {};
  const double middle = -off / across, half = std::max(std::sqrt((falling * falling - least * least) / across),
                                                       beside_axis * solid.radius / std::sqrt(across));
  return {2, {SegmentPiece{0, std::clamp(middle - half, 0.0, 1.0)}, {std::clamp(middle + half, 0.0, 1.0), 1}}};
}

double nearest_part(const Shape<3>& solid, const Eigen::Vector3d& from, const Eigen::Vector3d& way) {
  const SegmentPieces found = pieces_beside(solid, from, way);
  const double first = nearest_in_piece(solid, from, way, found.pieces[0]);
  if (found.count == 1) return first;
  const double second = nearest_in_piece(solid, from, way, found.pieces[1]);
  const auto distance = [&](double part) { return field_of(solid, from + part * way).distance; };
  return distance(second) < distance(first) ? second : first;
}

double lowest_of_field(const Shape<3>& solid, const Eigen::Vector3d& n) {
  const double flat = std::hypot(n.x(), n.y());
  if (solid.kind == ShapeKind::sphere) return -solid.radius * n.norm();
  if (solid.kind == ShapeKind::capsule) return -0.5 * solid.length * std::abs(n.z()) - solid.radius;
  if (solid.kind == ShapeKind::ellipsoid) return -solid.half.cwiseProduct(n).norm();
  if (solid.kind == torus_kind) return -solid.radius * flat - solid.half[0];
  double rounded = 1e300, on_plane = 1e300;
  for (const int end : {0, 1}) {
    const Rim rim = rim_of(solid, end);
    const double side = end == 0 ? -1 : 1;
    rounded = std::min(rounded, n.z() * rim.z - rim.radius * flat - rim.blunt);
    const double radius = end == 0 || solid.kind == ShapeKind::cylinder ? solid.radius : solid.half[0];
    const Eigen::Vector3d outward = side * Eigen::Vector3d::UnitZ();
    on_plane = std::min(on_plane, 0.5 * side * solid.length * n.z() - lowest_of_end(radius, outward, -n).depth);
  }
  return std::max(rounded, on_plane);
}

bool has_rims(ShapeKind kind) {
  return kind == ShapeKind::cylinder || kind == cone_of_field;
}

Rim rim_of(const Shape<3>& solid, int end) {
  const double high = solid.kind == ShapeKind::cylinder ? solid.radius : solid.half[0];
  return rim_of_cone(solid.radius, high, solid.length, end);
}

}  // namespace carom::inline contact_geometry
