#pragma once

#include <span>

#include "contact_geometry/manifold.h"

// What a contact remembers is kept in numbered slots. A pair with a fixed number of points has one for each; of a pair
// whose points come and go, the slots are lent to features.
namespace carom::inline contacts {

struct FeatureSlot {
  Feature feature = no_feature;
  long seen = -1;              // when the feature was last there
  bool kept = false;           // it remembers something: no other contact may have it
  Feature shown = no_feature;  // of a contact that has slid on and is not settled there: the feature where it was last
};

// A manifold has at most so many points, and as many contacts may remember something without being there now.
constexpr int slots_for(int most_points) {
  return 2 * most_points;
}

struct Binding {
  // Features that have no slot get one. Otherwise, at other states of the same step, contacts that were found are only
  // followed; what else comes near there is shown in a slot that remembers nothing, so that no search passes it by, and
  // the slot stays with its own feature.
  bool lends = true;
  // Where states are tried in any order, contacts that remember something are held: each is shown where it presses, at
  // its own feature or at one that it slides on to, and settles there at the end of the step. So it does not matter
  // which states were tried.
  bool holds = false;
};

// See PairDescription.
using SlidesOn = bool (*)(Feature from, Feature to);

// Writes the points of a manifold to the slots of their features, and "no such point" to the others. `now` is greater
// than at any earlier call. A new feature gets, in this order: the slot of a feature that slides on to it and is
// not there any more, so that a contact that slides to the next face keeps its memory; the slot of its own number; one
// never lent; the one that has not been seen for longest, first among those that remember nothing. True where a contact
// that is held is shown at another feature than its own.
template <int D>
bool put_into_slots(const ContactManifold<D>& manifold, std::span<FeatureSlot> slots, long now, Binding binding,
                    ContactPoint<D>* points, SlidesOn slides_on = have_same_lead);

// Contacts that were shown at other features than their own at `now`, the last call, stay there from then on.
void settle_slots(std::span<FeatureSlot> slots, long now);

}  // namespace carom::inline contacts
