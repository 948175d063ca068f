#pragma once

#include <numbers>
#include <span>

#include "contact_geometry/mesh_points.h"
#include "contact_geometry/mesh_shape.h"
#include "contact_geometry/near_features.h"

// Two surfaces of triangles near each other. All is in the axes of the first; the second may be stretched along its own
// axes, as a cube is to a box.
namespace carom::inline contact_geometry {

class MeshMeeting {
 public:
  MeshMeeting(const TriangleMesh& a, const TriangleMesh& b, const Eigen::Matrix3d& turn, const Eigen::Vector3d& offset,
              const Eigen::Vector3d& stretch);

  // A list of what is near (near_features.h) in so many numbers, zeros at first.
  static int near_size(const TriangleMesh& a, const TriangleMesh& b) { return NearFeatures::numbers(a, b); }
  void recall(double* memory) { near_.recall(memory); }
  void remember(double reach, double skin, double* memory) { near_.remember(around(reach), skin, memory); }

  static constexpr int pose_numbers = NearFeatures::pose_numbers;
  void note_pose(double* pose) const { near_.note(pose); }
  double moved_from(const double* pose) const { return near_.moved_from(pose); }  // m

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

  // The point of one feature that touched a little way before, in the axes of a; false: it has left its place.
  bool follow(Feature feature, ContactPoint<3>& point) const;

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
  // Where an edge of one lies deepest in the other, of those that lie deeper than `depth`: that place and the one of
  // the surface nearest to it. The gap is not negative where there is none.
  ContactPoint<3> deepest_dive(double depth) const;
  // Of two triangles that go through each other where no features were found: the least overlap of a corner of the one
  // behind the other. `looking`: only of what looks at the face that it leaves by.
  void add_pierced(const Pierced& pierced, bool looking, MeshPoints& points) const;
  // The same, looking, of all places where no overlap was found.
  void add_pierced(const PiercedPlaces& pierced, MeshPoints& points) const;

 private:
  using Corners = std::array<Eigen::Vector3d, 3>;
  // A sharp edge and a face of the other surface, in the axes of the face, from where its surface is.
  struct EdgeAtFace {
    Eigen::Vector3d from, to;
    Corners face;
    Eigen::Vector3d normal;
    std::array<double, 2> height;  // m, of the ends over the plane of the face

    bool is_beyond(double reach) const {
      return std::min(height[0], height[1]) > reach || std::max(height[0], height[1]) < -reach;
    }
    bool goes_through() const { return !(height[0] * height[1] > 0) && pierces(from, to, face[0], face[1], face[2]); }
  };

