#include "contact_geometry/hole_pairs.h"
#include "contact_geometry/round_contact.h"
#include "contact_geometry/shape_description.h"

// Solids in a bore of finite length: what is farthest from its axis touches the wall, and the edges of the bore touch
// solids that look out of it.
namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

struct BoreHole {
  Vector3d centre, x, y, axis;
  double radius, half;

  explicit BoreHole(const Shape<3>& bore, const BodyState<3>& body)
      : centre(centre_of<3>(bore, body)),
        x(axis_of<3>(bore, body, 0)),
        y(axis_of<3>(bore, body, 1)),
        axis(axis_of<3>(bore, body, 2)),
        radius(bore.radius),
        half(bore.length / 2) {}

  double along(const Vector3d& point) const { return axis.dot(point - centre); }
  Ring edge(int end) const { return {centre + (end == 0 ? -half : half) * axis, x, y, axis, radius}; }

  // A ball whose centre is inside its length; otherwise there is no such point.
  ContactPoint<3> touch(const Vector3d& middle, double ball) const {
    ContactPoint<3> contact;
    const double up = along(middle);
    if (std::abs(up) <= half) journal_in_bearing<3>(centre + up * axis, radius, middle, ball, contact);
    return contact;
  }
};

// The edges of the bore against what looks out of them. `reach`: how far the solid goes along the axis.
template <typename Distance>
void touch_edges(const BoreHole& bore, double low, double high, double tube, const Distance& distance,
                 NearestFew& few) {
  for (const int end : {0, 1}) {
    const double level = end == 0 ? -bore.half : bore.half;
    if (level <= low || level >= high) continue;
    const Ring edge = bore.edge(end);
    std::array<RingMinimum, most_ring_minima> minima;
    const int count = ring_minima<24>(edge, distance, minima);
    for (int k = 0; k < count; ++k) {
      const Vector3d place = edge.at(minima[k].angle);
      const RingDistance& next = minima[k].next;
      const double gap = next.distance - tube;
      few.offer(feature_of(1000000 + end, minima[k].sector),
                {gap, next.direction, place, place + gap * next.direction});
    }
  }
}

void touch_edges_of_solid(const BoreHole& bore, const ConvexBody& solid, NearestFew& few) {
  const double low =
      -solid.value(solid.farthest(-bore.axis), -bore.axis) - solid.rounding() - bore.axis.dot(bore.centre);
  const double high = solid.value(solid.farthest(bore.axis), bore.axis) + solid.rounding() - bore.axis.dot(bore.centre);
  touch_edges(
      bore, low, high, 0, [&](const Vector3d& point) { return distance_to(solid, point); }, few);
}

// Of a ring: the farthest points from the axis on both sides of it, and three that are fixed to it.
void touch_ring(const BoreHole& bore, const Ring& ring, double tube, int first, NearestFew& few) {
  const auto distance = [&](const Vector3d& point) -> RingDistance {
    const Vector3d off = point - bore.centre, out = off - bore.axis.dot(off) * bore.axis;
    const double size = out.norm();
    return {bore.radius - size, size < coincident ? bore.x : Vector3d(out / size)};
  };
  std::array<RingMinimum, most_ring_minima> minima;
  const int count = ring.radius > 0 ? ring_minima<24>(ring, distance, minima) : 0;
  for (int k = 0; k < count; ++k)
    few.offer(feature_of(first, minima[k].sector), bore.touch(ring.at(minima[k].angle), tube));
  for (int k = 0; k < (ring.radius > 0 ? 3 : 1); ++k)
    few.offer(feature_of(first + 1 + k, 0), bore.touch(ring.at(2 * M_PI / 3 * k), tube));
}

// Of an ellipsoid: where its shadow along the axis is farthest from it.
void touch_shadow(const BoreHole& bore, const ConvexBody& solid, NearestFew& few) {
  const Ring directions{Vector3d::Zero(), bore.x, bore.y, bore.axis, 1};
  // How far the wall is along a direction, in radii; the slope along the ring follows from the point that is farthest.
  const auto distance = [&](const Vector3d& n) -> RingDistance {
    const Vector3d far = (solid.point(0, n) - bore.centre) / bore.radius;
    return {1 - n.dot(far), far};
  };
  std::array<RingMinimum, most_ring_minima> minima;
  const int count = ring_minima<24>(directions, distance, minima);
  for (int k = 0; k < count; ++k) {
    const Vector3d n = directions.direction(minima[k].angle), far = solid.point(0, n);
    if (std::abs(bore.along(far)) > bore.half) continue;
    const double gap = bore.radius - n.dot(far - bore.centre);
    few.offer(feature_of(0, minima[k].sector), {gap, -n, far + gap * n, far});
  }
}

