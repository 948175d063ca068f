#pragma once

#include "contact_geometry/mesh_points.h"
#include "contact_geometry/mesh_shape.h"

// Two surfaces of triangles near each other. All is in the axes of the first; the second may be stretched along its own
// axes, as a cube is to a box.
namespace carom::inline contact_geometry {

class MeshMeeting {
 public:
  MeshMeeting(const TriangleMesh& a, const TriangleMesh& b, const Eigen::Matrix3d& turn, const Eigen::Vector3d& offset,
              const Eigen::Vector3d& stretch);

  // Adds the features of both that touch or are nearer than the reach, apart or overlapping by no more than it:
  // vertices over faces that look at each other, and edges that cross.
  void find_features(double reach, MeshPoints& points) const;

  struct Nearest {
    double distance = 1e300;  // m; 0: the triangles go through each other
    int face_a = -1, face_b = -1;
    Eigen::Vector3d point_a = Eigen::Vector3d::Zero(), point_b = Eigen::Vector3d::Zero();
    Feature feature = no_feature;
  };
  // The two nearest triangles, if they are nearer than `within`.
  Nearest find_nearest(double within) const;
  // Of triangles that are apart: whether one of the solids is inside the other.
  bool is_within(const Nearest& nearest) const { return is_inside_a(nearest.point_b) || is_inside_b(nearest.point_a); }
  // Of two triangles that go through each other where no features were found: the least overlap of a corner of the one
  // behind the other.
  void add_pierced(const Nearest& pierced, MeshPoints& points) const;

 private:
  using Corners = std::array<Eigen::Vector3d, 3>;

  // m, of the thinner of the two: what lies deeper is on its other side.
  double thickness() const { return std::min(a_.thickness(), stretch_.minCoeff() * b_.thickness()); }
  Eigen::Vector3d on_a(const Eigen::Vector3d& local) const { return offset_ + axes_ * local; }
  Corners corners_of_b(int face) const;
  AxisBox box_on_a(const AxisBox& box) const;
  // Calls visit(face of a, face of b) with all whose boxes are no farther apart than within().
  template <typename Within, typename Visit>
  void visit_near(const Within& within, const Visit& visit) const;
  void meet(int face_a, int face_b, const Corners& b, double reach, MeshPoints& points) const;
  void touch_vertices_of_a(int face_a, int face_b, const Corners& b, double reach, MeshPoints& points) const;
  void touch_vertices_of_b(int face_a, int face_b, const Corners& b, double reach, MeshPoints& points) const;
  // `looking`: only where both edges look along the line across them.
  void cross_edges(int edge_a, int edge_b, double reach, MeshPoints& points, bool looking) const;
  bool is_inside_a(const Eigen::Vector3d& point) const { return a_.contains(point); }
  bool is_inside_b(const Eigen::Vector3d& point) const;
  void improve(int face_a, int face_b, const Corners& b, Nearest& best) const;
  // Leading features: vertices of a, of b, edges of a.
  std::uint32_t lead_of_vertex_a(int v) const { return static_cast<std::uint32_t>(v); }
  std::uint32_t lead_of_vertex_b(int v) const { return static_cast<std::uint32_t>(a_.vertices().size()) + v; }
  std::uint32_t lead_of_edge_a(int e) const {
    return static_cast<std::uint32_t>(a_.vertices().size() + b_.vertices().size()) + e;
  }

  const TriangleMesh &a_, &b_;
  Eigen::Matrix3d turn_, axes_, size_of_axes_;  // axes of b to those of a; with its stretch; their magnitudes
  Eigen::Vector3d offset_, stretch_;
  double exact_;  // m, rounding of lengths of both
};

// The contact of two placed meshes, the second of which may be stretched.
void write_meshes(const TriangleMesh& a, const PlacedFrame& frame_a, const TriangleMesh& b, const PlacedFrame& frame_b,
                  const Eigen::Vector3d& stretch, double size_b, ContactManifold<3>& manifold, double* memory);

}  // namespace carom::inline contact_geometry
