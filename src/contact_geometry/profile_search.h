#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "contact_geometry/shape.h"

// What the searches for contacts on profiles share: root finding along one profile, and slots that follow the roots
// from call to call.
namespace carom::inline contact_geometry {

inline constexpr int most_profile_slots = 8;

// Slots of a profile against a shape that is convex and has one contact with a convex profile.
inline int slots_of_profile(const Profile& profile) {
  return profile.is_convex() ? 1 : std::min(most_profile_slots, 2 * static_cast<int>(profile.pieces().size()));
}

// The root of `along` between two parameters, with its values there.
template <typename Along, typename Slope>
double nearest_between(const Profile& profile, double low, double high, double above, double below, Along along,
                       Slope slope) {
  double s = low + (high - low) * above / (above - below);
  for (int iteration = 0; iteration < 60; ++iteration) {
    const CurvePoint point = profile.at(s);
    const double value = along(point), newton = s - value / slope(point);
    // Before the bracket is asked: where Newton's method has settled, rounding may put it outside.
    if (std::abs(newton - s) <= 1e-15 * profile.end()) break;
    (value > 0 ? low : high) = s;
    s = newton > low && newton < high ? newton : (low + high) / 2;
  }
  return s;
}

// Calls visit(s) where `along`, a function of a CurvePoint, passes from + to − along the profile: there the other shape
// is at a least distance. `along` is compared at the samples first, so roots closer than two samples are not reported
// apart; `slope` is its derivative by the parameter. Where `counts`, a function of the samples before and after, is
// false, nothing is looked for.
template <typename Along, typename Slope, typename Counts, typename Visit>
void for_each_nearest(const Profile& profile, Along along, Slope slope, Counts counts, Visit visit) {
  const auto samples = profile.samples();
  for (const Profile::Piece& piece : profile.pieces()) {
    double before = along(CurvePoint{samples[piece.first].position, samples[piece.first].tangent, {}});
    for (std::size_t k = piece.first; k < piece.last; ++k) {
      const double here = before;
      before = along(CurvePoint{samples[k + 1].position, samples[k + 1].tangent, {}});
      if (!(here > 0 && before <= 0)) continue;
      if (!counts(samples[k], samples[k + 1])) continue;
      const double s = nearest_between(profile, samples[k].s, samples[k + 1].s, here, before, along, slope);
      visit(profile.wrapped(s));
    }
  }
}

// Contacts found in one call, and the slots they go to. Memory of a slot: 1 when in use, then the parameter.
class ProfileSlots {
 public:
  struct Found {
    double s;
    ContactPoint<2> contact;
  };

  // Where there is no room for all, the nearest ones stay.
  void add(double s, const ContactPoint<2>& contact) {
    if (count_ < found_.size()) {
      found_[count_++] = {s, contact};
      return;
    }
    const auto farthest = std::max_element(found_.begin(), found_.end(), is_nearer);
    if (contact.gap < farthest->contact.gap) *farthest = {s, contact};
  }

  // With one slot, the contact of least depth or greatest distance stays: on a convex profile the others lie behind it.
  void fill(const Profile& profile, int slots, ContactPoint<2>* points, double* memory) {
    std::fill_n(points, slots, ContactPoint<2>{});
    if (slots == 1) {
      const auto best = std::max_element(found_.begin(), found_.begin() + count_, is_nearer);
      if (count_ > 0) points[0] = best->contact;
      return;
    }
    if (count_ > static_cast<std::size_t>(slots)) {
      std::nth_element(found_.begin(), found_.begin() + slots, found_.begin() + count_, is_nearer);
      count_ = slots;
    }
    std::array<bool, 2 * most_profile_slots> placed{};
    std::array<bool, most_profile_slots> used{};
    const auto put = [&](std::size_t k, int slot) {
      points[slot] = found_[k].contact;
      memory[2 * slot] = 1;
      memory[2 * slot + 1] = found_[k].s;
      placed[k] = used[slot] = true;
    };
    // The nearest of all goes first: where a minimum has vanished, its slot must not take that of another one.
    for (bool moved = true; moved;) {
      moved = false;
      std::size_t nearest = 0;
      int chosen = 0;
      double least = profile.end() / 20;
      for (int slot = 0; slot < slots; ++slot) {
        if (memory[2 * slot] == 0 || used[slot]) continue;
        for (std::size_t k = 0; k < count_; ++k) {
          double off = std::abs(found_[k].s - memory[2 * slot + 1]);
          if (profile.is_closed()) off = std::min(off, profile.end() - off);
          if (placed[k] || off >= least) continue;
          least = off, nearest = k, chosen = slot;
          moved = true;
        }
      }
      if (moved) put(nearest, chosen);
    }
    int free = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      if (placed[k]) continue;
      while (free < slots && used[free]) ++free;
      if (free == slots) break;
      put(k, free);
    }
    for (int slot = 0; slot < slots; ++slot) {
      if (!used[slot]) memory[2 * slot] = 0;
    }
  }

 private:
  static bool is_nearer(const Found& a, const Found& b) { return a.contact.gap < b.contact.gap; }

  std::array<Found, 2 * most_profile_slots> found_;
  std::size_t count_ = 0;
};

inline int memory_of_profile(const Profile& profile) {
  return 2 * slots_of_profile(profile);
}

// As the descriptions of pairs with one profile, which comes first, have it.
inline int points_of_first(const Shape<2>& shape, const Shape<2>&) {
  return slots_of_profile(*shape.profile);
}
inline int memory_of_first(const Shape<2>& shape, const Shape<2>&) {
  return memory_of_profile(*shape.profile);
}

inline Eigen::Vector2d outward_of(const Eigen::Vector2d& tangent) {
  return Eigen::Vector2d(tangent.y(), -tangent.x()).normalized();
}

}  // namespace carom::inline contact_geometry
