#include <algorithm>
#include <cmath>

#include "contact_geometry/pair.h"
#include "contact_geometry/round_contact.h"

namespace carom::inline contact_geometry {

namespace {

// Two segments: centre ± half · axis.
template <int D>
struct Segment {
  VectorOf<D> centre, axis;
  double half;
  VectorOf<D> at(double along) const { return centre + along * axis; }
  double nearest(const VectorOf<D>& point) const { return nearest_on_segment<D>(point, centre, axis, half); }
};

// Where the two lines are nearest, m from the centres.
struct Crossing {
  double on_a, on_b;
};

template <int D>
Crossing crossing_of(const Segment<D>& a, const Segment<D>& b) {
  const VectorOf<D> between = b.centre - a.centre;
  const double cosine = a.axis.dot(b.axis), along_a = a.axis.dot(between), along_b = b.axis.dot(between);
  const double determinant = 1 - cosine * cosine;
  return {(along_a - cosine * along_b) / determinant, (cosine * along_a - along_b) / determinant};
}

// Nearest points of two segments side by side nowhere: by turns, which settles at once there, since one end is one of
// the two points.
template <int D>
Crossing nearest_ends(const Segment<D>& a, const Segment<D>& b) {
  Crossing best{0, 0};
  double least = std::numeric_limits<double>::infinity();
  const auto offer = [&](double on_a, double on_b) {
    const double distance = (a.at(on_a) - b.at(on_b)).squaredNorm();
    if (distance < least) {
      least = distance;
      best = {on_a, on_b};
    }
  };
  for (const double end : {-a.half, a.half}) offer(end, b.nearest(a.at(end)));
  for (const double end : {-b.half, b.half}) offer(a.nearest(b.at(end)), end);
  return best;
}

// Axes that cross in the plane: the capsules are pushed apart across one of them, past the end of the other that has
// the shortest way.
void part_crossed(const Segment<2>& a, double radius_a, const Segment<2>& b, double radius_b, ContactPoint<2>& point) {
  double least = std::numeric_limits<double>::infinity();
  for (const bool ends_of_a : {false, true}) {
    const Segment<2>&own = ends_of_a ? a : b, &other = ends_of_a ? b : a;
    const Eigen::Vector2d across(-other.axis.y(), other.axis.x());
    for (const double end : {-own.half, own.half}) {
      const Eigen::Vector2d tip = own.at(end);
      const double beyond = across.dot(tip - other.centre);  // m, of the tip on its side of the other axis
      if (!(std::abs(beyond) < least)) continue;
      least = std::abs(beyond);
      const Eigen::Vector2d foot = tip - beyond * across, out = (beyond > 0) == ends_of_a ? across : -across;
      point.normal = out;
      point.point_a = (ends_of_a ? tip : foot) + radius_a * out;
      point.point_b = (ends_of_a ? foot : tip) - radius_b * out;
      point.gap = -(least + radius_a + radius_b);
    }
  }
}

template <int D>
void evaluate_capsule_capsule(const Shape<D>& capsule_a, const Shape<D>& capsule_b, const BodyState<D>& body_a,
                              const BodyState<D>& body_b, ContactPoint<D>* points, double*) {
  const Segment<D> a{centre_of<D>(capsule_a, body_a), capsule_axis<D>(capsule_a, body_a), capsule_a.length / 2};
  const Segment<D> b{centre_of<D>(capsule_b, body_b), capsule_axis<D>(capsule_b, body_b), capsule_b.length / 2};
  const auto touch = [&](int slot, double on_a, double on_b) {
    spheres_touch<D>(a.at(on_a), capsule_a.radius, b.at(on_b), capsule_b.radius, points[slot]);
  };
  const double cosine = a.axis.dot(b.axis), middle = a.axis.dot(b.centre - a.centre);
  // The end of b that comes first along a, and the stretch of a beside b.
  const double first_of_b = cosine < 0 ? b.half : -b.half;
  const double low = middle - std::abs(cosine) * b.half, high = middle + std::abs(cosine) * b.half;
  if (high < -a.half || low > a.half) {
    const int slot = low > a.half ? 1 : 0;
    const Crossing nearest = nearest_ends<D>(a, b);
    touch(slot, nearest.on_a, nearest.on_b);
    points[1 - slot] = {};
    return;
  }
  const auto touch_end_of_a = [&](int slot, double end) { touch(slot, end, b.nearest(a.at(end))); };
  const auto touch_end_of_b = [&](int slot, double end) { touch(slot, a.nearest(b.at(end)), end); };
  low < -a.half ? touch_end_of_a(0, -a.half) : touch_end_of_b(0, first_of_b);
  high > a.half ? touch_end_of_a(1, a.half) : touch_end_of_b(1, -first_of_b);
  if (1 - cosine * cosine < 1e-14) return;
  const Crossing crossing = crossing_of<D>(a, b);
  if (std::abs(crossing.on_a) >= a.half || std::abs(crossing.on_b) >= b.half) return;
  const double nearer_low = std::max(low, -a.half), nearer_high = std::min(high, a.half);
  const int slot = crossing.on_a - nearer_low < nearer_high - crossing.on_a ? 0 : 1;
  if constexpr (D == 3) {
    touch(slot, crossing.on_a, crossing.on_b);
  } else {
    part_crossed(a, capsule_a.radius, b, capsule_b.radius, points[slot]);
  }
}

}  // namespace

template <int D>
PairDescription<D> describe_capsule_capsule() {
  return {.a = ShapeKind::capsule,
          .b = ShapeKind::capsule,
          .name = "capsule_capsule",
          .summary =
              "the two ends of the stretch of capsule a that lies beside capsule b, slot 0 at the negative end of the "
              "axis of a; where the axes cross, the crossing replaces the nearer end",
          .points = fixed_count<D, 2>,
          .memory = fixed_count<D, 0>,
          .evaluate = evaluate_capsule_capsule<D>,
          .effective_radius = no_effective_radius<D>};
}

template PairDescription<2> describe_capsule_capsule<2>();
template PairDescription<3> describe_capsule_capsule<3>();

}  // namespace carom::inline contact_geometry
