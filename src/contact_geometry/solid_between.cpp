#include "contact_geometry/solid_between.h"

#include <cmath>

#include "contact_geometry/mesh_solid.h"
#include "contact_geometry/ring.h"

namespace carom::inline contact_geometry {

namespace {

constexpr double off_solid = 1e-300;
constexpr int first_arcs = 8, most_levels = 12;  // of a ring, and how often an arc is halved
constexpr int most_plane_points = 16;
constexpr double looks_slack = 1e-9;

}  // namespace

SolidBetween::SolidBetween(const Shape<3>& mesh, const Shape<3>& solid, const TwoInstants& frames,
                           const BodyState<3>* from, const BodyState<3>* to, const GapMotion& motion)
    : mesh_(mesh_of(mesh)),
      solid_(solid),
      frames_(frames),
      from_(from),
      to_(to),
      motion_(motion),
      proof_(frames, motion),
      origin_(centre_of<3>(mesh, from[0])) {}

// The normal looks out of the solid.
FieldPlace SolidBetween::field(const Eigen::Vector3d& point, int instant) const {
  FieldPlace place = field_of(solid_, frames_.b[instant].inside(point));
  place.normal = frames_.b[instant].axes * place.normal;
  return place;
}

double SolidBetween::low(int instant, const Eigen::Vector3d& n) const {
  const PlacedFrame& frame = frames_.b[instant];
  return n.dot(frame.origin) + lowest_of_field(solid_, frame.axes.transpose() * n);
}

double SolidBetween::low(const Arc& arc, int instant, const Eigen::Vector3d& n) const {
  const PlacedFrame& frame = frames_.b[instant];
  const Eigen::Vector3d local = frame.axes.transpose() * n;
  const double lowest = std::remainder(std::atan2(-local.y(), -local.x()) - arc.middle, 2 * M_PI);
  const double angle = arc.middle + std::clamp(lowest, -arc.half, arc.half);
  return n.dot(frame.origin) + solid_.radius * (local.x() * std::cos(angle) + local.y() * std::sin(angle)) -
         solid_.half[0];
}

bool SolidBetween::box_is_clear(const AxisBox& box) const {
  const double half = box.half().norm();
  std::array<FieldPlace, 2> places;
  for (const int instant : {0, 1}) places[instant] = field(frames_.a[instant].outside(box.centre()), instant);
  const double first = places[0].distance - half, second = places[1].distance - half;
  if (first >= motion_.way || proof_.by_way(first, second)) return true;
  const auto lowest = [&](int instant, const Eigen::Vector3d& n) { return low(instant, n); };
  const auto highest = [&](int instant, const Eigen::Vector3d& n) {
    const PlacedFrame& frame = frames_.a[instant];
    const Eigen::Vector3d local = frame.axes.transpose() * n;
    return n.dot(frame.origin) + local.dot(box.centre()) + local.cwiseAbs().dot(box.half());
  };
  return proof_.holds(Eigen::Vector3d(-places[0].normal), 0, lowest, highest) ||
         proof_.holds(Eigen::Vector3d(-places[1].normal), 1, lowest, highest);
}

template <typename Clear>
bool SolidBetween::visit(const Clear& is_clear) const {
  bool clear = true;
  mesh_.tree().visit([&](const AxisBox& box) { return clear && !box_is_clear(box); },
                     [&](int face) { clear = clear && (box_is_clear(mesh_.box_of(face)) || is_clear(face)); });
  return clear;
}

SolidBetween::Placed SolidBetween::placed(int face) const {
  Placed triangle{face};
  for (const int instant : {0, 1}) {
    for (int k = 0; k < 3; ++k) triangle.corners[instant][k] = frames_.a[instant].outside(mesh_.corner(face, k));
  }
  return triangle;
}

Eigen::Vector3d SolidBetween::nearest_on(const Segment& segment, int instant) const {
  const PlacedFrame& frame = frames_.b[instant];
  const Eigen::Vector3d &from = segment[0], way = segment[1] - from;
  return from + nearest_part(solid_, frame.inside(from), frame.axes.transpose() * way) * way;
}

// A slab is never wider than the distance.
bool SolidBetween::triangle_is_clear(const Placed& triangle) const {
  const auto lowest = [&](int instant, const Eigen::Vector3d& n) { return low(instant, n); };
  const auto highest = [&](int instant, const Eigen::Vector3d& n) {
    return greatest_along(n, triangle.corners[instant]);
  };
  std::array<double, 2> width = {0, 0};
  for (const int instant : {0, 1}) {
    const Corners& corners = triangle.corners[instant];
    const Eigen::Vector3d normal = frames_.a[instant].axes * mesh_.face(triangle.face).normal;
    if (proof_.holds(normal, instant, lowest, highest)) return true;
    FieldPlace best{1e300};
    for (int k = 0; k < 3; ++k) {
      const FieldPlace place = field(nearest_on({corners[k], corners[(k + 1) % 3]}, instant), instant);
      if (place.distance < best.distance) best = place;
    }
    const Eigen::Vector3d towards = -best.normal;
    if (proof_.holds(towards, instant, lowest, highest)) return true;
    for (const Eigen::Vector3d& n : {normal, towards})
      width[instant] = std::max(width[instant], low(instant, n) - greatest_along(n, corners));
  }
  return proof_.by_way(width[0], width[1]) || is_beside_ring(triangle);
}

// Of a torus: all arcs of its ring.
bool SolidBetween::is_beside_ring(const Placed& triangle) const {
  if (solid_.kind != torus_kind) return false;
  for (int k = 0; k < first_arcs; ++k) {
    if (!arc_is_clear(triangle, {2 * M_PI * k / first_arcs, M_PI / first_arcs}, 0)) return false;
  }
  return true;
}

// A ring is no convex solid: arc by arc, and where it is hollow towards the triangle, by shorter and shorter ones.
bool SolidBetween::arc_is_clear(const Placed& triangle, const Arc& arc, int level) const {
  const auto lowest = [&](int instant, const Eigen::Vector3d& n) { return low(arc, instant, n); };
  const auto highest = [&](int instant, const Eigen::Vector3d& n) {
    return greatest_along(n, triangle.corners[instant]);
  };
  std::array<double, 2> width = {0, 0};
  for (const int instant : {0, 1}) {
    const Corners& t = triangle.corners[instant];
    const PlacedFrame& frame = frames_.b[instant];
    const Eigen::Vector3d normal = frame.axes.col(2).normalized();
    double angle = arc.middle;
    for (int round = 0; round < 4; ++round) {
      const Eigen::Vector3d on_ring =
          frame.outside(Eigen::Vector3d(solid_.radius * std::cos(angle), solid_.radius * std::sin(angle), 0));
      const Eigen::Vector3d place = nearest_on_triangle(on_ring, t[0], t[1], t[2]).point, off = on_ring - place;
      if (const double apart = off.norm(); apart > off_solid) {
        const Eigen::Vector3d n = off / apart;
        if (proof_.holds(n, instant, lowest, highest)) return true;
        width[instant] = std::max(width[instant], low(arc, instant, n) - greatest_along(n, t));
      }
      const Eigen::Vector3d local = frame.inside(place);
      angle = arc.middle +
              std::clamp(std::remainder(std::atan2(local.y(), local.x()) - arc.middle, 2 * M_PI), -arc.half, arc.half);
    }
    const Eigen::Vector3d face = frames_.a[instant].axes * mesh_.face(triangle.face).normal;
    for (const Eigen::Vector3d& n : {face, normal, Eigen::Vector3d(-normal)}) {
      if (proof_.holds(n, instant, lowest, highest)) return true;
    }
  }
  if (proof_.by_way(width[0], width[1])) return true;
  return level < most_levels && arc_is_clear(triangle, {arc.middle - arc.half / 2, arc.half / 2}, level + 1) &&
         arc_is_clear(triangle, {arc.middle + arc.half / 2, arc.half / 2}, level + 1);
}

bool SolidBetween::is_clear() const {
  return visit([&](int face) { return triangle_is_clear(placed(face)); });
}

// By the numbers that their pairs give to features: a ball leads, and the other feature is what it touches.
bool SolidBetween::is_closed(std::uint32_t lead, std::uint32_t element) const {
  for (const ClosedPoint& point : motion_.closed) {
    if (solid_.kind == ShapeKind::sphere ? point.feature == feature_of(0, element)
                                         : have_same_lead(point.feature, feature_of(lead, 0)))
      return true;
  }
  return false;
}

bool SolidBetween::is_closed_at(const Eigen::Vector3d& place) const {
  const double same = motion_.way + 1e-9 * mesh_.size();
  for (const ClosedPoint& point : motion_.closed) {
    if ((point.place - origin_ - place).squaredNorm() < same * same) return true;
  }
  return false;
}

bool SolidBetween::vertex_is_clear(int v, const std::array<Eigen::Vector3d, 2>& at) const {
  const TriangleMesh::Vertex& vertex = mesh_.vertex(v);
  const std::array<FieldPlace, 2> places = {field(at[0], 0), field(at[1], 1)};
  if (places[0].distance < proof_.floor() || proof_.by_way(places[0].distance, places[1].distance)) return true;
  const auto faces = static_cast<std::uint32_t>(mesh_.faces().size()),
             edges = static_cast<std::uint32_t>(mesh_.edges().size());
  if (is_closed(lead_of_vertex(v), faces + edges + v)) return true;
  bool looks = false;
  for (const int instant : {0, 1}) {
    const Eigen::Vector3d inward = -(frames_.a[instant].axes.transpose() * places[instant].normal);
    looks = looks || mesh_.vertex_looks_along(v, inward, vertex.slack + looks_slack + motion_.turn);
  }
  if (!looks) return true;
  const auto lowest = [&](int instant, const Eigen::Vector3d& n) { return low(instant, n); };
  const auto highest = [&](int instant, const Eigen::Vector3d& n) { return n.dot(at[instant]); };
  for (const int instant : {0, 1}) {
    if (proof_.holds(Eigen::Vector3d(-places[instant].normal), instant, lowest, highest)) return true;
  }
  return is_beside_ring({vertex.owner, {Corners{at[0], at[0], at[0]}, Corners{at[1], at[1], at[1]}}}) ||
         is_closed_at(at[0]);
}

bool SolidBetween::edge_is_clear(int index) const {
  const TriangleMesh::Edge& edge = mesh_.edge(index);
  std::array<Segment, 2> at;
  std::array<FieldPlace, 2> places;
  bool looks = false;
  Eigen::Vector3d nearest = Eigen::Vector3d::Zero();
  for (const int instant : {0, 1}) {
    for (const int end : {0, 1}) at[instant][end] = frames_.a[instant].outside(mesh_.vertex(edge.vertex[end]).position);
    const Eigen::Vector3d place = nearest_on(at[instant], instant);
    if (instant == 0) nearest = place;
    places[instant] = field(place, instant);
    const Eigen::Vector3d inward = -(frames_.a[instant].axes.transpose() * places[instant].normal);
    looks = looks || mesh_.edge_looks_along(index, inward, edge.slack + looks_slack + motion_.turn);
  }
  if (!looks || places[0].distance < proof_.floor()) return true;
  if (is_closed(lead_of_edge(mesh_, index), static_cast<std::uint32_t>(mesh_.faces().size()) + index)) return true;
  const auto lowest = [&](int instant, const Eigen::Vector3d& n) { return low(instant, n); };
  const auto highest = [&](int instant, const Eigen::Vector3d& n) { return greatest_along(n, at[instant]); };
  for (const int instant : {0, 1}) {
    if (proof_.holds(Eigen::Vector3d(-places[instant].normal), instant, lowest, highest)) return true;
  }
  return is_beside_ring(
             {edge.face[0], {Corners{at[0][0], at[0][1], at[0][1]}, Corners{at[1][0], at[1][1], at[1][1]}}}) ||
         is_closed_at(nearest);
}

// Where the solid would touch the plane of the face, by each of its points that touches a plane.
bool SolidBetween::face_is_clear(const Placed& triangle) const {
  const PairDescription<3>* const on_plane = find_pair<3>(solid_.kind, ShapeKind::plane);
  const int count = on_plane->points(solid_, Shape<3>{.kind = ShapeKind::plane});
  std::array<std::array<ContactPoint<3>, most_plane_points>, 2> slots;
  for (const int instant : {0, 1}) {
    const Shape<3> plane = plane_of_face(mesh_, triangle.face, frames_.a[instant], origin_);
    on_plane->evaluate(solid_, plane, instant == 0 ? from_[1] : to_[1], BodyState<3>{}, slots[instant].data(), nullptr);
  }
  for (int slot = 0; slot < count; ++slot) {
    const double first = slots[0][slot].gap, second = slots[1][slot].gap;
    if (!std::isfinite(first) || !std::isfinite(second) || first < proof_.floor()) continue;
    if (is_closed(slot, triangle.face) || least_between(first, second, motion_.bend_a) >= proof_.floor()) continue;
    const Corners& t = triangle.corners[0];
    const Eigen::Vector3d at = slots[0][slot].point_a - origin_;
    const Eigen::Vector3d &then = slots[1][slot].point_a - origin_, &wall = triangle.corners[1][0];
    const double apart = (nearest_on_triangle(at, t[0], t[1], t[2]).point - at).norm();
    const double after =
        (nearest_on_triangle(then, wall, triangle.corners[1][1], triangle.corners[1][2]).point - then).norm();
    // What is lowest of a round solid wanders; near a place that is closed it is the same.
    if (apart > 2 * motion_.way && after > 2 * motion_.way) continue;
    if (!is_closed_at(at)) return false;
  }
  return true;
}

bool SolidBetween::features_are_clear(const Placed& triangle) const {
  if (triangle_is_clear(triangle)) return true;
  const TriangleMesh::Face& face = mesh_.face(triangle.face);
  for (int k = 0; k < 3; ++k) {
    const int v = face.vertex[k], edge = face.edge[k];
    if (mesh_.vertex(v).owner == triangle.face && mesh_.vertex(v).is_corner &&
        !vertex_is_clear(v, {triangle.corners[0][k], triangle.corners[1][k]}))
      return false;
    if (mesh_.edge(edge).face[0] == triangle.face && mesh_.edge(edge).is_ridge() && !edge_is_clear(edge)) return false;
  }
  return face_is_clear(triangle);
}

bool SolidBetween::is_clear_but_closed() const {
  return visit([&](int face) { return features_are_clear(placed(face)); });
}

double least_between_mesh_and_solid(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* from,
                                    const BodyState<3>* to, const GapMotion& motion) {
  const TwoInstants frames(a, b, from, to);
  return SolidBetween(a, b, frames, from, to, motion).is_clear() ? motion.floor
                                                                 : -std::numeric_limits<double>::infinity();
}

double least_between_free_mesh_and_solid(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* from,
                                         const BodyState<3>* to, const GapMotion& motion) {
  const TwoInstants frames(a, b, from, to);
  return SolidBetween(a, b, frames, from, to, motion).is_clear_but_closed() ? motion.floor
                                                                            : -std::numeric_limits<double>::infinity();
}

}  // namespace carom::inline contact_geometry
