#include "contact_geometry/triangle_mesh.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "contact_geometry/nearest_places.h"
#include "geometry_io/surface_edges.h"

namespace carom::inline contact_geometry {

namespace {

constexpr double most_slack = 0.03;          // sine of the angle by which a flat side may be off
constexpr double slack_per_turn = 0.02;      // of the turn of the surface
constexpr double straight = 1e-9;            // 1 − cosine, of two edges that are one
constexpr std::size_t many_neighbours = 64;  // that are not looked at one by one
constexpr int most_rays = 2000;
constexpr double too_thin = 1e-6;  // height of a triangle by its length: planes on it are not known
constexpr float everything_below = 1e30F;
constexpr double steep = 0.5;       // rad, by which the surface falls off round a plateau
constexpr double thin_part = 0.05;  // of the faces are thinner than the thickness reports

}  // namespace

TriangleMesh::TriangleMesh(const ClosedSurface& surface, double scale) {
  vertices_.resize(surface.points.size());
  AxisBox all;
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    vertices_[k].position = scale * surface.points[k];
    vertices_[k].normal.setZero();
    bounding_radius_ = std::max(bounding_radius_, vertices_[k].position.norm());
    all.add(vertices_[k].position);
  }
  size_ = (all.high - all.low).norm();
  faces_.resize(surface.triangles.size());
  boxes_.resize(faces_.size());
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    Face& face = faces_[f];
    face.vertex = surface.triangles[f];
    const int own = static_cast<int>(f);
    const Eigen::Vector3d &a = corner(own, 0), &b = corner(own, 1), &c = corner(own, 2);
    face.normal = (b - a).cross(c - a).normalized();
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d& here = corner(own, k);
      boxes_[f].add(here);
      const Eigen::Vector3d to = (corner(own, (k + 1) % 3) - here).normalized(),
                            back = (corner(own, (k + 2) % 3) - here).normalized();
      Vertex& vertex = vertices_[face.vertex[k]];
      vertex.normal += std::acos(std::clamp(to.dot(back), -1.0, 1.0)) * face.normal;
      vertex.owner = own;
    }
  }
  for (Vertex& vertex : vertices_) vertex.normal.normalize();
  tree_ = BoxTree(boxes_), wide_tree_ = WideTree(tree_, boxes_);
  find_edges(surface);
  find_neighbours();
  find_corners();
  find_sharp_edges();
  find_planes();
  find_plateaus();
  mark_corners();
  measure_thickness();
}

void TriangleMesh::find_edges(const ClosedSurface& surface) {
  const std::vector<SurfaceEdge> found = edges_of(surface.triangles);
  edges_.resize(found.size());
  convex_ = true;
  for (std::size_t e = 0; e < found.size(); ++e) {
    Edge& edge = edges_[e];
    edge.vertex = found[e].ends, edge.face = found[e].triangle;
    const Eigen::Vector3d from = vertices_[edge.vertex[0]].position;
    const Eigen::Vector3d along = (vertices_[edge.vertex[1]].position - from).normalized();
    for (const int side : {0, 1}) {
      Face& face = faces_[edge.face[side]];
      face.edge[found[e].corner[side]] = static_cast<int>(e);
      edge.opposite[side] = face.vertex[found[e].corner[side]];
      const Eigen::Vector3d to = vertices_[edge.opposite[side]].position - from;
      edge.into[side] = (to - to.dot(along) * along).normalized();
    }
    const Eigen::Vector3d &one = faces_[edge.face[0]].normal, &two = faces_[edge.face[1]].normal;
    const double angle = std::atan2(one.cross(two).norm(), one.dot(two));
    edge.turn = edge.into[1].dot(one) < 0 || edge.into[0].dot(two) < 0 ? angle : -angle;
    // Faces folded onto each other have no mean: the edge looks away from both.
    edge.normal = one + two;
    if (edge.normal.norm() < 1e-9) edge.normal = -(edge.into[0] + edge.into[1]);
    edge.normal.normalize();
    edge.slack = std::min(most_slack, slack_per_turn * std::max(0.0, edge.turn));
    if (edge.turn < -flat_turn) convex_ = false;
    hollow_ = std::max(hollow_, -edge.turn);
  }
}

