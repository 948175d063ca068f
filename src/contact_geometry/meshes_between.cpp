#include "contact_geometry/meshes_between.h"

#include <cmath>

#include "contact_geometry/flat_sided.h"

namespace carom::inline contact_geometry {

namespace {

constexpr double too_parallel = 1e-3;  // sine of the angle of edges that do not cross
constexpr double nothing = 1e-300;

struct Nearest {
  double distance = 1e300;
  Eigen::Vector3d on_a = Eigen::Vector3d::Zero(), on_b = Eigen::Vector3d::Zero();
};

// 0 where they go through each other.
Nearest nearest_of_triangles(const std::array<Eigen::Vector3d, 3>& a, const std::array<Eigen::Vector3d, 3>& b) {
  Nearest best;
  const auto offer = [&](const Eigen::Vector3d& on_a, const Eigen::Vector3d& on_b) {
    const double distance = (on_b - on_a).norm();
    if (distance < best.distance) best = {distance, on_a, on_b};
  };
  for (int k = 0; k < 3; ++k) {
    offer(a[k], nearest_on_triangle(a[k], b[0], b[1], b[2]).point);
    offer(nearest_on_triangle(b[k], a[0], a[1], a[2]).point, b[k]);
    for (int l = 0; l < 3; ++l) {
      const SegmentPlaces places = nearest_of_segments(a[k], a[(k + 1) % 3], b[l], b[(l + 1) % 3]);
      offer(places.on_one, places.on_two);
    }
  }
  for (int k = 0; k < 3; ++k) {
    if (pierces(a[k], a[(k + 1) % 3], b[0], b[1], b[2]) || pierces(b[k], b[(k + 1) % 3], a[0], a[1], a[2]))
      best.distance = 0;
  }
  return best;
}

// Whether a point stays clear of a triangle: by the slab across the line to its nearest place at either instant, or by
// its distance.
template <class Proof, class Walls, class Low, class High>
bool is_apart(const Proof& proof, const std::array<Eigen::Vector3d, 2>& point, const Walls& walls, double side,
              const Low& lowest, const High& highest) {
  std::array<double, 2> apart;
  for (const int instant : {0, 1}) {
    const auto& wall = walls[instant];
    const Eigen::Vector3d off = nearest_on_triangle(point[instant], wall[0], wall[1], wall[2]).point - point[instant];
    apart[instant] = off.norm();
    if (apart[instant] > nothing && proof.holds(Eigen::Vector3d(side / apart[instant] * off), instant, lowest, highest))
      return true;
  }
  return proof.by_way(apart[0], apart[1]);
}

}  // namespace

MeshesBetween::MeshesBetween(const TriangleMesh& a, const TriangleMesh& b, const Eigen::Vector3d& stretch,
                             const TwoInstants& frames, const GapMotion& motion, const Eigen::Vector3d& origin)
    : a_(a),
      b_(b),
      stretch_(stretch),
      frames_(frames),
      motion_(motion),
      proof_(frames, motion),
      origin_(origin),
      turn_{frames.a[0].axes.transpose() * frames.b[0].axes, frames.a[1].axes.transpose() * frames.b[1].axes},
      offset_{frames.a[0].inside(frames.b[0].origin), frames.a[1].inside(frames.b[1].origin)},
      places_{WidePlaces(a.wide_tree(), b.wide_tree(), turn_[0], offset_[0], stretch),
              WidePlaces(a.wide_tree(), b.wide_tree(), turn_[1], offset_[1], stretch)} {
  for (const int instant : {0, 1}) size_[instant] = (turn_[instant] * stretch.asDiagonal()).cwiseAbs();
}

Eigen::Vector3d MeshesBetween::between(const AxisBox& box_a, const AxisBox& box_b, int instant) const {
  const Eigen::Vector3d centre = offset_[instant] + turn_[instant] * stretch_.cwiseProduct(box_b.centre()),
                        half = size_[instant] * box_b.half();
  const Eigen::Vector3d above = (centre - half - box_a.high).cwiseMax(0.0),
                        below = (box_a.low - centre - half).cwiseMax(0.0);
  return above - below;
}

double MeshesBetween::apart_along_b(const AxisBox& box_a, const AxisBox& box_b, int instant) const {
  const Eigen::Matrix3d& turn = turn_[instant];
  const Eigen::Vector3d from = stretch_.cwiseProduct(box_b.centre()),
                        to = turn.transpose() * (box_a.centre() - offset_[instant]),
                        size = turn.cwiseAbs().transpose() * box_a.half() + stretch_.cwiseProduct(box_b.half());
  return ((to - from).cwiseAbs() - size).cwiseMax(0.0).norm();
}

// `apart`: their distance at the first instant, at least.
bool MeshesBetween::branches_are_clear(const AxisBox& box_a, const AxisBox& box_b, double apart) const {
  if (apart >= motion_.way) return true;
  const std::array<Eigen::Vector3d, 2> way = {between(box_a, box_b, 0), between(box_a, box_b, 1)};
  const double then = way[1].norm();
  if (proof_.by_way(apart, then)) return true;
  const auto along = [](const AxisBox& box, const Eigen::Vector3d& local, double side) {
    return local.dot(box.centre()) + side * local.cwiseAbs().dot(box.half());
  };
  const auto low = [&](int instant, const Eigen::Vector3d& n) {
    const PlacedFrame& frame = frames_.b[instant];
    return n.dot(frame.origin) + along(box_b, stretch_.cwiseProduct(frame.axes.transpose() * n), -1);
  };
  const auto high = [&](int instant, const Eigen::Vector3d& n) {
    const PlacedFrame& frame = frames_.a[instant];
    return n.dot(frame.origin) + along(box_a, frame.axes.transpose() * n, 1);
  };
  for (const int instant : {0, 1}) {
    const double size = way[instant].norm();
    if (size > nothing && proof_.holds(frames_.a[instant].axes * (way[instant] / size), instant, low, high))
      return true;
  }
  return false;
}

// is_clear(face of a, face of b) of all triangles whose branches are not clear.
template <typename Clear>
bool MeshesBetween::visit(const Clear& is_clear) const {
  struct Open {
    int a, b;
    float apart, then;  // m², at both instants
  };
  Open stack[6 * WideTree::deepest];
  int size = 0;
  const WideTree &of_a = a_.wide_tree(), &of_b = b_.wide_tree();
  const auto apart = [&](const AxisBox& box_a, const AxisBox& box_b) {
    const double along_a = between(box_a, box_b, 0).norm();
    return along_a >= motion_.way ? along_a : std::max(along_a, apart_along_b(box_a, box_b, 0));
  };
  const auto whole = [](const SmallBox& box) {
    AxisBox wide;
    for (int k = 0; k < 3; ++k)
      wide.low[k] = double{box.centre[k]} - box.half[k], wide.high[k] = double{box.centre[k]} + box.half[k];
    return wide;
  };
  const double clear = motion_.way + 2 * motion_.floor;
  stack[size++] = {0, 0, 0, 0};
  while (size > 0) {
    const Open open = stack[--size];
    if (open.a < 0 && open.b < 0) {
      const AxisBox &box_a = a_.box_of(~open.a), &box_b = b_.box_of(~open.b);
      if (!branches_are_clear(box_a, box_b, apart(box_a, box_b)) && !is_clear(~open.a, ~open.b)) return false;
      continue;
    }
    const SmallBox &a = of_a.box(open.a), &b = of_b.box(open.b);
    // Boxes that meet at both instants tell nothing.
    if ((open.apart > 0 || open.then > 0) && branches_are_clear(whole(a), whole(b), std::sqrt(double{open.apart})))
      continue;
    // The larger of the two is opened, and its nearest parts are looked at first.
    const bool open_a = places_[0].opens_a(open.a, open.b);
    const FourBoxes& four = open_a ? of_a.children(open.a) : of_b.children(open.b);
    const Four before = places_[0].bounds(four, open_a, open_a ? b : a),
               after = places_[1].bounds(four, open_a, open_a ? b : a);
    const int first = size;
    for (int k = 0; k < four.count; ++k) {
      if (std::sqrt(double{before[k]}) + std::sqrt(double{after[k]}) >= clear) continue;
      const Open next =
          open_a ? Open{four.child[k], open.b, before[k], after[k]} : Open{open.a, four.child[k], before[k], after[k]};
      int place = size++;
      for (; place > first && stack[place - 1].apart < next.apart; --place) stack[place] = stack[place - 1];
      stack[place] = next;
    }
  }
  return true;
}

MeshesBetween::Triangles MeshesBetween::placed(int face_a, int face_b) const {
  Triangles pair{face_a, face_b, {}, {}};
  for (const int instant : {0, 1}) {
    for (int k = 0; k < 3; ++k) {
      pair.a[instant][k] = at_a(a_.corner(face_a, k), instant);
      pair.b[instant][k] = at_b(b_.corner(face_b, k), instant);
    }
  }
  return pair;
}

// Across two edges at an instant.
bool MeshesBetween::edges_separate(const Triangles& pair, int instant) const {
  const auto low = [&](int k, const Eigen::Vector3d& n) { return least_along(n, pair.b[k]); };
  const auto high = [&](int k, const Eigen::Vector3d& n) { return greatest_along(n, pair.a[k]); };
  const Corners &a = pair.a[instant], &b = pair.b[instant];
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d along = a[(k + 1) % 3] - a[k];
    for (int l = 0; l < 3; ++l) {
      const Eigen::Vector3d side = b[(l + 1) % 3] - b[l], across = along.cross(side);
      const double size = across.norm();
      if (!(size > 1e-9 * along.norm() * side.norm())) continue;
      const Eigen::Vector3d n = across / size;
      if (proof_.holds(n, instant, low, high) || proof_.holds(Eigen::Vector3d(-n), instant, low, high)) return true;
    }
  }
  return false;
}

