#include "contact_geometry/faces_meeting.h"

#include <algorithm>
#include <cmath>

#include "contact_geometry/least_along.h"

namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

constexpr double rounding_of_faces = 1e-11;  // of the size
constexpr double on_border_of_face = 1e-9;   // of the size, by which a place may lie outside of a face
constexpr double behind_notch_of_face = 4;   // depths, by which a face goes on behind another one
constexpr double behind_notch_of_patch = 2;  // turns times depths, by which a triangle does
constexpr double goes_over = 0.02;      // of the size, by which a round face goes on inside one that it goes over into
constexpr double as_near_face = 0.999;  // of a depth: no other face is nearer
constexpr int few_features = 64;        // are looked at one by one
constexpr int pieces_of_line = 16;      // where there may be several minima along a line

double size_or(double value, double other) {
  return std::isfinite(value) ? value : other;
}

int order_of(SurfaceKind kind) {
  switch (kind) {
    case SurfaceKind::sphere:
      return 0;
    case SurfaceKind::cylinder:
      return 1;
    case SurfaceKind::cone:
      return 2;
    default:
      return 3;
  }
}

// Nothing is least between the ends of a line over a plane, nor beside the wall of a hole.
bool has_minima(const TrueCurve& curve, const TrueSurface& surface) {
  if (curve.kind != TrueCurve::Kind::line || surface.kind == SurfaceKind::torus) return true;
  return surface.kind != SurfaceKind::plane && !surface.hollow;
}

int pieces_for(const TrueCurve& curve, const TrueSurface& surface) {
  if (curve.kind == TrueCurve::Kind::line) return surface.kind == SurfaceKind::torus ? pieces_of_line : 1;
  return curve.pieces();
}

}  // namespace

FacesMeeting::FacesMeeting(const FacedSolid& a, const PlacedFrame& frame_a, const FacedSolid& b,
                           const PlacedFrame& frame_b)
    : a_(a), b_(b) {
  const Eigen::Matrix3d turn = frame_a.axes.transpose() * frame_b.axes;
  pose_[0] = {turn, frame_a.inside(frame_b.origin)};
  pose_[1] = {turn.transpose(), frame_b.inside(frame_a.origin)};
  size_ = size_or(std::min(a.size(), b.size()), 1);
  exact_ = rounding_of_faces * size_;
  // Half spaces, cavities and slots have no other side.
  const auto has_no_end = [](const FacedSolid& each) {
    return each.endless() || (each.edges().empty() && each.faces().front().surface.hollow);
  };
  deepest_ = has_no_end(a) || has_no_end(b) ? std::numeric_limits<double>::infinity()
                                            : size_or(std::min(a.thickness(), b.thickness()), size_);
}

TrueSurface FacesMeeting::placed(const TrueSurface& surface, int side) const {
  TrueSurface result = surface;
  result.position = pose_[side].out(surface.position);
  result.axis = pose_[side].turn * surface.axis;
  if (surface.kind == SurfaceKind::ellipsoid) result.axes = pose_[side].turn * surface.axes;
  return result;
}

AxisBox FacesMeeting::placed_in_other(const AxisBox& box, int side) const {
  const Vector3d centre = pose_[side].back(box.centre()), half = pose_[side].turn.transpose().cwiseAbs() * box.half();
  return {centre - half, centre + half};
}

template <typename Visit>
void FacesMeeting::visit_faces(const AxisBox& own, int side, double reach, const Visit& visit) const {
  const FacedSolid& other = solid(1 - side);
  if (other.endless()) {
    for (int face = 0; face < static_cast<int>(other.faces().size()); ++face) visit(face);
    return;
  }
  const AxisBox box = placed_in_other(own, side);
  const double most = reach * reach;
  other.face_tree().visit([&](const AxisBox& each) { return each.distance_squared(box) <= most; },
                          [&](int face) {
                            if (other.faces()[face].touches && other.faces()[face].box.distance_squared(box) <= most)
                              visit(face);
                          });
}

