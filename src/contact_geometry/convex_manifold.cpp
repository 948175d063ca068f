#include "contact_geometry/convex_manifold.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact_geometry/round_end.h"

namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

// Of the smaller solid: a corner that is past the end of a face by less counts as above it, so that boxes of equal
// width keep their corners whichever way rounding goes. Along the direction of that face no gap is less than the true
// one.
constexpr double corner_margin = 1e-4;
// Sine of the angle below which edges count as parallel: their ends stand for them.
constexpr double parallel = 1e-5;
// How much of the direction of the gap a side or a crossing must have.
constexpr double facing_share = 0.5, crossing_share = 0.9;

// What a solid turns to the other one.
struct Flat {
  const ConvexBody* body = nullptr;
  bool polygon = false;  // with an outward normal; otherwise a line, or a single piece
  bool disc = false;     // a polygon that is round: its first piece is the rim, the others stand
  int face = 0;          // or end
  Vector3d normal = Vector3d::Zero();
  int count = 0;
  std::array<int, most_face_corners> piece = {};

  void add(int which) { piece[count++] = which; }
};

Flat flat_of(const ConvexBody& body, const Vector3d& seen) {
  Flat flat{.body = &body};
  if (body.form() == ConvexBody::Form::corners) {
    flat.face = body.facing(seen);
    if (flat.face < 0) {
      for (std::size_t k = 0; k < body.polytope().vertices.size(); ++k) flat.add(static_cast<int>(k));
      return flat;
    }
    flat.polygon = true;
    flat.normal = body.face_normal(flat.face);
    for (const int corner : body.polytope().faces[flat.face].touching) flat.add(corner);
    return flat;
  }
  if (body.form() == ConvexBody::Form::ellipsoid) {
    flat.add(0);
    return flat;
  }
  const double along = body.axis(2).dot(seen);
  flat.face = along > 0 ? 1 : 0;
  if (std::abs(along) < 0.7) {
    flat.add(0), flat.add(1);
    return flat;
  }
  flat.add(flat.face);
  if (!(body.rim_radius(flat.face) > 0)) return flat;
  flat.polygon = flat.disc = true;
  flat.normal = flat.face == 1 ? body.axis(2) : Vector3d(-body.axis(2));
  for (int k = 0; k < 3; ++k) flat.add(ConvexBody::standing_piece(flat.face, k));
  return flat;
}

// Numbers of what meets: a corner or rim, an edge between two of them, a face.
std::uint32_t number_of(const ActivePieces& active) {
  if (active.count == 1) return active.piece[0];
  const auto [low, high] = std::minmax(active.piece[0], active.piece[1]);
  return 10000U * (low + 1) + high + 1;
}
std::uint32_t number_of_edge(int one, int two) {
  ActivePieces edge;
  edge.add(one), edge.add(two);
  return number_of(edge);
}
std::uint32_t number_of_face(int face) {
  return 1000000000U + face;
}
// A corner of either solid leads; of two edges that of a.
Feature corner_feature(bool of_b, std::uint32_t corner, std::uint32_t other) {
  return feature_of(2 * corner + (of_b ? 1 : 0), other);
}

// The point of a piece that is lowest above a face whose outward normal is −down.
Vector3d lowest_point_of(const Flat& flat, int piece, const Vector3d& down) {
  const ConvexBody& body = *flat.body;
  const bool rim = body.form() == ConvexBody::Form::rims && piece < 2;
  if (!rim || !(body.rim_radius(piece) > 0)) return body.point(piece, down);
  return lowest_on_ring(body.rim_centre(piece), body.axis(2), body.rim_radius(piece), down);
}

class ConvexManifold {
 public:
  ConvexManifold(const ConvexBody& a, const ConvexBody& b, const Vector3d& origin, ContactManifold<3>& manifold)
      : a_(a),
        b_(b),
        origin_(origin),
        manifold_(manifold),
        nearest_(convex_gap(a, b)),
        margin_(corner_margin * std::min(a.size(), b.size())),
        same_(2.5 * margin_ * margin_ * 2.5) {}

