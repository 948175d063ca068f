#include "contact_geometry/mesh_solid.h"

#include <algorithm>
#include <cmath>

#include "contact_geometry/mesh_points.h"
#include "contact_geometry/rim_touch.h"
#include "contact_geometry/ring.h"
#include "contact_geometry/separation.h"
#include "contact_geometry/solid_between.h"

// A mesh and a capsule, cylinder, cone, ellipsoid or torus. Faces are touched as planes are by such a solid, vertices
// and ridges by the distance from its surface, which is a convex function and so has one least value along a ridge;
// beside a torus it may have several.
namespace carom::inline contact_geometry {

namespace {

constexpr double watched_around_solid = 2e-4;  // of the smaller size
constexpr double border_of_face = 1e-9;
constexpr double behind_notch_of_solid = 4;  // depths, by which a face goes on behind another one
constexpr int slots_of_end = 4;              // of a cylinder or cone on a plane: its rim, and points that it stands on
constexpr double least_facing = 0.5;         // cosine
constexpr std::uint32_t pierced_lead = 15;   // beyond the points that solids have on planes

class SolidMeeting {
 public:
  SolidMeeting(const TriangleMesh& mesh, const Shape<3>& solid, const PlacedFrame& frame, const BodyState<3>& body)
      : mesh_(mesh),
        solid_(solid),
        frame_(frame),
        body_(body),
        on_plane_(find_pair<3>(solid.kind, ShapeKind::plane)),
        of_solid_(solid, body),
        exact_(1e-12 * (mesh.size() + solid.bounding_radius())) {}

  // Everything on the mesh no farther than the reach from the surface of the solid, and no deeper in it than either is
  // thick: what lies deeper is on the other side. The limit does not follow the overlaps, so that none vanishes because
  // of another.
  void find_features(double reach, MeshPoints& points) {
    deepest_ = std::max(reach, std::min(mesh_.thickness(), thickness_of<3>(solid_)));
    mesh_.tree().visit(
        [&](const AxisBox& box) { return bound(box) <= reach && -bound_inside(box) <= deepest_; },
        [&](int face) {
          if (bound(mesh_.box_of(face)) > reach) return;
          touch_face(face, reach, points);
          for (const int edge : mesh_.face(face).edge) {
            if (mesh_.edge(edge).face[0] == face || bound(mesh_.box_of(mesh_.edge(edge).face[0])) > reach)
              touch_edge(edge, reach, points);
          }
          for (const int v : mesh_.face(face).vertex) touch_vertex(v, reach, points);
        });
  }

  // The nearest point of shapes that are apart, if it is nearer than `least`.
  void add_nearest(double least, MeshPoints& points) {
    ContactPoint<3> best;
    best.gap = least;
    Feature feature = no_feature;
    const auto offer = [&](const ContactPoint<3>& point, Feature own) {
      if (point.gap < best.gap - exact_) best = point, feature = own;
    };
    mesh_.tree().visit([&](const AxisBox& box) { return bound(box) < best.gap; },
                       [&](int face) {
                         if (!(bound(mesh_.box_of(face)) < best.gap)) return;
                         for (const int v : mesh_.face(face).vertex) offer(at_vertex(v), feature_of_vertex(v));
                         for (const int edge : mesh_.face(face).edge) {
                           for_each_minimum(edge, best.gap, [&](int part, const ContactPoint<3>& point) {
                             offer(point, feature_of_edge(edge, part));
                           });
                         }
                         for_each_slot(face, [&](int slot, const ContactPoint<3>& point) {
                           if (point.gap > 0) offer(point, feature_of(slot, face));
                         });
                       });
    if (best.gap > 0) add_pierced(best, feature);
    // A solid that lies whole within the mesh has to come out by the same way.
    if (best.gap > 0 && feature != no_feature && mesh_.contains(best.point_b))
      best = {-best.gap, -best.normal, best.point_a, best.point_b};
    if (feature != no_feature) points.add(feature, best);
  }

