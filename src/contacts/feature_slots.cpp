#include "contacts/feature_slots.h"

#include <algorithm>
#include <cmath>

namespace carom::inline contacts {
namespace {

FeatureSlot* find_feature(std::span<FeatureSlot> slots, Feature feature) {
  const auto found =
      std::find_if(slots.begin(), slots.end(), [&](const FeatureSlot& slot) { return slot.feature == feature; });
  return found == slots.end() ? nullptr : &*found;
}

// The slot of a contact that has slid to another feature; of several, one that remembers something, unless these are
// held.
FeatureSlot* find_predecessor(std::span<FeatureSlot> slots, Feature feature, long now, bool holds, SlidesOn slides_on) {
  FeatureSlot* best = nullptr;
  for (FeatureSlot& slot : slots) {
    if (slot.seen == now || slot.feature == no_feature || !slides_on(slot.feature, feature)) continue;
    if (slot.kept && holds) continue;
    if (!best || (slot.kept && !best->kept)) best = &slot;
  }
  return best;
}

FeatureSlot* find_unused(std::span<FeatureSlot> slots, Feature feature, long now) {
  if (feature < slots.size() && slots[feature].feature == no_feature) return &slots[feature];
  if (FeatureSlot* fresh = find_feature(slots, no_feature)) return fresh;
  FeatureSlot* best = nullptr;
  for (FeatureSlot& slot : slots) {
    if (slot.seen == now) continue;
    if (!best || (best->kept && !slot.kept) || (best->kept == slot.kept && slot.seen < best->seen)) best = &slot;
  }
  return best;
}

// The one that `find_unused` would lend, without lending it: points say which are taken already.
template <int D>
FeatureSlot* find_guest_room(std::span<FeatureSlot> slots, Feature feature, long now, const ContactPoint<D>* points) {
  const auto taken = [&](const FeatureSlot& slot) {
    return slot.seen == now || std::isfinite(points[&slot - slots.data()].gap);
  };
  if (feature < slots.size() && slots[feature].feature == no_feature && !taken(slots[feature])) return &slots[feature];
  FeatureSlot* best = nullptr;
  for (FeatureSlot& slot : slots) {
    if (taken(slot) || slot.kept) continue;
    if (slot.feature == no_feature) return &slot;
    if (!best || slot.seen < best->seen) best = &slot;
  }
  return best;
}

bool is_shown_elsewhere(std::span<const FeatureSlot> slots, Feature feature, long now) {
  return std::any_of(slots.begin(), slots.end(),
                     [&](const FeatureSlot& slot) { return slot.seen == now && slot.shown == feature; });
}

// Contacts that are held and not at their own features any more: each at the deepest of those that it slides on to and
// that no other contact holds.
template <int D>
bool show_where_held_press(const ContactManifold<D>& manifold, std::span<FeatureSlot> slots, long now,
                           ContactPoint<D>* points, SlidesOn slides_on) {
  bool slid = false;
  for (FeatureSlot& slot : slots) {
    if (!slot.kept || slot.seen == now) continue;
    int next = -1;
    double deepest = 0;
    for (int k = 0; k < manifold.size(); ++k) {
      const Feature feature = manifold.feature(k);
      if (!(manifold.point(k).gap < deepest) || !slides_on(slot.feature, feature)) continue;
      const FeatureSlot* const own = find_feature(slots, feature);
      if ((own && own->kept) || is_shown_elsewhere(slots, feature, now)) continue;
      next = k, deepest = manifold.point(k).gap;
    }
    if (next < 0) continue;
    if (FeatureSlot* const own = find_feature(slots, manifold.feature(next))) points[own - slots.data()] = {};
    points[&slot - slots.data()] = manifold.point(next);
    slot.seen = now, slot.shown = manifold.feature(next);
    slid = true;
  }
  return slid;
}

}  // namespace

template <int D>
bool put_into_slots(const ContactManifold<D>& manifold, std::span<FeatureSlot> slots, long now, Binding binding,
                    ContactPoint<D>* points, SlidesOn slides_on) {
  std::fill_n(points, slots.size(), ContactPoint<D>{});
  const auto put = [&](FeatureSlot& slot, int index) {
    slot.seen = now;
    slot.shown = no_feature;
    points[&slot - slots.data()] = manifold.point(index);
  };
  bool all_known = true;
  for (int k = 0; k < manifold.size(); ++k) {
    FeatureSlot* slot = find_feature(slots, manifold.feature(k));
    if (slot) put(*slot, k);
    all_known = all_known && slot;
  }
  const bool slid = binding.holds && show_where_held_press<D>(manifold, slots, now, points, slides_on);
  if (all_known) return slid;
  for (int k = 0; k < manifold.size(); ++k) {
    const Feature feature = manifold.feature(k);
    if (find_feature(slots, feature) || (slid && is_shown_elsewhere(slots, feature, now))) continue;
    FeatureSlot* slot = find_predecessor(slots, feature, now, binding.holds, slides_on);
    if (!slot && binding.lends) slot = find_unused(slots, feature, now);
    if (!slot) {
      FeatureSlot* const room = find_guest_room<D>(slots, feature, now, points);
      if (room) points[room - slots.data()] = manifold.point(k);
      continue;
    }
    put(*slot, k);
    if (binding.lends) slot->feature = feature;
  }
  return slid;
}

void settle_slots(std::span<FeatureSlot> slots, long now) {
  for (FeatureSlot& slot : slots) {
    if (!slot.kept || slot.seen != now || slot.shown == no_feature) continue;
    if (FeatureSlot* const other = find_feature(slots, slot.shown)) other->feature = no_feature;
    slot.feature = slot.shown;
    slot.shown = no_feature;
  }
}

template bool put_into_slots<2>(const ContactManifold<2>&, std::span<FeatureSlot>, long, Binding, ContactPoint<2>*,
                                SlidesOn);
template bool put_into_slots<3>(const ContactManifold<3>&, std::span<FeatureSlot>, long, Binding, ContactPoint<3>*,
                                SlidesOn);

}  // namespace carom::inline contacts
