#include "contact_geometry/mesh_meeting.h"

#include <cmath>

namespace carom::inline contact_geometry {

namespace {

// In place of the face under a vertex: what is nearest to it, be it a face, an edge or a vertex.
constexpr std::uint32_t apart = 0xffffffff;
constexpr double same_bend = 0.9;         // cosine, of normals about one bend of a surface
constexpr double rounding = 1e-12;        // of the size
constexpr double on_border = 1e-9;        // of a triangle, by which a foot may lie outside
constexpr double nearly_parallel = 1e-3;  // sine of the angle of edges that do not cross
constexpr double lean = 0.05;             // of a depth, sine: by which a line across edges may lean out of a side
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

}  // namespace

MeshMeeting::MeshMeeting(const TriangleMesh& a, const TriangleMesh& b, const Eigen::Matrix3d& turn,
                         const Eigen::Vector3d& offset, const Eigen::Vector3d& stretch)
    : a_(a),
      b_(b),
      turn_(turn),
      axes_(turn * stretch.asDiagonal()),
      offset_(offset),
      stretch_(stretch),
      exact_(rounding * (a.size() + stretch.maxCoeff() * b.size())),
      near_(a, b, axes_, offset, b.bounding_radius()) {}

MeshMeeting::Corners MeshMeeting::corners_of_b(int face) const {
  Corners corners;
  for (int c = 0; c < 3; ++c) {
    const Eigen::Vector3d& local = b_.corner(face, c);
    for (int k = 0; k < 3; ++k)
      corners[c][k] = offset_[k] + (axes_(k, 0) * local[0] + axes_(k, 1) * local[1] + axes_(k, 2) * local[2]);
  }
  return corners;
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
// about the other edge are nearest. Where flat sides lie on each other the middle of the line across both edges is in
// the side of each, and outside by as much as the line leans.
template <typename Looks>
bool MeshMeeting::leaves_over(const TriangleMesh& mesh, int edge, const Eigen::Vector3d& point, double depth,
                              const Looks& looks_at) {
  const SurfacePlace place = mesh.nearest(point);
  if (mesh.normal_at(place).dot(point - place.point) > std::max(rounding * mesh.size(), lean * depth)) return false;
  const Eigen::Vector3d& normal = mesh.face(place.face).normal;
  if (bends_over(mesh, edge, normal)) return true;
  if (looks_at(normal)) return false;
  const SurfacePlace seen = nearest_seen(mesh, point, mesh.size(), looks_at);
  return seen.face >= 0 && bends_over(mesh, edge, mesh.face(seen.face).normal);
}

bool MeshMeeting::edge_of_b_leaves_over(int edge_a, int edge_b, const Eigen::Vector3d& point, double depth) const {
  return leaves_over(a_, edge_a, point, depth, [&](const Eigen::Vector3d& normal) {
    return b_.edge_looks_along(edge_b, -(turn_.transpose() * normal), b_.edge(edge_b).slack);
  });
}

bool MeshMeeting::edge_of_a_leaves_over(int edge_a, int edge_b, const Eigen::Vector3d& point, double depth) const {
  const auto looks_at = [&](const Eigen::Vector3d& normal) {
    return a_.edge_looks_along(edge_a, -(turn_ * normal), a_.edge(edge_a).slack);
  };
  if (!is_stretched()) return leaves_over(b_, edge_b, on_b(point), depth, looks_at);
  const Eigen::Vector3d local = turn_.transpose() * (point - offset_);
  double least = 1e300;
  Eigen::Vector3d nearest = Eigen::Vector3d::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    for (const int sign : {-1, 1}) {
      const Eigen::Vector3d normal = sign * Eigen::Vector3d(Eigen::Vector3d::Unit(axis));
      const double inside = stretch_[axis] - sign * local[axis];
      if (inside < -std::max(exact_, lean * depth)) return false;
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

void MeshMeeting::touch_vertex_of_a(int v, int face_b, double least, double most, MeshPoints& points) const {
  const TriangleMesh::Vertex& vertex = a_.vertex(v);
  const Eigen::Vector3d normal = turn_ * b_.face(face_b).normal;
  const double gap = normal.dot(vertex.position - on_a(b_.corner(face_b, 0)));
  if (std::abs(gap) > most || -gap < least) return;
  if (!stands_over(vertex.position, corners_of_b(face_b), b_, face_b, normal, -gap)) return;
  if (!a_.vertex_looks_along(v, -normal, vertex.slack)) return;
  if (gap < -exact_ && !vertex_of_a_leaves_by(v, -gap)) return;
  points.add(feature_of(lead_of_vertex_a(v), face_b), {gap, -normal, vertex.position, vertex.position - gap * normal});
}

void MeshMeeting::touch_vertex_of_b(int v, int face_a, double least, double most, MeshPoints& points) const {
  const Eigen::Vector3d& normal = a_.face(face_a).normal;
  const Eigen::Vector3d point = on_a(b_.vertex(v).position);
  const double gap = normal.dot(point - a_.corner(face_a, 0));
  if (std::abs(gap) > most || -gap < least) return;
  if (!stands_over(point, corners_of_a(face_a), a_, face_a, normal, -gap)) return;
  if (!b_.vertex_looks_along(v, -(turn_.transpose() * normal), b_.vertex(v).slack)) return;
  if (gap < -exact_ && !vertex_of_b_leaves_by(v, point, -gap)) return;
  points.add(feature_of(lead_of_vertex_b(v), face_a), {gap, normal, point - gap * normal, point});
}

// Two ridges that pass each other: across both, in directions that both look along.
bool MeshMeeting::cross(int index_a, int index_b, double reach, EdgesCross how, ContactPoint<3>& point) const {
  const bool looking = how != EdgesCross::anyhow;
  const TriangleMesh::Edge &a = a_.edge(index_a), &b = b_.edge(index_b);
  if (!a.is_ridge() || !b.is_ridge()) return false;
  const Eigen::Vector3d &p = a_.vertex(a.vertex[0]).position, &q = a_.vertex(a.vertex[1]).position;
  const Eigen::Vector3d r = on_a(b_.vertex(b.vertex[0]).position), s = on_a(b_.vertex(b.vertex[1]).position);
  const Eigen::Vector3d along_a = q - p, along_b = s - r, across = along_a.cross(along_b);
  const double area = across.norm();
  if (!(area > nearly_parallel * std::sqrt(along_a.squaredNorm() * along_b.squaredNorm()))) return false;
  Eigen::Vector3d normal = across / area;
  if (normal.dot(a.normal) < 0) normal = -normal;
  const double gap = normal.dot(r - p);
  if (std::abs(gap) > reach) return false;
  // Where they pass, as parts of both.
  const Eigen::Vector3d between = r - p;
  const double part_a = between.cross(along_b).dot(across) / (area * area),
               part_b = between.cross(along_a).dot(across) / (area * area);
  if (!(part_a > 0 && part_a < 1 && part_b > 0 && part_b < 1)) return false;
  const Eigen::Vector3d back = -(turn_.transpose() * normal);
  if (back.dot(b.normal) < 0) return false;
  const bool look = a_.edge_looks_along(index_a, normal, a.slack) && b_.edge_looks_along(index_b, back, b.slack);
  if (looking && !look) return false;
  const Eigen::Vector3d point_a = p + part_a * along_a, point_b = point_a + gap * normal;
  if (how != EdgesCross::looking_as_before && gap < -exact_) {
    const Eigen::Vector3d middle = 0.5 * (point_a + point_b);
    const Eigen::Vector3d of_b =
        place_in_ridge(middle, point_b, along_b, p, {a_.face(a.face[0]).normal, a_.face(a.face[1]).normal});
    const Eigen::Vector3d of_a = place_in_ridge(middle, point_a, along_a, r,
                                                {turn_ * b_.face(b.face[0]).normal, turn_ * b_.face(b.face[1]).normal});
    if (looking ? !edge_of_b_leaves_over(index_a, index_b, of_b, -gap) ||
                      !edge_of_a_leaves_over(index_a, index_b, of_a, -gap)
                : !is_inside_a(of_b) || !is_inside_b(of_a))
      return false;
  }
  point = {gap, normal, point_a, point_b};
  return true;
}

void MeshMeeting::cross_edges(int edge_a, int edge_b, double reach, MeshPoints& points) const {
  ContactPoint<3> point;
  if (cross(edge_a, edge_b, reach, EdgesCross::looking, point))
    points.add(feature_of(lead_of_edge_a(edge_a), edge_b), point);
}

// What has entered both faces of a notch is near one of them and stands over none.
template <bool edge_of_a>
void MeshMeeting::touch_corner(int v, int face, double height, double reach, MeshPoints& points) const {
  const TriangleMesh& mesh = edge_of_a ? b_ : a_;
  const auto touch = [&](int over) {
    if constexpr (edge_of_a) {
      touch_vertex_of_a(v, over, -reach, reach, points);
    } else {
      touch_vertex_of_b(v, over, -reach, reach, points);
    }
  };
  touch(face);
  if (!(height < 0)) return;
  for (const int e : mesh.face(face).edge) {
    const TriangleMesh::Edge& edge = mesh.edge(e);
    if (edge.is_notch()) touch(edge.face[0] == face ? edge.face[1] : edge.face[0]);
  }
}

// A corner is near wherever its edges are: one of them asks for it.
template <bool edge_of_a>
void MeshMeeting::meet(int edge, int face, double reach, MeshPoints& points, PiercedPlaces& pierced) const {
  const EdgeAtFace pair = placed<edge_of_a>(edge, face);
  if (pair.is_beyond(reach)) return;
  const TriangleMesh& mesh = edge_of_a ? a_ : b_;
  for (const int k : {0, 1}) {
    const int v = mesh.edge(edge).vertex[k];
    if (std::abs(pair.height[k]) > reach || mesh.vertex(v).owner_edge != edge || !mesh.vertex(v).is_corner) continue;
    touch_corner<edge_of_a>(v, face, pair.height[k], reach, points);
  }
  if (!pair.goes_through()) return;
  const int own = mesh.edge(edge).face[0];
  const Eigen::Vector3d place = from_face<edge_of_a>(crossing(pair.from, pair.to, pair.face[0], pair.normal));
  pierced.add({edge_of_a ? own : face, edge_of_a ? face : own, place});
  if (std::min(pair.height[0], pair.height[1]) < -reach) meet_deep<edge_of_a>(edge, face, pair, reach, points);
}

// What goes through a face belongs to an overlap, however deep its corners lie: those of the faces about the edge, and
// of the face; an end of the edge that is inside leaves by what is nearest, too.
template <bool edge_of_a>
void MeshMeeting::meet_deep(int edge, int face, const EdgeAtFace& pair, double reach, MeshPoints& points) const {
  const TriangleMesh &of_edge = edge_of_a ? a_ : b_, &of_face = edge_of_a ? b_ : a_;
  const double deepest = thickness();
  if (!(deepest > reach)) return;
  const auto touch = [&](bool vertex_of_a, int v, int over) {
    if (!(vertex_of_a ? a_ : b_).vertex(v).is_corner) return;
    if (vertex_of_a) {
      touch_vertex_of_a(v, over, reach, deepest, points);
    } else {
      touch_vertex_of_b(v, over, reach, deepest, points);
    }
  };
  for (const int own : of_edge.edge(edge).face) {
    for (const int v : of_edge.face(own).vertex) touch(edge_of_a, v, face);
    for (const int v : of_face.face(face).vertex) touch(!edge_of_a, v, own);
  }
  for (const int k : {0, 1}) {
    const int v = of_edge.edge(edge).vertex[k];
    if (!(pair.height[k] < -reach) || !of_edge.vertex(v).is_corner) continue;
    const Eigen::Vector3d& end = k == 0 ? pair.from : pair.to;
    const Eigen::Vector3d local = edge_of_a ? Eigen::Vector3d(end.cwiseQuotient(stretch_)) : end;
    const SurfacePlace place = of_face.nearest(local);
    if (of_face.normal_at(place).dot(local - place.point) < 0) touch(edge_of_a, v, place.face);
  }
}

void MeshMeeting::find_features(double reach, MeshPoints& points, PiercedPlaces& pierced) const {
  const double near = around(reach);
  const auto may_meet = [&](EdgesAtFaces& at_faces, int edge, int face) {
    return at_faces.may_meet(edge, face, reach, near);
  };
  near_.visit_all<NearKind::edge_face>(
      near, may_meet, [&](int edge_a, int face_b) { meet<true>(edge_a, face_b, reach, points, pierced); });
  near_.visit_all<NearKind::face_edge>(
      near, may_meet, [&](int face_a, int edge_b) { meet<false>(edge_b, face_a, reach, points, pierced); });
  near_.visit_all<NearKind::edge_edge>(reach, may_meet,
                                       [&](int edge_a, int edge_b) { cross_edges(edge_a, edge_b, reach, points); });
}

bool MeshMeeting::follow(Feature feature, ContactPoint<3>& point) const {
  const auto other = static_cast<std::uint32_t>(feature & 0xffffffff);
  const int lead = lead_of(feature), of_a = static_cast<int>(a_.vertices().size()),
            of_both = of_a + static_cast<int>(b_.vertices().size());
  if (lead >= of_both)
    return cross(lead - of_both, static_cast<int>(other), 1e300, EdgesCross::looking_as_before, point);
  if (other == apart) return false;
  const int face = static_cast<int>(other);
  if (lead < of_a) {
    const Eigen::Vector3d &at = a_.vertex(lead).position, normal = turn_ * b_.face(face).normal;
    const double gap = normal.dot(at - on_a(b_.corner(face, 0)));
    point = {gap, -normal, at, at - gap * normal};
    return stands_over(at, corners_of_b(face), b_, face, normal, -gap);
  }
  const Eigen::Vector3d at = on_a(b_.vertex(lead - of_a).position), &normal = a_.face(face).normal;
  const double gap = normal.dot(at - a_.corner(face, 0));
  point = {gap, normal, at - gap * normal, at};
  return stands_over(at, corners_of_a(face), a_, face, normal, -gap);
}

void MeshMeeting::PiercedPlaces::add(const Pierced& each) {
  if (size_ == static_cast<int>(places_.size())) return;
  for (const Pierced& known : all()) {
    if ((known.place - each.place).squaredNorm() < apart_ * apart_) return;
  }
  places_[size_++] = each;
}

void MeshMeeting::offer(const Eigen::Vector3d& point_a, const Eigen::Vector3d& point_b, int face_a, int face_b,
                        Feature feature, Nearest& best) const {
  const double distance = (point_b - point_a).norm();
  if (distance < best.distance - exact_) best = {distance, face_a, face_b, point_a, point_b, feature};
}

// By all pairs of corners with the other triangle, and of sides.
void MeshMeeting::improve(int face_a, int face_b, Nearest& best) const {
  const TriangleMesh::Face &on_face_a = a_.face(face_a), &on_face_b = b_.face(face_b);
  const Corners a = corners_of_a(face_a), b = corners_of_b(face_b);
  for (int k = 0; k < 3; ++k) {
    if (pierces(a[k], a[(k + 1) % 3], b[0], b[1], b[2]) || pierces(b[k], b[(k + 1) % 3], a[0], a[1], a[2])) {
      best.distance = 0, best.face_a = face_a, best.face_b = face_b;
      return;
    }
  }
  for (int k = 0; k < 3; ++k) {
    offer(a[k], nearest_on_triangle(a[k], b[0], b[1], b[2]).point, face_a, face_b,
          feature_of(lead_of_vertex_a(on_face_a.vertex[k]), apart), best);
    offer(nearest_on_triangle(b[k], a[0], a[1], a[2]).point, b[k], face_a, face_b,
          feature_of(lead_of_vertex_b(on_face_b.vertex[k]), apart), best);
  }
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d &p = a[(k + 1) % 3], &q = a[(k + 2) % 3];
    for (int l = 0; l < 3; ++l) {
      const SegmentPlaces places = nearest_of_segments(p, q, b[(l + 1) % 3], b[(l + 2) % 3]);
      offer(places.on_one, places.on_two, face_a, face_b,
            feature_of(lead_of_edge_a(on_face_a.edge[k]), on_face_b.edge[l]), best);
    }
  }
}

template <bool edge_of_a>
void MeshMeeting::improve_by_edge(int edge, int face, Nearest& best) const {
  const EdgeAtFace pair = placed<edge_of_a>(edge, face);
  if (pair.is_beyond(best.distance)) return;
  const TriangleMesh& mesh = edge_of_a ? a_ : b_;
  if (pair.goes_through()) {
    const int own = mesh.edge(edge).face[0];
    best.distance = 0, best.face_a = edge_of_a ? own : face, best.face_b = edge_of_a ? face : own;
    return;
  }
  for (const int k : {0, 1}) {
    const int v = mesh.edge(edge).vertex[k];
    if (std::abs(pair.height[k]) > best.distance || mesh.vertex(v).owner_edge != edge) continue;
    const Eigen::Vector3d& end = k == 0 ? pair.from : pair.to;
    const Eigen::Vector3d at = nearest_on_triangle(end, pair.face[0], pair.face[1], pair.face[2]).point;
    const Eigen::Vector3d own = from_face<edge_of_a>(end), other = from_face<edge_of_a>(at);
    if constexpr (edge_of_a) {
      offer(own, other, mesh.vertex(v).owner, face, feature_of(lead_of_vertex_a(v), apart), best);
    } else {
      offer(other, own, face, mesh.vertex(v).owner, feature_of(lead_of_vertex_b(v), apart), best);
    }
  }
}

void MeshMeeting::improve_by_edges(int edge_a, int edge_b, Nearest& best) const {
  const TriangleMesh::Edge &a = a_.edge(edge_a), &b = b_.edge(edge_b);
  if (!a.is_ridge() || !b.is_ridge()) return;
  const SegmentPlaces places =
      nearest_of_segments(a_.vertex(a.vertex[0]).position, a_.vertex(a.vertex[1]).position,
                          on_a(b_.vertex(b.vertex[0]).position), on_a(b_.vertex(b.vertex[1]).position));
  offer(places.on_one, places.on_two, a.face[0], b.face[0], feature_of(lead_of_edge_a(edge_a), edge_b), best);
}

// Vertices come first where edges are as near.
MeshMeeting::Nearest MeshMeeting::find_nearest(double within, int first_a, int first_b) const {
  constexpr double nothing = -1;  // is as near
  Nearest best;
  best.distance = within;
  if (first_a >= 0) improve(first_a, first_b, best);
  const auto nearer = [&] { return best.distance > 0 ? best.distance : nothing; };
  near_.visit<NearKind::edge_face>(nearer,
                                   [&](int edge_a, int face_b) { improve_by_edge<true>(edge_a, face_b, best); });
  near_.visit<NearKind::face_edge>(nearer,
                                   [&](int face_a, int edge_b) { improve_by_edge<false>(edge_b, face_a, best); });
  near_.visit<NearKind::edge_edge>(nearer, [&](int edge_a, int edge_b) { improve_by_edges(edge_a, edge_b, best); });
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
      ContactPoint<3> crossing;
      if (cross(edge_a, edge_b, 1e300, EdgesCross::anyhow, crossing) && crossing.gap < 0)
        offer(crossing.gap, crossing.normal, crossing.point_a, feature_of(lead_of_edge_a(edge_a), edge_b));
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
