#include "contacts/feature_slots.h"

#include <algorithm>

namespace carom::inline contacts {
namespace {

FeatureSlot* find_feature(std::span<FeatureSlot> slots, Feature feature) {
  const auto found =
      std::find_if(slots.begin(), slots.end(), [&](const FeatureSlot& slot) { return slot.feature == feature; });
  return found == slots.end() ? nullptr : &*found;
}

// The slot of a contact that has slid to another feature; of several, one that remembers something.
FeatureSlot* find_predecessor(std::span<FeatureSlot> slots, Feature feature, long now) {
  FeatureSlot* best = nullptr;
  for (FeatureSlot& slot : slots) {
    if (slot.seen == now || slot.feature == no_feature || !have_same_lead(slot.feature, feature)) continue;
    if (!best || (slot.kept && !best->kept)) best = &slot;
  }
  return best;
}

// One never lent, for a point that is new at another state of a step: a search along a path sees it, and nothing is
// remembered.
FeatureSlot* find_spare(std::span<FeatureSlot> slots, long now) {
  for (FeatureSlot& slot : slots) {
    if (slot.feature == no_feature && slot.seen != now) return &slot;
  }
  return nullptr;
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

}  // namespace

template <int D>
void put_into_slots(const ContactManifold<D>& manifold, std::span<FeatureSlot> slots, long now, Binding binding,
                    ContactPoint<D>* points) {
  std::fill_n(points, slots.size(), ContactPoint<D>{});
  const auto put = [&](FeatureSlot& slot, int index) {
    slot.seen = now;
    points[&slot - slots.data()] = manifold.point(index);
  };
  bool all_known = true;
  for (int k = 0; k < manifold.size(); ++k) {
    FeatureSlot* slot = find_feature(slots, manifold.feature(k));
    if (slot) put(*slot, k);
    all_known = all_known && slot;
  }
  if (all_known) return;
  for (int k = 0; k < manifold.size(); ++k) {
    const Feature feature = manifold.feature(k);
    if (find_feature(slots, feature)) continue;
    FeatureSlot* slot = find_predecessor(slots, feature, now);
    if (!slot) slot = binding == Binding::lend ? find_unused(slots, feature, now) : find_spare(slots, now);
    if (!slot) continue;
    put(*slot, k);
    if (binding == Binding::lend) slot->feature = feature;
  }
}

template void put_into_slots<2>(const ContactManifold<2>&, std::span<FeatureSlot>, long, Binding, ContactPoint<2>*);
template void put_into_slots<3>(const ContactManifold<3>&, std::span<FeatureSlot>, long, Binding, ContactPoint<3>*);

}  // namespace carom::inline contacts
