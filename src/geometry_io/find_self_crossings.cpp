#include <Eigen/Geometry>

#include "geometry_io/box_tree.h"
#include "geometry_io/triangle_soup.h"

namespace carom::inline geometry_io {

namespace {

using Corners = std::array<Eigen::Vector3d, 3>;

// Where a segment goes through the inside of a triangle.
bool goes_through(const Eigen::Vector3d& from, const Eigen::Vector3d& to, const Corners& t, Eigen::Vector3d& place) {
  const Eigen::Vector3d normal = (t[1] - t[0]).cross(t[2] - t[0]);
  const double start = normal.dot(from - t[0]), end = normal.dot(to - t[0]);
  if (!(start * end < 0)) return false;
  place = from + start / (start - end) * (to - from);
  for (int k = 0; k < 3; ++k) {
    if (!(normal.dot((t[(k + 1) % 3] - t[k]).cross(place - t[k])) > 1e-9 * normal.squaredNorm())) return false;
  }
  return true;
}

bool cross(const Corners& one, const Corners& two, Eigen::Vector3d& place) {
  for (int k = 0; k < 3; ++k) {
    if (goes_through(one[k], one[(k + 1) % 3], two, place) || goes_through(two[k], two[(k + 1) % 3], one, place))
      return true;
  }
  return false;
}

}  // namespace

std::vector<Eigen::Vector3d> find_self_crossings(const ClosedSurface& surface, std::size_t most) {
  const auto corners = [&](int k) -> Corners {
    const Triangle& t = surface.triangles[k];
    return {surface.points[t[0]], surface.points[t[1]], surface.points[t[2]]};
  };
  std::vector<AxisBox> boxes(surface.triangles.size());
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    for (const Eigen::Vector3d& corner : corners(static_cast<int>(k))) boxes[k].add(corner);
  }
  const BoxTree tree(boxes);
  std::vector<Eigen::Vector3d> found;
  const auto have_common_corner = [&](int one, int two) {
    for (const int a : surface.triangles[one]) {
      for (const int b : surface.triangles[two]) {
        if (a == b) return true;
      }
    }
    return false;
  };
  for (int k = 0; k < static_cast<int>(boxes.size()) && found.size() < most; ++k) {
    tree.visit([&](const AxisBox& box) { return box.meets(boxes[k]); },
               [&](int other) {
                 Eigen::Vector3d place;
                 if (other <= k || found.size() >= most || !boxes[other].meets(boxes[k])) return;
                 if (!have_common_corner(k, other) && cross(corners(k), corners(other), place)) found.push_back(place);
               });
  }
  return found;
}

}  // namespace carom::inline geometry_io
