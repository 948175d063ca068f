#include <algorithm>
#include <cmath>

#include "contacts/contact_set.h"

// Contact by impulses: kinematics of the points, and what they report.
namespace carom {

template <int D>
RigidContact<D> ContactSet<D>::rigid_contact(const Pair& pair, int point, const ContactPoint<D>& contact,
                                             const Bodies<D>& bodies) const {
  const int a = shapes_[pair.a].body, b = shapes_[pair.b].body;
  return {.point = point,
          .law = pair.law,
          .a = a,
          .b = b,
          .gap = contact.gap,
          .normal = contact.normal,
          .lever_a = contact.point_a - bodies[a].position,
          .lever_b = contact.point_b - bodies[b].position};
}

// A round shape about the mass centre may turn without moving its surface; others move with their farthest point.
template <int D>
void ContactSet<D>::count_ways(const Bodies<D>& bodies) {
  if (seen_.size() != bodies.size()) {
    seen_ = bodies;
    ways_.assign(bodies.size(), 0.0);
    reaches_.assign(bodies.size(), 0.0);
    for (const Shape<D>& shape : shapes_) {
      const bool round =
          shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::inner_race || shape.kind == ShapeKind::outer_race;
      const double own = round ? 0 : shape.bounding_radius();
      reaches_[shape.body] = std::max(reaches_[shape.body], shape.position.norm() + own);
    }
    return;
  }
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    double way = (bodies[b].position - seen_[b].position).norm();
    if (reaches_[b] > 0) {
      double turned = 0;
      if constexpr (D == 2) {
        turned = std::abs(bodies[b].angle - seen_[b].angle);
      } else {
        turned = (bodies[b].orientation.matrix() - seen_[b].orientation.matrix()).norm();
      }
      if (turned > 0) way += turned * reaches_[b];
    }
    ways_[b] += way;
    seen_[b].position = bodies[b].position;
    seen_[b].orientation = bodies[b].orientation;
    seen_[b].angle = bodies[b].angle;
  }
}

template <int D>
void ContactSet<D>::find_rigid(const Bodies<D>& bodies, double within, std::vector<RigidContact<D>>& contacts) {
  contacts.clear();
  count_ways(bodies);
  for (Pair& pair : pairs_) {
    const double gone = ways_[shapes_[pair.a].body] + ways_[shapes_[pair.b].body];
    if (gone + within < pair.open_until) continue;
    if (const CrossedPair<D>* crossing = crossed(static_cast<int>(&pair - pairs_.data()))) {
      const Shape<D>&a = shapes_[pair.a], &b = shapes_[pair.b];
      const ContactPoint<D> met = crossing->contact(a, b, bodies[a.body], bodies[b.body]);
      if (met.gap <= within || crossing->closed) contacts.push_back(rigid_contact(pair, crossing->point, met, bodies));
      pair.open_until = -std::numeric_limits<double>::infinity();
      continue;
    }
    const ContactPoint<D>* contact = evaluate(pair, bodies);
    double smallest = std::numeric_limits<double>::infinity();
    bool complete = true;
    for (int k = pair.first_point, end = k + pair.points; k < end; ++k, ++contact) {
      smallest = std::min(smallest, contact->gap);
      complete = complete && std::isfinite(contact->gap);
      if (contact->gap <= within) contacts.push_back(rigid_contact(pair, k, *contact, bodies));
    }
    // Points that are not there now may come from nowhere.
    pair.open_until = complete ? gone + smallest : -std::numeric_limits<double>::infinity();
  }
}

template <int D>
void ContactSet<D>::update_rigid(const Bodies<D>& bodies, std::vector<RigidContact<D>>& contacts) const {
  int evaluated = -1;
  for (RigidContact<D>& each : contacts) {
    const int index = points_[each.point].pair;
    const Pair& pair = pairs_[index];
    if (const CrossedPair<D>* crossing = crossed(index)) {
      const Shape<D>&a = shapes_[pair.a], &b = shapes_[pair.b];
      each = rigid_contact(pair, each.point, crossing->contact(a, b, bodies[a.body], bodies[b.body]), bodies);
      continue;
    }
    if (index != evaluated) evaluate(pair, bodies);
    evaluated = index;
    each = rigid_contact(pair, each.point, contacts_[each.point - pair.first_point], bodies);
  }
}

