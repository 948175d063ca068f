#include <cmath>

#include "contact_geometry/faces_meeting.h"

// Two edges that cross: the places of both that are nearest to each other, across both.
namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

constexpr double nearly_parallel_edges = 1e-3;  // sine of the angle of edges that do not cross
constexpr double slack_of_crossing = 1e-4;      // sine, by which a line across both may lean out of what they look to
constexpr double slack_of_overlap = 1e-6;       // the same where they overlap
constexpr int most_crossing_rounds = 40;
constexpr double settled_places = 1e-10;  // of the lengths of the curves
constexpr double beyond_piece = 1.5;      // pieces, by which the place may lie off the chords that were nearest

// Where two chords are nearest: parts of both, and the squared distance.
struct ChordPlaces {
  double s = 0, t = 0, distance_squared = 0;
};
ChordPlaces nearest_on_chords(const Vector3d& p, const Vector3d& u, const Vector3d& q, const Vector3d& v) {
  const Vector3d w = p - q;
  const double a = u.squaredNorm(), b = u.dot(v), c = v.squaredNorm(), d = u.dot(w), e = v.dot(w), f = a * c - b * b;
  double s = f > 1e-12 * a * c ? std::clamp((b * e - c * d) / f, 0.0, 1.0) : 0.5;
  const double t = std::clamp((b * s + e) / c, 0.0, 1.0);
  s = std::clamp((b * t - d) / a, 0.0, 1.0);
  return {s, t, (w + s * u - t * v).squaredNorm()};
}

}  // namespace

void FacesMeeting::cross_edges(int edge_a, int edge_b, double reach, MeshPoints& points) const {
  const TrueCurve &a = a_.edges()[edge_a].curve, &b = b_.edges()[edge_b].curve;
  const int pieces_a = a.pieces(), pieces_b = b.pieces();
  const double within = reach + a.sagitta() + b.sagitta();
  for (int i = 0; i < pieces_a; ++i) {
    const Vector3d p = a.at(a.end * i / pieces_a), u = a.at(a.end * (i + 1) / pieces_a) - p;
    const Vector3d middle = p + 0.5 * u;
    for (int k = 0; k < pieces_b; ++k) {
      const Vector3d q = pose_[0].out(b.at(b.end * k / pieces_b)),
                     v = pose_[0].out(b.at(b.end * (k + 1) / pieces_b)) - q;
      const double far = within + 0.5 * (u.norm() + v.norm());
      if ((q + 0.5 * v - middle).squaredNorm() > far * far) continue;
      const ChordPlaces near = nearest_on_chords(p, u, q, v);
      if (near.distance_squared > within * within) continue;
      cross_pieces(edge_a, edge_b, a.end * (i + near.s) / pieces_a, b.end * (k + near.t) / pieces_b, reach, points);
    }
  }
}

// By Newton's method from places near it: what is between them is across both. False: there is nothing so near.
bool FacesMeeting::find_crossing(const TrueCurve& a, const TrueCurve& b, double& s, double& t) const {
  const double from_s = s, from_t = t, most_s = beyond_piece * a.end / a.pieces(),
               most_t = beyond_piece * b.end / b.pieces();
  for (int round = 0; round < most_crossing_rounds; ++round) {
    const Vector3d along_a = a.slope(s), along_b = pose_[0].turn * b.slope(t);
    const Vector3d between = pose_[0].out(b.at(t)) - a.at(s);
    // Gradient and second derivatives of half of the squared distance.
    const double gs = -between.dot(along_a), gt = between.dot(along_b);
    const double ss = along_a.squaredNorm() - between.dot(a.bend(s)),
                 tt = along_b.squaredNorm() + between.dot(pose_[0].turn * b.bend(t)), st = -along_a.dot(along_b);
    // Far from a minimum, without the bend of the curves (Gauss and Newton).
    const bool bowl = ss > 0 && ss * tt - st * st > 1e-9 * std::abs(ss * tt);
    const double one = bowl ? ss : 1.01 * along_a.squaredNorm(), two = bowl ? tt : 1.01 * along_b.squaredNorm();
    const double size = one * two - st * st;
    const double ds = -(two * gs - st * gt) / size, dt = -(one * gt - st * gs) / size;
    s += ds, t += dt;
    if (std::abs(s - from_s) > most_s || std::abs(t - from_t) > most_t) return false;
    if (!bowl || std::abs(ds) >= settled_places * a.end || std::abs(dt) >= settled_places * b.end) continue;
    if (a.closed) s -= a.end * std::floor(s / a.end);
    if (b.closed) t -= b.end * std::floor(t / b.end);
    return s >= 0 && s <= a.end && t >= 0 && t <= b.end;
  }
  return false;
}

