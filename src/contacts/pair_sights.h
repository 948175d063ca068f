#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "contacts/contact_pairs.h"

namespace carom::inline contacts {

// Where the two bodies of a pair were, and how far their surfaces may have come against each other since. What both do
// together, as parts that fall side by side, does not count.
template <int D>
class PairPose {
 public:
  PairPose() = default;
  PairPose(const BodyState<D>& a, const BodyState<D>& b)
      : apart_(b.position - a.position), turn_a_(a.orientation), turn_b_(b.orientation) {}

  // m, of the centre of b against that of a.
  VectorOf<D> shift(const BodyState<D>& a, const BodyState<D>& b) const { return (b.position - a.position) - apart_; }
  // m, of points of the shapes because their bodies have turned; reaches are those of the shapes, infinite without end.
  double turned(double reach_a, double reach_b, const BodyState<D>& a, const BodyState<D>& b) const {
    return way_of(reach_a, turn_a_, a.orientation) + way_of(reach_b, turn_b_, b.orientation);
  }
  // m, at the most.
  double way(double reach_a, double reach_b, const BodyState<D>& a, const BodyState<D>& b) const {
    return shift(a, b).norm() + turned(reach_a, reach_b, a, b);
  }

 private:
  // A point at a distance r from the axis goes by 2 r sin(φ/2).
  static double chord(const Rotation<D>& from, const Rotation<D>& to) {
    if constexpr (D == 2) {
      return std::hypot(to.cosine() - from.cosine(), to.sine() - from.sine());
    } else {
      return (to.matrix() - from.matrix()).norm() / std::sqrt(2.0);
    }
  }
  static double way_of(double reach, const Rotation<D>& from, const Rotation<D>& to) {
    const double turn = chord(from, to);
    return turn > 0 ? turn * reach : 0;
  }

  VectorOf<D> apart_ = VectorOf<D>::Zero();
  Rotation<D> turn_a_, turn_b_;
};

// What is known of one pair from the states at which it was looked at.
template <int D>
struct PairSight {
  static constexpr double unknown = -std::numeric_limits<double>::infinity();

  double gap = unknown;  // m, at least, where it was seen
  PairPose<D> seen;
  // Of a half space: across which only the way along it counts. Zero of other pairs.
  VectorOf<D> normal = VectorOf<D>::Zero();
  bool is_clear = false;  // of overlaps that contact points need not show, where it was verified
  PairPose<D> verified;
  bool is_left = false;  // overlapping, where a step ended

  void see(double least, const BodyState<D>& a, const BodyState<D>& b) {
    gap = least, seen = {a, b};
    normal.setZero();
  }
  // m, at least, at another state.
  double gap_at(double reach_a, double reach_b, const BodyState<D>& a, const BodyState<D>& b) const {
    if (gap == unknown) return unknown;
    const VectorOf<D> shift = seen.shift(a, b);
    const double opened = normal.isZero(0) ? -shift.norm() : normal.dot(shift);
    return gap + opened - seen.turned(reach_a, reach_b, a, b);
  }
};

// What is known of pairs whose surfaces take long to look at, as those of meshes do; of others it is not worth while,
// and nothing is kept.
template <int D>
class PairSights {
 public:
  using Pair = ContactPair<D>;
  explicit PairSights(ContactPairs<D>& pairs) : pairs_(pairs) {}
  PairSights(const PairSights&) = delete;
  PairSights& operator=(const PairSights&) = delete;

  // All fixed pairs are there.
  void start();
  // Pairs have new numbers.
  void renumber();
  void take_memory(const PairSights& other) { sights_ = other.sights_; }

  bool knows(int index) const { return !sights_.empty() && is_costly(pairs_.pairs()[index]); }
  // Whether the nearest point of a pair is always among those that are there.
  bool shows_nearest(const Pair& pair) const;
  // m, at least, of a pair that is known: by how its bodies have moved against each other since it was seen, or by
  // boxes, where that shows that it is more than `within`; else it may be anything.
  double gap(int index, const Bodies<D>& bodies, double within);
  // The nearest point of a pair at a state.
  void see(int index, const Bodies<D>& bodies, const ContactPoint<D>& nearest);
  // Whether a pair cannot overlap by more than the slack, m, where no contact point shows it: it is farther apart than
  // `apart`, or has moved by less than the slack since it was verified.
  bool is_verified(int index, const Bodies<D>& bodies, double apart, double slack);
  void verify(int index, const Bodies<D>& bodies);
  // Whether the last step left a pair overlapping.
  bool is_left(int index) const { return !sights_.empty() && sights_[index].is_left; }
  void leave(int index) { sights_[index].is_left = true, sights_[index].is_clear = false; }

 private:
  bool is_costly(const Pair& pair) const {
    return pair.kind->lie_deeper || (pair.kind->write && (pairs_.shape_a(pair).data || pairs_.shape_b(pair).data));
  }

  ContactPairs<D>& pairs_;
  std::vector<PairSight<D>> sights_, old_sights_;  // by pair
  std::vector<double> reaches_;                    // m, by shape; infinite without end
};

extern template class PairSights<2>;
extern template class PairSights<3>;

}  // namespace carom::inline contacts
