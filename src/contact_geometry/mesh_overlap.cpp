#include "contact_geometry/dive.h"
#include "contact_geometry/mesh_meeting.h"

// Whether two surfaces of triangles lie in each other, and how deep, whatever their contact points show. Where they go
// through each other an edge of one comes through a face of the other, and what it leads to is inside.
namespace carom::inline contact_geometry {

namespace {

using Triangle = std::array<Eigen::Vector3d, 3>;

// Whether the foot of a point lies in a triangle, or by no more than the slack beside it.
bool is_over(const Eigen::Vector3d& point, const Triangle& t, const Eigen::Vector3d& normal, double slack) {
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d side = t[(k + 1) % 3] - t[k];
    if (normal.dot(side.cross(point - t[k])) < -slack * side.norm()) return false;
  }
  return true;
}

// Whether an edge comes through a face and leads deeper than it may.
template <typename Below>
bool edge_dives(Eigen::Vector3d high, Eigen::Vector3d low, const Triangle& face, const Eigen::Vector3d& normal,
                double depth, const Below& below) {
  double over = normal.dot(high - face[0]), under = normal.dot(low - face[0]);
  if (over < under) std::swap(high, low), std::swap(over, under);
  const Entry entry(over, under, depth);
  if (!entry.enters) return false;
  const Eigen::Vector3d at = high + entry.part * (low - high);
  // Where it comes in the surface is no farther than it may lie beside the face.
  const auto below_surface = [&](const Eigen::Vector3d& point) {
    return below(point, (point - at).norm() + 2 * depth);
  };
  return is_over(at, face, normal, depth) && dives(at, low, depth, below_surface);
}

}  // namespace

// What is stretched is a cube from −1 to 1.
double MeshMeeting::depth_in_b(const Eigen::Vector3d& point, double about) const {
  if (!is_stretched()) return -b_.signed_distance(on_b(point), about);
  const Eigen::Vector3d local = turn_.transpose() * (point - offset_);
  return (stretch_ - local.cwiseAbs()).minCoeff();
}

template <bool edge_of_a>
bool MeshMeeting::dives_deeper(int edge, int face, double depth) const {
  const EdgeAtFace pair = placed<edge_of_a>(edge, face);
  return edge_dives(pair.from, pair.to, pair.face, pair.normal, depth, [&](const Eigen::Vector3d& point, double about) {
    const Eigen::Vector3d place = from_face<edge_of_a>(point);
    return edge_of_a ? depth_in_b(place, about) : depth_in_a(place, about);
  });
}

bool MeshMeeting::lie_deeper(double depth) const {
  // One that is whole within the other comes through nowhere.
  constexpr double unknown = 1e300;
  const Eigen::Vector3d of_b = on_a(b_.vertex(0).position), &of_a = a_.vertex(0).position;
  const auto is_in_box = [](const TriangleMesh& mesh, const Eigen::Vector3d& point) {
    return !(mesh.tree().root().box.distance_squared(point) > 0);
  };
  if (is_in_box(a_, of_b) && depth_in_a(of_b, unknown) > depth) return true;
  if (is_in_box(b_, on_b(of_a)) && depth_in_b(of_a, unknown) > depth) return true;
  bool found = false;
  const auto may_dive = [&](EdgesAtFaces& at_faces, int edge, int face) {
    return at_faces.may_dive(edge, face, depth);
  };
  near_.visit_all_of_trees<NearKind::edge_face>(
      depth, may_dive, [&](int edge_a, int face_b) { return !(found = dives_deeper<true>(edge_a, face_b, depth)); });
  if (found) return true;
  near_.visit_all_of_trees<NearKind::face_edge>(
      depth, may_dive, [&](int face_a, int edge_b) { return !(found = dives_deeper<false>(edge_b, face_a, depth)); });
  return found;
}

// Looks along the edge at even distances: what is deepest need not be known better than where to push.
template <bool edge_of_a>
void MeshMeeting::deepen_dive(int edge, int face, double depth, ContactPoint<3>& deepest) const {
  constexpr int looks = 16;
  if (!dives_deeper<edge_of_a>(edge, face, depth)) return;
  const TriangleMesh &of_edge = edge_of_a ? a_ : b_, &solid = edge_of_a ? b_ : a_;
  const auto& ends = of_edge.edge(edge).vertex;
  for (int k = 0; k <= looks; ++k) {
    const double part = static_cast<double>(k) / looks;
    const Eigen::Vector3d local =
        of_edge.vertex(ends[0]).position + part * (of_edge.vertex(ends[1]).position - of_edge.vertex(ends[0]).position);
    const Eigen::Vector3d point = edge_of_a ? local : on_a(local), inside = edge_of_a ? on_b(point) : point;
    const SurfacePlace place = solid.nearest(inside);
    const double under = std::sqrt(place.distance_squared);
    if (!(under > -deepest.gap) || solid.normal_at(place).dot(inside - place.point) >= 0) continue;
    const Eigen::Vector3d out = (place.point - inside) / under;
    if constexpr (edge_of_a) {
      deepest = {-under, -(turn_ * out), point, on_a(place.point)};
    } else {
      deepest = {-under, out, place.point, point};
    }
  }
}

ContactPoint<3> MeshMeeting::deepest_dive(double depth) const {
  ContactPoint<3> deepest;
  deepest.gap = 0;
  if (is_stretched()) return deepest;
  const auto may_dive = [&](EdgesAtFaces& at_faces, int edge, int face) {
    return at_faces.may_dive(edge, face, depth);
  };
  near_.visit_all_of_trees<NearKind::edge_face>(depth, may_dive, [&](int edge_a, int face_b) {
    deepen_dive<true>(edge_a, face_b, depth, deepest);
    return true;
  });
  near_.visit_all_of_trees<NearKind::face_edge>(depth, may_dive, [&](int face_a, int edge_b) {
    deepen_dive<false>(edge_b, face_a, depth, deepest);
    return true;
  });
  return deepest;
}

}  // namespace carom::inline contact_geometry
