#include "contacts/start_search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include <boost/math/tools/roots.hpp>

#include "contact_geometry/area_pairs.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contacts {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double smallest_part = 1e-14;               // of a step, that the search tells apart
constexpr double noticed = 0.25;                      // of the depth, from which on an overlap at an instant counts
constexpr double longer = 4;                          // times the last interval that was clear
constexpr double shorter = 0.5, shortest = 1.0 / 16;  // times one that was not
constexpr double settle_for = 1.5;                    // times
constexpr double blind = 1.0 / 256;  // of the step, past a place where shapes meet that have no contact point there

// m per step, by which the distance of two points of two shapes changes at the most. Where one has no end and turns,
// the other one is seen in its axes.
template <int D>
double greatest_rate(const Shape<D>& a, const Shape<D>& b, BodyPath<D>& path) {
  const VectorOf<D>*const on_a = path.positions(a.body), *const on_b = path.positions(b.body);
  double square = 0, apart = (on_b[0] - on_a[0]).squaredNorm();
  for (int k = 1; k <= path.degree(); ++k) {
    square = std::max(square, ((on_b[k] - on_a[k]) - (on_b[k - 1] - on_a[k - 1])).squaredNorm());
    apart = std::max(apart, (on_b[k] - on_a[k]).squaredNorm());
  }
  double rate = path.degree() * std::sqrt(square);
  for (const auto& [shape, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (shape->body == 0) continue;
    double reach = reach_of<D>(*shape);
    if (description_of<D>(shape->kind).endless) {
      if (description_of<D>(other->kind).endless && path.turned(shape->body) > 0) return infinite;
      reach = std::sqrt(apart) + reach_of<D>(*other);
    }
    if (reach > 0) rate += path.turned(shape->body) * reach;
  }
  return rate;
}

}  // namespace

template <int D>
StartSearch<D>::StartSearch(const ContactSet<D>& contacts) : contacts_(contacts) {
  std::size_t most = 0;
  std::map<int, Carrier> carriers;
  for (const Shape<D>& shape : contacts.shapes()) {
    sharpness_.push_back(sharpness_of<D>(shape));
    reach_.push_back(reach_of<D>(shape));
    if (shape.kind == ShapeKind::profile || shape.data) most = 64;
    if (shape.body == 0) continue;
    Carrier& carrier = carriers[shape.body];
    const bool endless = description_of<D>(shape.kind).endless;
    carrier.body = shape.body;
    (endless ? carrier.endless : carrier.bounded) = true;
    if (!endless) carrier.reach = std::max(carrier.reach, reach_.back());
  }
  for (const auto& [body, carrier] : carriers) carriers_.push_back(carrier);
  saved_.reserve(most);
  closed_.reserve(std::max<std::size_t>(most, 64));
}

template <int D>
void StartSearch<D>::start(const StepMotion& motion, std::size_t bodies) {
  path_.start(motion, bodies);
  largest_travel_ = -1;
}

template <int D>
double StartSearch<D>::travel(const Shape<D>& shape) {
  return shape.body == 0 ? 0 : travel(shape.body, reach_[&shape - contacts_.shapes().data()]);
}

template <int D>
double StartSearch<D>::relative_way(const Shape<D>& a, const Shape<D>& b) {
  return greatest_rate<D>(a, b, path_);
}

template <int D>
double StartSearch<D>::travel(int body, double reach) {
  const double way = path_.travel(body);
  return reach > 0 ? way + std::min(2.0, path_.turned(body)) * reach : way;
}

template <int D>
double StartSearch<D>::largest_travel() {
  if (largest_travel_ >= 0) return largest_travel_;
  double most = 0;
  for (const Carrier& carrier : carriers_) {
    if (carrier.bounded) {
      const double way = travel(carrier.body, carrier.reach);
      if (!(way <= most)) most = way;
    }
    if (carrier.endless) most = std::max(most, path_.turned(carrier.body) > 0 ? infinite : path_.travel(carrier.body));
  }
  return largest_travel_ = most;
}

