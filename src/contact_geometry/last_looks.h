#pragma once

#include <algorithm>
#include <array>

#include "contact_geometry/manifold.h"
#include "contact_geometry/mesh_points.h"
#include "contact_geometry/mesh_shape.h"

namespace carom::inline contact_geometry {

// A step looks at the same places more than once, as at its start and at the end of its smooth motion: what was found
// at the last few of them is kept. Of each the poses, number of points, and of each point features, gap, normal and
// places.
class LastLooks {
 public:
  static constexpr int count = 8;
  static constexpr int numbers_of_one = 24 + 1 + 12 * most_mesh_points;
  static constexpr int numbers = 1 + count * numbers_of_one;

  LastLooks(const PlacedFrame& a, const PlacedFrame& b, double* memory) : memory_(memory) {
    double* next = pose_.data();
    for (const PlacedFrame* frame : {&a, &b}) {
      next = std::copy_n(frame->axes.data(), 9, next);
      next = std::copy_n(frame->origin.data(), 3, next);
    }
  }

  // False: they were elsewhere.
  bool recall(ContactManifold<3>& manifold) const {
    for (int look = 0; memory_ && look < count; ++look) {
      const double* const own = memory_ + 1 + look * numbers_of_one;
      if (!(own[count_at] > 0) || !std::equal(pose_.begin(), pose_.end(), own)) continue;
      read(own, manifold);
      return true;
    }
    return false;
  }
  // In place of the oldest.
  void remember(const ContactManifold<3>& manifold) const {
    if (!memory_) return;
    const int look = static_cast<int>(memory_[0]);
    memory_[0] = (look + 1) % count;
    double* const own = memory_ + 1 + look * numbers_of_one;
    std::copy(pose_.begin(), pose_.end(), own);
    own[count_at] = manifold.size() + 1;
    double* next = own + count_at + 1;
    for (int k = 0; k < manifold.size(); ++k) {
      const ContactPoint<3>& point = manifold.point(k);
      *next++ = static_cast<double>(manifold.feature(k) >> 32);
      *next++ = static_cast<double>(manifold.feature(k) & 0xffffffff);
      *next++ = point.gap;
      for (const Eigen::Vector3d* each : {&point.normal, &point.point_a, &point.point_b})
        next = std::copy_n(each->data(), 3, next);
    }
  }

 private:
  static void read(const double* own, ContactManifold<3>& manifold) {
    const int size = static_cast<int>(own[count_at]) - 1;
    const double* next = own + count_at + 1;
    for (int k = 0; k < size; ++k, next += 12) {
      const Feature feature = static_cast<Feature>(next[0]) << 32 | static_cast<Feature>(next[1]);
      using Map = Eigen::Map<const Eigen::Vector3d>;
      manifold.add(feature, {next[2], Map(next + 3), Map(next + 6), Map(next + 9)});
    }
  }

  static constexpr int count_at = 24;
  std::array<double, 24> pose_;
  double* memory_;
};

}  // namespace carom::inline contact_geometry