bool MeshesBetween::triangles_are_clear(const Triangles& pair) const {
  const auto low = [&](int k, const Eigen::Vector3d& n) { return least_along(n, pair.b[k]); };
  const auto high = [&](int k, const Eigen::Vector3d& n) { return greatest_along(n, pair.a[k]); };
  for (const int instant : {0, 1}) {
    const Eigen::Vector3d out_of_a = frames_.a[instant].axes * a_.face(pair.face_a).normal,
                          into_b = -(frames_.b[instant].axes * b_.face(pair.face_b).normal);
    if (proof_.holds(out_of_a, instant, low, high) || proof_.holds(into_b, instant, low, high)) return true;
  }
  const Nearest first = nearest_of_triangles(pair.a[0], pair.b[0]), second = nearest_of_triangles(pair.a[1], pair.b[1]);
  if (proof_.by_way(first.distance, second.distance)) return true;
  for (const int instant : {0, 1}) {
    const Nearest& nearest = instant == 0 ? first : second;
    if (nearest.distance > nothing &&
        proof_.holds(Eigen::Vector3d((nearest.on_b - nearest.on_a) / nearest.distance), instant, low, high))
      return true;
  }
  return edges_separate(pair, 0) || edges_separate(pair, 1);
}

bool MeshesBetween::are_clear() const {
  return visit([&](int face_a, int face_b) { return triangles_are_clear(placed(face_a, face_b)); });
}

