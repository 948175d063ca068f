#include <algorithm>
#include <cmath>

#include "contacts/contact_set.h"
#include "contacts/start_search.h"

// Which pairs the trial path of a nonsmooth step crosses.
namespace carom {

namespace {

constexpr double same_side =
    0.5;  // of the normals of first contact and of the end: the end is on the side it came from

}  // namespace

template <int D>
const CrossedPair<D>* ContactSet<D>::crossed(int pair) const {
  if (crossed_.empty()) return nullptr;
  const auto found = std::lower_bound(crossed_.begin(), crossed_.end(), pair,
                                      [](const CrossedPair<D>& each, int index) { return each.pair < index; });
  return found != crossed_.end() && found->pair == pair ? &*found : nullptr;
}

// Closed in the last step.
template <int D>
bool ContactSet<D>::lasts(const Pair& pair) const {
  for (int k = pair.first_point; k < pair.first_point + pair.points; ++k) {
    const RigidMemory<D>& memory = histories_[k].rigid;
    if (memory.step == rigid_step_ && memory.status != RigidStatus::open) return true;
  }
  return false;
}

// Half spaces and holes have no other side: what went into their walls is still there at the end.
template <int D>
void ContactSet<D>::find_crossed(StartSearch<D>& search, const Bodies<D>& end, double within, bool closed) {
  crossed_.clear();
  count_ways(end);
  for (int index = 0; index < pair_count(); ++index) {
    const Pair& pair = pairs_[index];
    const Shape<D>&a = shapes_[pair.a], &b = shapes_[pair.b];
    if (ways_[a.body] + ways_[b.body] + within < pair.open_until) continue;
    const GapKind kind = gap_kind<D>(a, b);
    if (kind == GapKind::own) continue;
    const double way = search.travel(a) + search.travel(b);
    const double thin = std::min(thickness_of<D>(a), thickness_of<D>(b));
    const double apart = (centre_of<D>(a, end[a.body]) - centre_of<D>(b, end[b.body])).norm();
    if (apart > a.bounding_radius() + b.bounding_radius() + way || (way < thin && lasts(pair))) continue;
    const ContactPoint<D>* contact = evaluate(pair, end);
    const auto nearest = std::min_element(contact, contact + pair.points,
                                          [](const auto& one, const auto& two) { return one.gap < two.gap; });
    const bool overlaps = nearest->gap <= within;
    if (overlaps ? way < thin : way < nearest->gap) continue;
    const Vector at_end = nearest->normal;
    const ContactStart start = search.search(index, within, 1);
    if (start.point < 0) continue;
    BodyState<D> body_a, body_b;
    search.path().place(a.body, start.theta, body_a);
    search.path().place(b.body, start.theta, body_b);
    const ContactPoint<D>& met = points_of(index, body_a, body_b)[start.point - pair.first_point];
    CrossedPair<D> crossing;
    crossing.pair = index, crossing.point = start.point, crossing.kind = kind;
    crossing.closed = closed;
    if (kind == GapKind::convex) {
      crossing.slab = Slab<D>::across(met.normal, a, b, body_a, body_b);
    } else {
      crossing.slab = {Slab<D>::Frame::a, body_a.orientation.back(met.normal)};
      crossing.on_a = body_a.orientation.back(Vector(met.point_a - body_a.position));
      crossing.on_b = body_b.orientation.back(Vector(met.point_b - body_b.position));
    }
    if (overlaps && at_end.dot(crossing.slab.in_world(end[a.body], end[b.body])) > same_side) continue;
    crossed_.push_back(crossing);
  }
}

template void ContactSet<2>::find_crossed(StartSearch<2>&, const Bodies<2>&, double, bool);
template void ContactSet<3>::find_crossed(StartSearch<3>&, const Bodies<3>&, double, bool);
template bool ContactSet<2>::lasts(const Pair&) const;
template bool ContactSet<3>::lasts(const Pair&) const;
template const CrossedPair<2>* ContactSet<2>::crossed(int) const;
template const CrossedPair<3>* ContactSet<3>::crossed(int) const;

}  // namespace carom
