#include "contact_geometry/mesh_meeting.h"

#include <cmath>

namespace carom::inline contact_geometry {

namespace {

// In place of the face under a vertex: what is nearest to it, be it a face, an edge or a vertex.
constexpr std::uint32_t apart = 0xffffffff;
constexpr double coded_faces = 1 << 26;   // more than meshes have: two numbers of faces are one number
constexpr double same_bend = 0.9;         // cosine, of normals about one bend of a surface
constexpr double rounding = 1e-12;        // of the size
constexpr double on_border = 1e-9;        // of a triangle, by which a foot may lie outside
constexpr double nearly_parallel = 1e-3;  // sine of the angle of edges that do not cross
constexpr double behind_notch = 4;        // depths, by which a face goes on behind another one
constexpr double as_near = 0.999;         // of a depth: nothing of the surface is nearer

// Whether the foot of a point on the plane of a face lies in it. Where two faces make a notch, each goes on behind the
// other by as much as the point is deep: what has entered both is held by both.
bool stands_over(const Eigen::Vector3d& point, const std::array<Eigen::Vector3d, 3>& t, const TriangleMesh& mesh,
                 int face, const Eigen::Vector3d& normal, double depth) {
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d side = t[(k + 1) % 3] - t[k];
    const double inside = normal.dot(side.cross(point - t[k]));
    if (inside >= -on_border * side.squaredNorm()) continue;
    // Edge k is opposite to corner k.
    if (!(depth > 0) || !mesh.edge(mesh.face(face).edge[(k + 2) % 3]).is_notch()) return false;
    if (inside < -behind_notch * depth * side.norm()) return false;
  }
  return true;
}

// Where a segment goes through a plane.
Eigen::Vector3d crossing(const Eigen::Vector3d& from, const Eigen::Vector3d& to, const Eigen::Vector3d& on,
                         const Eigen::Vector3d& normal) {
  const double one = normal.dot(from - on), two = normal.dot(to - on);
  return one == two ? from : Eigen::Vector3d(from + one / (one - two) * (to - from));
}

// A place inside a ridge that an edge, through `point` along `way`, has gone over: the middle of the line across both,
// where that is below both faces of the ridge; of a sharper one, amid the part of the edge that is.
Eigen::Vector3d place_in_ridge(const Eigen::Vector3d& middle, const Eigen::Vector3d& point, const Eigen::Vector3d& way,
                               const Eigen::Vector3d& on_ridge, const std::array<Eigen::Vector3d, 2>& normals) {
  double from = -1e300, to = 1e300;
  bool below = true;
  for (const Eigen::Vector3d& normal : normals) {
    const double height = normal.dot(point - on_ridge), rise = normal.dot(way);
    below = below && normal.dot(middle - on_ridge) <= 0;
    if (rise > 0) to = std::min(to, -height / rise);
    if (rise < 0) from = std::max(from, -height / rise);
  }
  return below || !(from < to && from > -1 && to < 1) ? middle : Eigen::Vector3d(point + 0.5 * (from + to) * way);
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
  Corners corners;
  for (int c = 0; c < 3; ++c) {
    const Eigen::Vector3d& local = b_.corner(face, c);
    for (int k = 0; k < 3; ++k)
      corners[c][k] = offset_[k] + (axes_(k, 0) * local[0] + axes_(k, 1) * local[1] + axes_(k, 2) * local[2]);
  }
  return corners;
}

// Number by number, as the tree's own.
AxisBox MeshMeeting::box_on_a(const AxisBox& box) const {
  double centre[3], half[3];
  for (int k = 0; k < 3; ++k) centre[k] = 0.5 * (box.low[k] + box.high[k]), half[k] = 0.5 * (box.high[k] - box.low[k]);
  AxisBox turned;
  for (int k = 0; k < 3; ++k) {
    const double middle = offset_[k] + (axes_(k, 0) * centre[0] + axes_(k, 1) * centre[1] + axes_(k, 2) * centre[2]);
    const double size = size_of_axes_(k, 0) * half[0] + size_of_axes_(k, 1) * half[1] + size_of_axes_(k, 2) * half[2];
    turned.low[k] = middle - size, turned.high[k] = middle + size;
  }
  return turned;
}

Eigen::Vector3d MeshMeeting::on_b(const Eigen::Vector3d& point) const {
  return (turn_.transpose() * (point - offset_)).cwiseQuotient(stretch_);
}

bool MeshMeeting::is_inside_b(const Eigen::Vector3d& point) const {
  return b_.contains(on_b(point));
}

// The nearest place of those faces that are looked at.
template <typename Looks>
SurfacePlace MeshMeeting::nearest_seen(const TriangleMesh& mesh, const Eigen::Vector3d& point, double within,
                                       const Looks& looks_at) {
  SurfacePlace best;
  best.distance_squared = within * within;
  mesh.tree().visit([&](const AxisBox& box) { return box.distance_squared(point) < best.distance_squared; },
                    [&](int face) {
                      if (!looks_at(mesh.face(face).normal)) return;
                      const SurfacePlace place = mesh.nearest_on_face(face, point);
                      if (place.distance_squared < best.distance_squared) best = place;
                    });
  return best;
}

// A vertex that lies `depth` behind a face leaves by it if it is inside and no other face that it looks at is nearer. A
// face that looks the same way as those about the vertex does not let it out, however near: two parts may lie flush.
template <typename Looks>
bool MeshMeeting::leaves_by(const TriangleMesh& mesh, const Eigen::Vector3d& point, double depth,
                            const Looks& looks_at) {
  const SurfacePlace place = mesh.nearest(point, (2 - as_near) * depth);
  if (place.face < 0) return mesh.contains(point);
  if (mesh.normal_at(place).dot(point - place.point) > rounding * mesh.size()) return false;
  if (place.distance_squared >= as_near * as_near * depth * depth) return true;
  return nearest_seen(mesh, point, as_near * depth, looks_at).face < 0;
}

bool MeshMeeting::vertex_of_b_leaves_by(int v, const Eigen::Vector3d& point, double depth) const {
  return leaves_by(a_, point, depth, [&](const Eigen::Vector3d& normal) {
    return b_.vertex_looks_along(v, -(turn_.transpose() * normal), b_.vertex(v).slack);
  });
}

// What is stretched is a cube from −1 to 1.
bool MeshMeeting::vertex_of_a_leaves_by(int v, double depth) const {
  const Eigen::Vector3d& point = a_.vertex(v).position;
  const auto looks_at = [&](const Eigen::Vector3d& normal) {
    return a_.vertex_looks_along(v, -(turn_ * normal), a_.vertex(v).slack);
  };
  if (!is_stretched()) return leaves_by(b_, on_b(point), depth, looks_at);
  const Eigen::Vector3d local = turn_.transpose() * (point - offset_);
  for (int axis = 0; axis < 3; ++axis) {
    for (const int sign : {-1, 1}) {
      const double inside = stretch_[axis] - sign * local[axis];
      if (inside < -exact_) return false;
      if (inside < as_near * depth && looks_at(sign * Eigen::Vector3d(Eigen::Vector3d::Unit(axis)))) return false;
    }
  }
  return true;
}

// A point of an edge inside the other solid leaves it over the other's edge if, of what the edge looks at, the faces
// about the other edge are nearest.
template <typename Looks>
bool MeshMeeting::leaves_over(const TriangleMesh& mesh, int edge, const Eigen::Vector3d& point, const Looks& looks_at) {
  const SurfacePlace place = mesh.nearest(point);
  if (mesh.normal_at(place).dot(point - place.point) > rounding * mesh.size()) return false;
  const Eigen::Vector3d& normal = mesh.face(place.face).normal;
  if (bends_over(mesh, edge, normal)) return true;
  if (looks_at(normal)) return false;
  const SurfacePlace seen = nearest_seen(mesh, point, mesh.size(), looks_at);
  return seen.face >= 0 && bends_over(mesh, edge, mesh.face(seen.face).normal);
}

bool MeshMeeting::edge_of_b_leaves_over(int edge_a, int edge_b, const Eigen::Vector3d& point) const {
  return leaves_over(a_, edge_a, point, [&](const Eigen::Vector3d& normal) {
    return b_.edge_looks_along(edge_b, -(turn_.transpose() * normal), b_.edge(edge_b).slack);
  });
}

bool MeshMeeting::edge_of_a_leaves_over(int edge_a, int edge_b, const Eigen::Vector3d& point) const {
  const auto looks_at = [&](const Eigen::Vector3d& normal) {
    return a_.edge_looks_along(edge_a, -(turn_ * normal), a_.edge(edge_a).slack);
  };
  if (!is_stretched()) return leaves_over(b_, edge_b, on_b(point), looks_at);
  const Eigen::Vector3d local = turn_.transpose() * (point - offset_);
  double least = 1e300;
  Eigen::Vector3d nearest = Eigen::Vector3d::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    for (const int sign : {-1, 1}) {
      const Eigen::Vector3d normal = sign * Eigen::Vector3d(Eigen::Vector3d::Unit(axis));
      const double inside = stretch_[axis] - sign * local[axis];
      if (inside < -exact_) return false;
      if (inside < least && looks_at(normal)) least = inside, nearest = normal;
    }
  }
  return bends_over(b_, edge_b, nearest);
}

