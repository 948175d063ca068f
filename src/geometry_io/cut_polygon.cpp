#include <Eigen/Geometry>

#include "geometry_io/triangle_soup.h"

namespace carom::inline geometry_io {

namespace {

double turn_of(const Eigen::Vector3d& normal, const Eigen::Vector3d& a, const Eigen::Vector3d& b,
               const Eigen::Vector3d& c) {
  return normal.dot((b - a).cross(c - b));
}

// No other corner of the polygon lies in the triangle at corner k.
bool is_ear(const std::vector<int>& ring, std::size_t k, const std::vector<Eigen::Vector3d>& points,
            const Eigen::Vector3d& normal) {
  const std::size_t count = ring.size();
  const int before = ring[(k + count - 1) % count], here = ring[k], after = ring[(k + 1) % count];
  const Eigen::Vector3d &a = points[before], &b = points[here], &c = points[after];
  if (!(turn_of(normal, a, b, c) > 0)) return false;
  for (const int other : ring) {
    if (other == before || other == here || other == after) continue;
    const Eigen::Vector3d& p = points[other];
    if (turn_of(normal, a, b, p) >= 0 && turn_of(normal, b, c, p) >= 0 && turn_of(normal, c, a, p) >= 0) return false;
  }
  return true;
}

}  // namespace

void cut_polygon(const std::vector<int>& corners, const std::vector<Eigen::Vector3d>& points,
                 std::vector<Triangle>& triangles) {
  if (corners.size() == 3) {
    triangles.push_back({corners[0], corners[1], corners[2]});
    return;
  }
  std::vector<int> ring = corners;
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  for (std::size_t k = 1; k + 1 < ring.size(); ++k)
    normal += (points[ring[k]] - points[ring[0]]).cross(points[ring[k + 1]] - points[ring[0]]);
  // Ears of a large polygon are looked for round after round; what is left without one has no area.
  constexpr std::size_t most_corners = 10'000;
  while (ring.size() > 3 && corners.size() <= most_corners) {
    std::size_t ear = 0;
    while (ear < ring.size() && !is_ear(ring, ear, points, normal)) ++ear;
    if (ear == ring.size()) break;
    triangles.push_back({ring[(ear + ring.size() - 1) % ring.size()], ring[ear], ring[(ear + 1) % ring.size()]});
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  for (std::size_t k = 1; k + 1 < ring.size(); ++k) triangles.push_back({ring[0], ring[k], ring[k + 1]});
}

}  // namespace carom::inline geometry_io
