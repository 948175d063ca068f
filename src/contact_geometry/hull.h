#pragma once

#include "contact_geometry/polytope.h"
#include "contact_geometry/shape_description.h"

// Convex hulls of points.
namespace carom::inline contact_geometry {

struct HullData : ShapeData {
  Polytope solid = {};
  MassProperties mass = {};
  double radius = 0;     // m, of the sphere about the origin that holds it
  double thickness = 0;  // m, half of its least width across a face
};

// By Qhull. Throws ShapeError: points that make no solid.
std::shared_ptr<const HullData> make_hull(const std::vector<Eigen::Vector3d>& points,
                                          const std::string& key = "points");

// The solid of a shape of the kind `hull`.
inline const Polytope& hull_of(const Shape<3>& shape) {
  return static_cast<const HullData&>(*shape.data).solid;
}

}  // namespace carom::inline contact_geometry