// A gap larger than what both shapes can go. Half spaces and slots have no end, so their turns count with the distance
// of the other body.
template <int D>
bool StartSearch<D>::cannot_meet(const View& view, double gap) {
  if (!(gap > 0) || !std::isfinite(gap)) return false;
  const Shape<D>&a = *view.a, &b = *view.b;
  double way = travel(a) + travel(b);
  if (!(gap > way)) return false;
  for (const auto& [frame, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (!description_of<D>(frame->kind).endless) continue;
    if (frame->body == 0 || !(path_.turned(frame->body) > 0)) continue;
    const double apart = (path_.positions(a.body)[0] - path_.positions(b.body)[0]).norm() + reach_of<D>(*other) + way;
    way += std::min(2.0, path_.turned(frame->body)) * apart;
  }
  return gap > way;
}

// By the gaps at both ends, without looking between.
template <int D>
bool StartSearch<D>::stays_apart(int pair, const View& view, double gap_at_start, double gap_at_end, double depth) {
  if (!(gap_at_start >= 0)) return false;
  const bool seen = std::isfinite(gap_at_start) && std::isfinite(gap_at_end);
  if (!seen && (view.touching == 0 || !bounds_parts(view))) return false;
  // A feature that another one has handed its overlap to: it begins where it appears.
  if (view.touching > 0 && gap_at_end < -noticed * depth) return false;
  if (bounds_parts(view))
    return gap_at_end >= -depth &&
           is_clear_by_parts(pair, view, 0, 1, greatest_rate<D>(*view.a, *view.b, path_), -depth);
  const Shape<D>* const first = contacts_.shapes().data();
  const PairBend<D> bounds(*view.a, *view.b, path_);
  const double sharp_a = sharpness_[view.a - first], sharp_b = sharpness_[view.b - first];
  const double bend = gap_kind<D>(*view.a, *view.b) == GapKind::curve ? bounds.of_feature(sharp_a, sharp_b)
                                                                      : bounds.of_distance(sharp_a, sharp_b);
  return least_between(gap_at_start, gap_at_end, bend) >= -depth;
}

template <int D>
ContactStart StartSearch<D>::find_first(double depth, double until, const ContactReading* at_start,
                                        const ContactReading* at_end) {
  ContactStart first{-1, until};
  for (int pair = 0; pair < contacts_.pair_count(); ++pair) {
    const View view = contacts_.view(pair);
    if (view.touching == view.points) continue;
    // Where areas press, others of the pair act as soon as they overlap, and come and go as they part and join.
    if (view.touching > 0 && is_area_pair<D>(*view.kind)) continue;
    double gap_at_start = infinite, gap_at_end = infinite;
    for (int k = view.first_point; k < view.first_point + view.points; ++k) {
      if (contacts_.touches(k)) continue;
      gap_at_start = std::min(gap_at_start, -at_start[k].penetration);
      gap_at_end = std::min(gap_at_end, -at_end[k].penetration);
    }
    // Of pairs that bound the gaps of their free features by themselves, those far away are not known.
    const bool all_known = view.touching == 0 || !bounds_parts(view);
    if ((all_known && cannot_meet(view, gap_at_start)) || stays_apart(pair, view, gap_at_start, gap_at_end, depth))
      continue;
    const ContactStart found = search(pair, depth, first.theta);
    if (found.point >= 0) first = found;
  }
  return first;
}

template <int D>
void StartSearch<D>::place(double theta) {
  path_.place(view_.a->body, theta, body_a_);
  path_.place(view_.b->body, theta, body_b_);
}

template <int D>
typename StartSearch<D>::Instant StartSearch<D>::look(double theta, bool turn_slab) {
  ++statistics_.instants;
  place(theta);
  const ContactPoint<D>* contact = contacts_.points_of(pair_, body_a_, body_b_);
  Instant instant{theta, infinite, -1, infinite};
  for (int k = 0; k < view_.points; ++k) {
    if (contacts_.touches(view_.first_point + k) || !(contact[k].gap < instant.gap)) continue;
    instant.gap = contact[k].gap;
    instant.point = view_.first_point + k;
    if (turn_slab) normal_ = contact[k].normal;
  }
  if (!by_slab_) {
    instant.width = instant.gap;
    return instant;
  }
  if (turn_slab) {
    if (instant.point < 0) {
      const VectorOf<D> between = centre_of<D>(*view_.b, body_b_) - centre_of<D>(*view_.a, body_a_);
      normal_ = between.norm() > 0 ? VectorOf<D>(between.normalized()) : VectorOf<D>(VectorOf<D>::UnitX());
    }
    slab_ = Slab<D>::across(normal_, *view_.a, *view_.b, body_a_, body_b_);
  }
  instant.width = slab_.width(*view_.a, *view_.b, body_a_, body_b_);
  return instant;
}

template <int D>
double StartSearch<D>::bend() const {
  if (by_slab_) return bend_->of(slab_, normal_);
  if (kind_ == GapKind::own) return bend_->own(normal_);
  const Shape<D>* const first = contacts_.shapes().data();
  return bend_->of_feature(sharpness_[view_.a - first], sharpness_[view_.b - first]);
}

// No overlap deeper than the floor between the two instants, of which the slab has the widths.
template <int D>
bool StartSearch<D>::is_clear(const Instant& from, const Instant& to, double floor) const {
  if (from.width == infinite && to.width == infinite) return true;
  const double span = to.theta - from.theta;
  if (from.width == infinite || to.width == infinite) return std::min(from.width, to.width) > bend() * span * span;
  return least_between(from.width, to.width, bend() * span * span) >= floor;
}

template <int D>
void StartSearch<D>::note_closed(int pair, const View& view, const BodyState<D>* bodies) {
  closed_.clear();
  if (view.touching == 0) return;
  // Where they are, only pairs in space ask.
  const ContactPoint<D>* const contact = D == 3 ? contacts_.points_of(pair, bodies[0], bodies[1]) : nullptr;
  for (int k = 0; k < view.points; ++k) {
    const int point = view.first_point + k;
    if (!contacts_.touches(point) || (contact && !std::isfinite(contact[k].gap))) continue;
    closed_.push_back({.feature = contacts_.feature_of_point(point)});
    if (contact) closed_.back().place.template head<D>() = 0.5 * (contact[k].point_a + contact[k].point_b);
  }
}

template <int D>
bool StartSearch<D>::is_clear_by_parts(int pair, const View& view, double from, double to, double way, double floor) {
  BodyState<D> before[2], after[2];
  int k = 0;
  for (const Shape<D>* shape : {view.a, view.b}) {
    path_.place(shape->body, from, before[k]);
    path_.place(shape->body, to, after[k++]);
  }
  const PairBend<D> bounds(*view.a, *view.b, path_);
  const double span = to - from;
  const bool hollow = gap_kind<D>(*view.a, *view.b) == GapKind::own;
  double bend = hollow ? bounds.own(-axis_of<D>(*view.b, before[1], D - 1)) : bounds.of_feature(0, 0);
  // Of a profile that knows the axes of its own body alone; directions fixed to the other one are bounded by two of
  // them.
  if (view.a->kind == ShapeKind::profile) {
    for (const int axis : {0, 1}) {
      for (const double sign : {-1.0, 1.0}) {
        const VectorOf<D> n = sign * VectorOf<D>::Unit(axis);
        bend = std::max(bend, std::sqrt(2.0) * bounds.of({Slab<D>::Frame::b, n}, n));
      }
    }
  }
  note_closed(pair, view, before);
  const auto by_frame = bounds.by_frame();
  const double turn = path_.turned(view.a->body) + path_.turned(view.b->body);
  const GapMotion motion{.way = way,
                         .bend = bend * span * span,
                         .floor = floor,
                         .bend_a = by_frame.a * span * span,
                         .bend_b = by_frame.b * span * span,
                         .bend_world = by_frame.world * span * span,
                         .turn = turn * span,
                         .closed = closed_};
  const auto least = view.touching == 0 ? view.kind->least_between : view.kind->least_between_free;
  return least(*view.a, *view.b, before, after, motion) >= floor;
}

// Where the gap falls below a level between two parts of the step.
template <int D>
double StartSearch<D>::root(double from, double to, double level) {
  const auto value = [&](double theta) {
    const double gap = look(theta, false).gap - level;
    return std::clamp(gap, -1e300, 1e300);
  };
  double first = value(from);
  const double last = value(to);
  if (!(last < 0)) return to;
  // A pair that has just become free may lie on the level by rounding; it is above it soon.
  for (double part = 0.5; !(first > 0) && part > smallest_part; part *= 0.5) {
    const double soon = from + part * (to - from);
    first = value(soon);
    if (first > 0) from = soon;
  }
  if (!(first > 0)) return from;
  std::uintmax_t most = 100;
  const auto bracket = boost::math::tools::toms748_solve(
      value, from, to, first, last,
      [](double low, double high) { return high - low <= 4 * std::numeric_limits<double>::epsilon() * high; }, most);
  return 0.5 * (bracket.first + bracket.second);
}

template <int D>
ContactStart StartSearch<D>::search(int pair, double depth, double until, long patience) {
  pair_ = pair;
  view_ = contacts_.view(pair);
  kind_ = gap_kind<D>(*view_.a, *view_.b);
  by_slab_ = kind_ == GapKind::convex && view_.touching == 0;
  body_a_ = body_b_ = BodyState<D>{};
  const PairBend<D> bounds(*view_.a, *view_.b, path_);
  bend_ = &bounds;
  const int remembered = view_.kind->memory(*view_.a, *view_.b);
  saved_.assign(contacts_.memory_of(pair), contacts_.memory_of(pair) + remembered);
  ContactStart found = advance(depth, until, patience);
  if (found.point < 0) {
    std::copy(saved_.begin(), saved_.end(), contacts_.memory_of(pair));
    return found;
  }
  // Slots that follow their minima keep the numbers that they have where the shapes meet.
  if (const Instant meeting = look(found.theta, false); meeting.point >= 0) found.point = meeting.point;
  found.first_point = view_.first_point, found.points = view_.points;
  return found;
}

template <int D>
void StartSearch<D>::note_coarse(double depth) {
  if (!(depth > statistics_.coarsest)) return;
  statistics_.coarsest = depth;
  statistics_.coarsest_contact = contacts_.point_name(view_.first_point);
}

// Goes from instant to instant, each as far from the last as is surely clear. `level` is what the gap may not fall
// below: 0, or where the pair lay already when it became free.
template <int D>
ContactStart StartSearch<D>::advance(double depth, double until, long patience) {
  Instant here = look(0, true);
  double level = std::min(0.0, here.gap), span = until;
  long last_settled = statistics_.instants;
  // Far apart, the distance alone shows more than bounds on second derivatives, which grow with it where bodies spin.
  const bool by_distance = kind_ != GapKind::own && view_.touching == 0;
  const bool by_parts = bounds_parts(view_);
  const double rate = by_distance || by_parts ? greatest_rate<D>(*view_.a, *view_.b, path_) : infinite;
  const auto is_proved = [&](const Instant& from, const Instant& to) {
    if (!by_parts) return is_clear(from, to, level - depth);
    return is_clear_by_parts(pair_, view_, from.theta, to.theta, rate * (to.theta - from.theta), level - depth);
  };
  const auto is_free = [&](const Instant& from, const Instant& to) {
    // Outlines that are wholly inside others may have no gap there, or that of another place.
    const double way = rate * (to.theta - from.theta);
    const double least = by_parts && D == 2 ? from.gap - way : 0.5 * (from.gap + to.gap - way);
    // What is free of overlap at both ends is nowhere deeper than that.
    const double floor = by_parts && D == 3 && std::min(from.gap, to.gap) >= 0 ? -depth : 0;
    return (by_distance && std::isfinite(least) && least >= floor) || is_proved(from, to);
  };
  while (here.theta < until) {
    if (statistics_.instants - last_settled > patience) {
      last_settled = statistics_.instants;
      depth *= settle_for;
      note_coarse(depth);
    }
    Instant there{std::min(until, here.theta + span)};
    span = there.theta - here.theta;
    there = look(there.theta, false);
    if (there.gap < level - noticed * depth) {
      const double first = root(here.theta, there.theta, level);
      // Across the direction in which they meet nothing has met before.
      const Instant meeting = look(first, true), start = look(here.theta, false);
      if (meeting.point >= 0 && is_proved(start, meeting)) return {meeting.point, first};
      here = look(here.theta, true);
    } else if (is_free(here, there)) {
      level = std::min(0.0, std::max(level, there.gap));
      if (there.theta >= until) break;
      here = look(there.theta, true);
      span *= longer;
      continue;
    }
    if (span <= smallest_part) {
      if (here.gap < level) return {here.point, here.theta};
      // Surfaces meet that have no contact point there, such as the end of an open outline.
      const double last = here.theta;
      here = look(std::min(until, last + blind), true);
      if (here.gap < level - noticed * depth) return {here.point, root(last, here.theta, level)};
      span = blind;
      continue;
    }
    // Where the width would be halfway to the depth if it went on evenly.
    const double fall = here.width - there.width;
    const double part = fall > 0 && std::isfinite(fall) ? (here.width - level + 0.5 * depth) / fall : shorter;
    span *= std::clamp(part, shortest, shorter);
  }
  return {};
}

template class StartSearch<2>;
template class StartSearch<3>;

}  // namespace carom::inline contacts