// All convex solids; corners are fixed to theirs, and a ball has none.
void write_bore_solid(const Shape<3>& shape_a, const Shape<3>& shape_b, const BodyState<3>& body_a,
                      const BodyState<3>& body_b, ContactManifold<3>& manifold, double*) {
  const BoreHole bore(shape_a, body_a);
  const ConvexBody solid(shape_b, body_b, Vector3d::Zero());
  NearestFew few;
  if (solid.form() == ConvexBody::Form::corners) {
    for (int corner = 0; corner < solid.piece_count(); ++corner)
      few.offer(feature_of(corner, 0), bore.touch(solid.point(corner, bore.axis), solid.rounding()));
  } else if (solid.form() == ConvexBody::Form::ellipsoid) {
    touch_shadow(bore, solid, few);
  } else {
    const Rims rims = rims_of(shape_b, body_b);
    for (int end = 0; end < 2; ++end) touch_ring(bore, rims.ring[end], 0, 10 * end, few);
  }
  touch_edges_of_solid(bore, solid, few);
  few.write(manifold);
}

void write_bore_torus(const Shape<3>& shape_a, const Shape<3>& torus, const BodyState<3>& body_a,
                      const BodyState<3>& body_b, ContactManifold<3>& manifold, double*) {
  const BoreHole bore(shape_a, body_a);
  const Rims rims = rims_of(torus, body_b);
  const Ring& ring = rims.ring[0];
  NearestFew few;
  touch_ring(bore, ring, rims.tube, 0, few);
  const double reach = ring.radius * bore.axis.cross(ring.axis).norm() + rims.tube, middle = bore.along(ring.centre);
  const auto distance = [&](const Vector3d& point) -> RingDistance {
    const Vector3d between = ring.nearest(point) - point;
    const double size = between.norm();
    return {size, size < coincident ? ring.axis : Vector3d(between / size)};
  };
  touch_edges(bore, middle - reach, middle + reach, rims.tube, distance, few);
  few.write(manifold);
}

// Of one that lies along the bore.
double bore_room(const Shape<3>& bore, const Shape<3>& solid) {
  double extent = solid.radius;
  if (solid.kind == ShapeKind::box) extent = std::hypot(solid.half[0], solid.half[1]);
  if (solid.kind == ShapeKind::ellipsoid) extent = std::max(solid.half[0], solid.half[1]);
  if (solid.kind == cone_kind) extent = std::max(solid.radius, solid.half[0]);
  if (solid.kind == torus_kind || solid.kind == hull_kind) extent = solid.bounding_radius();
  return room_in_hole(bore.radius, extent);
}

}  // namespace

std::vector<PairDescription<3>> describe_bore_solids() {
  std::vector<PairDescription<3>> pairs;
  for (const auto& [kind, name] :
       {std::pair{ShapeKind::sphere, "sphere"}, std::pair{ShapeKind::box, "box"},
        std::pair{ShapeKind::capsule, "capsule"}, std::pair{cone_kind, "cone"},
        std::pair{ShapeKind::ellipsoid, "ellipsoid"}, std::pair{hull_kind, "hull"}, std::pair{torus_kind, "torus"}})
    pairs.push_back({.a = ShapeKind::bore,
                     .b = kind,
                     .name = std::string("bore_") + name,
                     .summary =
                         "what is farthest from the axis inside the length of the bore (corners, ends, rims), and "
                         "where its edges are nearest to a solid that looks out",
                     .points = fixed_count<3, NearestFew::most>,
                     .memory = fixed_count<3, 0>,
                     .effective_radius = no_effective_radius<3>,
                     .clearance = bore_room,
                     .write = kind == torus_kind ? write_bore_torus : write_bore_solid});
  return pairs;
}

}  // namespace carom::inline contact_geometry
