#include "contact_geometry/coarse_direction.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

// A point of the difference b − a.
struct Difference {
  Vector3d w = Vector3d::Zero();
  int a = 0, b = 0;  // pieces
};

Difference lowest_difference(const ConvexBody& a, const ConvexBody& b, const Vector3d& n) {
  Difference result;
  result.a = a.farthest(n), result.b = b.farthest(-n);
  result.w = b.point(result.b, -n) - a.point(result.a, n);
  return result;
}

struct Simplex {
  std::array<Difference, 4> at;
  int count = 0;
};

// Nearest to the origin on a segment, then on a triangle; `keep` gets which points it needs (bits).
Vector3d nearest_on(const Vector3d& p, const Vector3d& q, int& keep) {
  const Vector3d along = q - p;
  const double length = along.squaredNorm(), part = length > 0 ? -p.dot(along) / length : 0;
  keep = part <= 0 ? 1 : part >= 1 ? 2 : 3;
  return part <= 0 ? p : part >= 1 ? q : Vector3d(p + part * along);
}

Vector3d nearest_on(const Vector3d& p, const Vector3d& q, const Vector3d& r, int& keep) {
  const Vector3d pq = q - p, pr = r - p, normal = pq.cross(pr);
  const double area = normal.squaredNorm();
  if (area > 1e-24 * pq.squaredNorm() * pr.squaredNorm()) {
    // Barycentric parts of the foot of the origin.
    const double on_r = pq.cross(Vector3d(-p)).dot(normal) / area, on_q = Vector3d(-p).cross(pr).dot(normal) / area;
    if (on_r > 0 && on_q > 0 && on_q + on_r < 1) {
      keep = 7;
      return p.dot(normal) / area * normal;
    }
  }
  int own = 0;
  Vector3d best = nearest_on(p, q, keep);
  if (const Vector3d other = nearest_on(p, r, own); other.squaredNorm() < best.squaredNorm()) {
    best = other;
    keep = (own & 1) | (own & 2) << 1;
  }
  if (const Vector3d other = nearest_on(q, r, own); other.squaredNorm() < best.squaredNorm()) {
    best = other;
    keep = own << 1;
  }
  return best;
}

// Nearest to the origin in a simplex, which is reduced to the points that it needs; zero inside of a tetrahedron.
Vector3d reduce(Simplex& simplex) {
  const auto w = [&](int k) -> const Vector3d& { return simplex.at[k].w; };
  int keep = 1;
  Vector3d best = w(0);
  if (simplex.count == 2) best = nearest_on(w(0), w(1), keep);
  if (simplex.count == 3) best = nearest_on(w(0), w(1), w(2), keep);
  if (simplex.count == 4) {
    bool inside = true;
    double least = std::numeric_limits<double>::infinity();
    constexpr int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    for (const auto& face : faces) {
      const Vector3d normal = (w(face[1]) - w(face[0])).cross(w(face[2]) - w(face[0]));
      const double origin = -normal.dot(w(face[0])), other = normal.dot(w(face[3]) - w(face[0]));
      if (origin * other > 0) continue;
      inside = false;
      int own = 0;
      const Vector3d foot = nearest_on(w(face[0]), w(face[1]), w(face[2]), own);
      if (!(foot.squaredNorm() < least)) continue;
      least = foot.squaredNorm();
      best = foot;
      keep = 0;
      for (int k = 0; k < 3; ++k) keep |= (own >> k & 1) << face[k];
    }
    if (inside) return Vector3d::Zero();
  }
  int count = 0;
  for (int k = 0; k < simplex.count; ++k) {
    if ((keep >> k & 1) != 0) simplex.at[count++] = simplex.at[k];
  }
  simplex.count = count;
  return best;
}