  // Number by number, as these are in the innermost of searches.
  Eigen::Vector3d on_a(const Eigen::Vector3d& local) const {
    Eigen::Vector3d placed;
    for (int k = 0; k < 3; ++k)
      placed[k] = offset_[k] + (axes_(k, 0) * local[0] + axes_(k, 1) * local[1] + axes_(k, 2) * local[2]);
    return placed;
  }
  // Into the axes of b, without its stretch.
  Eigen::Vector3d turned_back(const Eigen::Vector3d& point) const {
    const double x = point[0] - offset_[0], y = point[1] - offset_[1], z = point[2] - offset_[2];
    Eigen::Vector3d turned;
    for (int k = 0; k < 3; ++k) turned[k] = turn_(0, k) * x + turn_(1, k) * y + turn_(2, k) * z;
    return turned;
  }
  Corners corners_of_a(int face) const { return {a_.corner(face, 0), a_.corner(face, 1), a_.corner(face, 2)}; }
  Corners corners_of_b(int face) const;
  // m: what has entered both faces of a notch may be farther from either than it is deep.
  static double around(double reach) { return std::numbers::sqrt2 * reach; }
  // Of an edge of a at a face of b, or the other way round.
  template <bool edge_of_a>
  EdgeAtFace placed(int edge, int face) const;
  // From the axes of the face, as above, to those of a.
  template <bool edge_of_a>
  Eigen::Vector3d from_face(const Eigen::Vector3d& point) const {
    if constexpr (edge_of_a) return offset_ + turn_ * point;
    return point;
  }
  // m; `about`: the surface is no farther.
  double depth_in_a(const Eigen::Vector3d& point, double about) const { return -a_.signed_distance(point, about); }
  double depth_in_b(const Eigen::Vector3d& point, double about) const;
  template <bool edge_of_a>
  void meet(int edge, int face, double reach, MeshPoints& points, PiercedPlaces& pierced) const;
  template <bool edge_of_a>
  void touch_corner(int v, int face, double height, double reach, MeshPoints& points) const;
  template <bool edge_of_a>
  void meet_deep(int edge, int face, const EdgeAtFace& pair, double reach, MeshPoints& points) const;
  template <bool edge_of_a>
  bool dives_deeper(int edge, int face, double depth) const;
  template <bool edge_of_a>
  void deepen_dive(int edge, int face, double depth, ContactPoint<3>& deepest) const;
  // A vertex over a face that looks at it, overlapping by `least` at the least, negative where it may be apart, and no
  // farther than `most` to either side. What lies behind the face must be inside.
  void touch_vertex_of_a(int v, int face_b, double least, double most, MeshPoints& points) const;
  void touch_vertex_of_b(int v, int face_a, double least, double most, MeshPoints& points) const;
  void cross_edges(int edge_a, int edge_b, double reach, MeshPoints& points) const;
  // Of ridges that cross: where both look along the line across them and, if they overlap, each leaves the other by
  // that line; where they look so, the rest is known; or wherever each is inside the other.
  enum class EdgesCross { looking, looking_as_before, anyhow };
  bool cross(int edge_a, int edge_b, double reach, EdgesCross how, ContactPoint<3>& point) const;
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
  static bool leaves_over(const TriangleMesh& mesh, int edge, const Eigen::Vector3d& point, double depth,
                          const Looks& looks_at);
  bool edge_of_a_leaves_over(int edge_a, int edge_b, const Eigen::Vector3d& point, double depth) const;
  bool edge_of_b_leaves_over(int edge_a, int edge_b, const Eigen::Vector3d& point, double depth) const;
  static bool bends_over(const TriangleMesh& mesh, int edge, const Eigen::Vector3d& side);
  bool is_stretched() const { return (stretch_.array() != 1).any(); }
  void improve(int face_a, int face_b, Nearest& best) const;
  template <bool edge_of_a>
  void improve_by_edge(int edge, int face, Nearest& best) const;
  void improve_by_edges(int edge_a, int edge_b, Nearest& best) const;
  void offer(const Eigen::Vector3d& point_a, const Eigen::Vector3d& point_b, int face_a, int face_b, Feature feature,
             Nearest& best) const;
  // Leading features: vertices of a, of b, edges of a.
  std::uint32_t lead_of_vertex_a(int v) const { return static_cast<std::uint32_t>(v); }
  std::uint32_t lead_of_vertex_b(int v) const { return static_cast<std::uint32_t>(a_.vertices().size()) + v; }
  std::uint32_t lead_of_edge_a(int e) const {
    return static_cast<std::uint32_t>(a_.vertices().size() + b_.vertices().size()) + e;
  }

  const TriangleMesh &a_, &b_;
  Eigen::Matrix3d turn_, axes_;  // axes of b to those of a; with its stretch
  Eigen::Vector3d offset_, stretch_;
  double exact_;  // m, rounding of lengths of both
  NearFeatures near_;
};

template <bool edge_of_a>
MeshMeeting::EdgeAtFace MeshMeeting::placed(int edge, int face) const {
  const TriangleMesh &of_edge = edge_of_a ? a_ : b_, &of_face = edge_of_a ? b_ : a_;
  const auto& ends = of_edge.edge(edge).vertex;
  const Eigen::Vector3d &from = of_edge.vertex(ends[0]).position, &to = of_edge.vertex(ends[1]).position;
  EdgeAtFace pair;
  if constexpr (edge_of_a) {
    pair.from = turned_back(from), pair.to = turned_back(to);
    for (int k = 0; k < 3; ++k) pair.face[k] = stretch_.cwiseProduct(b_.corner(face, k));
  } else {
    pair.from = on_a(from), pair.to = on_a(to);
    pair.face = corners_of_a(face);
  }
  pair.normal = of_face.face(face).normal;
  pair.height = {pair.normal.dot(pair.from - pair.face[0]), pair.normal.dot(pair.to - pair.face[0])};
  return pair;
}

// The contact of two placed meshes, the second of which may be stretched.
void write_meshes(const TriangleMesh& a, const PlacedFrame& frame_a, const TriangleMesh& b, const PlacedFrame& frame_b,
                  const Eigen::Vector3d& stretch, double size_b, ContactManifold<3>& manifold, double* memory);

}  // namespace carom::inline contact_geometry
