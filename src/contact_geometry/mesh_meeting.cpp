#include "contact_geometry/mesh_meeting.h"

#include <cmath>

namespace carom::inline contact_geometry {

namespace {

// In place of the face under a vertex: what is nearest to it, be it a face, an edge or a vertex.
constexpr std::uint32_t apart = 0xffffffff;
constexpr double same_way = 0.999;        // cosine
constexpr double rounding = 1e-12;        // of the size
constexpr double on_border = 1e-9;        // of a triangle, by which a foot may lie outside
constexpr double nearly_parallel = 1e-3;  // sine of the angle of edges that do not cross

// Whether the foot of a point on the plane of a triangle lies in it.
bool stands_over(const Eigen::Vector3d& point, const std::array<Eigen::Vector3d, 3>& t, const Eigen::Vector3d& normal) {
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d side = t[(k + 1) % 3] - t[k];
    if (normal.dot(side.cross(point - t[k])) < -on_border * side.squaredNorm()) return false;
  }
  return true;
}

// m, by which all corners lie on one side of a plane; 0: on both.
double plane_distance(const Eigen::Vector3d& normal, const Eigen::Vector3d& on,
                      const std::array<Eigen::Vector3d, 3>& t) {
  const double one = normal.dot(t[0] - on), two = normal.dot(t[1] - on), three = normal.dot(t[2] - on);
  return std::max({std::min({one, two, three}), -std::max({one, two, three}), 0.0});
}

}  // namespace

MeshMeeting::MeshMeeting(const TriangleMesh& a, const TriangleMesh& b, const Eigen::Matrix3d& turn,
                         const Eigen::Vector3d& offset, const Eigen::Vector3d& stretch)
    : a_(a),
      b_(b),
      turn_(turn),
      axes_(turn * stretch.asDiagonal()),
      size_of_axes_(axes_.cwiseAbs()),
      offset_(offset),
      stretch_(stretch),
      exact_(rounding * (a.size() + stretch.maxCoeff() * b.size())) {}

MeshMeeting::Corners MeshMeeting::corners_of_b(int face) const {
  return {on_a(b_.corner(face, 0)), on_a(b_.corner(face, 1)), on_a(b_.corner(face, 2))};
}

AxisBox MeshMeeting::box_on_a(const AxisBox& box) const {
  const Eigen::Vector3d centre = on_a(box.centre()), half = size_of_axes_ * box.half();
  return {centre - half, centre + half};
}

bool MeshMeeting::is_inside_b(const Eigen::Vector3d& point) const {
  const Eigen::Vector3d local = turn_.transpose() * (point - offset_);
  return b_.contains(local.cwiseQuotient(stretch_));
}

template <typename Within, typename Visit>
void MeshMeeting::visit_near(const Within& within, const Visit& visit) const {
  struct Open {
    int a, b;
    double bound;
  };
  Open stack[4 * BoxTree::deepest];
  int size = 0;
  const auto bound = [&](int a, const AxisBox& b) { return a_.tree().node(a).box.distance_squared(b); };
  stack[size++] = {0, 0, bound(0, box_on_a(b_.tree().root().box))};
  while (size > 0) {
    const Open open = stack[--size];
    if (const double limit = within(); open.bound > limit * limit) continue;
    const BoxTree::Node &a = a_.tree().node(open.a), &b = b_.tree().node(open.b);
    if (a.is_leaf() && b.is_leaf()) {
      for (const int face_b : b_.tree().items(b)) {
        const Corners corners = corners_of_b(face_b);
        AxisBox box;
        for (const Eigen::Vector3d& corner : corners) box.add(corner);
        for (const int face_a : a_.tree().items(a)) {
          const double limit = within();
          if (a_.box_of(face_a).distance_squared(box) <= limit * limit) visit(face_a, face_b, corners);
        }
      }
      continue;
    }
    // The larger of the two is opened, and its nearer half looked at first.
    Open halves[2];
    const bool open_a =
        !a.is_leaf() && (b.is_leaf() || a.box.half().squaredNorm() >= (size_of_axes_ * b.box.half()).squaredNorm());
    const AxisBox whole_b = open_a ? box_on_a(b.box) : AxisBox{};
    for (const int k : {0, 1}) {
      halves[k] = open_a ? Open{a.first + k, open.b, bound(a.first + k, whole_b)}
                         : Open{open.a, b.first + k, bound(open.a, box_on_a(b_.tree().node(b.first + k).box))};
    }
    const int nearer = halves[0].bound <= halves[1].bound ? 0 : 1;
    stack[size++] = halves[1 - nearer];
    stack[size++] = halves[nearer];
  }
}

