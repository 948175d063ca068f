#include "contact_geometry/separation.h"

#include <algorithm>
#include <cmath>

#include "contact_geometry/ring.h"
#include "contact_geometry/shape_description.h"
#include "contact_geometry/uneven_ball.h"
#include "contact_geometry/uneven_race.h"

namespace carom::inline contact_geometry {

template <int D>
GapKind gap_kind(const Shape<D>& a, const Shape<D>& b) {
  const ShapeForm form_a = description_of<D>(a.kind).form, form_b = description_of<D>(b.kind).form;
  // Not convex, and followed by the way of the ball.
  if ((is_uneven_race(a) || is_uneven_ball(b)) && b.kind == ShapeKind::sphere) return GapKind::own;
  const bool in_walls = form_a == ShapeForm::walls && b.kind == ShapeKind::sphere;
  if (form_a == ShapeForm::hollow || form_b == ShapeForm::hollow || in_walls) return GapKind::own;
  return form_a == ShapeForm::convex && form_b == ShapeForm::convex ? GapKind::convex : GapKind::curve;
}

template <int D>
double lowest_along(const Shape<D>& shape, const BodyState<D>& body, const VectorOf<D>& n) {
  const ShapeDescription<D>& kind = description_of<D>(shape.kind);
  if (kind.lowest) return kind.lowest(shape, body, n);
  return n.dot(centre_of<D>(shape, body)) - shape.bounding_radius();
}

template <int D>
VectorOf<D> lowest_point(const Shape<D>& shape, const BodyState<D>& body, const VectorOf<D>& n,
                         const VectorOf<D>& towards) {
  const ShapeDescription<D>& kind = description_of<D>(shape.kind);
  if (kind.lowest_point) return kind.lowest_point(shape, body, n, towards);
  return centre_of<D>(shape, body) - shape.bounding_radius() * n;
}

template <int D>
double thickness_of(const Shape<D>& shape) {
  const auto thickness = description_of<D>(shape.kind).thickness;
  return thickness ? thickness(shape) : 0;
}

template <int D>
double reach_of(const Shape<D>& shape) {
  const auto turning_radius = description_of<D>(shape.kind).turning_radius;
  return shape.position.norm() + (turning_radius ? turning_radius(shape) : shape.bounding_radius());
}

double least_between(double s0, double s1, double k_tau_squared) {
  const double k = std::max(0.0, k_tau_squared) / 2, rise = s1 - s0;
  if (!(k > std::abs(rise))) return std::min(s0, s1);
  const double x = 0.5 * (1 - rise / k);
  return s0 + rise * x - k * x * (1 - x);
}

template <int D>
double sharpness_of(const Shape<D>& shape) {
  const auto sharpness = description_of<D>(shape.kind).sharpness;
  return sharpness ? sharpness(shape) : 0;
}

namespace {

// How much of the direction a flat or straight shape has as its normal, 0 to 1; below zero: it has none.
template <int D>
double normal_share(const Shape<D>& shape, const BodyState<D>& body, const VectorOf<D>& normal) {
  const auto share = description_of<D>(shape.kind).normal_share;
  return share ? share(shape, body, normal) : -1;
}

}  // namespace

template <int D>
Slab<D> Slab<D>::across(const VectorOf<D>& normal, const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a,
                        const BodyState<D>& body_b) {
  const double share_a = normal_share<D>(a, body_a, normal), share_b = normal_share<D>(b, body_b, normal);
  if (share_a < 0 && share_b < 0) return {Frame::world, normal};
  if (share_a >= share_b) return {Frame::a, body_a.orientation.back(normal)};
  return {Frame::b, body_b.orientation.back(normal)};
}

template <int D>
VectorOf<D> Slab<D>::in_world(const BodyState<D>& body_a, const BodyState<D>& body_b) const {
  if (frame == Frame::world) return normal;
  return frame == Frame::a ? body_a.orientation * normal : body_b.orientation * normal;
}

template <int D>
double Slab<D>::width(const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a,
                      const BodyState<D>& body_b) const {
  const VectorOf<D> n = in_world(body_a, body_b);
  return lowest_along<D>(b, body_b, n) + lowest_along<D>(a, body_a, VectorOf<D>(-n));
}

// First where both are flat the centres decide, then the point of the other.
template <int D>
ContactPoint<D> Slab<D>::contact(const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a,
                                 const BodyState<D>& body_b) const {
  const VectorOf<D> n = in_world(body_a, body_b), back = -n;
  ContactPoint<D> contact;
  contact.normal = n;
  contact.point_b = lowest_point<D>(b, body_b, n, centre_of<D>(a, body_a));
  contact.point_a = lowest_point<D>(a, body_a, back, contact.point_b);
  contact.point_b = lowest_point<D>(b, body_b, n, contact.point_a);
  contact.gap = n.dot(contact.point_b - contact.point_a);
  return contact;
}

template <int D>
PairBend<D>::PairBend(const Shape<D>& a, const Shape<D>& b, BodyPath<D>& path)
    : a_(a),
      b_(b),
      kind_(gap_kind<D>(a, b)),
      positions_a_(path.positions(a.body)),
      positions_b_(path.positions(b.body)),
      degree_(path.degree()),
      reach_a_(reach_of<D>(a)),
      reach_b_(reach_of<D>(b)) {
  // A ball about its mass centre may turn as it likes.
  const auto turns = [](const Shape<D>& shape, double reach) {
    return reach > 0 || description_of<D>(shape.kind).endless;
  };
  if (turns(a, reach_a_)) turn_a_ = path.turn(a.body);
  if (turns(b, reach_b_)) turn_b_ = path.turn(b.body);
  turning_ = (reach_a_ > 0 ? turn_a_.bend * reach_a_ : 0) + (reach_b_ > 0 ? turn_b_.bend * reach_b_ : 0);
  const auto apart = [&](int k) -> VectorOf<D> { return positions_b_[k] - positions_a_[k]; };
  VectorOf<D> here = apart(0), step_before = VectorOf<D>::Zero();
  distance_ = here.squaredNorm();
  for (int k = 1; k <= degree_; ++k) {
    const VectorOf<D> next = apart(k), step = next - here;
    distance_ = std::max(distance_, next.squaredNorm());
    speed_ = std::max(speed_, step.squaredNorm());
    if (k > 1) acceleration_ = std::max(acceleration_, (step - step_before).squaredNorm());
    here = next, step_before = step;
  }
  distance_ = std::sqrt(distance_);
  speed_ = degree_ * std::sqrt(speed_);
  acceleration_ = degree_ * (degree_ - 1) * std::sqrt(acceleration_);
}

// Directions fixed in the world. Only what bends the gap upwards in time makes it smaller between two instants.
template <int D>
double PairBend<D>::fixed(const VectorOf<D>& n) const {
  double bend = degree_ > 1 ? -std::numeric_limits<double>::infinity() : 0;
  const auto along = [&](int k) { return n.dot(positions_b_[k] - positions_a_[k]); };
  for (int k = 1; k < degree_; ++k) bend = std::max(bend, along(k + 1) - 2 * along(k) + along(k - 1));
  return degree_ * (degree_ - 1) * bend + turning_;
}

// In the axes of the frame a point p of the other body, from the mass centre of the frame, accelerates by at most
// ‖p̈‖ + 2 ω ‖ṗ‖ + bend ‖p‖.
template <int D>
double PairBend<D>::in_frame(bool b_is_frame, double sharpness) const {
  const TurnBounds &frame = b_is_frame ? turn_b_ : turn_a_, &other = b_is_frame ? turn_a_ : turn_b_;
  const double reach = b_is_frame ? reach_a_ : reach_b_;
  const double speed = speed_ + (reach > 0 ? other.angular_velocity * reach : 0), distance = distance_ + reach;
  double bend = acceleration_ + (reach > 0 ? other.bend * reach : 0);
  if (frame.angular_velocity > 0 || frame.bend > 0) bend += 2 * frame.angular_velocity * speed + frame.bend * distance;
  if (sharpness > 0) {
    const double slip = speed + frame.angular_velocity * distance;
    bend += sharpness * slip * slip;
  }
  return bend;
}

template <int D>
double PairBend<D>::of(const Slab<D>& slab, const VectorOf<D>& normal) const {
  if (slab.frame == Slab<D>::Frame::world) return fixed(normal);
  const bool b_is_frame = slab.frame == Slab<D>::Frame::b;
  const TurnBounds& frame = b_is_frame ? turn_b_ : turn_a_;
  return frame.angular_velocity > 0 || frame.bend > 0 ? in_frame(b_is_frame, 0) : fixed(normal);
}

// What is in a round hole: directions are as good as fixed in the world. Beside the walls of a groove they turn with
// its curve. The edge of a bore touches the side of a journal that looks out of it, and the distance from the axis of
// that bends by itself.
template <int D>
double PairBend<D>::own(const VectorOf<D>& normal) const {
  if (b_.kind == ShapeKind::plane)
    return turn_b_.angular_velocity > 0 || turn_b_.bend > 0 ? in_frame(true, 0) : fixed(normal);
  const bool round_race = D == 2 && a_.kind == ShapeKind::outer_race && !is_uneven_race(a_) && !is_uneven_ball(b_);
  if (a_.kind == ShapeKind::cavity || round_race) return acceleration_ + turning_;
  if (a_.kind != ShapeKind::bore) return in_frame(false, sharpness_of<D>(a_) + sharpness_of_edges<D>(b_));
  return in_frame(false, b_.kind == ShapeKind::cylinder ? 2 / b_.radius : 4 / std::min(a_.radius, thickness_of<D>(b_)));
}

// The turns of a ball are not known, since they do not matter for it.
template <int D>
typename PairBend<D>::ByFrame PairBend<D>::by_frame() const {
  constexpr double none = std::numeric_limits<double>::infinity();
  const auto has_axes = [](const Shape<D>& shape, double reach) {
    return reach > 0 || description_of<D>(shape.kind).endless;
  };
  return {has_axes(a_, reach_a_) ? in_frame(false, 0) : none, has_axes(b_, reach_b_) ? in_frame(true, 0) : none,
          acceleration_ + turning_};
}

template <int D>
double PairBend<D>::of_distance(double sharpness_a, double sharpness_b) const {
  if (b_.kind == ShapeKind::plane) return in_frame(true, 0);
  if (kind_ == GapKind::own) return own(VectorOf<D>::Zero());
  // The distance from an edge bends without bound.
  const bool has_edges =
      a_.kind == ShapeKind::box || a_.kind == ShapeKind::cylinder || a_.kind == cone_kind || a_.kind == hull_kind;
  if (b_.kind != ShapeKind::sphere || has_edges) return std::numeric_limits<double>::infinity();
  return in_frame(false, std::min(sharpness_a, sharpness_b));
}

template <int D>
double PairBend<D>::of_feature(double sharpness_a, double sharpness_b) const {
  const double both = std::min(sharpness_a, sharpness_b);
  // Walls without an end: by directions that are fixed to them.
  if (description_of<D>(a_.kind).endless) return in_frame(false, both);
  // Points of the other one beside the tube, whatever their own surface is.
  if (b_.kind == torus_kind) return in_frame(true, sharpness_b);
  if (a_.kind != ShapeKind::profile) return std::max(in_frame(false, both), in_frame(true, both));
  if (b_.kind != ShapeKind::profile) return in_frame(false, both);
  return std::min(in_frame(false, sharpness_a), in_frame(true, sharpness_b));
}

template Eigen::Vector2d lowest_point<2>(const Shape<2>&, const BodyState<2>&, const Eigen::Vector2d&,
                                         const Eigen::Vector2d&);
template Eigen::Vector3d lowest_point<3>(const Shape<3>&, const BodyState<3>&, const Eigen::Vector3d&,
                                         const Eigen::Vector3d&);
template double thickness_of<2>(const Shape<2>&);
template double thickness_of<3>(const Shape<3>&);
template double sharpness_of<2>(const Shape<2>&);
template double sharpness_of<3>(const Shape<3>&);
template struct Slab<2>;
template struct Slab<3>;
template GapKind gap_kind<2>(const Shape<2>&, const Shape<2>&);
template GapKind gap_kind<3>(const Shape<3>&, const Shape<3>&);
template double lowest_along<2>(const Shape<2>&, const BodyState<2>&, const Eigen::Vector2d&);
template double lowest_along<3>(const Shape<3>&, const BodyState<3>&, const Eigen::Vector3d&);
template double reach_of<2>(const Shape<2>&);
template double reach_of<3>(const Shape<3>&);
template class PairBend<2>;
template class PairBend<3>;

}  // namespace carom::inline contact_geometry
