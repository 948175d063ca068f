#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

// Surfaces of what is drawn outside the browser: figures, the page of a report, files for ParaView. In planar models
// they are flat and lie at z = 0.
namespace carom::inline viewing {

struct Solid {
  std::vector<Eigen::Vector3d> points = {};  // m
  std::vector<std::vector<int>> faces = {};  // polygons, seen counter-clockwise from outside
  std::vector<std::vector<int>> edges = {};  // polylines to draw over the faces
  double ball_radius = 0;                    // > 0: a ball about `center`, which a circle shows better than its faces
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  bool hollow = false;  // a hole, a wall, a plane: it must not hide what lies in it
};

// The same, moved and then added to what is there.
void place(Solid& solid, const Eigen::Vector3d& origin, const Eigen::Quaterniond& turn);
void append(Solid& solid, const Solid& other);
// Where faces meet at an angle that one sees, or end; not every side of the facets of something round.
std::vector<std::vector<int>> crease_lines(const Solid& solid);
// Stretched along the axes; no ball any more.
Solid stretched(Solid solid, const Eigen::Vector3d& factors);

using FlatPoints = std::vector<Eigen::Vector2d>;

// Points of a circle, of all that is within `radius` of a line, of a convex hull; counter-clockwise.
FlatPoints circle_points(double radius, int count, const Eigen::Vector2d& center = Eigen::Vector2d::Zero());
FlatPoints stadium_points(const Eigen::Vector2d& a, const Eigen::Vector2d& b, double radius, int count);
FlatPoints hull_points(FlatPoints points);

// A filled outline, or, open, a line.
Solid flat_solid(const FlatPoints& outline, bool closed = true);

Solid box_solid(const Eigen::Vector3d& size);
Solid cylinder_solid(double radius, double length, int sides, bool capped = true);  // along z
Solid capsule_solid(double radius, double length, int sides);                       // along z
Solid ball_solid(double radius, int sides);
Solid bar_solid(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius, int sides);

}  // namespace carom::inline viewing