// A vertex of a over a face of b that looks at it. What lies behind the face must be inside.
void MeshMeeting::touch_vertices_of_a(int face_a, int face_b, const Corners& b, double reach,
                                      MeshPoints& points) const {
  const Eigen::Vector3d normal = turn_ * b_.face(face_b).normal;
  for (const int v : a_.face(face_a).vertex) {
    const TriangleMesh::Vertex& vertex = a_.vertex(v);
    if (!vertex.is_corner) continue;
    const double gap = normal.dot(vertex.position - b[0]);
    if (std::abs(gap) > reach || !stands_over(vertex.position, b, normal)) continue;
    if (!a_.vertex_looks_along(v, -normal, vertex.slack)) continue;
    if (gap < -exact_ && !is_inside_b(vertex.position)) continue;
    points.add(feature_of(lead_of_vertex_a(v), face_b),
               {gap, -normal, vertex.position, vertex.position - gap * normal});
  }
}

void MeshMeeting::touch_vertices_of_b(int face_a, int face_b, const Corners& b, double reach,
                                      MeshPoints& points) const {
  const Eigen::Vector3d& normal = a_.face(face_a).normal;
  const Corners a = {a_.corner(face_a, 0), a_.corner(face_a, 1), a_.corner(face_a, 2)};
  const Eigen::Vector3d back = -(turn_.transpose() * normal);
  for (int k = 0; k < 3; ++k) {
    const int v = b_.face(face_b).vertex[k];
    const TriangleMesh::Vertex& vertex = b_.vertex(v);
    if (!vertex.is_corner) continue;
    const double gap = normal.dot(b[k] - a[0]);
    if (std::abs(gap) > reach || !stands_over(b[k], a, normal)) continue;
    if (!b_.vertex_looks_along(v, back, vertex.slack)) continue;
    if (gap < -exact_ && !is_inside_a(b[k])) continue;
    points.add(feature_of(lead_of_vertex_b(v), face_a), {gap, normal, b[k] - gap * normal, b[k]});
  }
}

// Two ridges that pass each other: across both, in directions that both look along.
void MeshMeeting::cross_edges(int index_a, int index_b, double reach, MeshPoints& points, bool looking) const {
  const TriangleMesh::Edge &a = a_.edge(index_a), &b = b_.edge(index_b);
  if (!a.is_ridge() || !b.is_ridge()) return;
  const Eigen::Vector3d &p = a_.vertex(a.vertex[0]).position, &q = a_.vertex(a.vertex[1]).position;
  const Eigen::Vector3d r = on_a(b_.vertex(b.vertex[0]).position), s = on_a(b_.vertex(b.vertex[1]).position);
  const Eigen::Vector3d along_a = q - p, along_b = s - r, across = along_a.cross(along_b);
  const double area = across.norm();
  if (!(area > nearly_parallel * std::sqrt(along_a.squaredNorm() * along_b.squaredNorm()))) return;
  Eigen::Vector3d normal = across / area;
  if (normal.dot(a.normal) < 0) normal = -normal;
  const double gap = normal.dot(r - p);
  if (std::abs(gap) > reach) return;
  // Where they pass, as parts of both.
  const Eigen::Vector3d between = r - p;
  const double part_a = between.cross(along_b).dot(across) / (area * area),
               part_b = between.cross(along_a).dot(across) / (area * area);
  if (!(part_a > 0 && part_a < 1 && part_b > 0 && part_b < 1)) return;
  const Eigen::Vector3d back = -(turn_.transpose() * normal);
  if (back.dot(b.normal) < 0) return;
  const bool look = a_.edge_looks_along(index_a, normal, a.slack) && b_.edge_looks_along(index_b, back, b.slack);
  if (looking && !look) return;
  const Eigen::Vector3d point_a = p + part_a * along_a, point_b = point_a + gap * normal;
  if (gap < -exact_) {
    const Eigen::Vector3d middle = 0.5 * (point_a + point_b);
    if (!is_inside_a(middle) || !is_inside_b(middle)) return;
  }
  points.add(feature_of(lead_of_edge_a(index_a), index_b), {gap, normal, point_a, point_b});
}