void FacesMeeting::cross_pieces(int edge_a, int edge_b, double s, double t, double reach, MeshPoints& points) const {
  const TrueCurve &a = a_.edges()[edge_a].curve, &b = b_.edges()[edge_b].curve;
  if (!find_crossing(a, b, s, t)) return;
  const Vector3d on_a = a.at(s), on_b = pose_[0].out(b.at(t));
  const Vector3d along_a = a.slope(s).stableNormalized(), along_b = pose_[0].turn * b.slope(t).stableNormalized();
  const Vector3d across = along_a.cross(along_b);
  const double sine = across.norm(), apart = (on_b - on_a).norm();
  const FacedSolid::Sides sides_a = a_.sides(edge_a, s), sides_b = b_.sides(edge_b, t);
  const Vector3d outward = sides_a.normal[0] + sides_a.normal[1];
  // Rims beside each other do not cross, but may be nearest.
  const bool beside = sine < nearly_parallel_edges;
  if (beside && (!(apart > exact_) || outward.dot(on_b - on_a) < 0)) return;
  const Vector3d normal =
      beside ? Vector3d((on_b - on_a) / apart) : Vector3d((outward.dot(across) < 0 ? -1 : 1) / sine * across);
  const double gap = normal.dot(on_b - on_a);
  if (!counts(gap, reach)) return;
  const double lean = gap < 0 ? slack_of_overlap : slack_of_crossing;
  if (!a_.edge_looks_along(sides_a, normal, std::min(lean, a_.edges()[edge_a].slack)) ||
      !b_.edge_looks_along(sides_b, -(pose_[0].turn.transpose() * normal), std::min(lean, b_.edges()[edge_b].slack)))
    return;
  // One edge goes over the other where it comes in and where it goes out.
  const int branch = along_a.dot(pose_[0].turn * sides_b.into[0]) > 0 ? 1 : 0;
  const auto other = static_cast<std::uint32_t>(0x80000000u + 2 * static_cast<std::uint32_t>(edge_b) + branch);
  points.add(feature_between(0, static_cast<std::uint32_t>(a_.corners().size() + edge_a), other),
             {gap, normal, on_a, on_a + gap * normal});
}

// Corners are nearest to corners and edges where both look at each other; in contact they meet faces.
void FacesMeeting::near_corner(int side, int index, double reach, MeshPoints& points) const {
  const FacedSolid &own = solid(side), &other = solid(1 - side);
  if (other.endless()) return;
  const FacedSolid::Corner& corner = own.corners()[index];
  const Vector3d at = pose_[side].back(corner.position);
  const auto offer = [&](const Vector3d& there, std::uint32_t number, const auto& looks) {
    const Vector3d way = there - at;
    const double distance = way.norm();
    if (!(distance > exact_ && distance <= reach)) return;
    const Vector3d direction = way / distance;
    if (!own.corner_looks_along(corner, pose_[side].turn * direction) || !looks(-direction)) return;
    const Feature feature = feature_between(side, static_cast<std::uint32_t>(index), 0x40000000u + number);
    const Vector3d on_a = side == 0 ? corner.position : there, on_b = pose_[0].out(side == 0 ? there : corner.position);
    points.add(feature, {(on_b - on_a).norm(), (on_b - on_a).normalized(), on_a, on_b});
  };
  other.edge_tree().visit([&](const AxisBox& box) { return box.distance_squared(at) <= reach * reach; },
                          [&](int k) {
                            const FacedSolid::Edge& edge = other.edges()[k];
                            if (!edge.sharp || edge.box.distance_squared(at) > reach * reach) return;
                            const double t = edge.curve.nearest(at);
                            if (!edge.curve.closed && (t <= 0 || t >= edge.curve.end)) return;
                            const FacedSolid::Sides sides = other.sides(k, t);
                            offer(edge.curve.at(t), static_cast<std::uint32_t>(2 * k),
                                  [&](const Vector3d& d) { return other.edge_looks_along(sides, d, edge.slack); });
                          });
  if (side == 1) return;
  other.corner_tree().visit([&](const AxisBox& box) { return box.distance_squared(at) <= reach * reach; },
                            [&](int k) {
                              const FacedSolid::Corner& each = other.corners()[k];
                              offer(each.position, static_cast<std::uint32_t>(2 * k + 1),
                                    [&](const Vector3d& d) { return other.corner_looks_along(each, d); });
                            });
}

}  // namespace carom::inline contact_geometry