void TriangleMesh::find_neighbours() {
  for (const Edge& edge : edges_) {
    for (const int end : edge.vertex) ++vertices_[end].neighbours;
  }
  int next = 0;
  for (Vertex& vertex : vertices_) {
    vertex.first_neighbour = next;
    next += vertex.neighbours;
    vertex.neighbours = 0;
  }
  neighbours_.resize(next);
  directions_.resize(next);
  for (const Edge& edge : edges_) {
    for (const int end : {0, 1}) {
      Vertex& vertex = vertices_[edge.vertex[end]];
      const int place = vertex.first_neighbour + vertex.neighbours++;
      neighbours_[place] = edge.vertex[1 - end];
      directions_[place] = (vertices_[edge.vertex[1 - end]].position - vertex.position).normalized();
    }
  }
}

// A vertex is none where all ridges that end there are one straight line.
void TriangleMesh::find_corners() {
  struct Ridges {
    int count = 0;
    bool straight = true;
    Eigen::Vector3d first = Eigen::Vector3d::Zero();
  };
  std::vector<Ridges> ridges(vertices_.size());
  for (const Edge& edge : edges_) {
    for (const int end : {0, 1}) {
      Vertex& vertex = vertices_[edge.vertex[end]];
      vertex.slack = std::max(vertex.slack, edge.slack);
      if (!edge.is_ridge()) continue;
      Ridges& own = ridges[edge.vertex[end]];
      const Eigen::Vector3d away = (vertices_[edge.vertex[1 - end]].position - vertex.position).normalized();
      if (own.count++ == 0) {
        own.first = away;
      } else if (1 + own.first.dot(away) > straight) {
        own.straight = false;
      }
    }
  }
  for (std::size_t k = 0; k < vertices_.size(); ++k)
    vertices_[k].is_corner =
        ridges[k].count > 0 && !(ridges[k].count == 2 && ridges[k].straight) && sticks_out(vertices_[k]);
}

// Whether planes of more than one direction can touch the surface at a vertex without cutting it: their normals make a
// solid cone, whose middle is away from all neighbours. At the rim of a hole in a flat side there is only the side
// itself: such a vertex is not the first to touch anything, and what lies on the side has its outermost points
// elsewhere. The rays of the cone are across two neighbours each.
bool TriangleMesh::sticks_out(const Vertex& vertex) const {
  const std::span<const Eigen::Vector3d> to(directions_.data() + vertex.first_neighbour,
                                            static_cast<std::size_t>(vertex.neighbours));
  if (to.size() > many_neighbours) return true;
  const auto farthest_along = [&](const Eigen::Vector3d& n) {
    double most = -1;
    for (const Eigen::Vector3d& each : to) most = std::max(most, n.dot(each));
    return most;
  };
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < to.size(); ++i) {
    for (std::size_t j = i + 1; j < to.size(); ++j) {
      const Eigen::Vector3d across = to[i].cross(to[j]);
      const double size = across.norm();
      if (!(size > straight)) continue;
      for (const int sign : {-1, 1}) {
        if (farthest_along(sign / size * across) < straight) middle += sign / size * across;
      }
    }
  }
  return farthest_along(middle.normalized()) < -flat_turn;
}

void TriangleMesh::find_sharp_edges() {
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const Edge& edge = edges_[e];
    if (!edge.is_ridge() && !edge.is_notch()) continue;
    sharp_edges_.push_back(static_cast<int>(e));
    edge_boxes_.emplace_back();
    edge_ends_.emplace_back();
    for (const int k : {0, 1}) {
      const int end = edge.vertex[k];
      edge_boxes_.back().add(vertices_[end].position);
      for (int l = 0; l < 3; ++l) edge_ends_.back()[k][l] = static_cast<float>(vertices_[end].position[l]);
      if (edge.is_ridge()) vertices_[end].owner_edge = static_cast<int>(e);
    }
  }
  edge_tree_ = WideTree(BoxTree(edge_boxes_), edge_boxes_);
}

void TriangleMesh::mark_corners() {
  for (std::size_t place = 0; place < sharp_edges_.size(); ++place) {
    for (const int k : {0, 1}) {
      const Vertex& end = vertices_[edges_[sharp_edges_[place]].vertex[k]];
      edge_ends_[place][k][3] = end.is_corner && end.owner_edge == sharp_edges_[place] ? 1 : 0;
    }
  }
}