// Whether a side of the surface is about one of the two faces of an edge.
bool MeshMeeting::bends_over(const TriangleMesh& mesh, int edge, const Eigen::Vector3d& side) {
  const auto& faces = mesh.edge(edge).face;
  return side.dot(mesh.face(faces[0]).normal) > same_bend || side.dot(mesh.face(faces[1]).normal) > same_bend;
}

template <typename Within, typename Visit>
void MeshMeeting::visit_near(const Within& within, const Visit& visit) const {
  if (complete_ >= 0) {
    const bool enough = within() <= complete_;
    visit_list(within, visit);
    if (enough || within() <= complete_) return;
  }
  visit_trees(within, visit);
}

template <typename Within, typename Visit>
void MeshMeeting::visit_list(const Within& within, const Visit& visit) const {
  int last = -1;
  Corners corners;
  AxisBox box;
  for (const double code : near_) {
    const double limit = within();
    if (limit < 0) return;
    const auto face_a = static_cast<int>(code / coded_faces), face_b = static_cast<int>(code - coded_faces * face_a);
    if (face_b != last) {
      last = face_b;
      corners = corners_of_b(face_b);
      box = {};
      for (const Eigen::Vector3d& corner : corners) box.add(corner);
    }
    if (a_.box_of(face_a).distance_squared(box) <= limit * limit) visit(face_a, face_b, corners);
  }
}

