#pragma once

#include "contact_geometry/mesh_shape.h"

// A solid with flat faces as a surface of triangles: meshes themselves, boxes and hulls.
namespace carom::inline contact_geometry {

struct FlatSided {
  const TriangleMesh* mesh = nullptr;
  Eigen::Vector3d stretch = Eigen::Vector3d::Ones();  // along its own axes
  double size = 0;                                    // m, diagonal of its box
};

FlatSided flat_sided(const Shape<3>& shape);

// The same surface as large as it is. Those of boxes are made when they are first asked for, and kept by each thread.
const TriangleMesh& flat_mesh_of(const Shape<3>& shape);

}  // namespace carom::inline contact_geometry
