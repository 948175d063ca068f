#include <algorithm>
#include <cmath>

#include "contact_geometry/box_separation.h"
#include "contacts/contact_set.h"
#include "contacts/pair_sights.h"
#include "contacts/start_search.h"

// Which pairs the trial path of a nonsmooth step crosses.
namespace carom::inline contacts {

namespace {

constexpr long hasty = 200;  // instants, after which a search settles for a little more than that
// Of the smaller shape, and of the thinner one: ways in which contact points do not change sides.
constexpr double unnoticed = 1e-3, unnoticed_in_thin = 0.1;
constexpr double halfway = 0.5;            // of the thinner shape: what is so deep in it on the way goes through
constexpr int most_looks = 64;             // along a path
constexpr std::size_t most_crossings = 4;  // of a pair of meshes
constexpr double graze = 1e-4;             // of the thinner shape: overlaps on the way that are not looked for
// The same on the way to where contacts have been resolved: meshes that go through each other are deeper on the way,
// while one that slides round the corner of another cuts it on the straight line.
constexpr double passage = 0.1;
// Product of the normals of first contact and of the end, from which on they are on one side. Pairs of several points
// are better known by all of them.
constexpr double same_side = 0.9, same_side_of_one = 0.999;

// m, at least: width of the slab across a direction between two shapes, which is that between their hulls, all along a
// straight path to `end`, where it has a given width.
template <int D>
double least_width(const VectorOf<D>& normal, const Shape<D>& a, const Shape<D>& b, StartSearch<D>& search,
                   double at_end) {
  BodyPath<D>& path = search.path();
  const VectorOf<D>*const of_a = path.positions(a.body), *const of_b = path.positions(b.body);
  const int last = path.degree();
  const double opened = normal.dot(VectorOf<D>((of_b[last] - of_a[last]) - (of_b[0] - of_a[0])));
  const double turned = search.travel(a) - path.travel(a.body) + search.travel(b) - path.travel(b.body);
  return at_end - std::max(0.0, opened) - turned;
}

template <int D>
struct PairAtEnd {
  const Shape<D>&a, &b;
  const BodyState<D>&body_a, &body_b;
};

// Whether the slab across a direction, between convex shapes or between hulls of flat sides, shows that two shapes are
// nowhere deeper in each other on a path.
template <int D>
bool stays_beside(const PairAtEnd<D>& pair, const VectorOf<D>& normal, GapKind kind, bool flat, StartSearch<D>& search,
                  double depth) {
  const auto& [a, b, body_a, body_b] = pair;
  const auto holds = [&](double width, const Shape<D>& one, const Shape<D>& two) {
    return least_width<D>(normal, one, two, search, width) >= -depth;
  };
  const Slab<D> slab = {Slab<D>::Frame::world, normal};
  if (kind == GapKind::convex && holds(slab.width(a, b, body_a, body_b), a, b)) return true;
  return flat && holds(separation_along(normal, a, b, body_a, body_b), a, b);
}

// Shapes that are not convex are verified by themselves, of others the points tell.
template <int D>
bool lies_deeper(const ContactPairs<D>& pairs, const ContactPair<D>& pair, const BodyState<D>& body_a,
                 const BodyState<D>& body_b, double depth) {
  const Shape<D>&a = pairs.shape_a(pair), &b = pairs.shape_b(pair);
  const double apart = (centre_of<D>(a, body_a) - centre_of<D>(b, body_b)).norm();
  if (apart >= a.bounding_radius() + b.bounding_radius()) return false;
  if (pair.kind->lie_deeper) return pair.kind->lie_deeper(a, b, body_a, body_b, depth);
  const ContactPoint<D>* contact = pairs.follow(pair, body_a, body_b);
  return std::any_of(contact, contact + pair.points, [&](const auto& each) { return each.gap < -depth; });
}

// Whether a pair goes through a thin part on a path, in and out again: it may lead to a place where shapes that are not
// convex touch across the same direction, and convex ones where a thin one ends.
template <int D>
bool goes_through(const ContactPairs<D>& pairs, const ContactPair<D>& pair, double way, StartSearch<D>& search) {
  const Shape<D>&a = pairs.shape_a(pair), &b = pairs.shape_b(pair);
  const double thin = std::min(thickness_of<D>(a), thickness_of<D>(b));
  if (!(thin > 0) || !(way > 2 * halfway * thin)) return false;
  const int looks = std::min(most_looks, static_cast<int>(std::ceil(4 * way / thin)));
  BodyState<D> body_a, body_b;
  bool was_deep = false;
  for (int k = 1; k <= looks; ++k) {
    search.path().place(a.body, static_cast<double>(k) / looks, body_a);
    search.path().place(b.body, static_cast<double>(k) / looks, body_b);
    const bool deep = lies_deeper(pairs, pair, body_a, body_b, halfway * thin);
    if (was_deep && !deep) return true;
    was_deep = deep;
  }
  return false;
}

}  // namespace

template <int D>
const CrossedPair<D>* NonsmoothContacts<D>::crossed(int pair) const {
  const auto all = crossings(pair);
  return all.empty() ? nullptr : &all.front();
}

template <int D>
std::span<const CrossedPair<D>> NonsmoothContacts<D>::crossings(int pair) const {
  if (crossed_.empty()) return {};
  const auto first = std::lower_bound(crossed_.begin(), crossed_.end(), pair,
                                      [](const CrossedPair<D>& each, int index) { return each.pair < index; });
  auto last = first;
  while (last != crossed_.end() && last->pair == pair) ++last;
  return {first, last};
}

template <int D>
const CrossedPair<D>* NonsmoothContacts<D>::crossing_at(int pair, int point) const {
  for (const CrossedPair<D>& each : crossings(pair)) {
    if (each.point == point) return &each;
  }
  return nullptr;
}

// Closed in the last step.
template <int D>
bool NonsmoothContacts<D>::lasts(const Pair& pair) const {
  for (int k = pair.first_point; k < pair.first_point + pair.points; ++k) {
    if (is_closed(k)) return true;
  }
  return false;
}

// Half spaces and holes have no other side: what went into their walls is still there at the end.
template <int D>
std::optional<CrossedPair<D>> NonsmoothContacts<D>::crossing(int index, StartSearch<D>& search, const Bodies<D>& end,
                                                             double within, double share) {
  const Pair& pair = pairs_.pairs()[index];
  const Shape<D>&a = pairs_.shape_a(pair), &b = pairs_.shape_b(pair);
  const GapKind kind = gap_kind<D>(a, b);
  if (kind == GapKind::own) return std::nullopt;
  const bool has_sight = sights_->knows(index);
  const double way = has_sight ? search.relative_way(a, b) : search.travel(a) + search.travel(b);
  const double thin = std::min(thickness_of<D>(a), thickness_of<D>(b));
  if (way < thin && lasts(pair)) return std::nullopt;
  if (has_sight && sights_->gap(index, end, within + way) > within + way) return std::nullopt;
  const double apart = (centre_of<D>(a, end[a.body]) - centre_of<D>(b, end[b.body])).norm();
  if (apart > a.bounding_radius() + b.bounding_radius() + way) return std::nullopt;
  const ContactPoint<D>* contact = pairs_.evaluate(pair, end);
  const auto nearest = std::min_element(contact, contact + pair.points,
                                        [](const auto& one, const auto& two) { return one.gap < two.gap; });
  if (has_sight) sights_->see(index, end, *nearest);
  const bool overlaps = nearest->gap <= within;
  // Outlines that lie deep in each other may have no point at all there.
  if (overlaps ? way < thin : std::isfinite(nearest->gap) && way < nearest->gap) return std::nullopt;
  const VectorOf<D> at_end = nearest->normal;
  const double size = thin > 0 ? thin : std::min(a.bounding_radius(), b.bounding_radius());
  const double depth = std::max(within, share * size);
  // What is free of overlap at both ends is nowhere deeper in between than half of the way, less the gap.
  if (!overlaps && ((has_sight && way - std::max(0.0, nearest->gap) < 2 * depth) ||
                    stays_beside<D>({a, b, end[a.body], end[b.body]}, at_end, kind, has_sight, search, depth)))
    return std::nullopt;
  const ContactStart start = search.search(index, depth, 1, hasty);
  if (start.point < 0) return std::nullopt;
  BodyState<D> body_a, body_b;
  search.path().place(a.body, start.theta, body_a);
  search.path().place(b.body, start.theta, body_b);
  const ContactPoint<D>& met = pairs_.follow(pair, body_a, body_b)[start.point - pair.first_point];
  CrossedPair<D> found;
  found.pair = index, found.point = start.point, found.kind = kind;
  // Fixed in the world: one that a body carried along could be turned away from what the body has left far behind.
  found.slab = {Slab<D>::Frame::world, met.normal};
  if (kind != GapKind::convex) {
    found.on_a = body_a.orientation.back(VectorOf<D>(met.point_a - body_a.position));
    found.on_b = body_b.orientation.back(VectorOf<D>(met.point_b - body_b.position));
  }
  const double same = pair.points > 1 ? same_side : same_side_of_one;
  if (overlaps && at_end.dot(found.slab.in_world(end[a.body], end[b.body])) > same &&
      !goes_through<D>(pairs_, pair, way, search))
    return std::nullopt;
  return found;
}

template <int D>
void NonsmoothContacts<D>::find_crossed(StartSearch<D>& search, const Bodies<D>& end, double within, bool closed,
                                        bool grazes) {
  crossed_.clear();
  count_ways(end);
  const bool all_slow = 2 * search.largest_travel() < thinnest_;
  const bool only_near = knows_near(within);
  const int count = only_near ? static_cast<int>(near_.size()) : pairs_.pair_count();
  for (int k = 0; k < count; ++k) {
    const int index = only_near ? near_[k] : k;
    const Pair& pair = pairs_.pairs()[index];
    if (sights_->is_left(index) && add_dive(index, end, within)) continue;
    if (all_slow && lasts(pair)) continue;
    const double way = ways_.of(pairs_.shape_a(pair).body) + ways_.of(pairs_.shape_b(pair).body);
    if (way + within < open_until_[index]) continue;
    const auto found = crossing(index, search, end, within, grazes || !sights_->knows(index) ? graze : passage);
    if (!found) continue;
    crossed_.push_back(*found);
    crossed_.back().closed = closed;
  }
}

// How far bodies have gone since pairs were looked at says nothing of the start of the path, since when there were
// other looks.
template <int D>
int NonsmoothContacts<D>::find_passed(StartSearch<D>& search, const Bodies<D>& end, double within) {
  for (int index = 0; index < pairs_.pair_count(); ++index) {
    const bool meshes = D == 3 && sights_->knows(index);
    const auto found = crossing(index, search, end, within, meshes ? passage : graze);
    if (found) return found->point;
  }
  return -1;
}

// Whether a pair may lie in each other where its contact points do not show it, as far as is known without a look.
template <int D>
bool NonsmoothContacts<D>::may_overlap(int index, const Bodies<D>& end) const {
  const Pair& pair = pairs_.pairs()[index];
  if (!pair.kind->lie_deeper) return false;
  const Shape<D>&a = pairs_.shape_a(pair), &b = pairs_.shape_b(pair);
  const double way = ways_.of(a.body) + ways_.of(b.body), size = std::min(a.bounding_radius(), b.bounding_radius());
  const double thin = std::min(thickness_of<D>(a), thickness_of<D>(b));
  const double slack = std::max(unnoticed * size, unnoticed_in_thin * thin);
  if (way + slack < open_until_[index]) return false;
  const double apart_by = have_flat_sides(a, b) ? unnoticed * size : slack;
  return !sights_->knows(index) || !sights_->is_verified(index, end, apart_by, slack);
}

template <int D>
FoundOverlap NonsmoothContacts<D>::find_overlapping(const Bodies<D>& start, const Bodies<D>& end,
                                                    const OverlapSearch& search) {
  const double depth = search.depth;
  FoundOverlap found;
  if (!any_verified_) return found;
  count_ways(end);
  const bool only_near = knows_near(0);
  const int count = only_near ? static_cast<int>(near_.size()) : pairs_.pair_count();
  for (int k = 0; k < count; ++k) {
    const int index = only_near ? near_[k] : k;
    if (!may_overlap(index, end)) continue;
    const Pair& pair = pairs_.pairs()[index];
    const Shape<D>&a = pairs_.shape_a(pair), &b = pairs_.shape_b(pair);
    const bool has_sight = sights_->knows(index);
    const double apart = (centre_of<D>(a, end[a.body]) - centre_of<D>(b, end[b.body])).norm();
    const auto end_deeper = [&](double m) { return pair.kind->lie_deeper(a, b, end[a.body], end[b.body], m); };
    const auto was_deeper = [&](double m) { return pair.kind->lie_deeper(a, b, start[a.body], start[b.body], m); };
    if (!(apart < a.bounding_radius() + b.bounding_radius()) || !end_deeper(depth)) {
      if (has_sight) sights_->verify(index, end);
      continue;
    }
    const double most = std::max(depth, search.most_left * std::min(thickness_of<D>(a), thickness_of<D>(b)));
    const bool may_stay = has_sight && most > depth && !end_deeper(most);
    const bool is_old = !may_stay && was_deeper(most);
    const bool adds = may_stay ? search.adds_left : search.adds_deep;
    const bool stays = may_stay || (is_old && has_sight && search.most_left > 0);
    if (adds && (stays || !is_old) && add_dive(index, end, depth)) {
      found.added = true;
    } else if (stays) {
      sights_->leave(index);
      const double left = -deepest_dive(a, b, end[a.body], end[b.body], depth).gap;
      if (left > found.left || found.left_point < 0) found.left = left, found.left_point = pair.first_point;
    } else if (!is_old) {
      found.point = pair.first_point;
      return found;
    } else if (has_sight) {
      sights_->verify(index, end);
    }
  }
  return found;
}

// The number of a point of a pair that nothing is at.
template <int D>
int NonsmoothContacts<D>::find_spare_point(int index, const Bodies<D>& bodies) {
  const Pair& pair = pairs_.pairs()[index];
  const ContactPoint<D>* contact = pairs_.evaluate(pair, bodies);
  for (int k = pair.points - 1; k >= 0; --k) {
    const int point = pair.first_point + k;
    if (!std::isfinite(contact[k].gap) && memories_[point].step != step_ && !crossing_at(index, point)) return point;
  }
  return -1;
}

template <int D>
bool NonsmoothContacts<D>::add_dive(int index, const Bodies<D>& end, double depth) {
  const Pair& pair = pairs_.pairs()[index];
  const Shape<D>&a = pairs_.shape_a(pair), &b = pairs_.shape_b(pair);
  const bool of_meshes = D == 3 && sights_->knows(index);
  if (crossings(index).size() >= (of_meshes ? most_crossings : 1)) return false;
  const BodyState<D>&body_a = end[a.body], &body_b = end[b.body];
  ContactPoint<D> dive = deepest_dive(a, b, body_a, body_b, depth);
  if (of_meshes && !(dive.gap < 0)) {  // no edge shows it: the deepest of its points
    const ContactPoint<D>* contact = pairs_.follow(pair, body_a, body_b);
    dive = *std::min_element(contact, contact + pair.points,
                             [](const auto& one, const auto& two) { return one.gap < two.gap; });
  }
  const int spare = dive.gap < 0 ? find_spare_point(index, end) : -1;
  if (spare < 0) return false;
  CrossedPair<D> found;
  found.pair = index, found.point = spare, found.kind = GapKind::curve, found.besides = true;
  found.slab = {Slab<D>::Frame::world, dive.normal};
  found.on_a = body_a.orientation.back(VectorOf<D>(dive.point_a - body_a.position));
  found.on_b = body_b.orientation.back(VectorOf<D>(dive.point_b - body_b.position));
  crossed_.insert(std::upper_bound(crossed_.begin(), crossed_.end(), index,
                                   [](int own, const CrossedPair<D>& each) { return own < each.pair; }),
                  found);
  open_until_[index] = never;
  return true;
}

// Convex shapes do not overlap where the slab between them is not negative.
template <int D>
void NonsmoothContacts<D>::find_crossed_as_they_are(const Bodies<D>& bodies, double within,
                                                    std::vector<NonsmoothContact<D>>& contacts) const {
  contacts.clear();
  for (const CrossedPair<D>& crossing : crossed_) {
    if (crossing.kind == GapKind::convex || crossing.besides) continue;
    const Pair& pair = pairs_.pairs()[crossing.pair];
    const ContactPoint<D>* contact = pairs_.evaluate(pair, bodies);
    for (int k = pair.first_point, end = k + pair.points; k < end; ++k, ++contact) {
      if (contact->gap <= within) contacts.push_back(contact_at(pair, k, *contact, bodies));
    }
  }
}

template void NonsmoothContacts<2>::find_crossed_as_they_are(const Bodies<2>&, double,
                                                             std::vector<NonsmoothContact<2>>&) const;
template void NonsmoothContacts<3>::find_crossed_as_they_are(const Bodies<3>&, double,
                                                             std::vector<NonsmoothContact<3>>&) const;
template bool NonsmoothContacts<2>::add_dive(int, const Bodies<2>&, double);
template bool NonsmoothContacts<3>::add_dive(int, const Bodies<3>&, double);
template int NonsmoothContacts<2>::find_spare_point(int, const Bodies<2>&);
template int NonsmoothContacts<3>::find_spare_point(int, const Bodies<3>&);
template void NonsmoothContacts<2>::find_crossed(StartSearch<2>&, const Bodies<2>&, double, bool, bool);
template void NonsmoothContacts<3>::find_crossed(StartSearch<3>&, const Bodies<3>&, double, bool, bool);
template int NonsmoothContacts<2>::find_passed(StartSearch<2>&, const Bodies<2>&, double);
template int NonsmoothContacts<3>::find_passed(StartSearch<3>&, const Bodies<3>&, double);
template FoundOverlap NonsmoothContacts<2>::find_overlapping(const Bodies<2>&, const Bodies<2>&, const OverlapSearch&);
template bool NonsmoothContacts<2>::may_overlap(int, const Bodies<2>&) const;
template bool NonsmoothContacts<3>::may_overlap(int, const Bodies<3>&) const;
template FoundOverlap NonsmoothContacts<3>::find_overlapping(const Bodies<3>&, const Bodies<3>&, const OverlapSearch&);
template std::optional<CrossedPair<2>> NonsmoothContacts<2>::crossing(int, StartSearch<2>&, const Bodies<2>&, double,
                                                                      double);
template std::optional<CrossedPair<3>> NonsmoothContacts<3>::crossing(int, StartSearch<3>&, const Bodies<3>&, double,
                                                                      double);
template bool NonsmoothContacts<2>::lasts(const Pair&) const;
template bool NonsmoothContacts<3>::lasts(const Pair&) const;
template const CrossedPair<2>* NonsmoothContacts<2>::crossed(int) const;
template const CrossedPair<3>* NonsmoothContacts<3>::crossed(int) const;
template std::span<const CrossedPair<2>> NonsmoothContacts<2>::crossings(int) const;
template std::span<const CrossedPair<3>> NonsmoothContacts<3>::crossings(int) const;
template const CrossedPair<2>* NonsmoothContacts<2>::crossing_at(int, int) const;
template const CrossedPair<3>* NonsmoothContacts<3>::crossing_at(int, int) const;

}  // namespace carom::inline contacts