void MeshMeeting::recall(const double* near) {
  complete_ = -1;
  if (!(near[0] > 0)) return;
  const Eigen::Map<const Eigen::Vector3d> offset(near + 3);
  const Eigen::Map<const Eigen::Matrix3d> turn(near + 6);
  const double moved = (offset_ - offset).norm() + (turn_ - turn).norm() * stretch_.maxCoeff() * b_.bounding_radius();
  complete_ = near[1] - moved;
  near_ = {near + near_head, static_cast<std::size_t>(near[0]) - 1};
}

void MeshMeeting::remember(double reach, double skin, double* near) {
  if (complete_ >= reach) return;
  constexpr double thinner = 0.25, thicker = 1.5;
  const double own = near[2] > 0 ? std::min(skin, thicker * near[2]) : skin, within = reach + own;
  int count = 0;
  visit_trees([&] { return count <= most_near ? within : -1; },
              [&](int face_a, int face_b, const Corners&) {
                if (count++ < most_near) near[near_head + count - 1] = coded_faces * face_a + face_b;
              });
  const bool fits = count <= most_near;
  near[0] = fits ? count + 1 : 0, near[1] = within, near[2] = fits ? own : thinner * own;
  Eigen::Map<Eigen::Vector3d>(near + 3) = offset_;
  Eigen::Map<Eigen::Matrix3d>(near + 6) = turn_;
  recall(near);
}

