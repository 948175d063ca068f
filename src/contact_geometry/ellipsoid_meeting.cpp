#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/LU>

#include "contact_geometry/faces_meeting.h"

// Where an ellipsoid, which has no spine, touches flat and hollow faces: its points that are nearest to them.
namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

constexpr int climbs = 12, most_steps = 30;  // of both iterations
constexpr double parallel = 1e-13;           // of normals

// A place of an ellipsoid with the normal m, outward, over a surface.
struct Place {
  Vector3d normal, point;
  SurfaceFoot foot;

  Place(const TrueSurface& ellipsoid, const TrueSurface& surface, const Vector3d& m)
      : normal(m), point(ellipsoid.farthest(m)), foot(surface.foot(point)) {}
};

// The place that the height falls to from a direction. What is farthest out in a hole along its normal is farther out
// than before, so that normals may be exchanged; Newton's method on m + n(p(m)) = 0 ends it.
Place lowest_from(const TrueSurface& ellipsoid, const TrueSurface& surface, const Vector3d& direction) {
  Place best(ellipsoid, surface, direction);
  for (int k = 0; k < climbs; ++k) {
    const Place next(ellipsoid, surface, -best.foot.normal);
    if (!(next.foot.distance < best.foot.distance)) break;
    best = next;
  }
  const Eigen::Matrix3d square = ellipsoid.axes * ellipsoid.half.cwiseAbs2().asDiagonal() * ellipsoid.axes.transpose();
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  for (int k = 0; k < most_steps; ++k) {
    const Vector3d off = best.normal + best.foot.normal;
    if (off.norm() < parallel) break;
    const Vector3d from = best.point - ellipsoid.position;
    const Eigen::Matrix3d moves = (square - from * from.transpose()) / from.dot(best.normal);
    const Eigen::Matrix3d at_foot =
        surface.curvature(best.point - best.foot.distance * best.foot.normal, best.foot.normal);
    const Eigen::Matrix3d turns = at_foot * (one + best.foot.distance * at_foot).inverse();
    const Vector3d step = (one + turns * moves).partialPivLu().solve(off);
    Place next(ellipsoid, surface, (best.normal - step).normalized());
    const bool better = (next.normal + next.foot.normal).norm() < off.norm();
    if (!better || !(next.foot.distance <= best.foot.distance + 1e-3 * ellipsoid.half.minCoeff() * off.norm())) {
      next = Place(ellipsoid, surface, -best.foot.normal);
      if (!(next.foot.distance < best.foot.distance)) break;
    }
    best = next;
  }
  return best;
}

}  // namespace

// Of a hollow face one place towards either end of the longest axis of the ellipsoid.
void FacesMeeting::touch_ellipsoid(int side, int face, double reach, MeshPoints& points) const {
  const FacedSolid& own = solid(side);
  const TrueSurface& ellipsoid = own.faces().front().surface;
  const TrueSurface surface = placed(solid(1 - side).faces()[face].surface, side);
  if (surface.is_tube() || surface.kind == SurfaceKind::ellipsoid) return;
  const auto lead = static_cast<std::uint32_t>(own.corners().size() + own.edges().size());
  std::array<Found, 2> best;
  const auto offer = [&](int branch, const Place& place) {
    const double gap = place.foot.distance;
    if (!counts(gap, reach) || (best[branch].face == face && !(gap < best[branch].gap))) return;
    const Found found{side, lead, face, branch, place.point, gap, place.foot.normal};
    if (is_over(found)) best[branch] = found;
  };
  best[0].face = best[1].face = -1;
  Eigen::Index longest = 0;
  ellipsoid.half.maxCoeff(&longest);
  if (surface.kind == SurfaceKind::plane) {
    offer(0, Place(ellipsoid, surface, -surface.axis));
  } else {
    constexpr int directions = 27;
    for (int k = 0; k < directions; ++k) {
      const Vector3d start(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
      if (start.isZero(0)) continue;
      const Place place = lowest_from(ellipsoid, surface, ellipsoid.axes * start.normalized());
      offer(ellipsoid.axes.col(longest).dot(place.point - ellipsoid.position) >= 0 ? 0 : 1, place);
    }
  }
  for (const Found& found : best) {
    if (found.face == face) add(found, points);
  }
}

}  // namespace carom::inline contact_geometry
