#pragma once

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contact_geometry/broad_phase.h"
#include "contact_geometry/pair.h"
#include "contacts/contact_state.h"
#include "contacts/feature_slots.h"
#include "contacts/search_memory.h"
#include "math/bodies.h"

// The geometry of contacts: which shapes can touch, and where they do.
//
// Pairs of shapes are gathered in groups, one for every joint with clearance and every [[pair]] of the model. The
// points of all pairs have consecutive numbers, by which everything else knows them: what a contact remembers is kept
// by these numbers, in the parts that act. A pair whose number of points varies lends its numbers to features, so that
// memory stays with pair and feature.
namespace carom::inline contacts {

// Two shapes that can touch.
template <int D>
struct ContactPair {
  const PairDescription<D>* kind = nullptr;
  int a = 0, b = 0;                 // shapes
  bool swapped = false;             // a belongs to the second of the two bodies named
  bool in_hole = false;             // a is a hole
  int group = 0, law = 0;           // the law is one of the method that acts
  int first_point = 0, points = 0;  // its numbers
  int memory = 0;                   // first number of search memory
  int features = -1;                // first of its slots that are lent to features; −1: its points are fixed
};

// Pairs that the model speaks of together.
struct PairGroup {
  std::string name = {};  // "joint:pin", "contact:ball-floor"
  bool allow_initial_penetration = false;
  bool changes = false;                       // its pairs come from the broad phase
  int first_pair = 0, pairs = 0, points = 0;  // of those that do not
};

// What two shapes do to each other when they meet.
template <int D>
struct Encounter {
  int group = -1, law = 0;  // −1: they do not touch
  const PairDescription<D>* kind = nullptr;
  bool swapped = false;  // the second shape comes first in the pair
};

// Shapes that are alike share a class, and what two shapes do to each other follows from their classes.
template <int D>
struct EncounterTable {
  int classes = 0;
  std::vector<int> class_of_shape;
  std::vector<Encounter<D>> encounters;  // square table by class

  Encounter<D>& of_classes(int a, int b) { return encounters[static_cast<std::size_t>(a) * classes + b]; }
  const Encounter<D>& at(int shape_a, int shape_b) const {
    return encounters[class_of_shape[shape_a] * classes + class_of_shape[shape_b]];
  }
};

template <int D>
class ContactPairs {
 public:
  using Vector = VectorOf<D>;
  using Pair = ContactPair<D>;

  ContactPairs() = default;
  ContactPairs(const ContactPairs&) = delete;
  ContactPairs& operator=(const ContactPairs&) = delete;

  // Building, before anything else. All return the number of what was added. A pair needs kind, shapes, group and law;
  // the rest is filled in. Pairs of groups that change are not added but follow from the table.
  int add_shape(Shape<D> shape);
  int add_group(PairGroup group);
  int add_pair(Pair pair);
  PairGroup& group(int index) { return groups_[index]; }
  void watch_neighbours(EncounterTable<D> table, double skin);
  // States are tried in any order, and contacts that remember something go on to other features by `refresh` alone.
  void hold_contacts() { holds_ = true; }

  const std::vector<Shape<D>>& shapes() const { return shapes_; }
  const Shape<D>& shape_a(const Pair& pair) const { return shapes_[pair.a]; }
  const Shape<D>& shape_b(const Pair& pair) const { return shapes_[pair.b]; }
  const std::vector<Pair>& pairs() const { return pairs_; }
  const std::vector<PairGroup>& groups() const { return groups_; }
  int pair_count() const { return static_cast<int>(pairs_.size()); }
  int point_count() const { return static_cast<int>(pair_of_point_.size()); }
  int group_count() const { return static_cast<int>(groups_.size()); }
  int pair_of(int point) const { return pair_of_point_[point]; }
  int group_of(int point) const { return pairs_[pair_of_point_[point]].group; }
  int law_of(int point) const { return pairs_[pair_of_point_[point]].law; }
  std::pair<int, int> bodies_of(int pair) const { return {shapes_[pairs_[pair].a].body, shapes_[pairs_[pair].b].body}; }
  // "joint:pin", "contact:ball/floor"; with the slot, or the features, where a pair has several points.
  std::string point_name(int point) const;

  // Pairs from the broad phase come after the fixed ones.
  bool change() const { return broad_phase_ != nullptr; }
  int fixed_pair_count() const { return broad_phase_ ? fixed_.pairs : pair_count(); }
  int fixed_point_count() const { return broad_phase_ ? fixed_.points : point_count(); }
  // Whether a contact that is held was shown at another feature than its own since the last refresh.
  bool slid() const { return slid_; }
  // Looks for pairs that have come near, and settles contacts that have slid; true when points have new numbers.
  bool refresh(const Bodies<D>& bodies);
  // The list of a step that starts here and takes no shape farther than `travel`, m.
  bool refresh_for(const Bodies<D>& bodies, double travel);
  // False when bodies have moved so far since the last refresh that near pairs may be missing.
  bool is_fresh(const Bodies<D>& bodies) const { return !broad_phase_ || !broad_phase_->needs_update(bodies); }
  // The pairs, and what searches and slots remember, of another one over the same shapes.
  void take_memory(const ContactPairs& other);
  // Calls carry(before, after) with the numbers of every pair that was there before the last refresh and is still,
  // fixed ones excepted; its first point had the number that `first_point_before` reports.
  template <typename Carry>
  void for_each_carried(const Carry& carry) const {
    for_each_kept(broad_phase_->previous_candidates(), broad_phase_->candidates(),
                  [&](std::size_t before, std::size_t after) {
                    carry(fixed_.pairs + static_cast<int>(before), fixed_.pairs + static_cast<int>(after));
                  });
  }
  int first_point_before(int pair) const { return old_pairs_[pair].first_point; }

