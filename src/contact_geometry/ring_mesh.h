#pragma once

#include "contact_geometry/ring.h"
#include "contact_geometry/triangle_mesh.h"

// Where a circle is nearest to a surface of triangles, which may have thin teeth and dents: found by asking each
// corner, edge and side near it in closed form, since samples along the circle go past what is narrower than they are
// apart.
namespace carom::inline contact_geometry {

class RingPlaces {
 public:
  static constexpr int sectors = 24;

  // Of a ring in the axes of the mesh. Only what is nearer than `reach`, m, is looked for; without any the nearest.
  RingPlaces(const TriangleMesh& mesh, const Ring& ring, double reach);

  struct Place {
    double angle = 0;
    double distance = std::numeric_limits<double>::infinity();  // m, from one feature; others may be nearer
    bool is_there() const { return distance < std::numeric_limits<double>::infinity(); }
  };
  // Of each sector, of 2π/sectors from the angle 0 on.
  struct Sector {
    Place nearest;
    Place first, last;  // where the ring goes through the surface, distance 0
  };
  const Sector& sector(int k) const { return found_[k]; }

 private:
  void look_at(const TriangleMesh& mesh, int face);
  void look_at_edge(const Eigen::Vector3d& a, const Eigen::Vector3d& b);
  void look_at_side(const std::array<Eigen::Vector3d, 3>& corners, const Eigen::Vector3d& normal);
  double distance(const Eigen::Vector3d& point) const;
  void offer(const Eigen::Vector3d& beside);
  void offer(double angle, double distance);
  double limit() const { return std::max(reach_, least_); }

  const Ring& ring_;
  double reach_, least_ = std::numeric_limits<double>::infinity();
  std::array<Sector, sectors> found_;
};

}  // namespace carom::inline contact_geometry