// Features of a solid near the other one; of few all.
template <typename Visit>
void FacesMeeting::visit_own(const BoxTree& tree, std::size_t count, int side, double reach, const Visit& visit) const {
  const FacedSolid& other = solid(1 - side);
  if (other.endless() || count <= few_features) {
    for (int k = 0; k < static_cast<int>(count); ++k) visit(k);
    return;
  }
  const Vector3d centre = pose_[side].out(other.box().centre()),
                 half = pose_[side].turn.cwiseAbs() * other.box().half();
  const AxisBox box{centre - half, centre + half};
  tree.visit([&](const AxisBox& each) { return each.distance_squared(box) <= reach * reach; }, visit);
}

void FacesMeeting::find(double reach, MeshPoints& points) const {
  for (const int side : {0, 1}) {
    const FacedSolid& own = solid(side);
    if (own.endless()) continue;
    const FacedSolid& other = solid(1 - side);
    const auto is_far = [&](const AxisBox& box) {
      return !other.endless() && placed_in_other(box, side).distance_squared(other.box()) > reach * reach;
    };
    visit_own(own.corner_tree(), own.corners().size(), side, reach, [&](int k) {
      const Vector3d& at = own.corners()[k].position;
      const AxisBox box{at, at};
      if (is_far(box)) return;
      visit_faces(box, side, reach, [&](int face) { touch_corner(side, k, face, reach, points); });
      near_corner(side, k, reach, points);
    });
    visit_own(own.edge_tree(), own.edges().size(), side, reach, [&](int k) {
      const FacedSolid::Edge& edge = own.edges()[k];
      if (!edge.sharp || is_far(edge.box)) return;
      visit_faces(edge.box, side, reach, [&](int face) { touch_edge(side, k, face, reach, points); });
      if (side == 1 || other.endless()) return;
      const AxisBox box = placed_in_other(edge.box, side);
      other.edge_tree().visit(
          [&](const AxisBox& each) { return each.distance_squared(box) <= reach * reach; },
          [&](int each) {
            if (other.edges()[each].sharp && other.edges()[each].box.distance_squared(box) <= reach * reach)
              cross_edges(k, each, reach, points);
          });
    });
    visit_own(own.face_tree(), own.faces().size(), side, reach, [&](int k) {
      const FacedSolid::Face& face = own.faces()[k];
      if (face.surface.kind == SurfaceKind::ellipsoid && !is_far(face.box))
        return visit_faces(face.box, side, reach, [&](int each) { touch_ellipsoid(side, each, reach, points); });
      if (!face.touches || !face.surface.is_tube() || is_far(face.box)) return;
      visit_faces(face.box, side, reach, [&](int each) { touch_faces(side, k, each, reach, points); });
    });
  }
}

// Features of a solid: its corners, its edges, its faces. A ball or a ring keeps touching, whatever it meets.
Feature FacesMeeting::feature_between(int side, std::uint32_t own, std::uint32_t other) const {
  const auto is_one = [](const FacedSolid& each) {
    const TrueSurface& first = each.faces().front().surface;
    return each.faces().size() == 1 && each.edges().empty() &&
           (first.is_tube() || first.kind == SurfaceKind::ellipsoid);
  };
  if (!is_one(solid(side)) && is_one(solid(1 - side))) return feature_of(0, 8 * own + (other & 7));
  const auto numbers = static_cast<std::uint32_t>(a_.corners().size() + a_.edges().size() + a_.faces().size());
  return feature_of(side == 0 ? own : numbers + own, other);
}

void FacesMeeting::add(const Found& found, MeshPoints& points) const {
  const Feature feature =
      feature_between(found.side, found.lead, static_cast<std::uint32_t>(8 * found.face + (found.branch & 7)));
  const Vector3d foot = found.point - found.gap * found.normal;
  if (found.side == 0) {
    points.add(feature, {found.gap, -found.normal, found.point, foot});
    return;
  }
  const Pose& pose = pose_[0];
  points.add(feature, {found.gap, pose.turn * found.normal, pose.out(foot), pose.out(found.point)});
}