  void write();

 private:
  void add(Feature feature, const Vector3d& normal, Vector3d on_a, Vector3d on_b);
  bool is_near(const Vector3d& place) const;  // seen along the normal
  void add_corners(const Flat& of, const Flat& above, bool of_b);
  void add_ends(const Flat& of, const Flat& beside, bool of_b);
  void add_crossings(const Flat& a, const Flat& b);
  void cross_straight(const Flat& a, const Flat& b, std::array<int, 2> on_a, std::array<int, 2> on_b);
  void cross_curved(std::array<int, 2> on_a, std::array<int, 2> on_b);
  void add_nearest(const Flat& a, const Flat& b);

  const ConvexBody &a_, &b_;
  const Vector3d& origin_;
  ContactManifold<3>& manifold_;
  const ConvexGap nearest_;
  double margin_, same_;
};

// `on_a` and `on_b` without rounding.
void ConvexManifold::add(Feature feature, const Vector3d& normal, Vector3d on_a, Vector3d on_b) {
  if (manifold_.size() >= most_convex_points) return;
  const double gap = normal.dot(on_b - on_a) - a_.rounding() - b_.rounding();
  on_a += a_.rounding() * normal + origin_;
  manifold_.add(feature, {gap, normal, on_a, on_a + gap * normal});
}

bool ConvexManifold::is_near(const Vector3d& place) const {
  for (int k = 0; k < manifold_.size(); ++k) {
    const Vector3d off = manifold_.point(k).point_a - origin_ - place;
    if ((off - nearest_.normal.dot(off) * nearest_.normal).squaredNorm() < same_) return true;
  }
  return false;
}

// Whether a point lies above a polygon.
bool lies_above(const Flat& flat, const Vector3d& point, double margin) {
  const ConvexBody& body = *flat.body;
  if (flat.disc) {
    const Vector3d off = point - body.rim_centre(flat.face);
    return (off - flat.normal.dot(off) * flat.normal).norm() <= body.rim_radius(flat.face) + margin;
  }
  const std::vector<int>& corners = body.polytope().faces[flat.face].corners;
  Vector3d from = body.point(corners.back(), flat.normal);
  for (const int corner : corners) {
    const Vector3d to = body.point(corner, flat.normal), along = to - from;
    if (flat.normal.dot(along.cross(point - from)) < -margin * along.norm()) return false;
    from = to;
  }
  return true;
}

// The place of a flat side that is nearest to a point, seen along the side's normal.
Vector3d nearest_on(const Flat& flat, const Vector3d& point) {
  const ConvexBody& body = *flat.body;
  const Vector3d base = flat.disc ? body.rim_centre(flat.face) : body.point(flat.piece[0], flat.normal);
  const Vector3d foot = point - flat.normal.dot(point - base) * flat.normal;
  if (flat.disc) {
    const double far = (foot - base).norm(), radius = body.rim_radius(flat.face);
    return far <= radius ? foot : Vector3d(base + radius / far * (foot - base));
  }
  if (lies_above(flat, foot, 0)) return foot;
  Vector3d best = foot;
  double least = std::numeric_limits<double>::infinity();
  const std::vector<int>& corners = body.polytope().faces[flat.face].corners;
  Vector3d from = body.point(corners.back(), flat.normal);
  for (const int corner : corners) {
    const Vector3d to = body.point(corner, flat.normal), along = to - from;
    const Vector3d place = from + std::clamp(along.dot(foot - from) / along.squaredNorm(), 0.0, 1.0) * along;
    if ((place - foot).squaredNorm() < least) least = (place - foot).squaredNorm(), best = place;
    from = to;
  }
  return best;
}