// Of the point of one mesh at the first instant in the other.
bool MeshesBetween::is_inside(bool of_a, const Eigen::Vector3d& point) const {
  if (of_a) return a_.contains(frames_.a[0].inside(point));
  return b_.contains(frames_.b[0].inside(point).cwiseQuotient(stretch_));
}

bool MeshesBetween::is_closed_at(const Eigen::Vector3d& place) const {
  const double same = motion_.way + 1e-9 * std::min(a_.size(), stretch_.maxCoeff() * b_.size());
  for (const ClosedPoint& point : motion_.closed) {
    if ((point.place - origin_ - place).squaredNorm() < same * same) return true;
  }
  return false;
}

// Vertices of one triangle over the other. A vertex belongs to one of its triangles only.
bool MeshesBetween::vertices_are_clear(const Triangles& pair, bool of_a) const {
  const TriangleMesh &own = of_a ? a_ : b_, &other = of_a ? b_ : a_;
  const int own_face = of_a ? pair.face_a : pair.face_b, other_face = of_a ? pair.face_b : pair.face_a;
  const auto& points = of_a ? pair.a : pair.b;
  const auto& walls = of_a ? pair.b : pair.a;
  const Eigen::Vector3d normal = (of_a ? frames_.b[0].axes : frames_.a[0].axes) * other.face(other_face).normal,
                        inward = -((of_a ? frames_.a[0].axes : frames_.b[0].axes).transpose() * normal);
  for (int k = 0; k < 3; ++k) {
    const int v = own.face(own_face).vertex[k];
    const TriangleMesh::Vertex& vertex = own.vertex(v);
    if (vertex.owner != own_face || !vertex.is_corner) continue;
    const std::uint32_t lead = of_a ? v : static_cast<std::uint32_t>(a_.vertices().size()) + v;
    if (leads_closed(motion_.closed, lead)) continue;
    if (!own.vertex_looks_along(v, inward, vertex.slack + motion_.turn)) continue;
    const auto at_vertex = [&](int instant, const Eigen::Vector3d& n) { return n.dot(points[instant][k]); };
    const auto lowest = [&](int instant, const Eigen::Vector3d& n) {
      return of_a ? least_along(n, walls[instant]) : at_vertex(instant, n);
    };
    const auto highest = [&](int instant, const Eigen::Vector3d& n) {
      return of_a ? at_vertex(instant, n) : greatest_along(n, walls[instant]);
    };
    if (proof_.holds(of_a ? Eigen::Vector3d(-normal) : normal, 0, lowest, highest)) continue;
    if (is_apart(proof_, {points[0][k], points[1][k]}, walls, of_a ? 1 : -1, lowest, highest)) continue;
    if (normal.dot(points[0][k] - walls[0][0]) < proof_.floor() && is_inside(!of_a, points[0][k])) continue;
    if (!is_closed_at(points[0][k])) return false;
  }
  return true;
}

