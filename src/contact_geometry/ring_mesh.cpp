#include "contact_geometry/ring_mesh.h"

namespace carom::inline contact_geometry {
namespace {

using Eigen::Vector3d;

// Of a point on the segment from a to b, both in axes of the ring, that is nearest to a circle of this radius in its
// surroundings, and farther from b than from where the segment is nearest to the axis of the ring; from 0 at a to 1 at
// b. Below 0: there is none, or it is an end.
//
// With ρ² = A t² + 2 B t + C the distance from the axis, half the slope of the squared distance is Q t + P − R (A t +
// B)/ρ. Beyond the place next to the axis it bends upwards, so that its greatest zero is the one where the distance is
// least, and Newton's iterations from b come to it from above.
double least_along(const Vector3d& a, const Vector3d& b, double radius) {
  const Vector3d u = b - a;
  const double across = u.head<2>().squaredNorm(), off = u.head<2>().dot(a.head<2>()),
               start = a.head<2>().squaredNorm();
  const double all = u.squaredNorm(), slope = u.dot(a);
  const double first = across > 0 ? std::clamp(-off / across, 0.0, 1.0) : 0;
  double t = 1;
  for (int round = 0; round < 60; ++round) {
    const double flat = std::sqrt(std::max(across * t * t + 2 * off * t + start, 0.0));
    if (!(flat > 0)) return -1;
    const double rise = all * t + slope - radius * (across * t + off) / flat;
    if (round == 0 && !(rise > 0)) return -1;
    const double bend = all - radius * std::max(across * start - off * off, 0.0) / (flat * flat * flat);
    if (!(bend > 0)) return -1;
    const double next = t - rise / bend;
    if (!(next > first)) return first;
    if (!(next < t)) break;
    const bool settled = t - next < 1e-15;
    t = next;
    if (settled) break;
  }
  return t;
}

}  // namespace

RingPlaces::RingPlaces(const TriangleMesh& mesh, const Ring& ring, double reach) : ring_(ring), reach_(reach) {
  mesh.tree().visit(
      [&](const AxisBox& box) {
        const Vector3d off = box.centre() - ring_.centre;
        return distance({ring_.x.dot(off), ring_.y.dot(off), ring_.axis.dot(off)}) - box.half().norm() <= limit();
      },
      [&](int face) { look_at(mesh, face); });
}

double RingPlaces::distance(const Vector3d& point) const {
  return std::hypot(std::hypot(point.x(), point.y()) - ring_.radius, point.z());
}

// A point of the surface: the ring is nearest to it at its angle.
void RingPlaces::offer(const Vector3d& beside) {
  const double away = distance(beside);
  if (away <= limit()) offer(std::atan2(beside.y(), beside.x()), away);
}

void RingPlaces::offer(double angle, double distance) {
  if (angle < 0) angle += 2 * M_PI;
  least_ = std::min(least_, distance);
  Sector& sector = found_[std::min(static_cast<int>(angle * sectors / (2 * M_PI)), sectors - 1)];
  if (distance > 0) {
    if (distance < sector.nearest.distance) sector.nearest = {angle, distance};
    return;
  }
  if (!sector.first.is_there() || angle < sector.first.angle) sector.first = {angle, 0};
  if (!sector.last.is_there() || angle > sector.last.angle) sector.last = {angle, 0};
}

void RingPlaces::look_at(const TriangleMesh& mesh, int face) {
  std::array<Vector3d, 3> corners;
  for (int k = 0; k < 3; ++k) {
    const Vector3d off = mesh.corner(face, k) - ring_.centre;
    corners[k] = {ring_.x.dot(off), ring_.y.dot(off), ring_.axis.dot(off)};
    if (mesh.vertex(mesh.face(face).vertex[k]).owner == face) offer(corners[k]);
  }
  const Vector3d& n = mesh.face(face).normal;
  look_at_side(corners, {ring_.x.dot(n), ring_.y.dot(n), ring_.axis.dot(n)});
  for (int k = 0; k < 3; ++k) {
    if (mesh.edge(mesh.face(face).edge[k]).face[0] == face) look_at_edge(corners[(k + 1) % 3], corners[(k + 2) % 3]);
  }
}

void RingPlaces::look_at_edge(const Vector3d& a, const Vector3d& b) {
  for (const bool reversed : {false, true}) {
    const Vector3d &from = reversed ? b : a, &to = reversed ? a : b;
    const double t = least_along(from, to, ring_.radius);
    if (t > 0) offer(from + t * (to - from));
  }
}

// The ring goes through the plane of the side at two angles, or is nearest to it at one.
void RingPlaces::look_at_side(const std::array<Vector3d, 3>& corners, const Vector3d& normal) {
  const double level = normal.dot(corners[0]), reach = ring_.radius * std::hypot(normal.x(), normal.y());
  if (!(reach > 1e-9 * ring_.radius)) return;  // it lies along the plane: edges of the side are as near
  const double along = std::atan2(normal.y(), normal.x());
  const auto is_over_side = [&](const Vector3d& point) {
    for (int k = 0; k < 3; ++k) {
      if (normal.dot((corners[(k + 1) % 3] - corners[k]).cross(point - corners[k])) < 0) return false;
    }
    return true;
  };
  const auto on_ring = [&](double angle) -> Vector3d {
    return ring_.radius * Vector3d(std::cos(angle), std::sin(angle), 0);
  };
  if (std::abs(level) > reach) {
    const double angle = std::remainder(level > 0 ? along : along + M_PI, 2 * M_PI);
    if (std::abs(level) - reach <= limit() && is_over_side(on_ring(angle))) offer(angle, std::abs(level) - reach);
    return;
  }
  const double half = std::acos(level / reach);
  for (const double angle : {along - half, along + half}) {
    if (is_over_side(on_ring(angle))) offer(std::remainder(angle, 2 * M_PI), 0);
  }
}

}  // namespace carom::inline contact_geometry