// Within the borders of the face; behind another face with which it makes a notch it goes on.
bool FacesMeeting::is_over(const Found& found) const {
  if (pressing_) return true;
  const FacedSolid& other = solid(1 - found.side);
  const Vector3d foot = pose_[found.side].back(found.point - found.gap * found.normal);
  const FacedSolid::Inside inside = other.inside(found.face, foot);
  if (inside.distance >= -on_border_of_face * size_) return true;
  if (inside.edge < 0 || !(inside.distance > behind_notch_of_face * found.gap)) return false;
  const double turn = other.sides(inside.edge, inside.at).turn;
  // Triangles of one patch turn by little: what lies between the columns behind two of them is no wider than this.
  if (other.faces()[found.face].patch >= 0)
    return turn < 0 && inside.distance > -behind_notch_of_patch * turn * found.gap;
  return turn < 0;
}

// The place of a round face that looks at the other solid lies in the face, or just beyond a border where it goes over
// into the next one and would go on inside that: what is almost flat touches at both of its ends.
bool FacesMeeting::is_on_own_face(int side, int face, const Vector3d& point) const {
  if (pressing_) return true;
  const FacedSolid& own = solid(side);
  const FacedSolid::Inside inside = own.inside(face, point);
  if (inside.distance >= -on_border_of_face * size_) return true;
  if (inside.edge < 0 || inside.distance < -goes_over * own.size()) return false;
  if (std::abs(own.sides(inside.edge, inside.at).turn) > 1e-5) return false;
  return own.faces()[own.across(inside.edge, face, inside.at)].surface.foot(point).distance <= exact_;
}

// What lies behind a face leaves by it, unless another face that it looks at is nearer, or it is outside there.
template <typename Looks>
bool FacesMeeting::leaves_by(const Found& found, const Looks& looks) const {
  if (pressing_ || !(found.gap < -exact_) || solid(1 - found.side).endless()) return true;
  bool leaves = true;
  const double nearer = -as_near_face * found.gap;
  visit_faces({found.point, found.point}, found.side, nearer, [&](int face) {
    if (face == found.face || !leaves) return;
    const TrueSurface surface = placed(solid(1 - found.side).faces()[face].surface, found.side);
    const SurfaceFoot foot = surface.foot(found.point);
    if (std::abs(foot.distance) > nearer || (foot.distance < 0 && !looks(-foot.normal))) return;
    Found other = found;
    other.face = face, other.gap = foot.distance, other.normal = foot.normal;
    if (is_over(other)) leaves = false;
  });
  return leaves;
}

ContactPoint<3> FacesMeeting::point_of(Feature feature) const {
  FacesMeeting held(*this);
  held.pressing_ = true;
  MeshPoints points(0);
  const auto other = static_cast<std::uint32_t>(feature & 0xffffffffu);
  const int face = static_cast<int>(other / 8), side = a_.endless() || a_.faces().front().surface.hollow ? 1 : 0;
  const FacedSolid& own = solid(side);
  const int corners = static_cast<int>(own.corners().size()), edges = static_cast<int>(own.edges().size()),
            faces = static_cast<int>(own.faces().size());
  for (int k = 0; k < corners + edges + faces; ++k) {
    if (feature_between(side, static_cast<std::uint32_t>(k), other) != feature) continue;
    if (k < corners)
      held.touch_corner(side, k, face, 1e300, points);
    else if (k < corners + edges)
      held.touch_edge(side, k - corners, face, 1e300, points);
    else if (own.faces()[k - corners - edges].surface.kind == SurfaceKind::ellipsoid)
      held.touch_ellipsoid(side, face, 1e300, points);
    else
      held.touch_faces(side, k - corners - edges, face, 1e300, points);
  }
  for (int k = 0; k < points.size(); ++k) {
    if (points.feature(k) == feature) return points[k];
  }
  return {};
}

