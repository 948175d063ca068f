#pragma once

#include <array>

#include "contact_geometry/shape.h"

// Smooth pieces of the surfaces of built-in solids and holes, each over a rectangle of two parameters, so that it can
// be cut into cells wherever it presses. All is in the axes of the shape.
namespace carom::inline contact_geometry {

struct SurfaceFace {
  enum class Form {
    dome,  // of an ellipsoid: angles along two directions from a pole of the unit ball
    tube,  // about z: angle, and length along the meridian from one rim to the other, round ends of a capsule included
    disc,  // flat end: angle, radius
    ring,  // of a torus: angle of the ring, angle of the tube
    flat,  // lengths along two axes
  };
  using Place = Eigen::Vector2d;

  Form form = Form::flat;
  double side = 1;  // −1: the cross product of the two tangents looks into the material
  Place low = Place::Zero(), high = Place::Zero();
  bool closes = false;  // the first parameter is an angle that comes back at ±π
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  Eigen::Vector3d first = Eigen::Vector3d::UnitX(), second = Eigen::Vector3d::UnitY(), pole = Eigen::Vector3d::UnitZ();
  Eigen::Vector3d semi = Eigen::Vector3d::Ones();  // m, semi-axes of a dome
  double radius = 0, end_radius = 0;               // m, at the low and high end of a tube; of a ring and its tube
  double length = 0;                               // m, of the straight part of a tube
  bool round_ends = false;
  Place zero = Place::Zero();  // angles are counted from here

  Eigen::Vector3d at(const Place& place) const;
  // The same face, whose angles are counted from a point.
  SurfaceFace about(const Eigen::Vector3d& point) const;
  // Of the nearest point, about; within the limits.
  Place locate(const Eigen::Vector3d& point) const;
};

inline constexpr int most_faces = 6;
struct SurfaceFaces {
  std::array<SurfaceFace, most_faces> face;
  int count = 0;
  void add(const SurfaceFace& each) { face[count++] = each; }
};

// Spheres, ellipsoids, cylinders, capsules, cones, tori, boxes; bores, cavities and slots.
bool has_faces(ShapeKind kind);
bool is_hole(ShapeKind kind);
// Those that may press near a point of the surface, `reach` long where they have no end.
SurfaceFaces faces_near(const Shape<3>& shape, const Eigen::Vector3d& point, double reach);

}  // namespace carom::inline contact_geometry
