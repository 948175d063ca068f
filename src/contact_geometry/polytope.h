#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

// A convex solid with flat faces, made once; a straight line and a single point count as such, without faces.
namespace carom::inline contact_geometry {

// So many corners of a face at the most stand for it where faces touch.
inline constexpr int most_face_corners = 8;

struct PolytopeFace {
  Eigen::Vector3d normal;     // outward, unit length
  std::vector<int> corners;   // counter-clockwise seen from outside; all of them
  std::vector<int> touching;  // those that touch, at most most_face_corners, in the same order
};

struct Polytope {
  std::vector<Eigen::Vector3d> vertices = {};
  std::vector<PolytopeFace> faces = {};
  std::vector<std::vector<int>> neighbours = {};  // by vertex: those at the other ends of its edges
};

// The vertex that is farthest in a direction.
int farthest_vertex(const Polytope& polytope, const Eigen::Vector3d& n);

// With the half sizes 1: a box is a cube that is scaled along its axes.
const Polytope& unit_cube();
const Polytope& unit_segment();  // along z
const Polytope& single_point();

}  // namespace carom::inline contact_geometry
