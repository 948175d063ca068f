#include "contact_geometry/convex_gap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/LU>

namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Of the size: separations that differ by less count as equal, and a flat face is preferred, whatever rounding says.
constexpr double equal_fraction = 1e-12;

using Tangents = Eigen::Matrix<double, 3, 2>;

Tangents tangents_at(const Vector3d& n) {
  Tangents both;
  both.col(0) = n.unitOrthogonal();
  both.col(1) = n.cross(both.col(0));
  return both;
}

// The equations of one step: two for the direction, one for every piece beyond the first of each solid.
struct Step {
  int rows = 2;
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  Eigen::Vector4d right = Eigen::Vector4d::Zero();

  void constrain(const Vector2d& slope, double value) {
    matrix.block<1, 2>(rows, 0) = slope.transpose();
    matrix.block<2, 1>(0, rows) = slope;
    matrix(rows, rows) = 0;
    right[rows++] = -value;
  }
};

// Whether the separation falls on all sides where pieces stay equally far: it may also have a saddle.
bool is_greatest(const Step& step) {
  if (step.rows == 4) return true;
  const Eigen::Matrix2d bend = step.matrix.topLeftCorner<2, 2>();
  if (step.rows == 2) return bend(0, 0) < 0 && bend.determinant() > 0;
  const Vector2d along(-step.matrix(2, 1), step.matrix(2, 0));
  return along.dot(bend * along) < 0;
}

// side = −1: of a, whose points count against the direction; 1: of b.
Vector3d add_pieces(const ConvexBody& body, const ActivePieces& active, double side, const Vector3d& n,
                    const Tangents& tangents, Step& step, Eigen::Matrix3d& bend, double& first_value) {
  const Vector3d seen = -side * n, first = body.point(active.piece[0], seen);
  first_value = side * n.dot(first);
  for (int k = 1; k < active.count; ++k) {
    const Vector3d apart = side * (body.point(active.piece[k], seen) - first);
    step.constrain(tangents.transpose() * apart, n.dot(apart));
  }
  for (int k = 0; k < active.count; ++k) body.add_bend(active.piece[k], seen, -active.share[k], bend);
  return side * first;
}

void take_shares(ActivePieces& active, const double* shares) {
  active.share[0] = 1;
  for (int k = 1; k < active.count; ++k) {
    active.share[k] = shares[k - 1];
    active.share[0] -= shares[k - 1];
  }
}

Vector3d shared_point(const ConvexBody& body, const ActivePieces& active, const Vector3d& seen) {
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k < active.count; ++k) sum += active.share[k] * body.point(active.piece[k], seen);
  return sum;
}

void share_evenly(ActivePieces& active) {
  for (int k = 0; k < active.count; ++k) active.share[k] = 1.0 / active.count;
}

}  // namespace

double separation_along(const ConvexBody& a, const ConvexBody& b, const Vector3d& n) {
  return -b.value(b.farthest(-n), -n) - a.value(a.farthest(n), n);
}

bool settle(const ConvexBody& a, const ConvexBody& b, ConvexGap& gap) {
  constexpr int most = 25;
  constexpr double longest = 0.4;
  Vector3d n = gap.normal;
  share_evenly(gap.a), share_evenly(gap.b);
  if (gap.a.count + gap.b.count > 4) return false;
  for (int round = 0; round < most; ++round) {
    const Tangents tangents = tangents_at(n);
    Step step;
    Eigen::Matrix3d bend = Eigen::Matrix3d::Zero();
    double value_a = 0, value_b = 0;
    Vector3d slope = add_pieces(a, gap.a, -1, n, tangents, step, bend, value_a);
    slope += add_pieces(b, gap.b, 1, n, tangents, step, bend, value_b);
    step.matrix.topLeftCorner<2, 2>() =
        tangents.transpose() * bend * tangents - (value_a + value_b) * Eigen::Matrix2d::Identity();
    step.right.head<2>() = -tangents.transpose() * slope;
    const Eigen::Vector4d solution = step.matrix.partialPivLu().solve(step.right);
    if (!solution.allFinite()) return false;
    take_shares(gap.a, solution.data() + 2);
    take_shares(gap.b, solution.data() + 2 + gap.a.count - 1);
    Vector2d turn = solution.head<2>();
    const double size = turn.norm();
    if (size > longest) turn *= longest / size;
    n = (n + tangents * turn).normalized();
    if (size > 1e-9) continue;
    if (!is_greatest(step)) return false;
    gap.normal = n;
    gap.on_a = shared_point(a, gap.a, n), gap.on_b = shared_point(b, gap.b, -n);
    gap.gap = n.dot(gap.on_b - gap.on_a);
    return true;
  }
  return false;
}

