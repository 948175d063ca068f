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

// Where along the ring the distance is least. `distance`: of a point, with the direction that shortens it. It is looked
// at in `sectors` places, so that minima that are nearer to each other than two of them are not told apart. Ordered by
// distance; returns how many there are.
template <int sectors, typename Distance>
int ring_minima(const Ring& ring, const Distance& distance, std::array<RingMinimum, most_ring_minima>& found) {
  // A ring that lies flat has no minima but those of rounding.
  const double level = 1e-8 * ring.radius;
  std::array<RingDistance, sectors> samples;
  for (int k = 0; k < sectors; ++k) samples[k] = distance(ring.at(2 * M_PI * k / sectors));
  // The slope changes its sign between the neighbours: by secants that keep the bracket.
  const auto refine = [&](double low, double high, RingMinimum& least) {
    RingDistance at_low = distance(ring.at(low)), at_high = distance(ring.at(high));
    const auto slope = [&](double angle, const RingDistance& here) { return -here.direction.dot(ring.along(angle)); };
    double fall = slope(low, at_low), rise = slope(high, at_high);
    for (int round = 0; round < 80 && fall < 0 && rise > 0 && high - low > 1e-14; ++round) {
      double angle = low - fall * (high - low) / (rise - fall);
      if (round % 3 == 2 || !(angle > low && angle < high)) angle = 0.5 * (low + high);
      least.next = distance(ring.at(angle));
      least.angle = angle;
      const double value = slope(angle, least.next);
      if (std::abs(value) < 1e-15) return;
      (value < 0 ? low : high) = angle;
      (value < 0 ? fall : rise) = value;
      (value < 0 ? at_low : at_high) = least.next;
    }
    if (!(fall < 0 && rise > 0 && rise - fall > 1e-7)) return;
    const double share = rise / (rise - fall);
    across_edge(ring, at_low, at_high, share, least);
  };
  int count = 0;
  for (int k = 0; k < sectors; ++k) {
    const double here = samples[k].distance, before = samples[(k + sectors - 1) % sectors].distance,
                 after = samples[(k + 1) % sectors].distance;
    if (here > before + level || here > after + level || (here >= before - level && here >= after - level)) continue;
    RingMinimum least{k, 2 * M_PI * k / sectors, samples[k]};
    refine(2 * M_PI * (k - 1) / sectors, 2 * M_PI * (k + 1) / sectors, least);
    int place = std::min(count, most_ring_minima - 1);
    if (count == most_ring_minima && found[place].next.distance <= least.next.distance) continue;
    while (place > 0 && found[place - 1].next.distance > least.next.distance) {
      found[place] = found[place - 1];
      --place;
    }
    found[place] = least;
    count = std::min(count + 1, most_ring_minima);
  }
  return count;
}

// The distance to a convex solid, negative inside.
inline RingDistance distance_to(const ConvexBody& solid, const Eigen::Vector3d& point) {
  const ConvexGap gap = convex_gap(ConvexBody(point), solid);
  return {gap.gap, gap.normal};
}

}  // namespace carom::inline contact_geometry
