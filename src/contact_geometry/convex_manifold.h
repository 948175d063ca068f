#pragma once

#include "contact_geometry/convex_gap.h"
#include "contact_geometry/manifold.h"

// The places where two convex solids touch, when they touch along a line or an area.
namespace carom::inline contact_geometry {

// The most points of one pair.
inline constexpr int most_convex_points = 16;

// Writes the nearest point, whose gap is that of the solids, and where flat or straight sides face each other the
// corners of their common part: corners of one above the other, and edges that cross. Every point has the gap between
// its own features and their own normal, so that it is a function of the poses as pairs must have it. `a` and `b` count
// from `origin`.
void write_convex_manifold(const ConvexBody& a, const ConvexBody& b, const Eigen::Vector3d& origin,
                           ContactManifold<3>& manifold);

}  // namespace carom::inline contact_geometry
