#pragma once

#include "contact_geometry/slab_proof.h"

// Whether two surfaces of triangles stay clear of each other between two instants (see
// docs/theory/contact_detection.md). The second may be stretched along its own axes, as a cube is to a box.
namespace carom::inline contact_geometry {

// Pairs of branches of both trees, nearest first, are told apart by the way that they can go and by a slab between
// their boxes; pairs of triangles by the slabs that separate triangles. Corners and edges are what they are: nothing is
// rounded.
class MeshesBetween {
 public:
  MeshesBetween(const TriangleMesh& a, const TriangleMesh& b, const Eigen::Vector3d& stretch, const TwoInstants& frames,
                const GapMotion& motion, const Eigen::Vector3d& origin);

  // No two triangles go deeper into each other than the floor.
  bool are_clear() const;
  // Nor do a vertex and a face, or two edges, that can touch, but for those that are closed or overlap already: of
  // meshes that touch elsewhere.
  bool are_clear_but_closed() const;

 private:
  using Corners = std::array<Eigen::Vector3d, 3>;
  using Segment = std::array<Eigen::Vector3d, 2>;
  struct Triangles {
    int face_a, face_b;
    std::array<Corners, 2> a, b;  // by instant
  };

  template <typename Clear>
  bool visit(const Clear& is_clear) const;
  bool branches_are_clear(const AxisBox& box_a, const AxisBox& box_b, double apart) const;
  Triangles placed(int face_a, int face_b) const;
  bool triangles_are_clear(const Triangles& pair) const;
  bool edges_separate(const Triangles& pair, int instant) const;
  bool features_are_clear(const Triangles& pair) const;
  bool vertices_are_clear(const Triangles& pair, bool of_a) const;
  bool edge_is_clear(int edge_a, int edge_b) const;
  bool is_closed_at(const Eigen::Vector3d& place) const;
  // Separation of two boxes along the axes of a, at an instant; its norm is at most their distance.
  Eigen::Vector3d between(const AxisBox& box_a, const AxisBox& box_b, int instant) const;
  // m: their distance is at least that, by the axes of b.
  double apart_along_b(const AxisBox& box_a, const AxisBox& box_b, int instant) const;
  Eigen::Vector3d at_a(const Eigen::Vector3d& local, int instant) const { return frames_.a[instant].outside(local); }
  Eigen::Vector3d at_b(const Eigen::Vector3d& local, int instant) const {
    return frames_.b[instant].outside(Eigen::Vector3d(stretch_.cwiseProduct(local)));
  }
  bool is_inside(bool of_a, const Eigen::Vector3d& point) const;

  const TriangleMesh &a_, &b_;
  Eigen::Vector3d stretch_;
  const TwoInstants& frames_;
  const GapMotion& motion_;
  SlabProof proof_;
  Eigen::Vector3d origin_;                      // of the frames, world axes
  std::array<Eigen::Matrix3d, 2> turn_, size_;  // axes of b in those of a, by instant; with the stretch, magnitudes
  std::array<Eigen::Vector3d, 2> offset_;       // of b in the axes of a
  std::array<WidePlaces, 2> places_;            // of their trees
};

double least_between_meshes(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* from, const BodyState<3>* to,
                            const GapMotion& motion);
double least_between_free_meshes(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* from, const BodyState<3>* to,
                                 const GapMotion& motion);

}  // namespace carom::inline contact_geometry
