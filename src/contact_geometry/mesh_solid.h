#pragma once

#include "contact_geometry/mesh_shape.h"

// How pairs of a mesh and a round solid number what leads a contact: the points of the solid that touch planes, then
// vertices and edges of the mesh.
namespace carom::inline contact_geometry {

inline constexpr int most_plane_slots = 16;

inline std::uint32_t lead_of_vertex(int vertex) {
  return most_plane_slots + static_cast<std::uint32_t>(vertex);
}
inline std::uint32_t lead_of_edge(const TriangleMesh& mesh, int edge) {
  return most_plane_slots + static_cast<std::uint32_t>(mesh.vertices().size()) + static_cast<std::uint32_t>(edge);
}

// Whether they overlap by more than `depth`, m, small beside both.
bool lie_deeper_in_solid(const Shape<3>& shape, const Shape<3>& solid, const BodyState<3>& body_a,
                         const BodyState<3>& body_b, double depth);

// The half space below a face. The frame of the mesh counts from `origin`.
inline Shape<3> plane_of_face(const TriangleMesh& mesh, int face, const PlacedFrame& frame,
                              const Eigen::Vector3d& origin = Eigen::Vector3d::Zero()) {
  Shape<3> plane;
  plane.kind = ShapeKind::plane;
  plane.position = origin + frame.outside(mesh.corner(face, 0));
  Eigen::Matrix3d axes;
  axes.col(2) = frame.axes * mesh.face(face).normal;
  axes.col(0) = axes.col(2).unitOrthogonal();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  plane.orientation = Rotation<3>(axes);
  return plane;
}

}  // namespace carom::inline contact_geometry
