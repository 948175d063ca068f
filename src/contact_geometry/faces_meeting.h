#pragma once

#include "contact_geometry/faced_solid.h"
#include "contact_geometry/mesh_points.h"
#include "contact_geometry/mesh_shape.h"

// Where two solids touch by their true faces. A round convex face is made by balls along its axis, centre or circle,
// its spine: where the distance of these from the surface of a face is least, the two faces touch. Corners and edges
// are the same with balls of radius zero. So every contact but that of two edges is a least distance between a point or
// a curve and a surface, of which the equation is known: nothing depends on how fine anything is cut.
//
// Flat and straight faces on each other touch at the corners of what they have in common, of which a corner or an edge
// of one of them takes part.
namespace carom::inline contact_geometry {

class FacesMeeting {
 public:
  static constexpr double watched = 2e-4;  // of the smaller size, beyond which features that are apart do not count

  FacesMeeting(const FacedSolid& a, const PlacedFrame& frame_a, const FacedSolid& b, const PlacedFrame& frame_b);

  double size() const { return size_; }  // m, of the smaller one
  // Adds what is nearer than the reach, apart or overlapping by no more than it, and some of what is farther away, in
  // the axes of a.
  void find(double reach, MeshPoints& points) const;
  // The place of one feature, over a wall without end, whether it looks at it or not; its gap is infinite where there
  // is none. In the axes of a.
  ContactPoint<3> point_of(Feature feature) const;

 private:
  // Which of the two has the corner, edge or spine: in its axes is worked; the other one has the surface.
  struct Pose {
    Eigen::Matrix3d turn;  // axes of the other one to its own
    Eigen::Vector3d offset;
    Eigen::Vector3d out(const Eigen::Vector3d& point) const { return turn * point + offset; }
    Eigen::Vector3d back(const Eigen::Vector3d& point) const { return turn.transpose() * (point - offset); }
  };
  // A place that was found: on a feature of `side`, over a face of the other one.
  struct Found {
    int side = 0;
    std::uint32_t lead = 0;  // of the feature, among those of its solid
    int face = 0;
    int branch = 0;
    Eigen::Vector3d point = Eigen::Vector3d::Zero();  // on the feature, in the axes of its solid
    double gap = 0;
    Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // outward from the face, in the same axes
  };

  const FacedSolid& solid(int side) const { return side == 0 ? a_ : b_; }
  TrueSurface placed(const TrueSurface& surface, int side) const;
  AxisBox placed_in_other(const AxisBox& box, int side) const;
  template <typename Visit>
  void visit_faces(const AxisBox& box, int side, double reach, const Visit& visit) const;
  template <typename Visit>
  void visit_own(const BoxTree& tree, std::size_t count, int side, double reach, const Visit& visit) const;
  void touch_corner(int side, int corner, int face, double reach, MeshPoints& points) const;
  void touch_edge(int side, int edge, int face, double reach, MeshPoints& points) const;
  void touch_faces(int side, int spine, int face, double reach, MeshPoints& points) const;
  void touch_ellipsoid(int side, int face, double reach, MeshPoints& points) const;
  void cross_edges(int edge_a, int edge_b, double reach, MeshPoints& points) const;
  bool find_crossing(const TrueCurve& a, const TrueCurve& b, double& s, double& t) const;
  void cross_pieces(int edge_a, int edge_b, double s, double t, double reach, MeshPoints& points) const;
  bool is_spine(int side, const TrueSurface& own, const TrueSurface& other) const;
  bool is_on_own_face(int side, int face, const Eigen::Vector3d& point) const;
  bool is_over(const Found& found) const;
  template <typename Looks>
  bool leaves_by(const Found& found, const Looks& looks) const;
  bool counts(double gap, double reach) const { return gap <= reach && gap >= -deepest_; }
  void add(const Found& found, MeshPoints& points) const;
  // What meets: a feature of a side, and what it meets of the other one.
  Feature feature_between(int side, std::uint32_t own, std::uint32_t other) const;
  // Of solids that are apart: with corners and edges of the other one.
  void near_corner(int side, int corner, double reach, MeshPoints& points) const;

  const FacedSolid &a_, &b_;
  std::array<Pose, 2> pose_;
  double size_, exact_, deepest_;
  bool pressing_ = false;  // places count wherever they look
};

// The contact of two placed solids; memory_of_faces_meeting numbers of memory, zeros at first, or none.
inline constexpr int memory_of_faces_meeting = 1 + MeshPoints::remembered(most_mesh_points);
void write_faces(const FacedSolid& a, const PlacedFrame& frame_a, const FacedSolid& b, const PlacedFrame& frame_b,
                 ContactManifold<3>& manifold, double* memory);

}  // namespace carom::inline contact_geometry