void TriangleMesh::find_planes() {
  planes_.resize(faces_.size());
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    FacePlanes& planes = planes_[f];
    planes.offset = Four{0, everything_below, everything_below, everything_below};
    const auto& own_edges = faces_[f].edge;
    const bool by_notch = std::any_of(own_edges.begin(), own_edges.end(), [&](int e) { return edges_[e].is_notch(); });
    const float notch = by_notch ? 1 : 0;
    planes.open = Four{1, notch, notch, notch};
    const int own = static_cast<int>(f);
    const Eigen::Vector3d& normal = faces_[f].normal;
    const auto set = [&](int k, const Eigen::Vector3d& across, const Eigen::Vector3d& on) {
      planes.x[k] = static_cast<float>(across.x()), planes.y[k] = static_cast<float>(across.y());
      planes.z[k] = static_cast<float>(across.z()), planes.offset[k] = static_cast<float>(across.dot(on));
    };
    double longest = 0;
    for (int k = 0; k < 3; ++k) longest = std::max(longest, (corner(own, (k + 1) % 3) - corner(own, k)).norm());
    const double area =
        (corner(own, 1) - corner(own, 0)).cross(Eigen::Vector3d(corner(own, 2) - corner(own, 0))).norm();
    if (!(area > too_thin * longest * longest)) continue;
    set(0, normal, corner(own, 0));
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d& on = corner(own, k);
      set(k + 1, (corner(own, (k + 1) % 3) - on).cross(normal).normalized(), on);
    }
  }
}

// Faces in one plane next to each other, from one to the next.
void TriangleMesh::find_plateaus() {
  std::vector<bool> seen(faces_.size());
  std::vector<int> side;
  for (std::size_t first = 0; first < faces_.size(); ++first) {
    if (seen[first]) continue;
    side.assign(1, static_cast<int>(first));
    seen[first] = true;
    bool falls_off = true;
    for (std::size_t k = 0; k < side.size(); ++k) {
      for (const int e : faces_[side[k]].edge) {
        const Edge& edge = edges_[e];
        if (edge.is_ridge() || edge.is_notch()) {
          falls_off = falls_off && edge.turn > steep;
          continue;
        }
        const int next = edge.face[0] == side[k] ? edge.face[1] : edge.face[0];
        if (!seen[next]) side.push_back(next);
        seen[next] = true;
      }
    }
    for (const int face : side) planes_[face].open[0] = falls_off ? 0 : 1;
  }
}

bool TriangleMesh::vertex_looks_along(int index, const Eigen::Vector3d& direction, double slack) const {
  const Vertex& vertex = vertices_[index];
  const Eigen::Vector3d* to = directions_.data() + vertex.first_neighbour;
  for (int k = 0; k < vertex.neighbours; ++k) {
    if (direction.dot(to[k]) > slack) return false;
  }
  return true;
}

bool TriangleMesh::edge_looks_along(int index, const Eigen::Vector3d& direction, double slack) const {
  const Edge& edge = edges_[index];
  return direction.dot(edge.into[0]) <= slack && direction.dot(edge.into[1]) <= slack;
}

SurfacePlace TriangleMesh::nearest_on_face(int index, const Eigen::Vector3d& point) const {
  const Face& face = faces_[index];
  const TrianglePlace found = nearest_on_triangle(point, corner(index, 0), corner(index, 1), corner(index, 2));
  const int number = found.element == Element::vertex ? face.vertex[found.corner]
                     : found.element == Element::edge ? face.edge[found.corner]
                                                      : index;
  return {found.point, (point - found.point).squaredNorm(), index, found.element, number};
}

SurfacePlace TriangleMesh::nearest(const Eigen::Vector3d& point, double within) const {
  SurfacePlace best;
  best.distance_squared = within < 1e150 ? within * within : 1e300;
  if (tree_.empty()) return best;
  struct Open {
    int node;
    double bound;
  };
  Open stack[2 * BoxTree::deepest];
  int size = 0;
  stack[size++] = {0, tree_.root().box.distance_squared(point)};
  while (size > 0) {
    const Open open = stack[--size];
    if (open.bound > best.distance_squared) continue;
    const BoxTree::Node& node = tree_.node(open.node);
    if (node.is_leaf()) {
      for (const int face : tree_.items(node)) {
        if (boxes_[face].distance_squared(point) > best.distance_squared) continue;
        const SurfacePlace place = nearest_on_face(face, point);
        if (place.distance_squared < best.distance_squared || best.face < 0) best = place;
      }
      continue;
    }
    const double left = tree_.node(node.first).box.distance_squared(point),
                 right = tree_.node(node.first + 1).box.distance_squared(point);
    const bool left_first = left <= right;
    stack[size++] = {left_first ? node.first + 1 : node.first, left_first ? right : left};
    stack[size++] = {left_first ? node.first : node.first + 1, left_first ? left : right};
  }
  return best;
}