// Corners, rims and standing points of one solid above a flat side of the other.
void ConvexManifold::add_corners(const Flat& of, const Flat& above, bool of_b) {
  const Vector3d towards_b = of_b ? above.normal : Vector3d(-above.normal);
  const double share = towards_b.dot(nearest_.normal);
  if (share < facing_share) return;
  const double margin = share > 1 - 1e-10 ? margin_ : 0;
  const Vector3d down = -above.normal;
  const Vector3d base = above.disc ? above.body->rim_centre(above.face) : above.body->point(above.piece[0], down);
  for (int k = 0; k < of.count; ++k) {
    const Vector3d point = lowest_point_of(of, of.piece[k], down);
    const double height = above.normal.dot(point - base);
    const Vector3d foot = point - height * above.normal;
    if (!lies_above(above, foot, margin) || (!of_b && is_near(point))) continue;
    add(corner_feature(of_b, of.piece[k], number_of_face(above.face)), towards_b, of_b ? foot : point,
        of_b ? point : foot);
  }
}

// Ends of a line beside another line.
void ConvexManifold::add_ends(const Flat& of, const Flat& beside, bool of_b) {
  for (int k = 0; k < of.count; ++k) {
    ConvexGap gap = nearest_;
    gap.a = {}, gap.b = {};
    ActivePieces &end = of_b ? gap.b : gap.a, &line = of_b ? gap.a : gap.b;
    end.add(of.piece[k]);
    for (int j = 0; j < beside.count; ++j) line.add(beside.piece[j]);
    if (!settle(a_, b_, gap) || gap.normal.dot(nearest_.normal) < crossing_share) continue;
    if (line.share[0] < 0 || line.share[1] < 0 || is_near(gap.on_a)) continue;
    add(corner_feature(of_b, of.piece[k], number_of(line)), gap.normal, gap.on_a, gap.on_b);
  }
}

// Two edges between fixed points.
void ConvexManifold::cross_straight(const Flat& a, const Flat& b, std::array<int, 2> on_a, std::array<int, 2> on_b) {
  const Vector3d &n = nearest_.normal, p = a.body->point(on_a[0], n), q = b.body->point(on_b[0], n);
  const Vector3d along_a = a.body->point(on_a[1], n) - p, along_b = b.body->point(on_b[1], n) - q;
  Vector3d normal = along_a.cross(along_b);
  const double size = normal.norm();
  if (size <= parallel * along_a.norm() * along_b.norm()) return;
  normal *= (normal.dot(n) < 0 ? -1 : 1) / size;
  if (normal.dot(n) < crossing_share) return;
  const Vector3d between = q - p;
  const Vector3d across = along_a.cross(along_b) / (size * size);
  const double part_a = between.cross(along_b).dot(across), part_b = between.cross(along_a).dot(across);
  if (!(part_a >= 0 && part_a <= 1 && part_b >= 0 && part_b <= 1)) return;
  const Vector3d place_a = p + part_a * along_a, place_b = q + part_b * along_b;
  if (is_near(0.5 * (place_a + place_b))) return;
  add(feature_of(number_of_edge(on_a[0], on_a[1]), number_of_edge(on_b[0], on_b[1])), normal, place_a, place_b);
}

// With the side of a cylinder or a cone.
void ConvexManifold::cross_curved(std::array<int, 2> on_a, std::array<int, 2> on_b) {
  ConvexGap gap = nearest_;
  gap.a = {}, gap.b = {};
  for (const int piece : on_a) gap.a.add(piece);
  for (const int piece : on_b) gap.b.add(piece);
  if (!settle(a_, b_, gap) || gap.normal.dot(nearest_.normal) < crossing_share) return;
  for (int k = 0; k < 2; ++k) {
    if (gap.a.share[k] < 0 || gap.b.share[k] < 0) return;
  }
  if (is_near(0.5 * (gap.on_a + gap.on_b))) return;
  add(feature_of(number_of(gap.a), number_of(gap.b)), gap.normal, gap.on_a, gap.on_b);
}

