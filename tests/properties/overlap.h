#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

// How deep two solids lie in each other, by textbook formulas and by brute force. Shares no code with the sources: what
// it says is compared with them.
namespace carom::check {

enum class Kind {
  ball,
  half_space,
  box,
  capsule,
  cylinder,
  cavity,
  slot,
  bore,
  outline,
  ellipsoid,
  cone,
  torus,
  mesh,
  groove
};

struct Solid {
  Kind kind = Kind::ball;
  int body = 0;  // 0: the ground
  bool planar = false;
  bool race = false;                               // of a bearing, a ball or a cavity otherwise
  double radius = 0, length = 0;                   // m
  Eigen::Vector3d half = Eigen::Vector3d::Zero();  // m; of a cone the upper radius, of a torus that of the tube
  std::vector<Eigen::Vector2d> outline = {};       // a closed polygon, local axes
  int waves = 0;          // of the middle r (1 + height cos waves θ) of a groove, whose r is the length
  double height = 0;      // of them
  bool cornered = false;  // the polygon itself; otherwise a smooth curve through it
  std::vector<Eigen::Vector3d> points = {};        // of a mesh, local axes
  std::vector<std::array<int, 3>> triangles = {};  // of it, counter-clockwise from outside
  double inner = 0;                                // m, where it is not `radius`: of the largest ball that fits in it
  bool as_hull = false;                            // it has no dents, and the model knows its points alone
  Eigen::Vector3d at = Eigen::Vector3d::Zero();    // from the mass centre, body axes
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();

  bool is_wall() const;           // something is inside of it, or it has no end
  double smallest() const;        // m, radius of a ball that it holds; scenes are as large as that
  double half_thickness() const;  // m, radius of the largest ball that it holds, or of a part of that size
  double extent() const;          // m, radius of the ball about `at` that holds it; 0 for half spaces and slots
};

struct Pose {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  // columns are local axes in the world
};

// Where a solid is, from the positions of all bodies: in the plane (x, y, angle) each, in space (x, y, z) and a
// quaternion.
Pose pose_of(const Solid& solid, const double* q, bool planar);

// m, > 0: that deep. Solids that are apart answer some number ≤ 0. `a` and `b` in any order.
double overlap(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b);

// m, by which polygons and rounded rims differ from the surfaces that they stand for.
double blur(const Solid& a, const Solid& b);

}  // namespace carom::check
