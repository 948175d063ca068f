#pragma once

#include <algorithm>

#include "contact_geometry/mesh_meeting.h"

namespace carom::inline contact_geometry {

// Two surfaces that have moved against each other by less than features were looked for around them touch with features
// that are known: their points follow by formulas, and nothing is searched. Kept are the features that a search has
// found, its pose, how near features have to be to count, and how far the surfaces may move from there, m.
class KnownFeatures {
 public:
  static constexpr int most = 64;
  static constexpr int numbers = 3 + MeshMeeting::pose_numbers + 2 * most;

  // `memory`: so many numbers, zeros at first; null: nothing is kept.
  explicit KnownFeatures(double* memory) : memory_(memory) {}

  // Writes the points that count. False: the surfaces have gone too far, a feature has left its place, or none counts.
  bool follow(const MeshMeeting& meeting, ContactManifold<3>& manifold, const PlacedFrame& frame) const {
    if (!memory_ || !(memory_[count_at] > 0) || !(meeting.moved_from(memory_ + pose_at) <= memory_[way_at]))
      return false;
    const int count = static_cast<int>(memory_[count_at]);
    for (int k = 0; k < count; ++k) {
      ContactPoint<3> point;
      const bool there = meeting.follow(feature(k), point);
      if (there && point.gap > memory_[within_at]) continue;
      if (!there || manifold.size() == most_mesh_points) {
        manifold.clear();
        return false;
      }
      manifold.add(feature(k), frame.outside(point));
    }
    return manifold.size() > 0;
  }

  // All that have been found, in the axes of a, of which those count that are no farther than `within`; for so long a
  // way, 0: not at all. Nor are they kept if one of them cannot be followed.
  void remember(const MeshMeeting& meeting, const MeshPoints& points, double within, double way, double exact) const {
    if (!memory_) return;
    memory_[count_at] = 0;
    if (points.size() > most || !(way > 0)) return;
    for (int k = 0; k < points.size(); ++k) {
      ContactPoint<3> point;
      const Feature own = points.feature(k);
      if (!meeting.follow(own, point) || std::abs(point.gap - points[k].gap) > exact ||
          (point.normal - points[k].normal).squaredNorm() > same_direction)
        return;
      memory_[features_at + 2 * k] = static_cast<double>(own >> 32);
      memory_[features_at + 2 * k + 1] = static_cast<double>(own & 0xffffffff);
    }
    memory_[count_at] = points.size(), memory_[way_at] = way, memory_[within_at] = within;
    meeting.note_pose(memory_ + pose_at);
  }

 private:
  static constexpr int count_at = 0, way_at = 1, within_at = 2, pose_at = 3,
                       features_at = pose_at + MeshMeeting::pose_numbers;
  static constexpr double same_direction = 1e-12;

  Feature feature(int k) const {
    return static_cast<Feature>(memory_[features_at + 2 * k]) << 32 |
           static_cast<Feature>(memory_[features_at + 2 * k + 1]);
  }

  double* memory_;
};

}  // namespace carom::inline contact_geometry