void FacesMeeting::touch_corner(int side, int index, int face, double reach, MeshPoints& points) const {
  const FacedSolid& own = solid(side);
  const FacedSolid::Corner& corner = own.corners()[index];
  const SurfaceFoot foot = placed(solid(1 - side).faces()[face].surface, side).foot(corner.position);
  if (!counts(foot.distance, reach) || !(pressing_ || own.corner_looks_along(corner, -foot.normal))) return;
  const Found found{side, static_cast<std::uint32_t>(index), face, 0, corner.position, foot.distance, foot.normal};
  const auto looks = [&](const Vector3d& direction) { return own.corner_looks_along(corner, direction); };
  if (is_over(found) && leaves_by(found, looks)) add(found, points);
}

void FacesMeeting::touch_edge(int side, int index, int face, double reach, MeshPoints& points) const {
  const FacedSolid& own = solid(side);
  const FacedSolid::Edge& edge = own.edges()[index];
  const TrueSurface surface = placed(solid(1 - side).faces()[face].surface, side);
  if (!has_minima(edge.curve, surface)) return;
  const Spine spine{.curve = edge.curve, .to = edge.curve.end};
  for_each_least(spine, surface, pieces_for(edge.curve, surface), [&](int branch, const SpinePlace& place) {
    if (!counts(place.gap, reach)) return;
    const FacedSolid::Sides sides = own.sides(index, place.at);
    const auto looks = [&](const Vector3d& d) { return own.edge_looks_along(sides, d, edge.slack); };
    if (!pressing_ && !looks(-place.normal)) return;
    const Found found{
        side,        static_cast<std::uint32_t>(own.corners().size() + index), face, branch, place.centre, place.gap,
        place.normal};
    if (is_over(found) && leaves_by(found, looks)) add(found, points);
  });
}

// Of two round faces the simpler one is the spine.
bool FacesMeeting::is_spine(int side, const TrueSurface& own, const TrueSurface& other) const {
  if (!other.is_tube()) return true;
  const int one = order_of(own.kind), two = order_of(other.kind);
  return one < two || (one == two && side == 0);
}

void FacesMeeting::touch_faces(int side, int index, int face, double reach, MeshPoints& points) const {
  const FacedSolid& own = solid(side);
  const FacedSolid::Face& round = own.faces()[index];
  const TrueSurface& tube = round.surface;
  if (!is_spine(side, tube, solid(1 - side).faces()[face].surface)) return;
  const TrueSurface surface = placed(solid(1 - side).faces()[face].surface, side);
  const auto offer = [&](int branch, const SpinePlace& place, double radius) {
    if (!counts(place.gap, reach)) return;
    const Vector3d point = place.centre - radius * place.normal;
    const Found found{side,        static_cast<std::uint32_t>(own.corners().size() + own.edges().size() + index),
                      face,        branch,
                      point,       place.gap,
                      place.normal};
    if (is_on_own_face(side, index, point) && is_over(found)) add(found, points);
  };
  if (tube.kind == SurfaceKind::sphere) {
    const SurfaceFoot foot = surface.foot(tube.position);
    return offer(0, {0, foot.distance - tube.radius, 0, tube.position, foot.normal}, tube.radius);
  }
  TrueCurve curve;
  Spine spine{.curve = curve, .radius = tube.radius};
  if (tube.kind == SurfaceKind::torus) {
    const Vector3d x = tube.axis.unitOrthogonal();
    curve = TrueCurve::arc(tube.position, tube.radius, x, tube.axis.cross(x), 2 * M_PI);
    spine.radius = tube.tube;
  } else {
    // The balls that make a cone touch it not where they are widest.
    const double tangent = tube.sine / tube.cosine, low = round.low + tube.radius_at(round.low) * tangent,
                 high = round.high + tube.radius_at(round.high) * tangent;
    curve.from = tube.position + low * tube.axis, curve.x = tube.axis, curve.end = high - low;
    spine.radius = tube.radius_at(low) * tube.cosine, spine.growth = tube.sine;
  }
  spine.to = curve.end;
  if (!has_minima(curve, surface)) return;
  for_each_least(spine, surface, pieces_for(curve, surface), [&](int branch, const SpinePlace& place) {
    offer(branch, place, spine.radius + spine.growth * place.at);
  });
}

}  // namespace carom::inline contact_geometry
