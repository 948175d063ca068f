#pragma once

#include <functional>
#include <span>

#include "contact_geometry/mesh_points.h"
#include "contact_geometry/mesh_shape.h"

// Two surfaces of triangles near each other. All is in the axes of the first; the second may be stretched along its own
// axes, as a cube is to a box.
namespace carom::inline contact_geometry {

class MeshMeeting {
 public:
  MeshMeeting(const TriangleMesh& a, const TriangleMesh& b, const Eigen::Matrix3d& turn, const Eigen::Vector3d& offset,
              const Eigen::Vector3d& stretch);

  // Triangles that are near each other stay so for a while: a list of them spares the way through the trees. It is kept
  // in so many numbers, zeros at first, and holds as long as nothing has moved by more than its skin.
  static constexpr int near_head = 15, most_near = 4000, near_size = near_head + most_near;
  // Takes the list, if it holds still.
  void recall(const double* near);
  // Makes it anew, if it does not hold for a reach (m). One that would be too long is made with a thinner skin the next
  // time.
  void remember(double reach, double skin, double* near);

  // m, of the thinner of the two: what lies deeper is on its other side.
  double thickness() const { return std::min(a_.thickness(), stretch_.minCoeff() * b_.thickness()); }

  // Two triangles that go through each other, and where.
  struct Pierced {
    int face_a = -1, face_b = -1;
    Eigen::Vector3d place = Eigen::Vector3d::Zero();
  };
  // Some of them, each in a place of its own.
  class PiercedPlaces {
   public:
    // m: nearer ones are one.
    explicit PiercedPlaces(double apart) : apart_(apart) {}
    void clear() { size_ = 0; }
    void add(const Pierced& each);
    std::span<const Pierced> all() const { return {places_.data(), std::size_t(size_)}; }
    double apart() const { return apart_; }

   private:
    std::array<Pierced, 16> places_;
    int size_ = 0;
    double apart_;
  };

  // Adds the features of both that touch or are nearer than the reach, apart or overlapping by no more than it:
  // vertices over faces that look at each other, and edges that cross.
  void find_features(double reach, MeshPoints& points, PiercedPlaces& pierced) const;

  struct Nearest {
    double distance = 1e300;  // m; 0: the triangles go through each other
    int face_a = -1, face_b = -1;
    Eigen::Vector3d point_a = Eigen::Vector3d::Zero(), point_b = Eigen::Vector3d::Zero();
    Feature feature = no_feature;
  };
  // The two nearest triangles, if they are nearer than `within`; the two that are likely to be so, where they are not
  // negative, are looked at first. Of triangles that go through each other the first ones are enough.
  Nearest find_nearest(double within, int face_a, int face_b) const;
  // Of triangles that are apart: whether one of the solids is inside the other.
  bool is_within(const Nearest& nearest) const { return is_inside_a(nearest.point_b) || is_inside_b(nearest.point_a); }
  // Whether they overlap by more than `depth`, m, small beside both.
  bool lie_deeper(double depth) const;
  // Of two triangles that go through each other where no features were found: the least overlap of a corner of the one
  // behind the other. `looking`: only of what looks at the face that it leaves by.
  void add_pierced(const Pierced& pierced, bool looking, MeshPoints& points) const;
  // The same, looking, of all places where no overlap was found.
  void add_pierced(const PiercedPlaces& pierced, MeshPoints& points) const;

 private:
  using Corners = std::array<Eigen::Vector3d, 3>;

  Eigen::Vector3d on_a(const Eigen::Vector3d& local) const { return offset_ + axes_ * local; }
  Corners corners_of_b(int face) const;
  AxisBox box_on_a(const AxisBox& box) const;
  // Calls visit(face of a, face of b) with all whose boxes are no farther apart than within().
  template <typename Within, typename Visit>
  void visit_near(const Within& within, const Visit& visit) const;
  template <typename Within, typename Visit>
  void visit_trees(const Within& within, const Visit& visit) const;
  template <typename Within, typename Visit>
  void visit_list(const Within& within, const Visit& visit) const;
  // Stops at the first pair that is wanted, and says whether there is one (mesh_overlap.cpp).
  bool any_near(double within, const std::function<bool(int, int, const Corners&)>& is_wanted) const;
  double depth_in_a(const Eigen::Vector3d& point) const { return -a_.signed_distance(point); }
  double depth_in_b(const Eigen::Vector3d& point) const;
  void meet(int face_a, int face_b, const Corners& b, double reach, MeshPoints& points, PiercedPlaces& pierced) const;
  // `all`: those that other faces ask for, too.
  void touch_vertices_of_a(int face_a, int face_b, const Corners& b, double reach, bool all, MeshPoints& points) const;
  void touch_vertices_of_b(int face_a, int face_b, const Corners& b, double reach, bool all, MeshPoints& points) const;
  // `looking`: only where both edges look along the line across them.
  void cross_edges(int edge_a, int edge_b, double reach, MeshPoints& points, bool looking) const;
  Eigen::Vector3d on_b(const Eigen::Vector3d& point) const;
  bool is_inside_a(const Eigen::Vector3d& point) const { return a_.contains(point); }
  bool is_inside_b(const Eigen::Vector3d& point) const;
  // looks_at(normal): of the faces that may let the point out.
  template <typename Looks>
  static SurfacePlace nearest_seen(const TriangleMesh& mesh, const Eigen::Vector3d& point, double within,
                                   const Looks& looks_at);
  template <typename Looks>
  static bool leaves_by(const TriangleMesh& mesh, const Eigen::Vector3d& point, double depth, const Looks& looks_at);
  bool vertex_of_a_leaves_by(int v, double depth) const;
  bool vertex_of_b_leaves_by(int v, const Eigen::Vector3d& point, double depth) const;
  template <typename Looks>
  static bool leaves_over(const TriangleMesh& mesh, int edge, const Eigen::Vector3d& point, const Looks& looks_at);
  bool edge_of_a_leaves_over(int edge_a, int edge_b, const Eigen::Vector3d& point) const;
  bool edge_of_b_leaves_over(int edge_a, int edge_b, const Eigen::Vector3d& point) const;
  static bool bends_over(const TriangleMesh& mesh, int edge, const Eigen::Vector3d& side);
  bool is_stretched() const { return (stretch_.array() != 1).any(); }
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
  double exact_;                  // m, rounding of lengths of both
  std::span<const double> near_;  // pairs of triangles, all that are nearer than `complete_`
  double complete_ = -1;          // m
};

// The contact of two placed meshes, the second of which may be stretched.
void write_meshes(const TriangleMesh& a, const PlacedFrame& frame_a, const TriangleMesh& b, const PlacedFrame& frame_b,
                  const Eigen::Vector3d& stretch, double size_b, ContactManifold<3>& manifold, double* memory);

}  // namespace carom::inline contact_geometry
