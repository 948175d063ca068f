#include "contacts/feature_slots.h"

#include <vector>

#include <gtest/gtest.h>

namespace carom {
namespace {

constexpr Binding lend{}, follow{.lends = false}, hold{.holds = true}, follow_held{.lends = false, .holds = true};

class Slots {
 public:
  explicit Slots(int count) : slots(count), points(count) {}

  // Writes points whose gaps tell them apart.
  void show(const std::vector<std::pair<Feature, double>>& there, Binding binding = lend) {
    ContactManifold<2> manifold(static_cast<int>(there.size()));
    for (const auto& [feature, gap] : there) manifold.add(feature, {.gap = gap});
    put_into_slots<2>(manifold, slots, ++now_, binding, points.data());
  }
  void settle() { settle_slots(slots, now_); }
  // −1: no slot holds this gap.
  int slot_with(double gap) const {
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (points[k].gap == gap) return static_cast<int>(k);
    }
    return -1;
  }
  int present() const {
    return static_cast<int>(
        std::count_if(points.begin(), points.end(), [](const auto& point) { return std::isfinite(point.gap); }));
  }

  std::vector<FeatureSlot> slots;
  std::vector<ContactPoint<2>> points;

 private:
  long now_ = 0;
};

// Fixed slots are the special case in which every feature has the slot of its own number, whichever comes first.
TEST(FeatureSlots, NumbersOfSlotsAreTheirOwnFeatures) {
  Slots slots(4);
  slots.show({{feature_of_slot(3), 0.3}});
  slots.show({{feature_of_slot(1), 0.1}, {feature_of_slot(2), 0.2}});
  slots.show({{feature_of_slot(0), 0.0}, {feature_of_slot(2), 0.2}, {feature_of_slot(3), 0.3}});
  EXPECT_EQ(slots.slot_with(0.0), 0);
  EXPECT_EQ(slots.slot_with(0.2), 2);
  EXPECT_EQ(slots.slot_with(0.3), 3);
  EXPECT_EQ(slots.present(), 3);
}

TEST(FeatureSlots, AFeatureThatComesBackFindsItsSlot) {
  Slots slots(slots_for(2));
  slots.show({{feature_of(5, 1), 0.5}, {feature_of(6, 1), 0.6}});
  const int five = slots.slot_with(0.5), six = slots.slot_with(0.6);
  slots.show({{feature_of(6, 1), 0.61}});
  EXPECT_EQ(slots.slot_with(0.61), six);
  EXPECT_EQ(slots.present(), 1);
  slots.show({{feature_of(6, 1), 0.62}, {feature_of(5, 1), 0.52}});  // in another order
  EXPECT_EQ(slots.slot_with(0.52), five);
  EXPECT_EQ(slots.slot_with(0.62), six);
}

TEST(FeatureSlots, AVertexThatSlidesToTheNextFaceKeepsItsSlot) {
  Slots slots(slots_for(2));
  slots.show({{feature_of(7, 12), 0.7}, {feature_of(8, 12), 0.8}});
  const int seven = slots.slot_with(0.7), eight = slots.slot_with(0.8);
  slots.slots[seven].kept = true;
  slots.show({{feature_of(8, 12), 0.81}, {feature_of(7, 13), 0.71}});
  EXPECT_EQ(slots.slot_with(0.71), seven);
  EXPECT_EQ(slots.slot_with(0.81), eight);
  EXPECT_EQ(slots.slots[seven].feature, feature_of(7, 13));
  EXPECT_TRUE(slots.slots[seven].kept);
  // Another vertex on the same face is another contact.
  slots.show({{feature_of(9, 13), 0.9}});
  EXPECT_NE(slots.slot_with(0.9), seven);
  // A feature that is there itself does not give its slot away.
  slots.show({{feature_of(7, 14), 0.74}, {feature_of(7, 13), 0.73}});
  EXPECT_EQ(slots.slot_with(0.73), seven);
  EXPECT_NE(slots.slot_with(0.74), seven);
  EXPECT_EQ(slots.present(), 2);
}

// As many contacts may remember something as a manifold has points, and still every new one finds a slot.
TEST(FeatureSlots, WhatRemembersStaysAndTheOldestOfTheOthersGoes) {
  Slots slots(slots_for(2));
  slots.show({{feature_of(1, 0), 0.1}, {feature_of(2, 0), 0.2}});
  const int one = slots.slot_with(0.1), two = slots.slot_with(0.2);
  slots.slots[one].kept = slots.slots[two].kept = true;
  for (int vertex = 3; vertex < 20; ++vertex) {
    slots.show({{feature_of(vertex, 0), 0.3}, {feature_of(vertex + 1, 0), 0.4}});
    EXPECT_EQ(slots.present(), 2) << vertex;
    EXPECT_EQ(slots.slots[one].feature, feature_of(1, 0));
    EXPECT_EQ(slots.slots[two].feature, feature_of(2, 0));
  }
  slots.show({{feature_of(1, 0), 0.1}, {feature_of(2, 0), 0.2}});
  EXPECT_EQ(slots.slot_with(0.1), one);
  EXPECT_EQ(slots.slot_with(0.2), two);
}

TEST(FeatureSlots, FollowingLendsNothing) {
  Slots slots(slots_for(1));
  slots.show({{feature_of(1, 4), 0.1}});
  const int one = slots.slot_with(0.1);
  slots.show({{feature_of(1, 5), 0.15}}, follow);
  EXPECT_EQ(slots.slot_with(0.15), one);
  EXPECT_EQ(slots.slots[one].feature, feature_of(1, 4));
  // A stranger is a guest in the slot that it would get.
  slots.show({{feature_of(2, 4), 0.2}}, follow);
  EXPECT_EQ(slots.present(), 1);
  const int guest = slots.slot_with(0.2);
  EXPECT_NE(guest, one);
  EXPECT_EQ(slots.slots[guest].feature, no_feature);
  EXPECT_EQ(slots.slots[one].feature, feature_of(1, 4));
  slots.show({{feature_of(2, 4), 0.2}});
  EXPECT_EQ(slots.slot_with(0.2), guest);
}

// Whatever states are tried within a step, a contact that presses is where its lead is, and it is told so at the end.
TEST(FeatureSlots, HeldContactsGoOnAtTheEndOfAStepAlone) {
  Slots slots(slots_for(2));
  slots.show({{feature_of(7, 12), -0.7}}, hold);
  const int seven = slots.slot_with(-0.7);
  slots.slots[seven].kept = true;
  // Tried: it is on the next face, then on both, then on the next one again.
  slots.show({{feature_of(7, 13), -0.71}}, hold);
  EXPECT_EQ(slots.slot_with(-0.71), seven);
  slots.show({{feature_of(7, 13), -0.72}, {feature_of(7, 12), -0.73}}, hold);
  EXPECT_EQ(slots.slot_with(-0.73), seven);
  EXPECT_NE(slots.slot_with(-0.72), seven);
  slots.show({{feature_of(7, 13), -0.735}, {feature_of(7, 14), 0.1}}, follow_held);
  EXPECT_EQ(slots.slot_with(-0.735), seven);
  slots.show({{feature_of(7, 13), -0.74}}, hold);
  EXPECT_EQ(slots.slot_with(-0.74), seven);
  EXPECT_EQ(slots.present(), 1);
  EXPECT_EQ(slots.slots[seven].feature, feature_of(7, 12));
  slots.settle();
  EXPECT_EQ(slots.slots[seven].feature, feature_of(7, 13));
  // Back over the edge, the same way.
  slots.show({{feature_of(7, 12), -0.75}}, hold);
  EXPECT_EQ(slots.slot_with(-0.75), seven);
  slots.settle();
  EXPECT_EQ(slots.slots[seven].feature, feature_of(7, 12));
}

// What comes near another face is another contact until it presses there.
TEST(FeatureSlots, AHeldContactDoesNotGoToWhereNothingPresses) {
  Slots slots(slots_for(2));
  slots.show({{feature_of(7, 12), -0.7}, {feature_of(7, 13), 0.2}}, hold);
  const int seven = slots.slot_with(-0.7), other = slots.slot_with(0.2);
  slots.slots[seven].kept = true;
  slots.show({{feature_of(7, 13), 0.1}}, hold);
  EXPECT_EQ(slots.slot_with(0.1), other);
  EXPECT_EQ(slots.present(), 1);
  slots.settle();
  EXPECT_EQ(slots.slots[seven].feature, feature_of(7, 12));
}

}  // namespace
}  // namespace carom