void MeshMeeting::meet(int face_a, int face_b, const Corners& b, double reach, MeshPoints& points) const {
  const Eigen::Vector3d &normal_a = a_.face(face_a).normal, normal_b = turn_ * b_.face(face_b).normal;
  // Faces that look the same way have nothing to do with each other.
  if (normal_a.dot(normal_b) > same_way) return;
  const Corners a = {a_.corner(face_a, 0), a_.corner(face_a, 1), a_.corner(face_a, 2)};
  const double above_a = plane_distance(normal_a, a[0], b), above_b = plane_distance(normal_b, b[0], a);
  if (above_a > reach || above_b > reach) return;
  // Triangles that go through each other belong to an overlap, however deep their corners lie.
  bool through = false;
  for (int k = 0; k < 3 && above_a == 0 && above_b == 0 && !through; ++k)
    through = pierces(a[k], a[(k + 1) % 3], b[0], b[1], b[2]) || pierces(b[k], b[(k + 1) % 3], a[0], a[1], a[2]);
  const double deepest = through ? std::max(reach, thickness()) : reach;
  touch_vertices_of_a(face_a, face_b, b, deepest, points);
  touch_vertices_of_b(face_a, face_b, b, deepest, points);
  for (const int edge_a : a_.face(face_a).edge) {
    for (const int edge_b : b_.face(face_b).edge) cross_edges(edge_a, edge_b, reach, points, true);
  }
}

void MeshMeeting::find_features(double reach, MeshPoints& points) const {
  visit_near([&] { return reach; },
             [&](int face_a, int face_b, const Corners& b) { meet(face_a, face_b, b, reach, points); });
}

// By all pairs of corners with the other triangle, and of sides. Vertices come first where others are as near.
void MeshMeeting::improve(int face_a, int face_b, const Corners& b, Nearest& best) const {
  const TriangleMesh::Face &on_face_a = a_.face(face_a), &on_face_b = b_.face(face_b);
  const Corners a = {a_.corner(face_a, 0), a_.corner(face_a, 1), a_.corner(face_a, 2)};
  if (plane_distance(on_face_a.normal, a[0], b) > best.distance) return;
  if (plane_distance(turn_ * on_face_b.normal, b[0], a) > best.distance) return;
  const auto offer = [&](const Eigen::Vector3d& point_a, const Eigen::Vector3d& point_b, Feature feature) {
    const double distance = (point_b - point_a).norm();
    if (distance < best.distance - exact_) best = {distance, face_a, face_b, point_a, point_b, feature};
  };
  for (int k = 0; k < 3; ++k) {
    offer(a[k], nearest_on_triangle(a[k], b[0], b[1], b[2]).point,
          feature_of(lead_of_vertex_a(on_face_a.vertex[k]), apart));
    offer(nearest_on_triangle(b[k], a[0], a[1], a[2]).point, b[k],
          feature_of(lead_of_vertex_b(on_face_b.vertex[k]), apart));
  }
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d &p = a[(k + 1) % 3], &q = a[(k + 2) % 3];
    for (int l = 0; l < 3; ++l) {
      const SegmentPlaces places = nearest_of_segments(p, q, b[(l + 1) % 3], b[(l + 2) % 3]);
      offer(places.on_one, places.on_two, feature_of(lead_of_edge_a(on_face_a.edge[k]), on_face_b.edge[l]));
    }
  }
  for (int k = 0; k < 3; ++k) {
    if (pierces(a[k], a[(k + 1) % 3], b[0], b[1], b[2]) || pierces(b[k], b[(k + 1) % 3], a[0], a[1], a[2])) {
      best.distance = 0, best.face_a = face_a, best.face_b = face_b;
      return;
    }
  }
}