namespace {

// The pieces of one solid where the last step left a share below zero, or another piece farther out: changes them.
// True: there is something to do again.
bool drop_negative(ActivePieces& active) {
  int worst = -1;
  for (int k = 0; k < active.count; ++k) {
    if (active.share[k] < -1e-12 && (worst < 0 || active.share[k] < active.share[worst])) worst = k;
  }
  if (worst < 0 || active.count < 2) return false;
  active.remove(worst);
  return true;
}

bool add_farther(const ConvexBody& body, const Vector3d& seen, double tolerance, int room, ActivePieces& active) {
  const int farthest = body.farthest(seen);
  if (!(body.value(farthest, seen) > body.value(active.piece[0], seen) + tolerance)) return false;
  if (active.count >= room) {
    int least = 0;
    for (int k = 1; k < active.count; ++k) {
      if (active.share[k] < active.share[least]) least = k;
    }
    active.remove(least);
  }
  active.add(farthest);
  return true;
}

// Exchanges pieces until none is farther out and all have a share.
bool exchange(const ConvexBody& a, const ConvexBody& b, double tolerance, ConvexGap& gap) {
  constexpr int most = 24;
  while (gap.a.count + gap.b.count > 4) {
    ActivePieces& larger = gap.a.count >= gap.b.count ? gap.a : gap.b;
    larger.remove(larger.count - 1);
  }
  double best = -std::numeric_limits<double>::infinity();
  for (int round = 0; round < most; ++round) {
    ConvexGap next = gap;
    if (!settle(a, b, next)) {
      // Too many conditions that hardly differ: with fewer.
      ActivePieces& larger = gap.a.count >= gap.b.count ? gap.a : gap.b;
      if (larger.count < 2) return false;
      larger.remove(larger.count - 1);
      continue;
    }
    if (drop_negative(next.a) || drop_negative(next.b)) {
      gap.a = next.a, gap.b = next.b;
      continue;
    }
    best = std::max(best, next.gap);
    gap.normal = next.normal, gap.a = next.a, gap.b = next.b;
    const bool on_a = add_farther(a, next.normal, tolerance, 4 - gap.b.count, gap.a);
    const bool on_b = add_farther(b, -next.normal, tolerance, 4 - gap.a.count, gap.b);
    if (on_a || on_b) continue;
    gap = next;
    return true;
  }
  return false;
}

// The flat side of a solid that a direction sees.
struct SeenFace {
  int face = -1;  // or end; −1: it has none
  Vector3d outward = Vector3d::Zero();
};

SeenFace seen_face(const ConvexBody& body, const Vector3d& seen) {
  if (body.form() == ConvexBody::Form::corners) {
    const int face = body.facing(seen);
    return face < 0 ? SeenFace{} : SeenFace{face, body.face_normal(face)};
  }
  if (body.form() == ConvexBody::Form::ellipsoid) return {};
  const int end = body.axis(2).dot(seen) > 0 ? 1 : 0;
  if (!(body.rim_radius(end) > 0)) return {};
  return {end, end == 1 ? body.axis(2) : Vector3d(-body.axis(2))};
}

// Whether a point lies above a face.
bool is_above(const ConvexBody& body, const SeenFace& face, const Vector3d& point) {
  if (body.form() == ConvexBody::Form::rims) {
    const Vector3d off = point - body.rim_centre(face.face);
    return (off - face.outward.dot(off) * face.outward).squaredNorm() <= std::pow(body.rim_radius(face.face), 2);
  }
  const std::vector<int>& corners = body.polytope().faces[face.face].corners;
  Vector3d from = body.point(corners.back(), face.outward);
  for (const int corner : corners) {
    const Vector3d to = body.point(corner, face.outward);
    if (face.outward.dot((to - from).cross(point - from)) < 0) return false;
    from = to;
  }
  return true;
}

// A point in the middle of a face.
Vector3d middle_of(const ConvexBody& body, const SeenFace& face) {
  if (body.form() == ConvexBody::Form::rims) return body.rim_centre(face.face);
  const std::vector<int>& corners = body.polytope().faces[face.face].corners;
  Vector3d sum = Vector3d::Zero();
  for (const int corner : corners) sum += body.point(corner, face.outward);
  return sum / static_cast<double>(corners.size());
}

// Whether the other solid is lowest above the face itself, which proves that its direction is the best one nearby.
bool is_lowest_above(const ConvexBody& body, const SeenFace& face, const ConvexBody& other, double tolerance) {
  const Vector3d down = -face.outward, lowest = other.point(other.farthest(down), down);
  if (is_above(body, face, lowest)) return true;
  const SeenFace flat = seen_face(other, down);
  if (flat.face < 0) return false;
  const Vector3d middle = middle_of(other, flat), own = middle_of(body, face);
  if (down.dot(lowest - middle) > tolerance) return false;
  return is_above(body, face, middle) || is_above(other, flat, own);
}

// A flat face across the direction, where that is the best one.
// True: it is, and this is proven.
bool try_face(const ConvexBody& a, const ConvexBody& b, int face_of, double tolerance, ConvexGap& best) {
  const ConvexBody& own = face_of == 1 ? a : b;
  const Vector3d seen = face_of == 1 ? best.normal : Vector3d(-best.normal);
  const SeenFace face = seen_face(own, seen);
  if (face.face < 0 || face.outward.dot(seen) < 0.7) return false;
  const Vector3d n = face_of == 1 ? face.outward : Vector3d(-face.outward);
  const double separation = separation_along(a, b, n);
  // The face that was found first stays unless another one is better by more than rounding.
  if (!(separation >= best.gap + (best.face_of == 0 ? -tolerance : tolerance))) return false;
  best.normal = n, best.gap = separation, best.face_of = face_of, best.face = face.face;
  best.a = {}, best.b = {};
  best.a.add(a.farthest(n)), best.b.add(b.farthest(-n));
  const Vector3d on_other = face_of == 1 ? b.point(best.b.piece[0], -n) : a.point(best.a.piece[0], n);
  best.on_a = face_of == 1 ? Vector3d(on_other - separation * n) : on_other;
  best.on_b = face_of == 1 ? on_other : Vector3d(on_other + separation * n);
  return is_lowest_above(own, face, face_of == 1 ? b : a, tolerance);
}

}  // namespace

