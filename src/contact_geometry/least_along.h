#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "contact_geometry/true_surface.h"

// Where along a curve the distance of balls on it from a surface is least.
namespace carom::inline contact_geometry {

// Balls of `radius`, which grows by `growth` per parameter, along a curve.
struct Spine {
  const TrueCurve& curve;
  double radius = 0, growth = 0;
  double from = 0, to = 0;  // parameters
};

struct SpinePlace {
  double at = 0;
  double gap = 0;    // m
  double slope = 0;  // of the gap per length of the curve
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // outward from the surface
};

inline SpinePlace place_on(const Spine& spine, const TrueSurface& surface, double at) {
  const Eigen::Vector3d centre = spine.curve.at(at), slope = spine.curve.slope(at);
  const SurfaceFoot foot = surface.foot(centre);
  return {at, foot.distance - spine.radius - spine.growth * at, (foot.normal.dot(slope) - spine.growth) / slope.norm(),
          centre, foot.normal};
}

// Between two places where it falls and rises: by secants that keep the bracket (Illinois).
inline SpinePlace least_between_places(const Spine& spine, const TrueSurface& surface, SpinePlace low,
                                       SpinePlace high) {
  double fall = low.slope, rise = high.slope;
  SpinePlace here = std::abs(fall) < std::abs(rise) ? low : high;
  int last = 0;
  for (int round = 0; round < 60; ++round) {
    double at = low.at - fall * (high.at - low.at) / (rise - fall);
    if (!(at > low.at && at < high.at) || round % 8 == 7) at = 0.5 * (low.at + high.at);
    if (!(at > low.at && at < high.at)) break;
    here = place_on(spine, surface, at);
    if (std::abs(here.slope) < 1e-15) break;
    if (here.slope < 0) {
      low = here, fall = here.slope;
      if (last < 0) rise *= 0.5;
      last = -1;
    } else {
      high = here, rise = here.slope;
      if (last > 0) fall *= 0.5;
      last = 1;
    }
  }
  return here;
}

// Calls visit(branch, place) for every place that is least among those about it, ends left out.
template <typename Visit>
void for_each_least(const Spine& spine, const TrueSurface& surface, int pieces, const Visit& visit) {
  constexpr double level = 1e-11;  // slopes that are those of rounding
  const double step = (spine.to - spine.from) / pieces;
  const SpinePlace first = place_on(spine, surface, spine.from);
  SpinePlace low = first, least = first;
  int branch = 0;
  for (int k = 1; k <= pieces; ++k) {
    const SpinePlace high = place_on(spine, surface, k == pieces ? spine.to : spine.from + k * step);
    if (low.slope < 0 && high.slope >= 0 && high.slope - low.slope > level)
      visit(branch++, least_between_places(spine, surface, low, high));
    if (high.gap < least.gap) least = high;
    low = high;
  }
  // All round as near: any place shows how far it is.
  if (spine.curve.closed && branch == 0) visit(branch, least);
}

}  // namespace carom::inline contact_geometry