void ConvexManifold::add_crossings(const Flat& a, const Flat& b) {
  const auto edges_of = [](const Flat& flat) { return flat.disc ? 3 : flat.polygon ? flat.count : flat.count - 1; };
  // The edge k of a flat; of a disc those between its standing points.
  const auto edge_of = [](const Flat& flat, int k) -> std::array<int, 2> {
    if (flat.disc) return {flat.piece[1 + k], flat.piece[1 + (k + 1) % 3]};
    return {flat.piece[k], flat.piece[(k + 1) % flat.count]};
  };
  const auto is_curved = [](const Flat& flat) { return flat.body->form() == ConvexBody::Form::rims && !flat.disc; };
  const bool curved = is_curved(a) || is_curved(b);
  for (int i = 0; i < edges_of(a); ++i) {
    for (int j = 0; j < edges_of(b); ++j) {
      if (curved) {
        cross_curved(edge_of(a, i), edge_of(b, j));
      } else {
        cross_straight(a, b, edge_of(a, i), edge_of(b, j));
      }
    }
  }
}

// The nearest place itself, unless it is there already. Where a round side lies along another side and stands out over
// its edge so far that nothing it stands on is above the other, all places that both have in common are nearest.
void ConvexManifold::add_nearest(const Flat& flat_a, const Flat& flat_b) {
  const double tolerance = 1e-11 * (a_.size() + b_.size());
  for (int k = 0; k < manifold_.size(); ++k) {
    if (manifold_.point(k).gap <= nearest_.gap + tolerance) return;
  }
  Feature feature = 0;
  if (nearest_.face_of != 0) {
    const bool of_b = nearest_.face_of == 1;
    feature = corner_feature(of_b, of_b ? nearest_.b.piece[0] : nearest_.a.piece[0], number_of_face(nearest_.face));
  } else if (nearest_.b.count == 1 && nearest_.a.count > 1) {
    feature = corner_feature(true, nearest_.b.piece[0], number_of(nearest_.a));
  } else if (nearest_.a.count == 1) {
    feature = corner_feature(false, nearest_.a.piece[0], number_of(nearest_.b));
  } else {
    feature = feature_of(number_of(nearest_.a), number_of(nearest_.b));
  }
  Vector3d on_a = nearest_.on_a;
  const auto is_level = [&](const Flat& flat) {
    return flat.polygon && std::abs(flat.normal.dot(nearest_.normal)) > 1 - 1e-14;
  };
  // What is nearest to the middle of a round side is on it, if anything is.
  if (is_level(flat_a) && is_level(flat_b)) {
    const Flat &round = flat_b.disc ? flat_b : flat_a, &other = flat_b.disc ? flat_a : flat_b;
    if (round.disc) on_a = nearest_on(flat_a, nearest_on(other, round.body->rim_centre(round.face)));
  }
  manifold_.add(feature,
                {nearest_.gap, nearest_.normal, on_a + origin_, on_a + nearest_.gap * nearest_.normal + origin_});
}

void ConvexManifold::write() {
  const Flat flat_a = flat_of(a_, nearest_.normal), flat_b = flat_of(b_, -nearest_.normal);
  if (flat_a.polygon) add_corners(flat_b, flat_a, true);
  if (flat_b.polygon) add_corners(flat_a, flat_b, false);
  if (!flat_a.polygon && !flat_b.polygon && flat_a.count == 2 && flat_b.count == 2) {
    add_ends(flat_b, flat_a, true);
    add_ends(flat_a, flat_b, false);
  } else {
    add_crossings(flat_a, flat_b);
  }
  add_nearest(flat_a, flat_b);
}

}  // namespace

void write_convex_manifold(const ConvexBody& a, const ConvexBody& b, const Vector3d& origin,
                           ContactManifold<3>& manifold) {
  ConvexManifold(a, b, origin, manifold).write();
}

}  // namespace carom::inline contact_geometry