// Below zero: the solids meet. Otherwise their distance, m; next to nothing is left of the direction where that is no
// more than rounding.
double nearest_direction(const ConvexBody& a, const ConvexBody& b, double size, double tolerance,
                         CoarseDirection& result) {
  constexpr int most = 60;
  constexpr double touching = 1e-12;
  Simplex simplex;
  Vector3d v = b.centre() - a.centre();
  if (!(v.squaredNorm() > 0)) v = Vector3d::UnitX();
  simplex.at[0] = lowest_difference(a, b, v.normalized());
  simplex.count = 1;
  v = simplex.at[0].w;
  for (int round = 0; round < most; ++round) {
    const double distance = v.norm();
    if (!(distance > touching * size)) return -1;
    const Difference next = lowest_difference(a, b, v / distance);
    const double above = distance - next.w.dot(v) / distance;
    const bool known = std::any_of(simplex.at.begin(), simplex.at.begin() + simplex.count,
                                   [&](const Difference& each) { return (each.w - next.w).squaredNorm() == 0; });
    if (known || above <= std::max(1e-14 * size, tolerance * distance)) break;
    const Simplex before = simplex;
    simplex.at[simplex.count++] = next;
    const Vector3d nearer = reduce(simplex);
    if (simplex.count == 4 && nearer.squaredNorm() == 0) return -1;
    if (!(nearer.squaredNorm() < v.squaredNorm())) {
      simplex = before;
      break;
    }
    v = nearer;
  }
  result.normal = v.normalized();
  for (int k = 0; k < simplex.count; ++k) result.a.add(simplex.at[k].a), result.b.add(simplex.at[k].b);
  return v.norm();
}

// A polytope inside the difference that grows at the face nearest to the origin. The origin may be outside, where the
// solids only touch: a face that has it on its outer side is nearer than all others.
class Growing {
 public:
  Growing(const ConvexBody& a, const ConvexBody& b, double size) : a_(a), b_(b), size_(size) {}

  bool start();
  void grow(double tolerance);
  void report(CoarseDirection& result) const;

 private:
  static constexpr int most_points = 64, most_faces = 2 * most_points;
  struct Face {
    std::array<int, 3> at;
    Vector3d normal;  // outward
    double distance;  // of its plane from the origin, m; negative: the origin is outside
    bool alive;
  };
  bool add_face(int p, int q, int r);
  int nearest() const;
  bool sees(const Face& face, const Difference& point) const;
  bool replace(int nearest, const Difference& point);

  const ConvexBody &a_, &b_;
  double size_;
  std::array<Difference, most_points> points_;
  int count_ = 0;
  std::array<Face, most_faces> faces_;
  int face_count_ = 0;
  Face best_ = {};
  double best_depth_ = std::numeric_limits<double>::infinity();
  std::array<std::array<int, 2>, most_faces> rim_;
};

bool Growing::add_face(int p, int q, int r) {
  const Vector3d& base = points_[p].w;
  const Vector3d normal = (points_[q].w - base).cross(points_[r].w - base);
  const double area = normal.norm();
  Face* place = std::find_if(faces_.data(), faces_.data() + face_count_, [](const Face& face) { return !face.alive; });
  if (place == faces_.data() + face_count_) {
    if (face_count_ == most_faces) return false;
    ++face_count_;
  }
  if (!(area > 1e-14 * size_ * size_)) {
    // A needle has no direction of its own; it is never the nearest.
    *place = {{p, q, r}, Vector3d::Zero(), std::numeric_limits<double>::infinity(), true};
    return true;
  }
  *place = {{p, q, r}, normal / area, normal.dot(base) / area, true};
  return true;
}

// A tetrahedron whose corners are as far apart as directions across it find them.
bool Growing::start() {
  const auto farther = [&](const Vector3d& n, const auto& measure) {
    const Difference one = lowest_difference(a_, b_, n), two = lowest_difference(a_, b_, -n);
    points_[count_++] = measure(one.w) >= measure(two.w) ? one : two;
  };
  const Vector3d first = Vector3d(0.36, 0.48, 0.8);
  points_[count_++] = lowest_difference(a_, b_, first);
  points_[count_++] = lowest_difference(a_, b_, -first);
  const Vector3d p = points_[0].w, along = (points_[1].w - p).normalized();
  farther(along.unitOrthogonal(), [&](const Vector3d& w) { return (w - p).cross(along).squaredNorm(); });
  if ((points_[2].w - p).cross(along).norm() < 1e-6 * size_) {
    --count_;
    farther(along.cross(along.unitOrthogonal()), [&](const Vector3d& w) { return (w - p).cross(along).squaredNorm(); });
  }
  const Vector3d normal = along.cross(points_[2].w - p).normalized();
  farther(normal, [&](const Vector3d& w) { return std::abs(normal.dot(w - p)); });
  const double height = normal.dot(points_[3].w - p);
  if (!(std::abs(height) > 1e-9 * size_)) return false;
  if (height > 0) std::swap(points_[1], points_[2]);
  // Now point 3 is below the plane of 0, 1, 2 as their order has it.
  return add_face(0, 1, 2) && add_face(0, 3, 1) && add_face(1, 3, 2) && add_face(2, 3, 0);
}

