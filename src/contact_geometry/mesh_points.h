#pragma once

#include <array>

#include "contact_geometry/manifold.h"

// The points of contact with a mesh, collected before they are written.
namespace carom::inline contact_geometry {

// Most points that a pair with a mesh writes.
inline constexpr int most_mesh_points = 24, most_ball_points = 8;

class MeshPoints {
 public:
  // m: points nearer to each other that look the same way are one.
  explicit MeshPoints(double same) : same_(same) {}

  void clear() { size_ = 0; }
  int size() const { return size_; }
  const ContactPoint<3>& operator[](int index) const { return points_[index]; }
  Feature feature(int index) const { return features_[index]; }
  double least_gap() const;
  // Drops those with larger gaps.
  void keep_nearer(double gap);

  // Left out if the feature is there already, the same leading feature at the same place with the same normal, or
  // another point at the same place: an edge may lie across several others. Of a leading feature that touches from
  // opposite sides, as a tip in a thin plate, the shallower stays.
  void add(Feature feature, const ContactPoint<3>& point);
  // One that is known to be another than all that are there.
  void add_other(Feature feature, const ContactPoint<3>& point);
  // The same of a point that several faces share which look nearly the same way, as those about a shallow notch do: the
  // deepest stays. Their sum would jump where one of them loses the point; the deepest goes over from one to the next.
  void add_deepest(Feature feature, const ContactPoint<3>& point);
  // From the axes of a shape to those of the world.
  void place(const Eigen::Matrix3d& axes, const Eigen::Vector3d& origin);
  // Writes at most as many points as are allowed: of more, the deepest first, then those that were written the last
  // time, then always the one farthest from those that are there, first of those that overlap. Rigid bodies rest on the
  // outermost points of an area, so that nothing changes for them, and the same points from step to step. With force
  // laws a point that is left out leaves a jump, which is why the number is generous. `memory` holds the features
  // written last, remembered(most) numbers; null: none.
  void write(ContactManifold<3>& manifold, int most, double* memory) const;
  static constexpr int remembered(int most) { return 2 * most; }

 private:
  static constexpr int capacity = 192;
  static bool is_remembered(Feature feature, int most, const double* memory);
  static void remember(const ContactManifold<3>& manifold, int most, double* memory);

  std::array<ContactPoint<3>, capacity> points_;
  std::array<Feature, capacity> features_;
  int size_ = 0;
  double same_;
};

}  // namespace carom::inline contact_geometry
