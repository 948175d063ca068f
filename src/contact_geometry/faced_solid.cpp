#include "contact_geometry/faced_solid.h"

#include <algorithm>
#include <cmath>

namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

constexpr double as_far = 1e-9;         // of a distance: two borders are as near
constexpr double side_normal = 1e-6;    // 1 − cosine: the normal of a face, also at its border
constexpr double near_of_faced = 1e-3;  // of the size: nearer to an edge or corner than this, it touches

}  // namespace

const FacedSolid::Beside& FacedSolid::beside(int index, double at) const {
  const std::vector<Beside>& all = edges_[index].beside;
  const auto next =
      std::upper_bound(all.begin(), all.end(), at, [](double t, const Beside& each) { return t < each.from; });
  return next == all.begin() ? all.back() : *std::prev(next);
}

int FacedSolid::face_at(int index, int side, double at) const {
  const Edge& edge = edges_[index];
  return side == 0 || edge.beside.empty() ? edge.face[side] : beside(index, at).face;
}

FacedSolid::Sides FacedSolid::sides(int index, double at) const {
  const Edge& edge = edges_[index];
  const Vector3d point = edge.curve.at(at), along = edge.curve.slope(at).stableNormalized();
  Sides sides;
  for (const int k : {0, 1}) {
    if (k == 1 && !edge.beside.empty()) {
      const Vector3d into = beside(index, at).away - point;
      sides.into[k] = (into - into.dot(along) * along).stableNormalized();
      sides.normal[k] = edge.sign[k] * along.cross(sides.into[k]);
      continue;
    }
    sides.normal[k] = faces_[edge.face[k]].surface.foot(point).normal;
    sides.into[k] = edge.sign[k] * sides.normal[k].cross(along);
  }
  sides.turn = -0.5 * (sides.into[0].dot(sides.normal[1]) + sides.into[1].dot(sides.normal[0]));
  return sides;
}

bool FacedSolid::edge_looks_along(const Sides& sides, const Vector3d& direction, double slack) const {
  return direction.dot(sides.into[0]) <= slack && direction.dot(sides.into[1]) <= slack &&
         direction.dot(sides.normal[0] + sides.normal[1]) > 0;
}

bool FacedSolid::corner_looks_along(const Corner& corner, const Vector3d& direction) const {
  return direction.dot(corner.normal) >= 0 &&
         std::all_of(corner.leaving.begin(), corner.leaving.end(),
                     [&](const Vector3d& each) { return direction.dot(each) <= corner.slack; });
}

// By the nearest border, on which side of it the point lies; where two meet in a point, by the one that is seen from
// there more squarely.
FacedSolid::Inside FacedSolid::inside(int index, const Vector3d& point) const {
  const Face& face = faces_[index];
  Inside best;
  if (face.surface.kind == SurfaceKind::cone &&
      face.surface.radius_at(face.surface.axis.dot(point - face.surface.position)) < 0)
    return {-1e300, -1, 0};  // beyond the tip
  double least = 1e300, square = -1;
  for (const Border& border : face.borders) {
    const TrueCurve& curve = edges_[border.edge].curve;
    const double at = curve.nearest(point);
    const Vector3d away = point - curve.at(at);
    const double distance = away.norm();
    if (distance > least * (1 + as_far)) continue;
    const Vector3d normal = face.surface.foot(curve.at(at)).normal;
    const double side = border.sign * normal.cross(curve.slope(at).stableNormalized()).dot(away);
    const double share = distance > 0 ? std::abs(side) / distance : 0;
    if (distance > least * (1 - as_far) && share <= square) continue;
    least = std::min(least, distance), square = share;
    best = {side < 0 ? -distance : distance, border.edge, at};
  }
  return best;
}

Eigen::Matrix3d FacedSolid::curvature(const Vector3d& point, const Vector3d& outward, double edge) const {
  const double near = near_of_faced * size_;
  double best = 1e300;
  int face = -1;
  for (int k = 0; k < static_cast<int>(faces_.size()); ++k) {
    const SurfaceFoot foot = faces_[k].surface.foot(point);
    const double lean = side_normal + faces_[k].lean;
    if (foot.normal.dot(outward) < 1 - lean || std::abs(foot.distance) > near) continue;
    const double off = std::abs(foot.distance) + std::max(0.0, -inside(k, point).distance);
    if (off < best) best = off, face = k;
  }
  const Eigen::Matrix3d flat = Eigen::Matrix3d::Identity() - outward * outward.transpose();
  if (face >= 0 && best < near)
    return faces_[face].patch < 0 ? faces_[face].surface.curvature(point, outward)
                                  : Eigen::Matrix3d(flat * faces_[face].bend * flat);
  for (const Corner& corner : corners_) {
    if ((corner.position - point).norm() < near) return edge * flat;
  }
  const Edge* nearest = nullptr;
  double at = 0;
  for (const Edge& each : edges_) {
    const double t = each.curve.nearest(point), distance = (each.curve.at(t) - point).norm();
    if (each.sharp && distance < best) best = distance, nearest = &each, at = t;
  }
  if (!nearest) return Eigen::Matrix3d::Zero();
  const Vector3d slope = nearest->curve.slope(at), bend = nearest->curve.bend(at);
  const Vector3d along = (slope - slope.dot(outward) * outward).stableNormalized();
  const double own = std::max(0.0, -bend.dot(outward) / slope.squaredNorm());
  return edge * (flat - along * along.transpose()) + own * along * along.transpose();
}

double FacedSolid::sharpness() const {
  double greatest = 0;
  for (const Face& face : faces_) {
    if (!face.surface.is_tube() || !face.touches) continue;
    const double radius = face.surface.kind == SurfaceKind::torus ? face.surface.tube
                          : face.surface.kind == SurfaceKind::cone
                              ? std::min(face.surface.radius_at(face.low), face.surface.radius_at(face.high))
                              : face.surface.radius;
    greatest = std::max(greatest, 1 / std::max(radius, 1e-3 * size_));
  }
  return greatest;
}

}  // namespace carom::inline contact_geometry