MeshMeeting::Nearest MeshMeeting::find_nearest(double within) const {
  Nearest best;
  best.distance = within;
  visit_near([&] { return best.distance; },
             [&](int face_a, int face_b, const Corners& b) { improve(face_a, face_b, b, best); });
  return best;
}

// A corner that is inside counts by the nearest place of the surface around it, edges that cross by the line across
// both, whatever the surfaces about them do.
void MeshMeeting::add_pierced(const Nearest& pierced, MeshPoints& points) const {
  const Corners a = {a_.corner(pierced.face_a, 0), a_.corner(pierced.face_a, 1), a_.corner(pierced.face_a, 2)},
                b = corners_of_b(pierced.face_b);
  const Eigen::Vector3d normal_a = a_.face(pierced.face_a).normal, normal_b = turn_ * b_.face(pierced.face_b).normal;
  ContactPoint<3> best;
  Feature feature = no_feature;
  const auto offer = [&](double gap, const Eigen::Vector3d& normal, const Eigen::Vector3d& on_a, Feature own) {
    if (!(gap < 0) || gap < -thickness() || (feature != no_feature && gap < best.gap)) return;
    best = {gap, normal, on_a, on_a + gap * normal}, feature = own;
  };
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t lead_a = lead_of_vertex_a(a_.face(pierced.face_a).vertex[k]),
                        lead_b = lead_of_vertex_b(b_.face(pierced.face_b).vertex[k]);
    const SurfacePlace around = a_.nearest(b[k]);
    const Eigen::Vector3d& outward = a_.normal_at(around);
    if (outward.dot(b[k] - around.point) < 0) {
      const double depth = std::sqrt(around.distance_squared);
      offer(-depth, depth > exact_ ? Eigen::Vector3d((around.point - b[k]) / depth) : outward, around.point,
            feature_of(lead_b, around.face));
    }
    if (is_inside_b(a[k])) {
      const double gap = normal_b.dot(a[k] - b[0]);
      offer(gap, -normal_b, a[k], feature_of(lead_a, pierced.face_b));
    }
  }
  for (const int edge_a : a_.face(pierced.face_a).edge) {
    for (const int edge_b : b_.face(pierced.face_b).edge) {
      MeshPoints crossing(0);
      cross_edges(edge_a, edge_b, 1e300, crossing, false);
      if (crossing.size() > 0 && crossing[0].gap < 0)
        offer(crossing[0].gap, crossing[0].normal, crossing[0].point_a, feature_of(lead_of_edge_a(edge_a), edge_b));
    }
  }
  // A corner in the plane of the other triangle touches, whatever rounding says.
  const auto at_most_touching = [&](double height) {
    return std::abs(height) < exact_ ? -exact_ : height < 0 ? std::max(height, -thickness()) : height;
  };
  for (int k = 0; k < 3 && feature == no_feature; ++k) {
    const double of_a = at_most_touching(normal_b.dot(a[k] - b[0])), of_b = at_most_touching(normal_a.dot(b[k] - a[0]));
    offer(of_a, -normal_b, a[k], feature_of(lead_of_vertex_a(a_.face(pierced.face_a).vertex[k]), pierced.face_b));
    offer(of_b, normal_a, b[k] - of_b * normal_a,
          feature_of(lead_of_vertex_b(b_.face(pierced.face_b).vertex[k]), pierced.face_a));
  }
  if (feature != no_feature) points.add(feature, best);
}

}  // namespace carom::inline contact_geometry
