#pragma once

#include "contact_geometry/pair.h"
#include "contact_geometry/shape_description.h"
#include "contact_geometry/triangle_mesh.h"

// Shapes that are closed surfaces of triangles.
namespace carom::inline contact_geometry {

inline constexpr ShapeKind mesh_kind = kind_named("mesh"), heightfield_kind = kind_named("heightfield"),
                           step_kind = kind_named("step");

class FacedSolid;

struct MeshData : ShapeData {
  MeshData(const ClosedSurface& surface, double scale) : mesh(surface, scale) {}
  TriangleMesh mesh;
  bool unit_given = false;                // the user has said what its lengths are
  std::vector<std::string> remarks = {};  // what was done to it on reading, and what is to be doubted
  // Of a STEP part: its true faces, by which it touches, and triangles of free-form ones; null: it touches by its
  // triangles alone.
  std::shared_ptr<const FacedSolid> solid = {};
  double beyond = 0;         // m, by which its true surface may lie outside of its triangles
  int free_form = 0;         // faces of a STEP part, which triangles stand for
  double off_free_form = 0;  // m, by which these triangles are off
};

// What shapes of triangles have in common.
double mesh_bounding_radius(const Shape<3>& shape);
double mesh_thickness(const Shape<3>& shape);
double mesh_sharpness(const Shape<3>& shape);
MassProperties mesh_mass(const Shape<3>& shape);
ShapeSurface mesh_surface(const Shape<3>& shape, int sides);

inline const TriangleMesh& mesh_of(const Shape<3>& shape) {
  return static_cast<const MeshData&>(*shape.data).mesh;
}

// The vertex lowest along n, in the axes of the mesh.
int lowest_vertex(const TriangleMesh& mesh, const Eigen::Vector3d& n);

// A shape in the world: its axes and its origin.
struct PlacedFrame {
  Eigen::Matrix3d axes;
  Eigen::Vector3d origin;

  PlacedFrame(const Shape<3>& shape, const BodyState<3>& body)
      : axes(body.orientation.matrix() * shape.orientation.matrix()), origin(centre_of<3>(shape, body)) {}
  Eigen::Vector3d inside(const Eigen::Vector3d& world) const { return axes.transpose() * (world - origin); }
  Eigen::Vector3d outside(const Eigen::Vector3d& local) const { return origin + axes * local; }
  // A point with everything in local axes.
  ContactPoint<3> outside(const ContactPoint<3>& local) const {
    return {local.gap, axes * local.normal, outside(local.point_a), outside(local.point_b), local.area};
  }
};

}  // namespace carom::inline contact_geometry
