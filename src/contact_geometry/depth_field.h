#pragma once

#include "contact_geometry/shape.h"

// How deep points lie in the material of a shape, for cells of another surface that press on it.
namespace carom::inline contact_geometry {

struct DepthPlace {
  double depth = 0;                                   // m; negative outside
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // the way out: against the gradient of the depth
};

// Planes, boxes, round solids, hulls, surfaces of triangles, bores, cavities and slots.
bool has_depths(ShapeKind kind);
// At a point in the axes of the shape. Deeper than `most`, m, need not be found in surfaces of triangles.
DepthPlace depth_in(const Shape<3>& shape, const Eigen::Vector3d& point, double most);

}  // namespace carom::inline contact_geometry
