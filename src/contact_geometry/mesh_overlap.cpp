#include "contact_geometry/dive.h"
#include "contact_geometry/mesh_meeting.h"

// Whether two surfaces of triangles lie in each other, and how deep, whatever their contact points show. Where they go
// through each other an edge of one comes through a face of the other, and what it leads to is inside.
namespace carom::inline contact_geometry {

namespace {

using Triangle = std::array<Eigen::Vector3d, 3>;

// Whether the foot of a point lies in a triangle, or by no more than the slack beside it.
bool is_over(const Eigen::Vector3d& point, const Triangle& t, const Eigen::Vector3d& normal, double slack) {
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d side = t[(k + 1) % 3] - t[k];
    if (normal.dot(side.cross(point - t[k])) < -slack * side.norm()) return false;
  }
  return true;
}

// Whether an edge comes through a face and leads deeper than it may.
template <typename Below>
bool edge_dives(Eigen::Vector3d high, Eigen::Vector3d low, const Triangle& face, const Eigen::Vector3d& normal,
                double depth, const Below& below) {
  double over = normal.dot(high - face[0]), under = normal.dot(low - face[0]);
  if (over < under) std::swap(high, low), std::swap(over, under);
  const Entry entry(over, under, depth);
  if (!entry.enters) return false;
  const Eigen::Vector3d at = high + entry.part * (low - high);
  return is_over(at, face, normal, depth) && dives(at, low, depth, below);
}

}  // namespace

// What is stretched is a cube from −1 to 1.
double MeshMeeting::depth_in_b(const Eigen::Vector3d& point) const {
  if (!is_stretched()) return -b_.signed_distance(on_b(point));
  const Eigen::Vector3d local = turn_.transpose() * (point - offset_);
  return (stretch_ - local.cwiseAbs()).minCoeff();
}

bool MeshMeeting::lie_deeper(double depth) const {
  if (depth_in_a(on_a(b_.vertex(0).position)) > depth || depth_in_b(a_.vertex(0).position) > depth) return true;
  const auto in_a = [this](const Eigen::Vector3d& point) { return depth_in_a(point); };
  const auto in_b = [this](const Eigen::Vector3d& point) { return depth_in_b(point); };
  const auto go_through = [&](int face_a, int face_b, const Corners& b) {
    const Corners a = {a_.corner(face_a, 0), a_.corner(face_a, 1), a_.corner(face_a, 2)};
    const Eigen::Vector3d &normal_a = a_.face(face_a).normal, normal_b = turn_ * b_.face(face_b).normal;
    // Edge k is opposite to corner k. One of its two faces asks for it.
    for (int k = 0; k < 3; ++k) {
      const int one = (k + 1) % 3, two = (k + 2) % 3;
      if (a_.edge(a_.face(face_a).edge[k]).face[0] == face_a && edge_dives(a[one], a[two], b, normal_b, depth, in_b))
        return true;
      if (b_.edge(b_.face(face_b).edge[k]).face[0] == face_b && edge_dives(b[one], b[two], a, normal_a, depth, in_a))
        return true;
    }
    return false;
  };
  return any_near(depth, std::cref(go_through));
}

}  // namespace carom::inline contact_geometry