 private:
  FieldPlace field(const Eigen::Vector3d& point) const {
    FieldPlace place = field_of(solid_, of_solid_.inside(frame_.outside(point)));
    place.normal = frame_.axes.transpose() * (of_solid_.axes * place.normal);
    return place;
  }
  // Far inside, where the solid goes through a face and no feature is near its surface: the place of the face that is
  // deepest in it.
  void add_pierced(ContactPoint<3>& best, Feature& feature) const {
    mesh_.tree().visit([&](const AxisBox& box) { return bound(box) < 0; },
                       [&](int face) {
                         if (!(bound(mesh_.box_of(face)) < 0) || !straddles(face)) return;
                         const Eigen::Vector3d at = deepest_on(face);
                         const FieldPlace place = field(at);
                         if (!(place.distance < -exact_) || (best.gap < 0 && best.gap <= place.distance)) return;
                         best = {place.distance, -place.normal, at, at - place.distance * place.normal};
                         feature = feature_of(pierced_lead, face);
                       });
  }
  // Whether the solid is on both sides of the plane of a face.
  bool straddles(int face) const {
    const Eigen::Vector3d n = of_solid_.axes.transpose() * (frame_.axes * mesh_.face(face).normal);
    const double base = n.dot(of_solid_.inside(frame_.outside(mesh_.corner(face, 0))));
    return lowest_of_field(solid_, n) < base && -lowest_of_field(solid_, -n) > base;
  }
  // By golden sections from one side to the opposite corner, since the distance is convex over the face.
  Eigen::Vector3d deepest_on(int face) const {
    const Eigen::Vector3d &a = mesh_.corner(face, 0), &b = mesh_.corner(face, 1), &c = mesh_.corner(face, 2);
    const auto least = [](const auto& value, double& where) {
      constexpr double golden = 0.6180339887498949;
      double low = 0, high = 1, one = 1 - golden, two = golden, at_one = value(one), at_two = value(two);
      for (int round = 0; round < 24; ++round) {
        if (at_one < at_two) {
          high = two, two = one, at_two = at_one, one = high - golden * (high - low), at_one = value(one);
        } else {
          low = one, one = two, at_one = at_two, two = low + golden * (high - low), at_two = value(two);
        }
      }
      where = at_one < at_two ? one : two;
      return std::min(at_one, at_two);
    };
    double along = 0, across = 0;
    const auto on_line = [&](double part) {
      const Eigen::Vector3d from = a + part * (b - a);
      return least([&](double up) { return field(from + up * (c - from)).distance; }, across);
    };
    least(on_line, along);
    on_line(along);
    const Eigen::Vector3d from = a + along * (b - a);
    return from + across * (c - from);
  }

  // m, that all points of a box are at least from the solid, and at least inside it where negative.
  double bound(const AxisBox& box) const { return field(box.centre()).distance - box.half().norm(); }
  double bound_inside(const AxisBox& box) const { return field(box.centre()).distance + box.half().norm(); }

  static Feature feature_of_vertex(int v) { return feature_of(lead_of_vertex(v), 0); }
  Feature feature_of_edge(int e, int part) const { return feature_of(lead_of_edge(mesh_, e), part); }

  // Where the solid would touch the plane of a face, for those of its points that stand over the face.
  template <typename Visit>
  void for_each_slot(int face, const Visit& visit) {
    const Eigen::Vector3d& normal = mesh_.face(face).normal;
    const Shape<3> plane = plane_of_face(mesh_, face, frame_);
    std::array<ContactPoint<3>, most_plane_slots> slots;
    const int count = on_plane_->points(solid_, plane);
    on_plane_->evaluate(solid_, plane, body_, BodyState<3>{}, slots.data(), nullptr);
    for (int slot = 0; slot < count; ++slot) {
      if (!std::isfinite(slots[slot].gap) || (has_rims(solid_.kind) && !looks_at(slot, normal))) continue;
      const Eigen::Vector3d on_solid = frame_.inside(slots[slot].point_a);
      if (!stands_over_face(on_solid, face, -slots[slot].gap)) continue;
      visit(slot, ContactPoint<3>{slots[slot].gap, normal, on_solid - slots[slot].gap * normal, on_solid});
    }
  }
  // The points on which an end stands, fixed to it, are for faces that look at the end: beside others they would be
  // deep behind them.
  bool looks_at(int slot, const Eigen::Vector3d& normal) const {
    if (slot % slots_of_end == 0) return true;
    const Eigen::Vector3d axis = frame_.axes.transpose() * of_solid_.axes.col(2);
    return (slot < slots_of_end ? 1 : -1) * axis.dot(normal) > least_facing;
  }
  // Where two faces make a notch, each goes on behind the other, as for two meshes.
  bool stands_over_face(const Eigen::Vector3d& point, int face, double depth) const {
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d &from = mesh_.corner(face, k), side = mesh_.corner(face, (k + 1) % 3) - from;
      const double inside = mesh_.face(face).normal.dot(side.cross(point - from));
      if (inside >= -border_of_face * side.squaredNorm()) continue;
      // Edge k is opposite to corner k.
      if (!(depth > 0) || !mesh_.edge(mesh_.face(face).edge[(k + 2) % 3]).is_notch()) return false;
      if (inside < -behind_notch_of_solid * depth * side.norm()) return false;
    }
    return true;
  }

