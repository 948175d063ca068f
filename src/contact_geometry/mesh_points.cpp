#include "contact_geometry/mesh_points.h"

#include <algorithm>
#include <limits>

namespace carom::inline contact_geometry {

namespace {

constexpr double same_direction = 1e-6;  // 1 − cosine
constexpr double near_direction = 1e-3;
constexpr double one_surface = 0.995;  // cosine, 0.1 rad

}  // namespace

double MeshPoints::least_gap() const {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < size_; ++k) least = std::min(least, points_[k].gap);
  return least;
}

void MeshPoints::keep_nearer(double gap) {
  int kept = 0;
  for (int k = 0; k < size_; ++k) {
    if (points_[k].gap > gap) continue;
    points_[kept] = points_[k], features_[kept] = features_[k];
    ++kept;
  }
  size_ = kept;
}

void MeshPoints::add(Feature feature, const ContactPoint<3>& point) {
  for (int k = 0; k < size_; ++k) {
    if (features_[k] == feature) return;
    const double cosine = points_[k].normal.dot(point.normal);
    if (have_same_lead(features_[k], feature)) {
      const double apart = std::min((points_[k].point_a - point.point_a).squaredNorm(),
                                    (points_[k].point_b - point.point_b).squaredNorm());
      if (cosine > 1 - same_direction && apart < same_ * same_) return;
      if (cosine < 0 && point.gap < 0 && points_[k].gap < 0) {
        if (point.gap > points_[k].gap) points_[k] = point, features_[k] = feature;
        return;
      }
    }
    if (cosine > 1 - near_direction && (points_[k].point_a - point.point_a).squaredNorm() < same_ * same_) return;
  }
  add_other(feature, point);
}

void MeshPoints::add_other(Feature feature, const ContactPoint<3>& point) {
  int place = size_;
  if (size_ == capacity) {
    place = 0;
    for (int k = 1; k < size_; ++k) {
      if (points_[k].gap > points_[place].gap) place = k;
    }
    if (!(point.gap < points_[place].gap)) return;
  } else {
    ++size_;
  }
  points_[place] = point;
  features_[place] = feature;
}

void MeshPoints::add_deepest(Feature feature, const ContactPoint<3>& point) {
  for (int k = 0; k < size_; ++k) {
    if (!have_same_lead(features_[k], feature) || points_[k].normal.dot(point.normal) < one_surface) continue;
    if (point.gap < points_[k].gap) points_[k] = point, features_[k] = feature;
    return;
  }
  add(feature, point);
}

void MeshPoints::place(const Eigen::Matrix3d& axes, const Eigen::Vector3d& origin) {
  for (int k = 0; k < size_; ++k) {
    ContactPoint<3>& point = points_[k];
    point = {point.gap, axes * point.normal, origin + axes * point.point_a, origin + axes * point.point_b};
  }
}

bool MeshPoints::is_remembered(Feature feature, int most, const double* memory) {
  const auto lead = static_cast<double>(feature >> 32), other = static_cast<double>(feature & 0xffffffff);
  for (int k = 0; k < most; ++k) {
    if (memory[2 * k] == lead && memory[2 * k + 1] == other) return true;
  }
  return false;
}

void MeshPoints::remember(const ContactManifold<3>& manifold, int most, double* memory) {
  for (int k = 0; k < most; ++k) {
    const Feature feature = k < manifold.size() ? manifold.feature(k) : 0;
    memory[2 * k] = static_cast<double>(feature >> 32);
    memory[2 * k + 1] = static_cast<double>(feature & 0xffffffff);
  }
}

void MeshPoints::write(ContactManifold<3>& manifold, int most, double* memory) const {
  if (size_ <= most) {
    for (int k = 0; k < size_; ++k) manifold.add(features_[k], points_[k]);
    if (memory) remember(manifold, most, memory);
    return;
  }
  std::array<double, capacity> apart;      // m², from the points that are written
  std::array<signed char, capacity> rank;  // 2: overlaps and was there, 1: one of the two, 0: neither
  std::fill_n(apart.begin(), size_, std::numeric_limits<double>::infinity());
  int next = 0;
  for (int k = 0; k < size_; ++k) {
    if (points_[k].gap < points_[next].gap) next = k;
    const bool known = memory && is_remembered(features_[k], most, memory);
    rank[k] = static_cast<signed char>((points_[k].gap <= 0 ? 1 : 0) + (known ? 1 : 0));
  }
  const Eigen::Vector3d start = points_[next].point_a;
  double reach = 0;  // m², of all points from the deepest
  for (int k = 0; k < size_; ++k) reach = std::max(reach, (points_[k].point_a - start).squaredNorm());
  for (int count = 0; count < most; ++count) {
    manifold.add(features_[next], points_[next]);
    apart[next] = -1;
    int best = -1;
    for (int k = 0; k < size_; ++k) {
      if (apart[k] < 0) continue;
      apart[k] = std::min(apart[k], (points_[k].point_a - points_[next].point_a).squaredNorm() +
                                        reach * (points_[k].normal - points_[next].normal).squaredNorm());
      if (best < 0 || rank[k] > rank[best] || (rank[k] == rank[best] && apart[k] > apart[best])) best = k;
    }
    next = best;
  }
  if (memory) remember(manifold, most, memory);
}

}  // namespace carom::inline contact_geometry
