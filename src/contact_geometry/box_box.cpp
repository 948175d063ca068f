#include <algorithm>
#include <cmath>
#include <utility>

#include "contact_geometry/pair.h"

namespace carom::inline contact_geometry {

namespace {

// Of the smaller box: corners that pass each other by less lie on one line, whatever rounding says.
constexpr double aligned_fraction = 1e-9;

struct Placed {
  Eigen::Vector2d centre, axis[2], half;
  int first_slot;

  Eigen::Vector2d corner(int index) const {
    return centre + ((index & 1) != 0 ? 1.0 : -1.0) * half[0] * axis[0] +
           ((index & 2) != 0 ? 1.0 : -1.0) * half[1] * axis[1];
  }
  Eigen::Vector2d local(const Eigen::Vector2d& point) const {
    return {axis[0].dot(point - centre), axis[1].dot(point - centre)};
  }
  // The corner towards which a point lies.
  static int towards(const Eigen::Vector2d& local) { return (local[0] > 0 ? 1 : 0) + (local[1] > 0 ? 2 : 0); }
};

// An edge: its box, the axis it is perpendicular to and the side of it.
struct Edge {
  const Placed* box;
  int axis;
  double side;
  Eigen::Vector2d normal() const { return side * box->axis[axis]; }
  double height(const Eigen::Vector2d& point) const { return normal().dot(point - box->centre) - box->half[axis]; }
  // The end of the edge at the negative or positive end of the other axis.
  int corner(bool positive) const {
    const int across = 1 - axis;
    return ((side > 0 ? 1 : 0) << axis) + ((positive ? 1 : 0) << across);
  }
};

Placed placed(const Shape<2>& box, const BodyState<2>& body, int first_slot) {
  return {centre_of<2>(box, body), {axis_of<2>(box, body, 0), axis_of<2>(box, body, 1)}, box.half, first_slot};
}

// A corner of one box against an edge of the other, whose outward normal is given.
void touch(const Placed& owner, int corner, const Eigen::Vector2d& outward, double gap, ContactPoint<2>* points) {
  const Eigen::Vector2d point = owner.corner(corner), foot = point - gap * outward;
  if (owner.first_slot == 0) {
    points[corner] = {gap, -outward, point, foot};
  } else {
    points[4 + corner] = {gap, outward, foot, point};
  }
}

// The edge of `box` that separates the boxes best, and by how much.
Edge best_edge(const Placed& box, const Placed& other, double& separation) {
  Edge best{&box, 0, 1};
  separation = -std::numeric_limits<double>::infinity();
  for (const int axis : {0, 1}) {
    const double offset = box.axis[axis].dot(other.centre - box.centre);
    const double reach = std::abs(box.axis[axis].dot(other.axis[0])) * other.half[0] +
                         std::abs(box.axis[axis].dot(other.axis[1])) * other.half[1];
    const double here = std::abs(offset) - box.half[axis] - reach;
    if (here > separation) {
      separation = here;
      best = {&box, axis, offset < 0 ? -1.0 : 1.0};
    }
  }
  return best;
}

// Where corners of both boxes lie on each other the one of box a stands for both, so that boxes of equal width touch in
// the same slots whichever way rounding goes.
bool is_taken(const Eigen::Vector2d& corner, const Eigen::Vector2d& towards, double aligned,
              const ContactPoint<2>* points) {
  return std::any_of(points, points + 4, [&](const ContactPoint<2>& point) {
    return std::isfinite(point.gap) && std::abs(point.normal.dot(towards)) > 0.5 &&
           (point.point_b - corner).squaredNorm() <= aligned * aligned;
  });
}

// Apart: every corner above an edge, and two corners that face each other. `towards` is the normal of the edge that
// separates the boxes best.
void apart(const Placed& owner, const Placed& other, const Eigen::Vector2d& towards, double aligned,
           ContactPoint<2>* points) {
  for (int corner = 0; corner < 4; ++corner) {
    const Eigen::Vector2d point = owner.corner(corner), local = other.local(point);
    const Eigen::Vector2d over = local.cwiseAbs() - other.half;
    // Past the end of the edge that the boxes lie along by no more than rounding, it is above that edge.
    const int along = std::abs(towards.dot(other.axis[0])) > std::abs(towards.dot(other.axis[1])) ? 0 : 1;
    const bool above = over[1 - along] <= aligned && over[along] >= -aligned;
    if (!above && over.minCoeff() > 0) {
      const int facing = Placed::towards(local);
      const Eigen::Vector2d end = other.corner(facing), back = owner.local(end);
      const Eigen::Vector2d back_over = back.cwiseAbs() - owner.half;
      const bool mutual = back_over[0] >= 0 && back_over[1] >= 0 && Placed::towards(back) == corner;
      if (!mutual || owner.first_slot != 0) continue;
      const double gap = (end - point).norm();
      points[corner] = {gap, (end - point) / gap, point, end};
      continue;
    }
    if (owner.first_slot != 0 && is_taken(point, towards, aligned, points)) continue;
    const int axis = above ? along : over[0] > over[1] ? 0 : 1;
    touch(owner, corner, (local[axis] < 0 ? -1.0 : 1.0) * other.axis[axis], over[axis], points);
  }
}

// Overlapping: the edge of least overlap and the edge of the other box that faces it touch where their common stretch
// ends, which is a corner of one or of the other.
void overlapping(const Edge& edge, const Placed& other, double aligned, ContactPoint<2>* points) {
  const Eigen::Vector2d normal = edge.normal();
  const double along[2] = {normal.dot(other.axis[0]), normal.dot(other.axis[1])};
  const int axis = std::abs(along[0]) > std::abs(along[1]) ? 0 : 1;
  const Edge facing{&other, axis, along[axis] > 0 ? -1.0 : 1.0};
  const int across = 1 - edge.axis;
  const Eigen::Vector2d tangent = edge.box->axis[across];
  const double half = edge.box->half[across];
  int ends[2] = {facing.corner(false), facing.corner(true)};
  double at[2];
  for (const int k : {0, 1}) at[k] = tangent.dot(other.corner(ends[k]) - edge.box->centre);
  if (at[0] > at[1]) {
    std::swap(at[0], at[1]);
    std::swap(ends[0], ends[1]);
  }
  for (const int k : {0, 1}) {
    const double beyond = k == 0 ? -half - at[0] : at[1] - half;
    // Corners on each other: that of box a counts.
    const bool inside = std::abs(beyond) <= aligned ? other.first_slot == 0 : beyond <= 0;
    if (inside) {
      touch(other, ends[k], normal, edge.height(other.corner(ends[k])), points);
    } else {
      const int corner = edge.corner(k == 1);
      touch(*edge.box, corner, facing.normal(), facing.height(edge.box->corner(corner)), points);
    }
  }
}

void evaluate_box_box(const Shape<2>& shape_a, const Shape<2>& shape_b, const BodyState<2>& body_a,
                      const BodyState<2>& body_b, ContactPoint<2>* points, double*) {
  const Placed a = placed(shape_a, body_a, 0), b = placed(shape_b, body_b, 4);
  std::fill_n(points, 8, ContactPoint<2>{});
  double by_a = 0, by_b = 0;
  const Edge edge_a = best_edge(a, b, by_a), edge_b = best_edge(b, a, by_b);
  const double aligned = aligned_fraction * std::min(a.half.minCoeff(), b.half.minCoeff());
  if (std::max(by_a, by_b) > 0) {
    const Eigen::Vector2d towards = by_a >= by_b ? edge_a.normal() : edge_b.normal();
    apart(a, b, towards, aligned, points);
    apart(b, a, towards, aligned, points);
  } else if (by_a >= by_b) {
    overlapping(edge_a, b, aligned, points);
  } else {
    overlapping(edge_b, a, aligned, points);
  }
}

}  // namespace

PairDescription<2> describe_box_box() {
  return {.a = ShapeKind::box,
          .b = ShapeKind::box,
          .name = "box_box",
          .summary =
              "slots 0 to 3 the corners of box a on the edges of b, 4 to 7 the corners of b on the edges of a (bit k "
              "of the corner: positive end of axis k)",
          .points = fixed_count<2, 8>,
          .memory = fixed_count<2, 0>,
          .evaluate = evaluate_box_box,
          .effective_radius = no_effective_radius<2>};
}

}  // namespace carom::inline contact_geometry
