#include "contacts/nonsmooth_contacts.h"

#include <algorithm>
#include <cmath>

#include "contact_geometry/round_contact.h"
#include "contact_geometry/separation.h"
#include "contacts/pair_sights.h"

namespace carom::inline contacts {
namespace {

constexpr double strides_ahead = 16;  // for which near pairs are chosen
constexpr double above_rounding = 1.001;
constexpr double turned_away = 0.5;    // of normals, before and after
constexpr double neighbourhood = 0.1;  // of the lever: a point that has taken over from another one is as near

// A corner that has slid past the end of an edge leaves the place to another point of its pair: where two edges lie on
// each other, the corner of the other one. Null: none is near.
template <int D>
const ContactPoint<D>* find_successor(const NonsmoothContact<D>& contact, const ContactPoint<D>* points, int count,
                                      const VectorOf<D>& centre) {
  constexpr double same_way = 0.9;
  const ContactPoint<D>* nearest = nullptr;
  double least = neighbourhood * neighbourhood * contact.lever_b.squaredNorm();
  for (const ContactPoint<D>* point = points; point != points + count; ++point) {
    if (!std::isfinite(point->gap) || point->normal.dot(contact.normal) < same_way) continue;
    const double distance = (point->point_b - centre - contact.lever_b).squaredNorm();
    if (distance > least) continue;
    least = distance;
    nearest = point;
  }
  return nearest;
}

// The point of two spheres, of which heaps are made: the short way.
template <int D>
const ContactPoint<D>* touch_spheres(const Shape<D>& a, const Shape<D>& b, const Bodies<D>& bodies,
                                     std::optional<ContactPoint<D>>& point) {
  const auto centre = [&](const Shape<D>& shape) -> VectorOf<D> {
    const BodyState<D>& body = bodies[shape.body];
    return shape.position.isZero(0) ? body.position : centre_of<D>(shape, body);
  };
  spheres_touch<D>(centre(a), a.radius, centre(b), b.radius, point.emplace());
  return &*point;
}

template <int D>
bool are_spheres(const ContactPair<D>& pair) {
  return pair.kind->a == ShapeKind::sphere && pair.kind->b == ShapeKind::sphere;
}

// Whether there are pairs whose contact points may not show all.
template <int D>
bool has_verified(const ContactPairs<D>& pairs) {
  return std::any_of(pairs.pairs().begin(), pairs.pairs().end(),
                     [](const ContactPair<D>& pair) { return pair.kind->lie_deeper != nullptr; });
}

}  // namespace

template <int D>
NonsmoothContacts<D>::NonsmoothContacts(ContactPairs<D>& pairs)
    : pairs_(pairs), sights_(std::make_unique<PairSights<D>>(pairs)) {}

template <int D>
NonsmoothContacts<D>::~NonsmoothContacts() = default;

template <int D>
int NonsmoothContacts<D>::add_law(const NonsmoothLaw& law) {
  laws_.push_back(law);
  return static_cast<int>(laws_.size()) - 1;
}

template <int D>
void NonsmoothContacts<D>::start() {
  memories_.assign(pairs_.point_count(), {});
  open_until_.assign(pairs_.pair_count(), never);
  sights_->start();
  near_reach_ = never;
  near_.reserve(pairs_.pair_count());
  thinnest_ = std::numeric_limits<double>::infinity();
  any_verified_ = has_verified(pairs_);
  const auto include = [this](const Shape<D>& a, const Shape<D>& b) {
    if (gap_kind<D>(a, b) == GapKind::own) return;
    thinnest_ = std::min({thinnest_, thickness_of<D>(a), thickness_of<D>(b)});
  };
  for (const Pair& pair : pairs_.pairs()) include(pairs_.shape_a(pair), pairs_.shape_b(pair));
  for (const Shape<D>& shape : pairs_.shapes()) {
    if (pairs_.change()) include(shape, shape);
  }
}

template <int D>
NonsmoothContact<D> NonsmoothContacts<D>::contact_at(const Pair& pair, int point, const ContactPoint<D>& contact,
                                                     const Bodies<D>& bodies) const {
  const int a = pairs_.shape_a(pair).body, b = pairs_.shape_b(pair).body;
  return {.point = point,
          .law = pair.law,
          .a = a,
          .b = b,
          .gap = contact.gap,
          .normal = contact.normal,
          .lever_a = contact.point_a - bodies[a].position,
          .lever_b = contact.point_b - bodies[b].position};
}

template <int D>
void NonsmoothContacts<D>::count_ways(const Bodies<D>& bodies) {
  const double way = ways_.count(bodies, pairs_.shapes());
  if (!(way <= stride_)) stride_ = way;
}

template <int D>
bool NonsmoothContacts<D>::knows_near(double within) const {
  return above_rounding * 2 * (ways_.longest() - near_since_) + within < near_reach_;
}

template <int D>
double NonsmoothContacts<D>::look_at(int index, const Bodies<D>& bodies, double within,
                                     std::vector<NonsmoothContact<D>>& contacts) {
  const Pair& pair = pairs_.pairs()[index];
  const Shape<D>&a = pairs_.shape_a(pair), &b = pairs_.shape_b(pair);
  double& open = open_until_[index];
  const double gone = ways_.of(a.body) + ways_.of(b.body);
  if (gone + within < open) return open - gone;
  const bool has_sight = sights_->knows(index);
  if (has_sight && !crossed(index)) {
    const double gap = sights_->gap(index, bodies, within);
    if (gap > within) {
      open = std::max(open, gone + gap);
      return open - gone;
    }
  }
  const std::span<const CrossedPair<D>> crossing = crossings(index);
  const std::size_t first = contacts.size();
  for (const CrossedPair<D>& each : crossing) {
    const ContactPoint<D> met = each.contact(a, b, bodies[a.body], bodies[b.body]);
    if (met.gap <= within || each.closed) contacts.push_back(contact_at(pair, each.point, met, bodies));
  }
  const auto sort_own = [&] {
    std::sort(contacts.begin() + static_cast<std::ptrdiff_t>(first), contacts.end(),
              [](const auto& one, const auto& two) { return one.point < two.point; });
    return open = never;
  };
  if (!crossing.empty() && !crossing.front().besides) return sort_own();
  std::optional<ContactPoint<D>> spheres;
  const ContactPoint<D>* contact =
      are_spheres<D>(pair) ? touch_spheres<D>(a, b, bodies, spheres) : pairs_.evaluate(pair, bodies);
  const ContactPoint<D>* nearest = contact;
  double smallest = std::numeric_limits<double>::infinity();
  bool complete = true;
  for (int k = pair.first_point, end = k + pair.points; k < end; ++k, ++contact) {
    if (contact->gap < smallest) smallest = contact->gap, nearest = contact;
    complete = complete && std::isfinite(contact->gap);
    if (contact->gap <= within && !(!crossing.empty() && crossing_at(index, k)))
      contacts.push_back(contact_at(pair, k, *contact, bodies));
  }
  if (!crossing.empty()) return sort_own();
  // Points that are not there now may come from nowhere.
  open = complete || (sights_->shows_nearest(pair) && std::isfinite(smallest)) ? gone + smallest : never;
  if (has_sight) sights_->see(index, bodies, *nearest);
  return open - gone;
}

template <int D>
void NonsmoothContacts<D>::look_at_all(const Bodies<D>& bodies, double within,
                                       std::vector<NonsmoothContact<D>>& contacts) {
  near_.clear();
  near_since_ = ways_.longest();
  near_reach_ = 2 * widest_ + 2 * strides_ahead * stride_;
  stride_ = 0;
  for (int index = 0; index < pairs_.pair_count(); ++index) {
    if (!(look_at(index, bodies, within, contacts) > near_reach_)) near_.push_back(index);
  }
}

template <int D>
void NonsmoothContacts<D>::find(const Bodies<D>& bodies, double within, std::vector<NonsmoothContact<D>>& contacts) {
  contacts.clear();
  count_ways(bodies);
  widest_ = std::max(widest_, within);
  if (!knows_near(within)) return look_at_all(bodies, within, contacts);
  for (const int index : near_) look_at(index, bodies, within, contacts);
}

template <int D>
void NonsmoothContacts<D>::update(const Bodies<D>& bodies, std::vector<NonsmoothContact<D>>& contacts) const {
  int evaluated = -1;
  const ContactPoint<D>* points = nullptr;
  const ContactPoint<D> lost{};
  std::optional<ContactPoint<D>> spheres;
  for (NonsmoothContact<D>& each : contacts) {
    const int index = pairs_.pair_of(each.point);
    const Pair& pair = pairs_.pairs()[index];
    const CrossedPair<D>* crossing = crossed(index);
    if (const CrossedPair<D>* const own = crossing ? crossing_at(index, each.point) : nullptr) crossing = own;
    if (crossing && (!crossing->besides || crossing->point == each.point)) {
      const Shape<D>&a = pairs_.shape_a(pair), &b = pairs_.shape_b(pair);
      each = contact_at(pair, each.point, crossing->contact(a, b, bodies[a.body], bodies[b.body]), bodies);
      continue;
    }
    if (index != evaluated) {
      points = are_spheres<D>(pair) ? touch_spheres<D>(pairs_.shape_a(pair), pairs_.shape_b(pair), bodies, spheres)
                                    : pairs_.follow(pair, bodies);
    }
    evaluated = index;
    const ContactPoint<D>* point = points + (each.point - pair.first_point);
    // A normal that has turned by so much is that of another feature, but for parts that move freely in holes.
    const bool has_features = pair.points > 1 && !is_enclosed(each.point);
    const bool is_other = has_features && point->normal.dot(each.normal) < turned_away;
    if (std::isfinite(each.gap) && (!std::isfinite(point->gap) || is_other)) {
      const auto* successor = find_successor<D>(each, points, pair.points, bodies[each.b].position);
      point = successor ? successor : &lost;
    }
    each = contact_at(pair, each.point, *point, bodies);
  }
}

template <int D>
std::optional<NonsmoothClearance<D>> NonsmoothContacts<D>::clearance(int point, const Bodies<D>& bodies) const {
  const Pair& pair = pairs_.pairs()[pairs_.pair_of(point)];
  const Shape<D>&hole = pairs_.shape_a(pair), &inside = pairs_.shape_b(pair);
  NonsmoothClearance<D> clearance{.radius_a = hole.radius, .radius_b = inside.radius};
  if (hole.kind == ShapeKind::bore) {
    if (point - pair.first_point > 1) return std::nullopt;  // the ends of its axial clearance are flat
    clearance.axis = axis_of<D>(hole, bodies[hole.body], D - 1);
  } else if (hole.kind != ShapeKind::cavity) {
    return std::nullopt;
  }
  // Other shapes touch walls with corners and edges.
  if (inside.kind != ShapeKind::sphere && inside.kind != ShapeKind::cylinder) return std::nullopt;
  if (inside.kind == ShapeKind::sphere && hole.kind == ShapeKind::bore) return std::nullopt;
  if (inside.kind == ShapeKind::cylinder && hole.kind == ShapeKind::cavity) return std::nullopt;
  clearance.clearance = hole.radius - inside.radius;
  return clearance;
}

template <int D>
bool NonsmoothContacts<D>::is_enclosed(int point) const {
  const Pair& pair = pairs_.pairs()[pairs_.pair_of(point)];
  const ShapeKind kind = pairs_.shape_a(pair).kind;
  return pair.in_hole || kind == ShapeKind::inner_race || kind == ShapeKind::outer_race;
}

template <int D>
bool NonsmoothContacts<D>::keeps_direction(int point) const {
  const Pair& pair = pairs_.pairs()[pairs_.pair_of(point)];
  const Shape<D>&a = pairs_.shape_a(pair), &b = pairs_.shape_b(pair);
  const Shape<D>&plane = a.kind == ShapeKind::plane ? a : b, &round = a.kind == ShapeKind::plane ? b : a;
  return plane.kind == ShapeKind::plane && plane.body == 0 && round.kind == ShapeKind::sphere &&
         round.position.isZero(0);
}

template <int D>
void NonsmoothContacts<D>::keep_memories() {
  if (!pairs_.features_vary()) return;
  for (int k = 0; k < pairs_.point_count(); ++k) pairs_.keep(k, memories_[k].step == step_);
}

template <int D>
void NonsmoothContacts<D>::renumber() {
  near_reach_ = never;
  any_verified_ = has_verified(pairs_);
  near_.reserve(pairs_.pair_count());
  old_memories_.swap(memories_), old_open_until_.swap(open_until_);
  sights_->renumber();
  memories_.assign(old_memories_.begin(), old_memories_.begin() + pairs_.fixed_point_count());
  open_until_.assign(old_open_until_.begin(), old_open_until_.begin() + pairs_.fixed_pair_count());
  memories_.resize(pairs_.point_count());
  open_until_.resize(pairs_.pair_count(), never);
  pairs_.for_each_carried([&](int before, int after) {
    const Pair& pair = pairs_.pairs()[after];
    open_until_[after] = old_open_until_[before];
    std::copy_n(old_memories_.begin() + pairs_.first_point_before(before), pair.points,
                memories_.begin() + pair.first_point);
  });
}

template <int D>
void NonsmoothContacts<D>::take_memory(const NonsmoothContacts& other) {
  memories_ = other.memories_;
  open_until_ = other.open_until_;
  sights_->take_memory(*other.sights_);
  ways_ = other.ways_;
  near_ = other.near_, near_reach_ = other.near_reach_, near_since_ = other.near_since_;
  stride_ = other.stride_, widest_ = other.widest_;
  crossed_ = other.crossed_;
  step_ = other.step_;
}

template <int D>
void NonsmoothContacts<D>::forget_recent() {
  for (NonsmoothMemory<D>& memory : memories_) {
    memory.recent.setZero();
    memory.recent_normal = memory.recent_tangential = 0;
  }
}

template class NonsmoothContacts<2>;
template class NonsmoothContacts<3>;

}  // namespace carom::inline contacts
