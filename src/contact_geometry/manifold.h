#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <vector>

#include "contact_geometry/shape.h"

// The points where two shapes touch at one state: as many as there are, each with the features that meet there.
namespace carom::inline contact_geometry {

// Which features of two shapes meet in a point, such as vertex 7 of the one and face 12 of the other. Two points of one
// pair at different states are the same contact if their features are the same. The upper half is the leading feature,
// the one that keeps touching while the contact slides: a vertex that passes from one face to the next stays the same
// vertex, and what its contact remembers goes with it. It is 0 where the lower half alone is the identity.
using Feature = std::uint64_t;

inline constexpr Feature no_feature = ~Feature{0};

constexpr Feature feature_of(std::uint32_t leading, std::uint32_t other) {
  return (static_cast<Feature>(leading) + 1) << 32 | other;
}
constexpr int lead_of(Feature feature) {
  return static_cast<int>(feature >> 32) - 1;
}
// Of pairs with a fixed number of points.
constexpr Feature feature_of_slot(int slot) {
  return static_cast<Feature>(slot);
}
constexpr bool have_same_lead(Feature one, Feature two) {
  return one >> 32 != 0 && one >> 32 == two >> 32;
}

// Where a pair writes its points. It has room for the most points of the pairs that write to it, and never grows in a
// step.
template <int D>
class ContactManifold {
 public:
  explicit ContactManifold(int capacity = 0) { reserve(capacity); }
  void reserve(int capacity) {
    if (capacity <= this->capacity()) return;
    points_.resize(capacity);
    features_.resize(capacity);
  }
  int capacity() const { return static_cast<int>(points_.size()); }
  int size() const { return size_; }
  const ContactPoint<D>& point(int index) const { return points_[index]; }
  Feature feature(int index) const { return features_[index]; }

  void clear() { size_ = 0; }
  void add(Feature feature, const ContactPoint<D>& point) {
    assert(size_ < capacity());
    points_[size_] = point;
    features_[size_++] = feature;
  }
  // Takes the points that `write` puts into `count` slots, where they are there, with the numbers of their slots.
  template <typename Write>
  void add_slots(int count, const Write& write) {
    assert(count <= capacity());
    write(points_.data());
    size_ = 0;
    for (int slot = 0; slot < count; ++slot) {
      if (std::isfinite(points_[slot].gap)) add(feature_of_slot(slot), ContactPoint<D>(points_[slot]));
    }
  }

 private:
  std::vector<ContactPoint<D>> points_;
  std::vector<Feature> features_;
  int size_ = 0;
};

}  // namespace carom::inline contact_geometry