  void touch_face(int face, double reach, MeshPoints& points) {
    for_each_slot(face, [&](int slot, const ContactPoint<3>& point) {
      if (!counts(point.gap, reach)) return;
      if (point.gap < -exact_ && !mesh_.contains(point.point_b)) return;
      points.add_deepest(feature_of(slot, face), point);
    });
  }

  bool counts(double gap, double reach) const { return gap <= reach && gap >= -deepest_; }

  ContactPoint<3> at_vertex(int v) const {
    const Eigen::Vector3d& at = mesh_.vertex(v).position;
    const FieldPlace place = field(at);
    return {place.distance, -place.normal, at, at - place.distance * place.normal};
  }
  void touch_vertex(int v, double reach, MeshPoints& points) const {
    const TriangleMesh::Vertex& vertex = mesh_.vertex(v);
    if (!vertex.is_corner) return;
    const ContactPoint<3> point = at_vertex(v);
    if (!counts(point.gap, reach) || !mesh_.vertex_looks_along(v, point.normal, 1e-9)) return;
    points.add(feature_of_vertex(v), point);
  }

  // Where along an edge the field is least, between its ends: there its gradient is across the edge. It is a convex
  // function, so that tangents at two places bound it from below: nothing above `most` is looked for.
  bool along_edge(const Eigen::Vector3d& from, const Eigen::Vector3d& way, double most, ContactPoint<3>& point) const {
    FieldPlace low = field(from), high = field(from + way);
    double start = 0, end = 1, fall = low.normal.dot(way), rise = high.normal.dot(way);
    if (!(fall < 0 && rise > 0)) return false;
    const bool convex = solid_.kind != torus_kind;
    for (int round = 0; round < 60 && end - start > 1e-13; ++round) {
      const double span = end - start, meeting = (high.distance - low.distance - rise * span) / (fall - rise);
      if (convex && low.distance + fall * meeting > most) return false;
      // Regula falsi and halving by turns.
      const double part = round % 2 == 0 ? std::clamp(fall / (fall - rise), 0.01, 0.99) : 0.5;
      const double at = start + part * span;
      const FieldPlace place = field(from + at * way);
      const double slope = place.normal.dot(way);
      if (slope < 0) {
        start = at, low = place, fall = slope;
      } else {
        end = at, high = place, rise = slope;
      }
      if (std::abs(slope) < 1e-14 * way.norm()) break;
    }
    const double share = fall / (fall - rise);
    const Eigen::Vector3d between = (1 - share) * low.normal + share * high.normal;
    const double length = between.norm();
    if (length < 0.5) return false;  // through the solid, not over its rim
    const double distance = (1 - share) * low.distance + share * high.distance;
    const Eigen::Vector3d at = from + (start + share * (end - start)) * way, normal = between / length;
    point = {distance, -normal, at, at - distance * normal};
    return true;
  }

