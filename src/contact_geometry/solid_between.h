#pragma once

#include "contact_geometry/slab_proof.h"
#include "contact_geometry/solid_field.h"

// Whether a mesh and a round solid stay clear of each other between two instants (see
// docs/theory/contact_detection.md).
namespace carom::inline contact_geometry {

class SolidBetween {
 public:
  SolidBetween(const Shape<3>& mesh, const Shape<3>& solid, const TwoInstants& frames, const BodyState<3>* from,
               const BodyState<3>* to, const GapMotion& motion);

  // No triangle goes deeper into the solid than the floor.
  bool is_clear() const;
  // Nor does a vertex, an edge or a face that can touch it, but for those that are closed or overlap already: of shapes
  // that touch elsewhere.
  bool is_clear_but_closed() const;

 private:
  using Corners = std::array<Eigen::Vector3d, 3>;
  using Segment = std::array<Eigen::Vector3d, 2>;
  struct Placed {
    int face = 0;
    std::array<Corners, 2> corners = {};  // by instant
  };
  // A stretch of the ring of a torus.
  struct Arc {
    double middle = 0, half = 0;  // rad
  };

  template <typename Clear>
  bool visit(const Clear& is_clear) const;
  FieldPlace field(const Eigen::Vector3d& point, int instant) const;
  double low(int instant, const Eigen::Vector3d& n) const;
  double low(const Arc& arc, int instant, const Eigen::Vector3d& n) const;
  bool box_is_clear(const AxisBox& box) const;
  Placed placed(int face) const;
  bool triangle_is_clear(const Placed& triangle) const;
  bool is_beside_ring(const Placed& triangle) const;
  bool arc_is_clear(const Placed& triangle, const Arc& arc, int level) const;
  // The place of a segment that is nearest to the solid.
  Eigen::Vector3d nearest_on(const Segment& segment, int instant) const;
  bool features_are_clear(const Placed& triangle) const;
  bool vertex_is_clear(int vertex, const std::array<Eigen::Vector3d, 2>& at) const;
  bool edge_is_clear(int edge) const;
  bool face_is_clear(const Placed& triangle) const;
  bool is_closed(std::uint32_t lead, std::uint32_t element) const;
  bool is_closed_at(const Eigen::Vector3d& place) const;

  const TriangleMesh& mesh_;
  const Shape<3>& solid_;
  const TwoInstants& frames_;
  const BodyState<3>*from_, *to_;
  const GapMotion& motion_;
  SlabProof proof_;
  Eigen::Vector3d origin_;
};

double least_between_mesh_and_solid(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* from,
                                    const BodyState<3>* to, const GapMotion& motion);
double least_between_free_mesh_and_solid(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* from,
                                         const BodyState<3>* to, const GapMotion& motion);

}  // namespace carom::inline contact_geometry
