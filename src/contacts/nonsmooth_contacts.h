#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "contacts/body_ways.h"
#include "contacts/contact_pairs.h"
#include "contacts/crossed_pair.h"
#include "contacts/nonsmooth_contact.h"

// Nonsmooth contact, of rigid bodies by impulses: kinematics of the points, and what every contact remembers.
namespace carom::inline contacts {

template <int D>
class StartSearch;
template <int D>
class PairSights;

template <int D>
class NonsmoothContacts {
  static constexpr double never = -std::numeric_limits<double>::infinity();

 public:
  using Pair = ContactPair<D>;

  explicit NonsmoothContacts(ContactPairs<D>& pairs);
  ~NonsmoothContacts();
  NonsmoothContacts(const NonsmoothContacts&) = delete;
  NonsmoothContacts& operator=(const NonsmoothContacts&) = delete;

  // Building. The law of a pair is its number here.
  int add_law(const NonsmoothLaw& law);
  // All fixed pairs are there.
  void start();

  const NonsmoothLaw& law(int index) const { return laws_[index]; }
  // All points with a gap of at most `within`, sorted by point. Pairs whose bodies have not moved as far as they were
  // apart are not looked at.
  void find(const Bodies<D>& bodies, double within, std::vector<NonsmoothContact<D>>& contacts);
  // The same contacts, sorted by point, at another state.
  void update(const Bodies<D>& bodies, std::vector<NonsmoothContact<D>>& contacts) const;
  // Pairs that the path of a step crosses (crossed_pairs.cpp); unless `grazes`, not those with meshes that overlap on
  // the way alone, by a small part of their thickness.
  void find_crossed(StartSearch<D>& search, const Bodies<D>& end, double within, bool closed, bool grazes);
  // Their points with a gap of at most `within` as they are, not across the direction in which they met first.
  void find_crossed_as_they_are(const Bodies<D>& bodies, double within,
                                std::vector<NonsmoothContact<D>>& contacts) const;
  // Whether a path that ends where nothing overlaps crosses a pair all the same; −1: none, else one of its points.
  int find_passed(StartSearch<D>& search, const Bodies<D>& end, double within);
  // Pairs of shapes of which a part of one is deeper in the other than `depth`, m, at `end`, whatever their contact
  // points show, and was not at `start`. Looked at are those that have moved by more than a small part of their size
  // since they were last found clear. The place where such a pair is deepest may be taken as a contact beside its
  // others, until paths are looked at again, where it says by which way they come apart. Pairs that stay so have such a
  // contact from the start in the next step.
  FoundOverlap find_overlapping(const Bodies<D>& start, const Bodies<D>& end, const OverlapSearch& search);
  void forget_crossed() { crossed_.clear(); }
  int crossed_count() const {
    return static_cast<int>(
        std::count_if(crossed_.begin(), crossed_.end(), [](const CrossedPair<D>& each) { return !each.besides; }));
  }
  // m, of the shapes that another one could pass through; infinite where all pairs are with half spaces and holes.
  double thinnest() const { return thinnest_; }
  // None: the point is not one of a round body in a round hole.
  std::optional<NonsmoothClearance<D>> clearance(int point, const Bodies<D>& bodies) const;
  // A part in a hole, or a ball of a bearing on a race.
  bool is_enclosed(int point) const;
  // A round body about its mass centre on a plane of the ground: the directions of its forces never change.
  bool keeps_direction(int point) const;

  NonsmoothMemory<D>& memory(int point) { return memories_[point]; }
  const NonsmoothMemory<D>& memory(int point) const { return memories_[point]; }
  // Whether the contact at a point was closed in the last step.
  bool is_closed(int point) const {
    return memories_[point].step == step_ && memories_[point].status != NonsmoothStatus::open;
  }
  // Contacts of the step that ends are noted after this.
  void begin_step() { ++step_; }
  long step() const { return step_; }
  // Before a step: the numbers of what the last step took note of stay with their features.
  void keep_memories();
  // Points have new numbers: what is remembered goes with the pairs.
  void renumber();
  // What the contacts of another one of the same model remember.
  void take_memory(const NonsmoothContacts& other);
  // Impulses since the last record.
  void forget_recent();

 private:
  void count_ways(const Bodies<D>& bodies);
  // Whether all pairs that may have a gap of at most `within` are among the near ones.
  bool knows_near(double within) const;
  void look_at_all(const Bodies<D>& bodies, double within, std::vector<NonsmoothContact<D>>& contacts);
  // m, by how much the ways of its bodies may grow before the pair may have a gap of 0.
  double look_at(int index, const Bodies<D>& bodies, double within, std::vector<NonsmoothContact<D>>& contacts);
  // All of a pair; the first one, null if there is none; and the one at a point.
  std::span<const CrossedPair<D>> crossings(int pair) const;
  const CrossedPair<D>* crossed(int pair) const;
  const CrossedPair<D>* crossing_at(int pair, int point) const;
  int find_spare_point(int pair, const Bodies<D>& bodies);
  bool add_dive(int index, const Bodies<D>& end, double depth);
  bool may_overlap(int index, const Bodies<D>& end) const;
  bool lasts(const Pair& pair) const;
  std::optional<CrossedPair<D>> crossing(int index, StartSearch<D>& search, const Bodies<D>& end, double within,
                                         double share);
  NonsmoothContact<D> contact_at(const Pair& pair, int point, const ContactPoint<D>& contact,
                                 const Bodies<D>& bodies) const;

  ContactPairs<D>& pairs_;
  std::vector<NonsmoothLaw> laws_;
  std::vector<NonsmoothMemory<D>> memories_, old_memories_;  // by point
  // m, by pair: way of its two bodies together up to which it surely stays open.
  std::vector<double> open_until_, old_open_until_;
  // Of pairs that take long to look at: where they were seen last, and were clear of overlaps that contact points need
  // not show.
  std::unique_ptr<PairSights<D>> sights_;
  bool any_verified_ = false;  // pairs that are looked at so
  BodyWays<D> ways_;
  // Pairs that were no farther apart than the reach when all were looked at; the others need no look until bodies have
  // gone half of it.
  std::vector<int> near_;
  double near_reach_ = never, near_since_ = 0;  // m; the way of bodies at that time
  double stride_ = 0, widest_ = 0;              // m: longest way between two looks, widest gap that was asked for
  double thinnest_ = 0;                         // m, of the shapes that another one could pass through
  std::vector<CrossedPair<D>> crossed_;         // by pair
  long step_ = 0;
};

extern template class NonsmoothContacts<2>;
extern template class NonsmoothContacts<3>;

}  // namespace carom::inline contacts
