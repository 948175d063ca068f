#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact_geometry/convex_gap.h"

// A circle in space, with what lies next to it: what a torus and the edges of a bore share.
namespace carom::inline contact_geometry {

inline constexpr ShapeKind torus_kind = kind_named("torus");

struct Ring {
  Eigen::Vector3d centre, x, y, axis;
  double radius;

  Eigen::Vector3d direction(double angle) const { return std::cos(angle) * x + std::sin(angle) * y; }
  Eigen::Vector3d along(double angle) const { return std::cos(angle) * y - std::sin(angle) * x; }
  Eigen::Vector3d at(double angle) const { return centre + radius * direction(angle); }
  // Nearest to a point; of all, where it is on the axis, that along x.
  Eigen::Vector3d nearest(const Eigen::Vector3d& point) const {
    const Eigen::Vector3d off = point - centre;
    const double on_x = x.dot(off), on_y = y.dot(off), size = std::hypot(on_x, on_y);
    return size > 0 ? Eigen::Vector3d(centre + radius / size * (on_x * x + on_y * y))
                    : Eigen::Vector3d(centre + radius * x);
  }
};

inline Ring ring_of(const Shape<3>& torus, const BodyState<3>& body) {
  return {centre_of<3>(torus, body), axis_of<3>(torus, body, 0), axis_of<3>(torus, body, 1), axis_of<3>(torus, body, 2),
          torus.radius};
}

// From a point of the ring to what is next to it: how far, along which direction.
struct RingDistance {
  double distance = std::numeric_limits<double>::infinity();
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();
};

// The most places of a ring that are nearest in their surroundings.
inline constexpr int most_ring_minima = 4;

struct RingMinimum {
  int sector = 0;  // where on the ring, roughly
  double angle = 0;
  RingDistance next = {};
};

// Inside a solid with edges the nearest face changes where the distance is least. What parts ring and solid there is
// across both the ring and the edge between the faces, at the place of the ring that is nearest to the edge.
inline void across_edge(const Ring& ring, const RingDistance& one, const RingDistance& two, double share,
                        RingMinimum& least) {
  const Eigen::Vector3d between = share * one.direction + (1 - share) * two.direction;
  const double cosine = one.direction.dot(two.direction), sine = 1 - cosine * cosine;
  if (between.norm() < 0.1 || !(sine > 1e-12)) return;
  const Eigen::Vector3d edge = one.direction.cross(two.direction).normalized();
  // A point of the edge: both faces are as far from the ring as they were found.
  const Eigen::Vector3d on_edge = ring.at(least.angle) + (one.distance - cosine * two.distance) / sine * one.direction +
                                  (two.distance - cosine * one.distance) / sine * two.direction;
  double angle = least.angle;
  for (int round = 0; round < 20; ++round) {
    Eigen::Vector3d way = on_edge - ring.at(angle);
    way -= edge.dot(way) * edge;
    const Eigen::Vector3d along = ring.along(angle), flat = along - edge.dot(along) * edge;
    const double bend = -ring.radius * flat.squaredNorm() - way.dot(ring.direction(angle));
    if (!(bend < 0)) return;
    const double step = -way.dot(along) / bend;
    if (!(std::abs(step) < 0.5)) return;
    angle += step;
    if (std::abs(step) < 1e-15) break;
  }
  Eigen::Vector3d normal = edge.cross(ring.along(angle)).normalized();
  if (normal.dot(between) < 0) normal = -normal;
  least.angle = angle;
  least.next = {normal.dot(on_edge - ring.at(angle)), normal};
}

// A place of a ring that was looked at.
struct RingSample {
  double angle = 0;
  RingDistance next = {};
  double slope = 0;  // of the distance along the ring
};

// Further angles of a sector to look at, in their order: where something narrow may be near.
struct RingHints {
  std::array<double, 4> angles = {};
  int count = 0;
  void add(double angle) { angles[count++] = angle; }
  const double* begin() const { return angles.data(); }
  const double* end() const { return angles.data() + count; }
};
struct NoHints {
  RingHints operator()(int /*sector*/) const { return {}; }
};

// Where along the ring the distance is least. `distance`: of a point, with the direction that shortens it. It is looked
// at in `sectors` places, and in those of the hints. Between two of them it falls from the one and rises to the other
// where there is a minimum; where distances and slopes of both do not fit each other, another feature of the solid is
// nearest in between, and the sector is cut in halves as long as it may hide something nearer than what was found.
template <int sectors, typename Distance, typename Hints>
class RingSearch {
 public:
  RingSearch(const Ring& ring, const Distance& distance, const Hints& hints,
             std::array<RingMinimum, most_ring_minima>& found)
      : ring_(ring), distance_(distance), hints_(hints), found_(found) {}

