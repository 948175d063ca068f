#include "contacts/pair_sights.h"

#include <algorithm>

#include "contact_geometry/box_separation.h"
#include "contact_geometry/separation.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contacts {

template <int D>
void PairSights<D>::start() {
  const auto& shapes = pairs_.shapes();
  reaches_.clear(), sights_.clear();
  const auto is_costly_shape = [](const Shape<D>& shape) { return shape.data || shape.kind == ShapeKind::profile; };
  if (std::none_of(shapes.begin(), shapes.end(), is_costly_shape)) return;
  for (const Shape<D>& shape : shapes) {
    const bool endless = description_of<D>(shape.kind).endless;
    reaches_.push_back(endless ? std::numeric_limits<double>::infinity() : reach_of<D>(shape));
  }
  sights_.resize(pairs_.pair_count());
}

template <int D>
void PairSights<D>::renumber() {
  if (reaches_.empty()) return;
  old_sights_.swap(sights_);
  sights_.assign(old_sights_.begin(), old_sights_.begin() + pairs_.fixed_pair_count());
  sights_.resize(pairs_.pair_count());
  pairs_.for_each_carried([&](int before, int after) { sights_[after] = old_sights_[before]; });
}

template <int D>
double PairSights<D>::gap(int index, const Bodies<D>& bodies, double within) {
  const Pair& pair = pairs_.pairs()[index];
  const Shape<D>&a = pairs_.shape_a(pair), &b = pairs_.shape_b(pair);
  const BodyState<D>&body_a = bodies[a.body], &body_b = bodies[b.body];
  const double seen = sights_[index].gap_at(reaches_[pair.a], reaches_[pair.b], body_a, body_b);
  if (seen > within) return seen;
  const double boxes = separation_of_boxes(a, b, body_a, body_b);
  if (boxes > within) sights_[index].see(boxes, body_a, body_b);
  return boxes;
}

// Points that are not there now may come from nowhere, but for pairs that always write their nearest points. What lies
// within the walls of a groove sees others of them from behind.
template <int D>
bool PairSights<D>::shows_nearest(const Pair& pair) const {
  return pair.features >= 0 && description_of<D>(pairs_.shape_a(pair).kind).form != ShapeForm::walls;
}

template <int D>
void PairSights<D>::see(int index, const Bodies<D>& bodies, const ContactPoint<D>& nearest) {
  const Pair& pair = pairs_.pairs()[index];
  PairSight<D>& sight = sights_[index];
  if (!shows_nearest(pair) || !std::isfinite(nearest.gap)) {
    sight.gap = PairSight<D>::unknown;
    return;
  }
  const Shape<D>&a = pairs_.shape_a(pair), &b = pairs_.shape_b(pair);
  sight.see(nearest.gap, bodies[a.body], bodies[b.body]);
  if (a.kind == ShapeKind::plane || b.kind == ShapeKind::plane) sight.normal = nearest.normal;
}

template <int D>
bool PairSights<D>::is_verified(int index, const Bodies<D>& bodies, double apart, double slack) {
  if (gap(index, bodies, apart) > apart) return true;
  const Pair& pair = pairs_.pairs()[index];
  const PairSight<D>& sight = sights_[index];
  const BodyState<D>&a = bodies[pairs_.shape_a(pair).body], &b = bodies[pairs_.shape_b(pair).body];
  return sight.is_clear && sight.verified.way(reaches_[pair.a], reaches_[pair.b], a, b) < slack;
}

template <int D>
void PairSights<D>::verify(int index, const Bodies<D>& bodies) {
  const auto [a, b] = pairs_.bodies_of(index);
  PairSight<D>& sight = sights_[index];
  sight.is_clear = true, sight.is_left = false, sight.verified = {bodies[a], bodies[b]};
}

template class PairSights<2>;
template class PairSights<3>;

}  // namespace carom::inline contacts
