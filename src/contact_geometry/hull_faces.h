#pragma once

#include <vector>

#include <Eigen/Core>

namespace carom::inline contact_geometry {

// A face of the convex hull of points: which of them are its corners, in no order.
struct HullFace {
  std::vector<int> points;
  Eigen::Vector3d outward;
};

// By Qhull, coplanar ones merged; none: the points make no solid.
std::vector<HullFace> hull_faces(const std::vector<Eigen::Vector3d>& points);

}  // namespace carom::inline contact_geometry
