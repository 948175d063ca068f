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

// The slot of a contact that has slid to another feature; of several, one that remembers something.
FeatureSlot* find_predecessor(std::span<FeatureSlot> slots, Feature feature, long now, SlidesOn slides_on) {
  FeatureSlot* best = nullptr;
  for (FeatureSlot& slot : slots) {
    if (slot.seen == now || slot.feature == no_feature || !slides_on(slot.feature, feature)) continue;
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

// A contact that has slid on to a feature which has a slot of its own since another state was tried: it is shown there
// as long as it presses, and the other slot shows nothing.
template <int D>
bool take_over(std::span<FeatureSlot> slots, long now, ContactPoint<D>* points, SlidesOn slides_on) {
  bool taken = false;
  for (FeatureSlot& slot : slots) {
    if (!slot.kept || slot.seen == now) continue;
    for (FeatureSlot& next : slots) {
      ContactPoint<D>& point = points[&next - slots.data()];
      if (next.kept || next.seen != now || !slides_on(slot.feature, next.feature) || !(point.gap < 0)) continue;
      points[&slot - slots.data()] = point;
      point = {};
      slot.seen = now, slot.shown = next.feature;
      next.seen = now - 1;
      taken = true;
      break;
    }
  }
  return taken;
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
  bool all_known = true, slid = false;
  for (int k = 0; k < manifold.size(); ++k) {
    FeatureSlot* slot = find_feature(slots, manifold.feature(k));
    if (slot) put(*slot, k);
    all_known = all_known && slot;
  }
  for (int k = 0; k < manifold.size() && !all_known; ++k) {
    const Feature feature = manifold.feature(k);
    if (find_feature(slots, feature)) continue;
    FeatureSlot* slot = find_predecessor(slots, feature, now, slides_on);
    const bool held = slot && slot->kept && binding == Binding::hold;
    if (!slot && binding != Binding::follow) slot = find_unused(slots, feature, now);
    if (!slot) {
      FeatureSlot* const room = find_guest_room<D>(slots, feature, now, points);
      if (room) points[room - slots.data()] = manifold.point(k);
      continue;
    }
    put(*slot, k);
    if (held) slot->shown = feature, slid = true;
    if (binding != Binding::follow && !held) slot->feature = feature;
  }
  return (binding == Binding::hold && take_over<D>(slots, now, points, slides_on)) || slid;
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
