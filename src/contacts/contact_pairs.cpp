#include "contacts/contact_pairs.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "contact_geometry/separation.h"
#include "model/contact_names.h"

namespace carom::inline contacts {
namespace {

constexpr int no_block = -1;  // of search memory, yet

}  // namespace

template <int D>
int ContactPairs<D>::add_shape(Shape<D> shape) {
  shapes_.push_back(std::move(shape));
  gap_scale_ = 0;
  return static_cast<int>(shapes_.size()) - 1;
}

template <int D>
int ContactPairs<D>::add_group(PairGroup group) {
  group.first_pair = pair_count();
  groups_.push_back(std::move(group));
  return group_count() - 1;
}

template <int D>
void ContactPairs<D>::make_room(const PairDescription<D>& kind, int points) {
  if (kind.write) manifold_.reserve(points);
  const std::size_t slots = kind.write ? slots_for(points) : points;
  if (contacts_.size() < slots) contacts_.resize(slots);
}

template <int D>
int ContactPairs<D>::add_pair(Pair pair) {
  pair.memory = memory_.take(memory_size(pair));
  return place_pair(pair);
}

template <int D>
int ContactPairs<D>::place_pair(Pair pair) {
  const Shape<D>&a = shapes_[pair.a], &b = shapes_[pair.b];
  pair.in_hole = pair.kind->clearance != nullptr;
  if (pair.in_hole) gap_scale_ = 0;
  pair.first_point = point_count();
  pair.points = pair.kind->points(a, b);
  if (!broad_phase_) make_room(*pair.kind, pair.points);
  if (pair.kind->write) {
    pair.points = slots_for(pair.points);
    pair.features = static_cast<int>(features_.size());
    features_.resize(features_.size() + pair.points);
  }
  pair_of_point_.resize(pair_of_point_.size() + pair.points, pair_count());
  pairs_.push_back(pair);
  return pair_count() - 1;
}

template <int D>
void ContactPairs<D>::watch_neighbours(EncounterTable<D> table, double skin) {
  table_ = std::move(table);
  fixed_ = {pair_count(), point_count(), std::ssize(features_)};
  make_room_for_encounters();
  broad_phase_ = std::make_unique<BroadPhase<D>>(shapes_, skin, [this](const Shape<D>& a, const Shape<D>& b) {
    const Shape<D>* first = broad_phase_->shapes().data();
    return table_.at(static_cast<int>(&a - first), static_cast<int>(&b - first)).group >= 0;
  });
}

template <int D>
void ContactPairs<D>::make_room_for_encounters() {
  std::vector<int> examples(table_.classes, -1);
  for (std::size_t k = 0; k < shapes_.size(); ++k) examples[table_.class_of_shape[k]] = static_cast<int>(k);
  for (const int a : examples) {
    for (const int b : examples) {
      if (a < 0 || b < 0 || table_.at(a, b).group < 0) continue;
      const Encounter<D>& meeting = table_.at(a, b);
      const Shape<D>&first = shapes_[meeting.swapped ? b : a], &second = shapes_[meeting.swapped ? a : b];
      make_room(*meeting.kind, meeting.kind->points(first, second));
    }
  }
}

template <int D>
std::string ContactPairs<D>::point_name(int point) const {
  const Pair& pair = pairs_[pair_of(point)];
  const PairGroup& group = groups_[pair.group];
  std::string name = group.name;
  if (group.points > pair.points) name += shapes_in_name(shapes_[pair.b].name, shapes_[pair.a].name);
  const Feature feature = feature_of_point(point);
  if (feature >> 32 != 0 && feature != no_feature) {
    name += features_in_name(feature >> 32, (feature & 0xffffffff) + 1);
  } else if (pair.points > 1) {
    name += point_in_name(point - pair.first_point + 1);
  }
  return name;
}

template <int D>
Feature ContactPairs<D>::feature_of_point(int point) const {
  const Pair& pair = pairs_[pair_of(point)];
  const int slot = point - pair.first_point;
  return pair.features >= 0 ? features_[pair.features + slot].feature : feature_of_slot(slot);
}

template <int D>
const ContactPoint<D>* ContactPairs<D>::evaluate_manifold(const Pair& pair, const BodyState<D>& body_a,
                                                          const BodyState<D>& body_b, bool lends) const {
  manifold_.clear();
  pair.kind->write(shapes_[pair.a], shapes_[pair.b], body_a, body_b, manifold_, memory_of(pair));
  const std::span<FeatureSlot> slots(features_.data() + pair.features, pair.points);
  if (put_into_slots<D>(manifold_, slots, ++evaluations_, {lends, holds_}, contacts_.data(), pair.kind->slides_on))
    slid_ = true;
  if (pair.kind->point_of) keep_pressing(pair, slots, body_a, body_b);
  return contacts_.data();
}

// What `write` does not name any more, and is closed.
template <int D>
void ContactPairs<D>::keep_pressing(const Pair& pair, std::span<FeatureSlot> slots, const BodyState<D>& body_a,
                                    const BodyState<D>& body_b) const {
  for (std::size_t k = 0; k < slots.size(); ++k) {
    if (!slots[k].kept || std::isfinite(contacts_[k].gap)) continue;
    contacts_[k] = pair.kind->point_of(shapes_[pair.a], shapes_[pair.b], body_a, body_b, slots[k].feature);
    slots[k].seen = evaluations_;
  }
}

// Where contacts are that have slid in the step.
template <int D>
void ContactPairs<D>::settle(const Bodies<D>& bodies) {
  if (!slid_) return;
  for (const Pair& pair : pairs_) {
    if (pair.features < 0) continue;
    evaluate(pair, bodies);
    settle_slots({features_.data() + pair.features, static_cast<std::size_t>(pair.points)}, evaluations_);
  }
  slid_ = false;
}

template <int D>
bool ContactPairs<D>::refresh(const Bodies<D>& bodies) {
  settle(bodies);
  if (!broad_phase_) return false;
  // The list must last for the next step, which will go about as far as this one.
  const double moved = broad_phase_->moved(bodies), travel = 1.5 * std::max(0.0, moved - moved_);
  moved_ = moved;
  if (!broad_phase_->update_after(moved, bodies, std::isfinite(travel) ? travel : 0)) return false;
  take_candidates();
  return true;
}

template <int D>
bool ContactPairs<D>::refresh_for(const Bodies<D>& bodies, double travel) {
  if (!broad_phase_ || !broad_phase_->cover(bodies, travel)) return false;
  take_candidates();
  return true;
}

template <int D>
void ContactPairs<D>::take_memory(const ContactPairs& other) {
  pairs_ = other.pairs_, old_pairs_ = other.old_pairs_;
  pair_of_point_ = other.pair_of_point_;
  memory_ = other.memory_;
  features_ = other.features_;
  evaluations_ = other.evaluations_;
  slid_ = other.slid_;
  moved_ = other.moved_;
  gap_scale_ = other.gap_scale_;
  if (broad_phase_) broad_phase_->take_list(*other.broad_phase_);
}

// Pairs of the broad phase behind the fixed ones.
template <int D>
void ContactPairs<D>::take_candidates() {
  moved_ = 0;
  gap_scale_ = 0;
  old_pairs_.swap(pairs_), old_features_.swap(features_);
  pairs_.assign(old_pairs_.begin(), old_pairs_.begin() + fixed_.pairs);
  pair_of_point_.resize(fixed_.points);
  features_.assign(old_features_.begin(), old_features_.begin() + fixed_.features);
  for (const Candidate& candidate : broad_phase_->candidates()) {
    const Encounter<D>& meeting = table_.at(candidate.a, candidate.b);
    Pair pair;
    pair.kind = meeting.kind;
    pair.a = meeting.swapped ? candidate.b : candidate.a, pair.b = meeting.swapped ? candidate.a : candidate.b;
    pair.group = meeting.group, pair.law = meeting.law;
    pair.memory = memory_size(pair) > 0 ? no_block : 0;
    remembers_ = remembers_ || pair.memory == no_block || pair.kind->write;
    place_pair(pair);
  }
  carry_over();
}

// What searches and slots remember stays with its pair.
template <int D>
void ContactPairs<D>::carry_over() {
  if (!remembers_) return;
  for_each_carried([&](int before, int after) {
    Pair &from = old_pairs_[before], &to = pairs_[after];
    to.memory = std::exchange(from.memory, no_block);
    if (to.features >= 0)
      std::copy_n(old_features_.begin() + from.features, to.points, features_.begin() + to.features);
  });
  for (auto pair = old_pairs_.begin() + fixed_.pairs; pair != old_pairs_.end(); ++pair) {
    const int size = pair->memory == no_block ? 0 : memory_size(*pair);
    if (size > 0) memory_.give(pair->memory, size);
  }
  for (auto pair = pairs_.begin() + fixed_.pairs; pair != pairs_.end(); ++pair) {
    if (pair->memory == no_block) pair->memory = memory_.take(memory_size(*pair));
  }
}

template <int D>
void ContactPairs<D>::read(const Bodies<D>& bodies, ContactReading* readings) const {
  for (const Pair& pair : pairs_) {
    const ContactPoint<D>* contact = evaluate(pair, bodies);
    for (int k = pair.first_point, end = k + pair.points; k < end; ++k, ++contact) {
      readings[k] = {.penetration = -contact->gap};
      if (!std::isfinite(contact->gap)) continue;
      readings[k].rate = -contact->normal.dot(relative_velocity(pair, place_of(pair, *contact), bodies));
    }
  }
}

template <int D>
double ContactPairs<D>::gap_scale() const {
  if (gap_scale_ > 0) return gap_scale_;
  double scale = std::numeric_limits<double>::infinity();
  for (const Pair& pair : pairs_) {
    if (pair.kind->clearance) scale = std::min(scale, pair.kind->clearance(shapes_[pair.a], shapes_[pair.b]));
  }
  for (const Shape<D>& shape : shapes_) {
    const double radius = shape.bounding_radius();
    if (radius > 0) scale = std::min(scale, radius);
  }
  return gap_scale_ = std::isfinite(scale) && scale > 0 ? scale : 1;
}

template <int D>
std::vector<double> ContactPairs<D>::smallest_shapes(int bodies) const {
  std::vector<double> smallest(bodies, std::numeric_limits<double>::infinity());
  for (const Shape<D>& shape : shapes_) {
    const double size = thickness_of<D>(shape);
    if (size > 0) smallest[shape.body] = std::min(smallest[shape.body], size);
  }
  return smallest;
}

template class ContactPairs<2>;
template class ContactPairs<3>;

}  // namespace carom::inline contacts