  // Ordered by distance; returns how many there are.
  int run() {
    std::array<RingSample, sectors + 1> samples;
    for (int k = 0; k < sectors; ++k) {
      samples[k] = look(2 * M_PI * k / sectors);
      nearest_ = std::min(nearest_, samples[k].next.distance);
    }
    samples[sectors] = samples[0];
    samples[sectors].angle = 2 * M_PI;
    for (int k = 0; k < sectors; ++k) {
      RingSample low = samples[k];
      const RingHints hints = hints_(k);
      for (const double angle : hints) {
        const RingSample high = look(angle);
        nearest_ = std::min(nearest_, high.next.distance);
        search(k, low, high, 1);
        low = high;
      }
      search(k, low, samples[k + 1], hints.count > 0 ? 1 : 0);
    }
    return count_;
  }

 private:
  static constexpr int most_cuts = 4;

  RingSample look(double angle) const {
    RingSample sample{angle, distance_(ring_.at(angle)), 0};
    sample.slope = -sample.next.direction.dot(ring_.along(angle));
    return sample;
  }

  // Whether there may be something nearer in between: along a ring the distance of a convex solid bends downwards by
  // no more than 1/radius, and over a sector in which the nearest feature stays it rises by the mean of its slopes.
  bool hides_something(const RingSample& low, const RingSample& high) const {
    const double width = high.angle - low.angle, rise = high.next.distance - low.next.distance;
    const double misfit = std::abs(rise - 0.5 * ring_.radius * width * (low.slope + high.slope));
    if (!(misfit > 1e-4 * ring_.radius * width)) return false;
    const double bend = ring_.radius * width * width / 8;
    return std::min(low.next.distance, high.next.distance) - bend < nearest_;
  }

  void search(int sector, const RingSample& low, const RingSample& high, int cuts) {
    if (cuts < most_cuts && hides_something(low, high)) {
      const RingSample middle = look(0.5 * (low.angle + high.angle));
      nearest_ = std::min(nearest_, middle.next.distance);
      search(sector, low, middle, cuts + 1);
      search(sector, middle, high, cuts + 1);
      return;
    }
    // A ring that lies flat has no minima but those of rounding.
    constexpr double level = 1e-7;
    if (!(low.slope < 0 && high.slope >= 0 && high.slope - low.slope > level)) return;
    const RingSample& lower = low.next.distance < high.next.distance ? low : high;
    const int other = (sector + 1) % sectors;
    RingMinimum least{&lower == &low || cuts > 0 ? sector : other, lower.angle, lower.next};
    refine(low, high, least);
    keep(least);
  }

  // The slope changes its sign between the two: by secants that keep the bracket.
  void refine(RingSample low, RingSample high, RingMinimum& least) const {
    for (int round = 0; round < 80 && high.slope > 0 && high.angle - low.angle > 1e-14; ++round) {
      double angle = low.angle - low.slope * (high.angle - low.angle) / (high.slope - low.slope);
      if (round % 3 == 2 || !(angle > low.angle && angle < high.angle)) angle = 0.5 * (low.angle + high.angle);
      const RingSample here = look(angle);
      least.next = here.next;
      least.angle = angle;
      if (std::abs(here.slope) < 1e-15) return;
      (here.slope < 0 ? low : high) = here;
    }
    if (!(high.slope > 0 && high.slope - low.slope > 1e-7)) return;
    across_edge(ring_, low.next, high.next, high.slope / (high.slope - low.slope), least);
  }

  // The nearest few, each with a number of its own.
  void keep(RingMinimum least) {
    for (int k = 0; k < count_; ++k) {
      if (found_[k].sector == least.sector) least.sector += sectors, k = -1;
    }
    int place = std::min(count_, most_ring_minima - 1);
    if (count_ == most_ring_minima && found_[place].next.distance <= least.next.distance) return;
    while (place > 0 && found_[place - 1].next.distance > least.next.distance) {
      found_[place] = found_[place - 1];
      --place;
    }
    found_[place] = least;
    count_ = std::min(count_ + 1, most_ring_minima);
  }

  const Ring& ring_;
  const Distance& distance_;
  const Hints& hints_;
  std::array<RingMinimum, most_ring_minima>& found_;
  int count_ = 0;
  double nearest_ = std::numeric_limits<double>::infinity();
};

template <int sectors, typename Distance, typename Hints = NoHints>
int ring_minima(const Ring& ring, const Distance& distance, std::array<RingMinimum, most_ring_minima>& found,
                const Hints& hints = {}) {
  return RingSearch<sectors, Distance, Hints>(ring, distance, hints, found).run();
}

// The distance to a convex solid, negative inside.
inline RingDistance distance_to(const ConvexBody& solid, const Eigen::Vector3d& point) {
  const ConvexGap gap = convex_gap(ConvexBody(point), solid);
  return {gap.gap, gap.normal};
}

}  // namespace carom::inline contact_geometry
