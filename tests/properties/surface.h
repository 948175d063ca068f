#pragma once

#include <functional>
#include <vector>

#include "overlap.h"

// A closed surface of triangles in the world, by looking at all of them. Shares no code with the sources.
namespace carom::check {

class Surface {
 public:
  Surface(const Solid& mesh, const Pose& pose);

  // m, of a point above the surface; negative inside.
  double height_of(const Eigen::Vector3d& point) const;
  bool holds(const Eigen::Vector3d& point) const;
  // m, how deep its points lie in a convex solid, at least. The function is that of `outside`.
  double deepest_in(const std::function<double(const Eigen::Vector3d&)>& outside) const;
  // m, how deep the vertices and edges of this surface lie in another one.
  double deepest_in(const Surface& other) const;

 private:
  double distance_from(const Eigen::Vector3d& point) const;

  std::vector<Eigen::Vector3d> points_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<std::array<int, 2>> edges_;
  Eigen::Vector3d centre_;
  double reach_ = 0;  // m, of its points from the centre
};

// m, how deep two of them lie in each other, at least; far below zero: they do not.
double surfaces(const Surface& a, const Surface& b);

}  // namespace carom::check
