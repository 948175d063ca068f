#pragma once

#include "contact_geometry/triangle_mesh.h"

namespace carom::inline contact_geometry {

// Sharp edges of one mesh in the axes of the faces of another, in single precision and rounded outwards: which of them
// may be near a face, for a tenth of what it takes to know. Boxes along the axes say little about long thin triangles,
// into which round flat sides are cut.
class EdgesAtFaces {
 public:
  // From the axes of the edges to those of the faces.
  EdgesAtFaces(const TriangleMesh& edges, const TriangleMesh& faces, const Eigen::Matrix3d& axes,
               const Eigen::Vector3d& offset)
      : edges_(edges), faces_(faces) {
    double away = 0;
    for (int k = 0; k < 3; ++k) {
      for (int l = 0; l < 3; ++l) axes_[l][k] = static_cast<float>(axes(k, l));
      offset_[k] = static_cast<float>(offset[k]);
      away += std::abs(offset[k]);
    }
    slack_ = static_cast<float>(rounding * (faces.size() + away + axes.cwiseAbs().sum() * edges.bounding_radius()));
  }

  // An edge by its place among the sharp ones. False: it is beyond the plane of the face, or beside it, by more than
  // `within`.
  bool may_be_near(int edge, int face, double within) {
    const float far = static_cast<float>(within) + slack_;
    find_heights(edge, face);
    return !(least_[0] < -far && most() < -far) && !any_lane(least_ > far);
  }
  // Whether it may go through the face, or a corner at its end stand over it, no farther from it than the reach. Beside
  // notches corners go on over faces.
  bool may_meet(int edge, int face, double reach, double beside_notch) {
    find_heights(edge, face);
    const float far = static_cast<float>(reach) + slack_;
    const Four open = faces_.planes_of(face).open;
    const float beside = static_cast<float>(beside_notch);
    const Four allowed = {1e30F, slack_ + beside * open[1], slack_ + beside * open[2], slack_ + beside * open[3]};
    if (any_lane(least_ > allowed)) return false;
    if (least_[0] <= slack_ && most() >= -slack_) return true;
    return (from_[3] > 0 && is_within(height_[0], far)) || (to_[3] > 0 && is_within(height_[1], far));
  }
  // Whether it may come through the face and lead deeper than `depth`.
  bool may_dive(int edge, int face, double depth) {
    find_heights(edge, face);
    const float far = static_cast<float>(depth) + slack_;
    const float lowest = faces_.planes_of(face).open[0] > 0 ? slack_ : 2 * slack_ - far;
    return least_[0] < lowest && most() > -far && !any_lane(least_ > far);
  }

 private:
  static constexpr double rounding = 2e-6;  // of all lengths

  static bool is_within(float height, float far) { return height <= far && height >= -far; }
  float most() const { return height_[0] > height_[1] ? height_[0] : height_[1]; }
  // m, over the plane of the face and those on its sides, of the lower end each.
  void find_heights(int edge, int face) {
    if (edge != last_) place(edge);
    const FacePlanes& planes = faces_.planes_of(face);
    const Four from = planes.x * from_[0] + planes.y * from_[1] + planes.z * from_[2] - planes.offset,
               to = planes.x * to_[0] + planes.y * to_[1] + planes.z * to_[2] - planes.offset;
    height_[0] = from[0], height_[1] = to[0];
    least_ = from < to ? from : to;
  }
  void place(int edge) {
    const auto& ends = edges_.ends_of_sharp_edge(edge);
    from_ = offset_ + axes_[0] * ends[0][0] + axes_[1] * ends[0][1] + axes_[2] * ends[0][2];
    to_ = offset_ + axes_[0] * ends[1][0] + axes_[1] * ends[1][1] + axes_[2] * ends[1][2];
    from_[3] = ends[0][3], to_[3] = ends[1][3];
    last_ = edge;
  }

  const TriangleMesh &edges_, &faces_;
  Four axes_[3]{}, offset_{};
  float slack_;  // m
  Four from_{}, to_{}, least_{};
  float height_[2] = {0, 0};
  int last_ = -1;
};

}  // namespace carom::inline contact_geometry