namespace {

// The farthest pieces of both solids along a direction, as it is.
ConvexGap along(const ConvexBody& a, const ConvexBody& b, const Vector3d& n) {
  ConvexGap gap;
  gap.normal = n;
  gap.a.add(a.farthest(n)), gap.b.add(b.farthest(-n));
  gap.on_a = a.point(gap.a.piece[0], n), gap.on_b = b.point(gap.b.piece[0], -n);
  gap.gap = n.dot(gap.on_b - gap.on_a);
  return gap;
}

}  // namespace

namespace {

// The pieces of a solid that are nearly as far out as the farthest.
int near_pieces(const ConvexBody& body, const Vector3d& seen, double within, std::array<int, 6>& found) {
  const double most = body.value(body.farthest(seen), seen);
  int count = 0;
  for (int k = 0; k < body.piece_count() && count < 6; ++k) {
    if (body.value(k, seen) >= most - within) found[count++] = k;
  }
  return count;
}

// Calls visit with one and with two of them.
template <typename Visit>
void for_each_choice(const std::array<int, 6>& pieces, int count, const Visit& visit) {
  for (int i = 0; i < count; ++i) {
    for (int j = i; j < count; ++j) {
      ActivePieces active;
      active.add(pieces[i]), active.add(pieces[j]);
      visit(active);
    }
  }
}

// Where solids all but touch with edges, neither way to a direction has the digits to tell which pieces meet: tries
// those that may.
bool try_choices(const ConvexBody& a, const ConvexBody& b, double tolerance, ConvexGap& best) {
  bool found = false;
  for (const double within : {1e-6, 1e-3}) {
    std::array<int, 6> on_a, on_b;
    const Vector3d n = best.normal;
    const int count_a = near_pieces(a, n, within * a.size(), on_a);
    const int count_b = near_pieces(b, -n, within * b.size(), on_b);
    for_each_choice(on_a, count_a, [&](const ActivePieces& active_a) {
      for_each_choice(on_b, count_b, [&](const ActivePieces& active_b) {
        ConvexGap gap;
        gap.normal = n, gap.a = active_a, gap.b = active_b;
        if (!settle(a, b, gap) || drop_negative(gap.a) || drop_negative(gap.b)) return;
        const double separation = separation_along(a, b, gap.normal);
        if (separation < gap.gap - tolerance || separation < best.gap - tolerance) return;
        best = gap;
        found = true;
      });
    });
    if (found) return true;
  }
  return false;
}

}  // namespace

ConvexGap convex_gap(const ConvexBody& a, const ConvexBody& b) {
  const double tolerance = equal_fraction * (a.size() + b.size());
  ConvexGap best;
  best.gap = -std::numeric_limits<double>::infinity();
  bool proven = false;  // nothing is farther than the separation, or less deep than what was grown
  // Rough at first, then finer. Where edges overlap there are several ways out that hardly differ, and the least one
  // must be told from the others; a smooth surface has one.
  const bool smooth = a.form() == ConvexBody::Form::ellipsoid || b.form() == ConvexBody::Form::ellipsoid;
  const std::pair<bool, double> ways[] = {{false, 1e-4}, {true, smooth ? 1e-4 : 1e-10}, {false, 1e-10}, {true, 1e-12}};
  for (const auto& [grow, fine] : ways) {
    CoarseDirection coarse;
    if (!coarse_direction(a, b, fine, grow, coarse)) continue;
    ConvexGap start = along(a, b, coarse.normal);
    if (start.gap > best.gap) best = start;
    for (const bool all_pieces : {true, false}) {
      ConvexGap settled = start;
      if (all_pieces) settled.a = coarse.a, settled.b = coarse.b;
      // Of solids that overlap, a stationary separation need not be the greatest: it must not be less than the start.
      if (!exchange(a, b, tolerance, settled) || settled.gap < best.gap - tolerance) continue;
      best = settled;
      proven = true;
      break;
    }
    if (try_face(a, b, 1, tolerance, best)) proven = true;
    if (try_face(a, b, 2, tolerance, best)) proven = true;
    if (proven) break;
  }
  if (!proven) try_choices(a, b, tolerance, best);
  best.gap -= a.rounding() + b.rounding();
  best.on_a += a.rounding() * best.normal;
  best.on_b -= b.rounding() * best.normal;
  return best;
}

}  // namespace carom::inline contact_geometry