  // The parts of a cylinder or cone that an edge touches, each by a smooth function of its own: the side, and twice
  // each rim, where the edge comes in over it and where it goes out.
  static constexpr int parts_beside_rims = 5;
  // Whether the part is touched: the solid and the segment are there. `at` counts along the edge from 0 to 1.
  struct PartPlace {
    bool exists = false, touches = false;
    ContactPoint<3> point = {};
  };
  PartPlace beside_part(int index, int part) const {
    const TriangleMesh::Edge& edge = mesh_.edge(index);
    const Eigen::Vector3d from = of_solid_.inside(frame_.outside(mesh_.vertex(edge.vertex[0]).position)),
                          way = of_solid_.inside(frame_.outside(mesh_.vertex(edge.vertex[1]).position)) - from;
    const RimTouch touch =
        part == 0 ? touch_side(solid_, from, way) : touch_rim(solid_, (part - 1) / 2, from, way, part % 2 == 1);
    if (!touch.exists) return {};
    const Eigen::Vector3d at = frame_.inside(of_solid_.outside(touch.on_edge)),
                          normal = frame_.axes.transpose() * (of_solid_.axes * touch.normal);
    return {true, touch.in_solid && touch.part > 0 && touch.part < 1,
            ContactPoint<3>{touch.gap, -normal, at, at - touch.gap * normal}};
  }
  template <typename Visit>
  void for_each_minimum(int index, double most, const Visit& visit) const {
    const TriangleMesh::Edge& edge = mesh_.edge(index);
    const Eigen::Vector3d &from = mesh_.vertex(edge.vertex[0]).position,
                          way = mesh_.vertex(edge.vertex[1]).position - from;
    ContactPoint<3> point;
    if (solid_.kind != torus_kind) {
      if (along_edge(from, way, most, point)) visit(0, point);
      return;
    }
    int part = 0;
    const Eigen::Vector3d start = of_solid_.inside(frame_.outside(from)),
                          along = of_solid_.axes.transpose() * (frame_.axes * way);
    for (const SegmentPiece& piece : pieces_beside(solid_, start, along)) {
      const double length = piece.to - piece.from;
      if (length > 0 && along_edge(from + piece.from * way, length * way, most, point)) visit(part, point);
      ++part;
    }
  }
  void touch_edge(int index, double reach, MeshPoints& points) const {
    if (!mesh_.edge(index).is_ridge()) return;
    const auto offer = [&](int part, const ContactPoint<3>& point) {
      if (!counts(point.gap, reach) || !mesh_.edge_looks_along(index, point.normal, 1e-9)) return;
      points.add(feature_of_edge(index, part), point);
    };
    if (!has_rims(solid_.kind)) return for_each_minimum(index, reach, offer);
    for (int part = 0; part < parts_beside_rims; ++part) {
      if (const PartPlace place = beside_part(index, part); place.touches) offer(part, place.point);
    }
  }

  const TriangleMesh& mesh_;
  const Shape<3>& solid_;
  const PlacedFrame& frame_;
  const BodyState<3>& body_;
  const PairDescription<3>* on_plane_;
  PlacedFrame of_solid_;
  double exact_;
  double deepest_ = 0;  // m
};

void write_mesh_solid(const Shape<3>& shape, const Shape<3>& solid, const BodyState<3>& body_a,
                      const BodyState<3>& body_b, ContactManifold<3>& manifold, double* memory) {
  const TriangleMesh& mesh = mesh_of(shape);
  const PlacedFrame frame(shape, body_a);
  const double size = std::min(mesh.size(), 2 * solid.bounding_radius());
  SolidMeeting meeting(mesh, solid, frame, body_b);
  MeshPoints points(1e-9 * size);
  meeting.find_features(watched_around_solid * size, points);
  if (const double least = points.least_gap(); least > 1e-11 * size) meeting.add_nearest(least, points);
  points.place(frame.axes, frame.origin);
  points.write(manifold, most_mesh_points, memory);
}

}  // namespace

PairDescription<3> describe_mesh_solid(ShapeKind kind, ShapeKind solid, const std::string& name) {
  return {.a = kind,
          .b = solid,
          .name = name,
          .summary =
              "where the solid would touch the planes of faces under it, vertices and ridges of the mesh nearest "
              "to it, and the nearest points of shapes apart",
          .points = fixed_count<3, most_mesh_points>,
          .memory = fixed_count<3, MeshPoints::remembered(most_mesh_points)>,
          .effective_radius = no_effective_radius<3>,
          .write = write_mesh_solid,
          .least_between = least_between_mesh_and_solid,
          .least_between_free = least_between_free_mesh_and_solid,
          .lie_deeper = lie_deeper_in_solid};
}

}  // namespace carom::inline contact_geometry
