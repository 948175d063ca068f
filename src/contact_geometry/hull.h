#pragma once

#include "contact_geometry/polytope.h"
#include "contact_geometry/shape_description.h"
#include "contact_geometry/triangle_mesh.h"

// Convex hulls of points.
namespace carom::inline contact_geometry {

struct HullData : ShapeData {
  Polytope solid = {};
  std::unique_ptr<const TriangleMesh> mesh = {};  // its faces, cut into triangles
  MassProperties mass = {};
  double radius = 0;        // m, of the sphere about the origin that holds it
  double thickness = 0;     // m, half of its least width across a face
  std::string filled = {};  // what became of the dents of a file; empty: there are none, or no file
};

// By Qhull. Throws ShapeError: points that make no solid.
std::shared_ptr<const HullData> make_hull(const std::vector<Eigen::Vector3d>& points,
                                          const std::string& key = "points");

// The solid of a shape of the kind `hull`.
inline const Polytope& hull_of(const Shape<3>& shape) {
  return static_cast<const HullData&>(*shape.data).solid;
}
inline const TriangleMesh& hull_mesh(const Shape<3>& shape) {
  return *static_cast<const HullData&>(*shape.data).mesh;
}

}  // namespace carom::inline contact_geometry
