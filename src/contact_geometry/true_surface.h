#pragma once

#include <vector>

#include <Eigen/Core>

#include "geometry_io/box_tree.h"

// Surfaces and curves of which faces and edges of a solid are pieces, by their equations. Lengths in m.
namespace carom::inline contact_geometry {

enum class SurfaceKind { plane, cylinder, cone, sphere, torus, ellipsoid };

// A point over a surface: its foot is point − distance · normal.
struct SurfaceFoot {
  double distance = 0;                                // m, negative in the material
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // unit, outward
};

struct TrueSurface {
  SurfaceKind kind = SurfaceKind::plane;
  bool hollow = false;                                 // the material lies outside: a hole, a socket
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // on the axis; of a sphere or torus its centre
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();     // unit; of a plane the outward normal
  double radius = 0;                                   // of a cone at `position`; of a torus that of its circle
  double tube = 0;                                     // of a torus
  // Of an ellipsoid: its semi-axes, and their directions in columns.
  Eigen::Vector3d half = Eigen::Vector3d::Zero();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  double sine = 0, cosine = 1;  // of half of the angle of a cone, which grows along its axis where the sine is positive

  SurfaceFoot foot(const Eigen::Vector3d& point) const;
  // 1/m, second fundamental form at a point with this outward normal: positive where the material is convex.
  Eigen::Matrix3d curvature(const Eigen::Vector3d& point, const Eigen::Vector3d& outward) const;
  // m, of a cone at a height over `position` along the axis; of others the radius.
  double radius_at(double height) const { return radius + height * sine / cosine; }
  // Whether balls along a point, a line or a circle make it: all but planes, ellipsoids and hollow ones.
  bool is_tube() const { return kind != SurfaceKind::plane && kind != SurfaceKind::ellipsoid && !hollow; }
  // Of an ellipsoid: the point with an outward normal n, A²n / √(nᵀA²n) from its centre.
  Eigen::Vector3d farthest(const Eigen::Vector3d& n) const;
};

// A line, a circle, or a curve by points and slopes (cubic pieces), over a parameter from 0 to `end`.
struct TrueCurve {
  enum class Kind { line, circle, spline };
  Kind kind = Kind::line;
  Eigen::Vector3d from = Eigen::Vector3d::Zero();                              // start of a line; centre of a circle
  Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY();  // line: along x
  double radius = 0;
  double end = 0;  // line: its length; circle: rad; spline: number of pieces
  bool closed = false;
  std::vector<Eigen::Vector3d> points = {}, slopes = {};  // spline: one more than pieces; slopes by piece

  Eigen::Vector3d at(double t) const;
  Eigen::Vector3d slope(double t) const;
  Eigen::Vector3d bend(double t) const;
  double nearest(const Eigen::Vector3d& point) const;
  // Pieces in each of which the curve turns by a quarter of a radian or so.
  int pieces() const;
  // m, by which chords of the pieces are off at the most.
  double sagitta() const;
  AxisBox box() const;

  // The stretch between two parameters; of a closed curve also over its start.
  TrueCurve stretch(double low, double high) const;

  static TrueCurve line(const Eigen::Vector3d& from, const Eigen::Vector3d& to);
  // From centre + radius · x by the angle about x × y.
  static TrueCurve arc(const Eigen::Vector3d& centre, double radius, const Eigen::Vector3d& x, const Eigen::Vector3d& y,
                       double angle);
};

}  // namespace carom::inline contact_geometry