template <typename Within, typename Visit>
void MeshMeeting::visit_trees(const Within& within, const Visit& visit) const {
  struct Open {
    int a, b;
    double bound;
  };
  const double stretched = stretch_.squaredNorm() / 3;
  Open stack[4 * BoxTree::deepest];
  int size = 0;
  const auto bound = [&](int a, const AxisBox& b) { return a_.tree().node(a).box.distance_squared(b); };
  stack[size++] = {0, 0, bound(0, box_on_a(b_.tree().root().box))};
  while (size > 0) {
    const Open open = stack[--size];
    const double limit = within();
    if (limit < 0) return;
    if (open.bound > limit * limit) continue;
    const BoxTree::Node &a = a_.tree().node(open.a), &b = b_.tree().node(open.b);
    if (a.is_leaf() && b.is_leaf()) {
      for (const int face_b : b_.tree().items(b)) {
        const Corners corners = corners_of_b(face_b);
        AxisBox box;
        for (const Eigen::Vector3d& corner : corners) box.add(corner);
        for (const int face_a : a_.tree().items(a)) {
          const double now = within();
          if (a_.box_of(face_a).distance_squared(box) <= now * now) visit(face_a, face_b, corners);
        }
      }
      continue;
    }
    // The larger of the two is opened, and its nearer half looked at first.
    Open halves[2];
    const bool open_a =
        !a.is_leaf() && (b.is_leaf() || a.box.diagonal_squared() >= stretched * b.box.diagonal_squared());
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

bool MeshMeeting::any_near(double within, const std::function<bool(int, int, const Corners&)>& is_wanted) const {
  bool found = false;
  visit_trees([&] { return found ? -1 : within; },
              [&](int face_a, int face_b, const Corners& b) { found = found || is_wanted(face_a, face_b, b); });
  return found;
}

// A vertex of a over a face of b that looks at it. What lies behind the face must be inside.
void MeshMeeting::touch_vertices_of_a(int face_a, int face_b, const Corners& b, double reach, bool all,
                                      MeshPoints& points) const {
  const Eigen::Vector3d normal = turn_ * b_.face(face_b).normal;
  for (const int v : a_.face(face_a).vertex) {
    const TriangleMesh::Vertex& vertex = a_.vertex(v);
    if (!vertex.is_corner || (!all && vertex.owner != face_a)) continue;
    const double gap = normal.dot(vertex.position - b[0]);
    if (std::abs(gap) > reach || !stands_over(vertex.position, b, b_, face_b, normal, -gap)) continue;
    if (!a_.vertex_looks_along(v, -normal, vertex.slack)) continue;
    if (gap < -exact_ && !vertex_of_a_leaves_by(v, -gap)) continue;
    points.add(feature_of(lead_of_vertex_a(v), face_b),
               {gap, -normal, vertex.position, vertex.position - gap * normal});
  }
}

void MeshMeeting::touch_vertices_of_b(int face_a, int face_b, const Corners& b, double reach, bool all,
                                      MeshPoints& points) const {
  const Eigen::Vector3d& normal = a_.face(face_a).normal;
  const Corners a = {a_.corner(face_a, 0), a_.corner(face_a, 1), a_.corner(face_a, 2)};
  const Eigen::Vector3d back = -(turn_.transpose() * normal);
  for (int k = 0; k < 3; ++k) {
    const int v = b_.face(face_b).vertex[k];
    const TriangleMesh::Vertex& vertex = b_.vertex(v);
    if (!vertex.is_corner || (!all && vertex.owner != face_b)) continue;
    const double gap = normal.dot(b[k] - a[0]);
    if (std::abs(gap) > reach || !stands_over(b[k], a, a_, face_a, normal, -gap)) continue;
    if (!b_.vertex_looks_along(v, back, vertex.slack)) continue;
    if (gap < -exact_ && !vertex_of_b_leaves_by(v, b[k], -gap)) continue;
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
    const Eigen::Vector3d of_b =
        place_in_ridge(middle, point_b, along_b, p, {a_.face(a.face[0]).normal, a_.face(a.face[1]).normal});
    const Eigen::Vector3d of_a = place_in_ridge(middle, point_a, along_a, r,
                                                {turn_ * b_.face(b.face[0]).normal, turn_ * b_.face(b.face[1]).normal});
    if (looking ? !edge_of_b_leaves_over(index_a, index_b, of_b) || !edge_of_a_leaves_over(index_a, index_b, of_a)
                : !is_inside_a(of_b) || !is_inside_b(of_a))
      return;
  }
  points.add(feature_of(lead_of_edge_a(index_a), index_b), {gap, normal, point_a, point_b});
}

void MeshMeeting::meet(int face_a, int face_b, const Corners& b, double reach, MeshPoints& points,
                       PiercedPlaces& pierced) const {
  const Eigen::Vector3d &normal_a = a_.face(face_a).normal, normal_b = turn_ * b_.face(face_b).normal;
  const Corners a = {a_.corner(face_a, 0), a_.corner(face_a, 1), a_.corner(face_a, 2)};
  const double above_a = plane_distance(normal_a, a[0], b), above_b = plane_distance(normal_b, b[0], a);
  if (above_a > reach || above_b > reach) return;
  // Triangles that go through each other belong to an overlap, however deep their corners lie.
  bool through = false;
  for (int k = 0; k < 3 && above_a == 0 && above_b == 0 && !through; ++k) {
    const int next = (k + 1) % 3;
    const bool of_a = pierces(a[k], a[next], b[0], b[1], b[2]);
    through = of_a || pierces(b[k], b[next], a[0], a[1], a[2]);
    if (through)
      pierced.add(
          {face_a, face_b, of_a ? crossing(a[k], a[next], b[0], normal_b) : crossing(b[k], b[next], a[0], normal_a)});
  }
  const double deepest = through ? std::max(reach, thickness()) : reach;
  // A vertex or an edge is near wherever one of its faces is: one of them asks for it.
  touch_vertices_of_a(face_a, face_b, b, deepest, through, points);
  touch_vertices_of_b(face_a, face_b, b, deepest, through, points);
  for (const int edge_a : a_.face(face_a).edge) {
    if (a_.edge(edge_a).face[0] != face_a) continue;
    for (const int edge_b : b_.face(face_b).edge) {
      if (b_.edge(edge_b).face[0] == face_b) cross_edges(edge_a, edge_b, reach, points, true);
    }
  }
}

void MeshMeeting::find_features(double reach, MeshPoints& points, PiercedPlaces& pierced) const {
  visit_near([&] { return reach; },
             [&](int face_a, int face_b, const Corners& b) { meet(face_a, face_b, b, reach, points, pierced); });
}

void MeshMeeting::PiercedPlaces::add(const Pierced& each) {
  if (size_ == static_cast<int>(places_.size())) return;
  for (const Pierced& known : all()) {
    if ((known.place - each.place).squaredNorm() < apart_ * apart_) return;
  }
  places_[size_++] = each;
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

MeshMeeting::Nearest MeshMeeting::find_nearest(double within, int first_a, int first_b) const {
  constexpr double nothing = -1;  // is as near
  Nearest best;
  best.distance = within;
  if (first_a >= 0) improve(first_a, first_b, corners_of_b(first_b), best);
  visit_near([&] { return best.distance > 0 ? best.distance : nothing; },
             [&](int face_a, int face_b, const Corners& b) { improve(face_a, face_b, b, best); });
  return best;
}

// A corner that is inside counts by the nearest place of the surface around it, edges that cross by the line across
// both, whatever the surfaces about them do. Where other overlaps are known, only corners that look at what they leave
// by: one that is said to be deeper than it has moved would throw the parts apart.
void MeshMeeting::add_pierced(const Pierced& pierced, bool looking, MeshPoints& points) const {
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
    const int of_a = a_.face(pierced.face_a).vertex[k], of_b = b_.face(pierced.face_b).vertex[k];
    const SurfacePlace around = a_.nearest(b[k]);
    const Eigen::Vector3d &outward = a_.normal_at(around), back = -(turn_.transpose() * a_.face(around.face).normal);
    if (outward.dot(b[k] - around.point) < 0 &&
        (!looking || b_.vertex_looks_along(of_b, back, b_.vertex(of_b).slack))) {
      const double depth = std::sqrt(around.distance_squared);
      offer(-depth, depth > exact_ ? Eigen::Vector3d((around.point - b[k]) / depth) : outward, around.point,
            feature_of(lead_of_vertex_b(of_b), around.face));
    }
    if (is_inside_b(a[k]) && (!looking || a_.vertex_looks_along(of_a, -normal_b, a_.vertex(of_a).slack)))
      offer(normal_b.dot(a[k] - b[0]), -normal_b, a[k], feature_of(lead_of_vertex_a(of_a), pierced.face_b));
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
  for (int k = 0; k < 3 && !looking && feature == no_feature; ++k) {
    const double of_a = at_most_touching(normal_b.dot(a[k] - b[0])), of_b = at_most_touching(normal_a.dot(b[k] - a[0]));
    offer(of_a, -normal_b, a[k], feature_of(lead_of_vertex_a(a_.face(pierced.face_a).vertex[k]), pierced.face_b));
    offer(of_b, normal_a, b[k] - of_b * normal_a,
          feature_of(lead_of_vertex_b(b_.face(pierced.face_b).vertex[k]), pierced.face_a));
  }
  if (feature != no_feature) points.add(feature, best);
}

void MeshMeeting::add_pierced(const PiercedPlaces& pierced, MeshPoints& points) const {
  for (const Pierced& each : pierced.all()) {
    bool is_known = false;
    for (int k = 0; k < points.size() && !is_known; ++k)
      is_known = points[k].gap <= 0 && (points[k].point_a - each.place).norm() < pierced.apart();
    if (!is_known) add_pierced(each, true, points);
  }
}

}  // namespace carom::inline contact_geometry