// Two ridges that can touch along the line across both.
bool MeshesBetween::edge_is_clear(int index_a, int index_b) const {
  const TriangleMesh::Edge &a = a_.edge(index_a), &b = b_.edge(index_b);
  std::array<Segment, 2> on_a, on_b;
  for (const int instant : {0, 1}) {
    for (const int end : {0, 1}) {
      on_a[instant][end] = at_a(a_.vertex(a.vertex[end]).position, instant);
      on_b[instant][end] = at_b(b_.vertex(b.vertex[end]).position, instant);
    }
  }
  const auto low = [&](int instant, const Eigen::Vector3d& n) { return least_along(n, on_b[instant]); };
  const auto high = [&](int instant, const Eigen::Vector3d& n) { return greatest_along(n, on_a[instant]); };
  std::array<double, 2> apart;
  SegmentPlaces first;
  for (const int instant : {0, 1}) {
    const SegmentPlaces places =
        nearest_of_segments(on_a[instant][0], on_a[instant][1], on_b[instant][0], on_b[instant][1]);
    const Eigen::Vector3d off = places.on_two - places.on_one;
    if (instant == 0) first = places;
    apart[instant] = off.norm();
    if (apart[instant] > nothing && proof_.holds(Eigen::Vector3d(off / apart[instant]), instant, low, high))
      return true;
  }
  if (proof_.by_way(apart[0], apart[1])) return true;
  const Eigen::Vector3d along_a = on_a[0][1] - on_a[0][0], along_b = on_b[0][1] - on_b[0][0],
                        across = along_a.cross(along_b);
  const double sine = across.norm() / (along_a.norm() * along_b.norm());
  if (!(sine > too_parallel)) return true;
  Eigen::Vector3d n = across.normalized();
  if (n.dot(frames_.a[0].axes * a.normal) < 0) n = -n;
  // The line across both turns faster than the bodies where the edges are nearly parallel.
  const double turn = motion_.turn / sine;
  if (!a_.edge_looks_along(index_a, frames_.a[0].axes.transpose() * n, a.slack + turn) ||
      !b_.edge_looks_along(index_b, -(frames_.b[0].axes.transpose() * n), b.slack + turn))
    return true;
  if (proof_.holds(n, 0, low, high)) return true;
  if (leads_closed(motion_.closed, static_cast<std::uint32_t>(a_.vertices().size() + b_.vertices().size()) + index_a))
    return true;
  const Eigen::Vector3d middle = 0.5 * (first.on_one + first.on_two);
  if (n.dot(on_b[0][0] - on_a[0][0]) < proof_.floor() && is_inside(true, middle) && is_inside(false, middle))
    return true;
  return is_closed_at(middle);
}

bool MeshesBetween::features_are_clear(const Triangles& pair) const {
  if (!vertices_are_clear(pair, true) || !vertices_are_clear(pair, false)) return false;
  for (const int edge_a : a_.face(pair.face_a).edge) {
    if (!a_.edge(edge_a).is_ridge() || a_.edge(edge_a).face[0] != pair.face_a) continue;
    for (const int edge_b : b_.face(pair.face_b).edge) {
      if (!b_.edge(edge_b).is_ridge() || b_.edge(edge_b).face[0] != pair.face_b) continue;
      if (!edge_is_clear(edge_a, edge_b)) return false;
    }
  }
  return true;
}

bool MeshesBetween::are_clear_but_closed() const {
  return visit([&](int face_a, int face_b) { return features_are_clear(placed(face_a, face_b)); });
}

namespace {

template <typename Ask>
double ask_meshes(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* from, const BodyState<3>* to,
                  const GapMotion& motion, const Ask& ask) {
  const TwoInstants frames(a, b, from, to);
  const FlatSided other = flat_sided(b);
  const MeshesBetween meshes(mesh_of(a), *other.mesh, other.stretch, frames, motion, centre_of<3>(a, from[0]));
  return ask(meshes) ? motion.floor : -std::numeric_limits<double>::infinity();
}

}  // namespace

double least_between_meshes(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* from, const BodyState<3>* to,
                            const GapMotion& motion) {
  return ask_meshes(a, b, from, to, motion, [](const MeshesBetween& meshes) { return meshes.are_clear(); });
}

double least_between_free_meshes(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* from, const BodyState<3>* to,
                                 const GapMotion& motion) {
  return ask_meshes(a, b, from, to, motion, [](const MeshesBetween& meshes) { return meshes.are_clear_but_closed(); });
}

}  // namespace carom::inline contact_geometry