int Growing::nearest() const {
  int best = -1;
  for (int k = 0; k < face_count_; ++k) {
    if (faces_[k].alive && (best < 0 || faces_[k].distance < faces_[best].distance)) best = k;
  }
  return best;
}

bool Growing::sees(const Face& face, const Difference& point) const {
  return face.normal.squaredNorm() == 0 || face.normal.dot(point.w - points_[face.at[0]].w) > 1e-14 * size_;
}

// Takes away the faces that see the point, from the nearest one on over their edges so that they hang together, and
// closes the rim that is left. False: nothing was changed.
bool Growing::replace(int nearest, const Difference& point) {
  std::array<bool, most_faces> gone{};
  const auto has_edge = [](const Face& face, int from, int to) {
    for (int e = 0; e < 3; ++e) {
      if (face.at[e] == from && face.at[(e + 1) % 3] == to) return true;
    }
    return false;
  };
  std::array<int, most_faces> queue;
  int last = 0, edges = 0;
  gone[nearest] = true;
  queue[last++] = nearest;
  for (int next = 0; next < last; ++next) {
    const Face& face = faces_[queue[next]];
    for (int e = 0; e < 3; ++e) {
      const int from = face.at[e], to = face.at[(e + 1) % 3];
      int beyond = 0;
      while (beyond < face_count_ && !(faces_[beyond].alive && has_edge(faces_[beyond], to, from))) ++beyond;
      if (beyond == face_count_) return false;
      if (gone[beyond]) continue;
      if (sees(faces_[beyond], point)) {
        gone[beyond] = true;
        queue[last++] = beyond;
      }
    }
  }
  for (int k = 0; k < last; ++k) {
    const Face& face = faces_[queue[k]];
    for (int e = 0; e < 3; ++e) {
      const int from = face.at[e], to = face.at[(e + 1) % 3];
      int beyond = 0;
      while (!(faces_[beyond].alive && has_edge(faces_[beyond], to, from))) ++beyond;
      if (!gone[beyond]) rim_[edges++] = {from, to};
    }
  }
  if (count_ == most_points || edges < 3 || face_count_ - last + edges > most_faces) return false;
  for (int k = 0; k < last; ++k) faces_[queue[k]].alive = false;
  const int own = count_;
  points_[count_++] = point;
  for (int k = 0; k < edges; ++k) add_face(rim_[k][0], rim_[k][1], own);
  return true;
}

void Growing::grow(double tolerance) {
  while (count_ < most_points) {
    const int face = nearest();
    if (face < 0 || !std::isfinite(faces_[face].distance)) return;
    const Vector3d outward = faces_[face].normal;
    const Difference next = lowest_difference(a_, b_, -outward);
    const double depth = outward.dot(next.w);
    if (depth < best_depth_) best_depth_ = depth, best_ = faces_[face];
    if (depth - faces_[face].distance <= tolerance * size_) return;
    // Where rounding leaves no way to take the point in, the face is left as it is.
    if (!replace(face, next)) faces_[face].distance = std::numeric_limits<double>::infinity();
  }
}

void Growing::report(CoarseDirection& result) const {
  result.normal = -best_.normal;
  for (const int k : best_.at) result.a.add(points_[k].a), result.b.add(points_[k].b);
}

}  // namespace

bool coarse_direction(const ConvexBody& a, const ConvexBody& b, double tolerance, bool grow, CoarseDirection& result) {
  const double size = a.size() + b.size();
  result = {};
  if (!grow) return nearest_direction(a, b, size, tolerance, result) >= 0;
  Growing growing(a, b, size);
  if (!growing.start()) return false;
  growing.grow(tolerance);
  growing.report(result);
  return true;
}

}  // namespace carom::inline contact_geometry