  // All points of a pair, which stay there until the next call.
  const ContactPoint<D>* evaluate(const Pair& pair, const Bodies<D>& bodies) const {
    const BodyState<D>&a = bodies[shapes_[pair.a].body], &b = bodies[shapes_[pair.b].body];
    return pair.features >= 0 ? evaluate_manifold(pair, a, b, true) : evaluate_slots(pair, a, b);
  }
  // The same at another state of a step: points that come there get no number.
  const ContactPoint<D>* follow(const Pair& pair, const Bodies<D>& bodies) const {
    return follow(pair, bodies[shapes_[pair.a].body], bodies[shapes_[pair.b].body]);
  }
  const ContactPoint<D>* follow(const Pair& pair, const BodyState<D>& body_a, const BodyState<D>& body_b) const {
    return pair.features >= 0 ? evaluate_manifold(pair, body_a, body_b, false) : evaluate_slots(pair, body_a, body_b);
  }
  // Search memory of a pair.
  double* memory_of(const Pair& pair) const { return memory_.at(pair.memory); }
  // Calls visit(pair, k, contact) with all points k of the pairs of a group, in their order.
  template <typename Visit>
  void for_each_point(int group, const Bodies<D>& bodies, const Visit& visit) const {
    const PairGroup& own = groups_[group];
    const int first = own.changes ? fixed_.pairs : own.first_pair;
    const int last = own.changes ? pair_count() : own.first_pair + own.pairs;
    for (int p = first; p < last; ++p) {
      const Pair& pair = pairs_[p];
      if (pair.group != group) continue;
      const ContactPoint<D>* contact = evaluate(pair, bodies);
      for (int k = 0; k < pair.points; ++k) visit(pair, pair.first_point + k, contact[k]);
    }
  }
  // Gaps and their rates, for all points; nothing acts.
  void read(const Bodies<D>& bodies, ContactReading* readings) const;

  // Both bodies feel the force at one place: no couple is left over, and the slip there gives exactly the power of
  // friction. It lies halfway between the surfaces, or on the wall of the hole that the other body is in.
  static Vector place_of(const Pair& pair, const ContactPoint<D>& contact) {
    return pair.in_hole ? contact.point_a : Vector(0.5 * (contact.point_a + contact.point_b));
  }
  // m/s, of b against a, as if both reached the place.
  Vector relative_velocity(const Pair& pair, const Vector& place, const Bodies<D>& bodies) const {
    const BodyState<D>&a = bodies[shapes_[pair.a].body], &b = bodies[shapes_[pair.b].body];
    return b.velocity_at(place - b.position) - a.velocity_at(place - a.position);
  }

  // What meets at a point: the number of its slot where these are fixed; no_feature: nothing has ever been there.
  Feature feature_of_point(int point) const;
  // Whether the contact at a point remembers something, so that its number must stay with its features.
  void keep(int point, bool kept) {
    const Pair& pair = pairs_[pair_of_point_[point]];
    if (pair.features >= 0) features_[pair.features + point - pair.first_point].kept = kept;
  }
  bool features_vary() const { return !features_.empty(); }

  // m, smallest clearance of the holes, or size of the shapes: what a gap is to be compared with.
  double gap_scale() const;
  // m, by body: radius of the largest sphere that its smallest shape holds; infinity without such shapes.
  std::vector<double> smallest_shapes(int bodies) const;

 private:
  struct Counts {
    int pairs = 0, points = 0;
    std::ptrdiff_t features = 0;
  };

  const ContactPoint<D>* evaluate_slots(const Pair& pair, const BodyState<D>& body_a,
                                        const BodyState<D>& body_b) const {
    pair.kind->evaluate(shapes_[pair.a], shapes_[pair.b], body_a, body_b, contacts_.data(), memory_of(pair));
    return contacts_.data();
  }
  const ContactPoint<D>* evaluate_manifold(const Pair& pair, const BodyState<D>& body_a, const BodyState<D>& body_b,
                                           bool lends) const;
  void settle(const Bodies<D>& bodies);
  void keep_pressing(const Pair& pair, std::span<FeatureSlot> slots, const BodyState<D>& body_a,
                     const BodyState<D>& body_b) const;
  void take_candidates();
  void make_room(const PairDescription<D>& kind, int points);
  void make_room_for_encounters();
  int place_pair(Pair pair);
  int memory_size(const Pair& pair) const { return pair.kind->memory(shapes_[pair.a], shapes_[pair.b]); }
  void carry_over();

  std::vector<Shape<D>> shapes_;
  std::vector<PairGroup> groups_;
  std::vector<Pair> pairs_, old_pairs_;
  std::vector<int> pair_of_point_;

  std::unique_ptr<BroadPhase<D>> broad_phase_;
  EncounterTable<D> table_;
  Counts fixed_;
  bool remembers_ = false;        // there are pairs from the broad phase with search memory or features
  double moved_ = 0;              // m, since the list of near pairs was made
  mutable double gap_scale_ = 0;  // m; 0: not known for these pairs

  // Workspace of one pair; what searches remember; to which features slots are lent.
  mutable std::vector<ContactPoint<D>> contacts_;
  mutable ContactManifold<D> manifold_;
  mutable SearchMemory memory_;
  mutable std::vector<FeatureSlot> features_;
  mutable long evaluations_ = 0;  // of manifolds
  mutable bool slid_ = false;     // since the last refresh a contact was shown at another feature than its own
  bool holds_ = false;            // contacts that remember something
  std::vector<FeatureSlot> old_features_;
};

extern template class ContactPairs<2>;
extern template class ContactPairs<3>;

}  // namespace carom::inline contacts
