#include <Eigen/LU>

#include "contact_geometry/hole_pairs.h"
#include "contact_geometry/round_contact.h"
#include "contact_geometry/shape_description.h"

// Solids in a spherical cavity: what is farthest from its centre touches.
namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

ContactPoint<3> in_cavity(const Shape<3>& cavity, const BodyState<3>& body, const Vector3d& middle, double radius) {
  ContactPoint<3> contact;
  journal_in_bearing<3>(centre_of<3>(cavity, body), cavity.radius, middle, radius, contact);
  return contact;
}

void touch_cavity_box(const Shape<3>& cavity, const Shape<3>& box, const BodyState<3>& body_a,
                      const BodyState<3>& body_b, ContactPoint<3>* points, double*) {
  const ConvexBody solid(box, body_b, Vector3d::Zero());
  for (int corner = 0; corner < 8; ++corner)
    points[corner] = in_cavity(cavity, body_a, solid.point(corner, Vector3d::UnitX()), 0);
}

void touch_cavity_capsule(const Shape<3>& cavity, const Shape<3>& capsule, const BodyState<3>& body_a,
                          const BodyState<3>& body_b, ContactPoint<3>* points, double*) {
  const Vector3d half = 0.5 * capsule.length * capsule_axis<3>(capsule, body_b), middle = centre_of<3>(capsule, body_b);
  points[0] = in_cavity(cavity, body_a, middle - half, capsule.radius);
  points[1] = in_cavity(cavity, body_a, middle + half, capsule.radius);
}

// The farthest point of every rim, then three that are fixed to it: a rim that lies in the cavity all around lies on
// these.
void touch_cavity_rims(const Shape<3>& cavity, const Shape<3>& solid, const BodyState<3>& body_a,
                       const BodyState<3>& body_b, ContactPoint<3>* points, double*) {
  const Vector3d centre = centre_of<3>(cavity, body_a);
  const Rims rims = rims_of(solid, body_b);
  for (int end = 0; end < rims.count; ++end) {
    const Ring& ring = rims.ring[end];
    *points++ = in_cavity(cavity, body_a, ring.nearest(2 * ring.centre - centre), rims.tube);
    for (int k = 0; k < 3; ++k)
      *points++ = ring.radius > 0 ? in_cavity(cavity, body_a, ring.at(2 * M_PI / 3 * k), rims.tube) : ContactPoint<3>{};
  }
}

// The greatest of h(n) − n · c over unit vectors, h the support function: the way to the farthest point. Newton's
// method; where that would not rise, the direction of the point that is farthest along the last one, which never falls.
Vector3d farthest_direction(const ConvexBody& solid, Vector3d n) {
  for (int round = 0; round < 1000; ++round) {
    const Vector3d far = solid.point(0, n);
    const double value = n.dot(far);
    Eigen::Matrix<double, 3, 2> tangents;
    tangents.col(0) = n.unitOrthogonal();
    tangents.col(1) = n.cross(tangents.col(0));
    Eigen::Matrix3d bend = Eigen::Matrix3d::Zero();
    solid.add_bend(0, n, 1, bend);
    const Eigen::Matrix2d own = tangents.transpose() * bend * tangents - value * Eigen::Matrix2d::Identity();
    const Eigen::Vector2d slope = tangents.transpose() * far;
    if (slope.norm() < 1e-15 * solid.size()) break;
    Vector3d next = far.normalized();
    if (own(0, 0) < 0 && own.determinant() > 0) {
      const Vector3d step = tangents * own.inverse() * slope;
      for (const double part : {1.0, 0.5, 0.2, 0.05}) {
        const Vector3d newton = (n - part * step).normalized();
        if (!(newton.dot(solid.point(0, newton)) >= value)) continue;
        next = newton;
        break;
      }
    }
    if ((next - n).norm() < 1e-16) break;
    n = next;
  }
  return n;
}

// The farthest points of both halves along the longest axis.
void touch_cavity_ellipsoid(const Shape<3>& cavity, const Shape<3>& ellipsoid, const BodyState<3>& body_a,
                            const BodyState<3>& body_b, ContactPoint<3>* points, double*) {
  const Vector3d centre = centre_of<3>(cavity, body_a);
  const ConvexBody solid(ellipsoid, body_b, centre);
  Eigen::Index longest = 0;
  ellipsoid.half.maxCoeff(&longest);
  for (const int end : {0, 1}) {
    const Vector3d axis = (end == 0 ? -1 : 1) * axis_of<3>(ellipsoid, body_b, static_cast<int>(longest));
    const Vector3d n = farthest_direction(solid, solid.point(0, axis).normalized()), far = solid.point(0, n);
    const double gap = cavity.radius - n.dot(far);
    points[end] = {gap, -n, centre + far + gap * n, centre + far};
  }
  // Both may have climbed the same hill.
  if ((points[0].point_b - points[1].point_b).norm() < 1e-6 * solid.size()) points[1] = {};
}

void write_cavity_hull(const Shape<3>& cavity, const Shape<3>& hull, const BodyState<3>& body_a,
                       const BodyState<3>& body_b, ContactManifold<3>& manifold, double*) {
  const ConvexBody solid(hull, body_b, Vector3d::Zero());
  NearestFew few;
  for (int corner = 0; corner < solid.piece_count(); ++corner)
    few.offer(feature_of(corner, 0), in_cavity(cavity, body_a, solid.point(corner, Vector3d::UnitX()), 0));
  few.write(manifold);
}

double cavity_room(const Shape<3>& cavity, const Shape<3>& solid) {
  return room_in_hole(cavity.radius, solid.bounding_radius());
}

int points_of_rims(const Shape<3>&, const Shape<3>& solid) {
  return solid.kind == torus_kind ? 4 : 8;
}

PairDescription<3> describe_in_cavity(ShapeKind kind, const std::string& name, const std::string& summary,
                                      PairFunction<3> evaluate, int (*points)(const Shape<3>&, const Shape<3>&)) {
  return {.a = ShapeKind::cavity,
          .b = kind,
          .name = "cavity_" + name,
          .summary = summary,
          .points = points,
          .memory = fixed_count<3, 0>,
          .evaluate = evaluate,
          .effective_radius = no_effective_radius<3>,
          .clearance = cavity_room};
}

}  // namespace

std::vector<PairDescription<3>> describe_cavity_solids() {
  const std::string rims = "the farthest point of each rim or ring, then three that are fixed to it";
  std::vector<PairDescription<3>> pairs = {
      describe_in_cavity(ShapeKind::box, "box", "one slot per corner, as box_plane has them", touch_cavity_box,
                         fixed_count<3, 8>),
      describe_in_cavity(ShapeKind::capsule, "capsule",
                         "slot 0 the end at the negative end of the axis, slot 1 the other", touch_cavity_capsule,
                         fixed_count<3, 2>),
      describe_in_cavity(cone_kind, "cone", rims, touch_cavity_rims, points_of_rims),
      describe_in_cavity(ShapeKind::cylinder, "cylinder", rims, touch_cavity_rims, points_of_rims),
      describe_in_cavity(ShapeKind::ellipsoid, "ellipsoid", "the farthest points towards both ends of its longest axis",
                         touch_cavity_ellipsoid, fixed_count<3, 2>),
      describe_in_cavity(torus_kind, "torus", rims, touch_cavity_rims, points_of_rims),
      describe_in_cavity(hull_kind, "hull", "the corners that are nearest to the wall", nullptr,
                         fixed_count<3, NearestFew::most>)};
  pairs.back().write = write_cavity_hull;
  return pairs;
}

}  // namespace carom::inline contact_geometry