const Eigen::Vector3d& TriangleMesh::normal_at(const SurfacePlace& place) const {
  if (place.element == Element::vertex) return vertices_[place.index].normal;
  return place.element == Element::edge ? edges_[place.index].normal : faces_[place.index].normal;
}

bool TriangleMesh::contains(const Eigen::Vector3d& point) const {
  const SurfacePlace place = nearest(point);
  return normal_at(place).dot(point - place.point) < 0;
}

double TriangleMesh::signed_distance(const Eigen::Vector3d& point, double about) const {
  SurfacePlace place = nearest(point, about);
  if (place.face < 0) place = nearest(point);
  const double distance = std::sqrt(place.distance_squared);
  return normal_at(place).dot(point - place.point) < 0 ? -distance : distance;
}

// m along the ray to the first face that is looked at from behind.
double TriangleMesh::first_hit(const Eigen::Vector3d& from, const Eigen::Vector3d& direction) const {
  double first = 1e300;
  const Eigen::Vector3d inverse = direction.cwiseInverse();
  tree_.visit(
      [&](const AxisBox& box) {
        const Eigen::Vector3d one = (box.low - from).cwiseProduct(inverse),
                              two = (box.high - from).cwiseProduct(inverse);
        const double enter = one.cwiseMin(two).maxCoeff(), leave = one.cwiseMax(two).minCoeff();
        return !(enter > leave) && !(enter > first) && !(leave < 0);
      },
      [&](int f) {
        const Face& face = faces_[f];
        const double facing = face.normal.dot(direction);
        if (!(facing > 1e-6)) return;
        const double way = face.normal.dot(corner(f, 0) - from) / facing;
        if (!(way > 1e-9 * size_) || !(way < first)) return;
        const Eigen::Vector3d at = from + way * direction;
        for (int k = 0; k < 3; ++k) {
          const Eigen::Vector3d& here = corner(f, k);
          if (face.normal.dot((corner(f, (k + 1) % 3) - here).cross(at - here)) < 0) return;
        }
        first = way;
      });
  return first;
}

// Rays from the middle of faces to the other side.
void TriangleMesh::measure_thickness() {
  std::vector<double> ways;
  const std::size_t stride = std::max<std::size_t>(1, faces_.size() / most_rays);
  for (std::size_t f = 0; f < faces_.size(); f += stride) {
    const int own = static_cast<int>(f);
    const Eigen::Vector3d middle = (corner(own, 0) + corner(own, 1) + corner(own, 2)) / 3;
    const double way = first_hit(middle, -faces_[f].normal);
    if (way < 1e300) ways.push_back(way);
  }
  if (ways.empty()) return;
  const auto place = ways.begin() + static_cast<std::ptrdiff_t>(thin_part * static_cast<double>(ways.size()));
  std::nth_element(ways.begin(), place, ways.end());
  thickness_ = *place / 2;
}

// Sums over the tetrahedra of all faces and one point (F. Tonon, Journal of Mathematics and Statistics 1 (2005) 8–11).
MeshIntegrals integrals_of(const TriangleMesh& mesh) {
  MeshIntegrals sum;
  const Eigen::Vector3d origin = mesh.vertex(0).position;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (int f = 0; f < static_cast<int>(mesh.faces().size()); ++f) {
    const Eigen::Vector3d a = mesh.corner(f, 0) - origin, b = mesh.corner(f, 1) - origin,
                          c = mesh.corner(f, 2) - origin, all = a + b + c;
    const double volume = a.dot(b.cross(c)) / 6;
    sum.volume += volume;
    first += volume / 4 * all;
    second += volume / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + all * all.transpose());
  }
  const Eigen::Vector3d centre = first / sum.volume;
  second -= sum.volume * centre * centre.transpose();
  sum.centre = origin + centre;
  sum.inertia = second.trace() * Eigen::Matrix3d::Identity() - second;
  return sum;
}

}  // namespace carom::inline contact_geometry