template <int D>
std::optional<RigidPlay<D>> ContactSet<D>::rigid_play(int point, const Bodies<D>& bodies) const {
  const Pair& pair = pairs_[points_[point].pair];
  const Shape<D>&hole = shapes_[pair.a], &inside = shapes_[pair.b];
  RigidPlay<D> play{.radius_a = hole.radius, .radius_b = inside.radius};
  if (hole.kind == ShapeKind::bore) {
    if (point - pair.first_point > 1) return std::nullopt;  // the ends of its axial play are flat
    play.axis = axis_of<D>(hole, bodies[hole.body], D - 1);
  } else if (hole.kind != ShapeKind::cavity) {
    return std::nullopt;
  }
  play.clearance = hole.radius - inside.radius;
  return play;
}

template <int D>
void ContactSet<D>::forget_recent_impulses() {
  for (History& history : histories_) {
    history.rigid.recent.setZero();
    history.rigid.recent_normal = history.rigid.recent_tangential = 0;
  }
  for (Group& group : groups_) group.recent_impact = group.recent_peak = 0;
}

template <int D>
double ContactSet<D>::gap_scale() const {
  double scale = std::numeric_limits<double>::infinity();
  for (const Pair& pair : pairs_) {
    if (pair.kind->clearance) scale = std::min(scale, pair.kind->clearance(shapes_[pair.a], shapes_[pair.b]));
  }
  for (const Shape<D>& shape : shapes_) {
    const double radius = shape.bounding_radius();
    if (radius > 0) scale = std::min(scale, radius);
  }
  return std::isfinite(scale) && scale > 0 ? scale : 1;
}

template <int D>
std::vector<double> ContactSet<D>::smallest_shapes(int bodies) const {
  std::vector<double> smallest(bodies, std::numeric_limits<double>::infinity());
  for (const Shape<D>& shape : shapes_) {
    double size = std::numeric_limits<double>::infinity();
    if (shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule || shape.kind == ShapeKind::inner_race)
      size = shape.radius;
    if (shape.kind == ShapeKind::cylinder) size = std::min(shape.radius, shape.length / 2);
    if (shape.kind == ShapeKind::box) size = shape.half.minCoeff();
    if (size > 0) smallest[shape.body] = std::min(smallest[shape.body], size);
  }
  return smallest;
}

template <int D>
void ContactSet<D>::rigid_output(int index, const Bodies<D>& bodies, double* values) const {
  int closed = 0, status = 0;
  double gap = std::numeric_limits<double>::infinity(), rate = 0;
  double normal = 0, tangential = 0, force = 0, slip = 0;
  Vector impulse = Vector::Zero(), place = Vector::Zero(), direction = Vector::Zero();
  for_each_point(index, bodies, [&](const Pair& pair, int k, const ContactPoint<D>& contact) {
    const RigidMemory<D>& memory = histories_[k].rigid;
    if (contact.gap < gap) {
      gap = contact.gap;
      place = place_of(pair, contact);
      direction = pair.swapped ? Vector(-contact.normal) : contact.normal;
      const Vector relative = relative_velocity(pair, place, bodies);
      rate = contact.normal.dot(relative);
      slip = (relative - rate * contact.normal).norm();
    }
    normal += memory.recent_normal, tangential += memory.recent_tangential;
    impulse += pair.swapped ? Vector(-memory.recent) : memory.recent;
    if (memory.step != rigid_step_ || memory.status == RigidStatus::open) return;
    force += memory.force;
    ++closed;
    status = std::max(status, static_cast<int>(memory.status));
  });
  const Group& group = groups_[index];
  for (const double value : {static_cast<double>(closed), static_cast<double>(status), gap, rate, normal, tangential,
                             force, group.recent_impact, group.recent_peak, slip, group.force_distance}) {
    *values++ = value;
  }
  for (int k = 0; k < D; ++k) *values++ = impulse[k];
  for (int k = 0; k < D; ++k) *values++ = place[k];
  for (int k = 0; k < D; ++k) *values++ = direction[k];
  if (group.is_joint) put_eccentricity(index, bodies, values);
}

template class ContactSet<2>;
template class ContactSet<3>;

}  // namespace carom
