#include "contacts/contact_set.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace carom {

template <int D>
ContactSet<D>::~ContactSet() = default;

template <int D>
std::string ContactSet<D>::point_name(int point) const {
  const Pair& pair = pairs_[points_[point].pair];
  const Group& group = groups_[pair.group];
  std::string name = group.name;
  if (group.points > pair.points) name += fmt::format(" ({} on {})", shapes_[pair.b].name, shapes_[pair.a].name);
  if (pair.points > 1) name += fmt::format(" point {}", point - pair.first_point + 1);
  return name;
}

template <int D>
std::vector<std::pair<int, int>> ContactSet<D>::body_pairs() const {
  std::vector<std::pair<int, int>> result;
  if (rigid_) return result;
  for (int k = 0; k < fixed_pairs_; ++k) result.push_back(pair_bodies(k));
  return result;
}

template <int D>
std::pair<int, int> ContactSet<D>::pair_bodies(int pair) const {
  return {shapes_[pairs_[pair].a].body, shapes_[pairs_[pair].b].body};
}

template <int D>
ContactPoint<D>* ContactSet<D>::evaluate(const Pair& pair, const Bodies<D>& bodies) const {
  const Shape<D>&a = shapes_[pair.a], &b = shapes_[pair.b];
  pair.kind->evaluate(a, b, bodies[a.body], bodies[b.body], contacts_.data(), memory_.data() + pair.memory);
  return contacts_.data();
}

// Of b against a, as if both reached the place.
template <int D>
typename ContactSet<D>::Vector ContactSet<D>::relative_velocity(const Pair& pair, const Vector& place,
                                                                const Bodies<D>& bodies) const {
  const BodyState<D>&a = bodies[shapes_[pair.a].body], &b = bodies[shapes_[pair.b].body];
  return b.velocity_at(place - b.position) - a.velocity_at(place - a.position);
}

template <int D>
NormalContact ContactSet<D>::seen(const Point& point, const ContactPoint<D>& contact, const Vector& relative) const {
  if (elastic_only_)
    return {.penetration = -contact.gap, .rate = 0, .impact_speed = 1, .deepest = std::max(0.0, -contact.gap)};
  return {.penetration = -contact.gap,
          .rate = -contact.normal.dot(relative),
          .impact_speed = point.impact_speed,
          .deepest = point.deepest};
}

// Both bodies feel the force at one place: no couple is left over, and the slip there gives exactly the power of
// friction. It lies halfway between the surfaces, or on the wall of the hole that the other body is in.
template <int D>
typename ContactSet<D>::Vector ContactSet<D>::place_of(const Pair& pair, const ContactPoint<D>& contact) {
  return pair.in_hole ? contact.point_a : Vector(0.5 * (contact.point_a + contact.point_b));
}

// False where nothing acts.
template <int D>
bool ContactSet<D>::act(const Pair& pair, const Point& point, const ContactPoint<D>& contact, const Bodies<D>& bodies,
                        Action& action) const {
  if (!(contact.gap < 0)) return false;
  const Group& group = groups_[pair.group];
  action.place = place_of(pair, contact);
  const Vector relative = relative_velocity(pair, action.place, bodies);
  const NormalContact normal = seen(point, contact, relative);
  const NormalForce law = laws_[pair.law].normal->evaluate(normal);
  action.normal = law.force;
  action.force = law.force * contact.normal;
  action.power = -(law.force - law.elastic) * normal.rate;
  if (elastic_only_) {
    action.torque.setZero();
    return true;
  }
  if (group.friction) {
    const Vector slip = relative + normal.rate * contact.normal;
    const double speed = slip.norm();
    if (point.bristle >= 0) {
      const Vector friction = bristle_friction(*group.friction, point, contact.normal, slip, law.force);
      action.force += friction;
      action.power += friction.dot(slip);
    } else if (speed > 0) {
      const double friction = group.friction->evaluate(speed, law.force).coefficient * law.force;
      action.force -= friction / speed * slip;
      action.power -= friction * speed;
    }
  }
  if (group.rolling.is_present() || group.spinning.is_present()) {
    const BodyState<D>&a = bodies[shapes_[pair.a].body], &b = bodies[shapes_[pair.b].body];
    action.torque = resist(group, contact.normal, SpinOf<D>(b.spin - a.spin), law.force, action.power);
  }
  return true;
}

// Friction of a bristle on b, and the rate of its deflection z. The law is one of a line; in the plane of contact it
// holds along the slip, and what is bent across it relaxes at the same pace.
template <int D>
typename ContactSet<D>::Vector ContactSet<D>::bristle_friction(const FrictionLaw& law, const Point& point,
                                                               const Vector& normal, const Vector& slip,
                                                               double normal_force) const {
  Vector z = Eigen::Map<const Vector>(bristles_.data() + point.bristle);
  z -= normal.dot(z) * normal;
  Eigen::Map<Vector> rate(bristle_rates_.data() + point.bristle);
  const double speed = slip.norm();
  if (!(speed > 0)) {
    rate.setZero();
    const double bent = z.norm();
    return bent > 0 ? Vector(-law.bristle(bent, 0, normal_force).force * normal_force / bent * z)
                    : Vector(Vector::Zero());
  }
  const Vector along = slip / speed;
  const double bent = along.dot(z);
  const Vector across = z - bent * along;
  const BristleForce force = law.bristle(bent, speed, normal_force);
  const double pace = bent != 0 ? (speed - force.rate) / bent : 0;  // 1/s
  rate = force.rate * along - std::max(0.0, pace) * across;
  Vector friction = -force.force * normal_force * along;
  if (const double size = across.norm(); size > 0)
    friction -= law.bristle(size, 0, normal_force).force * normal_force / size * across;
  return friction;
}

// Torque on b against the relative spin; what it takes out is subtracted from the power.
template <int D>
SpinOf<D> ContactSet<D>::resist(const Group& group, const Vector& normal, const SpinOf<D>& spin, double force,
                                double& power) {
  const auto against = [&](const SpinOf<D>& part, const Resistance& resistance) -> SpinOf<D> {
    const double speed = part.norm();
    if (!(speed > 0) || !resistance.is_present()) return SpinOf<D>::Zero();
    const double torque = resistance.evaluate(speed, force).torque;
    power += torque * speed;
    return torque / speed * part;
  };
  if constexpr (D == 2) {
    return against(spin, group.rolling);
  } else {
    const Eigen::Vector3d about_normal = normal.dot(spin) * normal;
    return against(about_normal, group.spinning) + against(Eigen::Vector3d(spin - about_normal), group.rolling);
  }
}

template <int D>
void ContactSet<D>::load(const Pair& pair, const Action& action, const Bodies<D>& bodies, Loads<D>& loads) const {
  const Group& group = groups_[pair.group];
  const int a = shapes_[pair.a].body, b = shapes_[pair.b].body;
  loads.add_force(bodies, b, action.place - bodies[b].position, action.force);
  loads.add_force(bodies, a, action.place - bodies[a].position, -action.force);
  if (group.rolling.is_present() || group.spinning.is_present()) {
    loads.add_torque(bodies, b, action.torque);
    loads.add_torque(bodies, a, -action.torque);
  }
}

template <int D>
bool ContactSet<D>::apply(const Bodies<D>& bodies, Loads<D>& loads, double* power) const {
  if (power) std::fill_n(power, group_count(), 0.0);
  const bool guarded = guard_ < std::numeric_limits<double>::infinity();
  bool shallow = true;
  std::fill(bristle_rates_.begin(), bristle_rates_.end(), 0.0);
  Action action;
  for (const Pair& pair : pairs_) {
    if (pair.touching == 0 && !guarded && !laws_[pair.law].unnoticed) continue;
    const ContactPoint<D>* contact = evaluate(pair, bodies);
    for (int k = pair.first_point, end = k + pair.points; k < end; ++k, ++contact) {
      const Point& point = points_[k];
      if (!acts(pair, point)) {
        shallow = shallow && !(-contact->gap > guard_);
      } else if (act(pair, point, *contact, bodies, action)) {
        load(pair, action, bodies, loads);
        if (power) power[pair.group] += action.power;
      }
    }
  }
  return shallow;
}

template <int D>
void ContactSet<D>::apply_pair(int index, const Bodies<D>& bodies, Loads<D>& loads) const {
  const Pair& pair = pairs_[index];
  if (pair.touching == 0 && !laws_[pair.law].unnoticed) return;
  const ContactPoint<D>* contact = evaluate(pair, bodies);
  Action action;
  for (int k = pair.first_point, end = k + pair.points; k < end; ++k, ++contact) {
    if (acts(pair, points_[k]) && act(pair, points_[k], *contact, bodies, action)) load(pair, action, bodies, loads);
  }
}

template <int D>
double ContactSet<D>::energy(const Bodies<D>& bodies) const {
  double sum = 0;
  for (const Pair& pair : pairs_) {
    if (pair.touching == 0 && !laws_[pair.law].unnoticed) continue;
    const ContactPoint<D>* contact = evaluate(pair, bodies);
    for (int k = pair.first_point, end = k + pair.points; k < end; ++k, ++contact) {
      if (!acts(pair, points_[k]) || !(contact->gap < 0)) continue;
      sum += laws_[pair.law].normal->energy(seen(points_[k], *contact, Vector::Zero()));
    }
  }
  return sum;
}

template <int D>
void ContactSet<D>::read(const Bodies<D>& bodies, ContactReading* readings) const {
  for (const Pair& pair : pairs_) {
    const ContactPoint<D>* contact = evaluate(pair, bodies);
    for (int k = pair.first_point, end = k + pair.points; k < end; ++k, ++contact) {
      const Point& point = points_[k];
      ContactReading& reading = readings[k];
      reading.penetration = -contact->gap;
      reading.rate = reading.level = reading.force = reading.slip = 0;
      if (!std::isfinite(contact->gap)) continue;
      const Vector relative = relative_velocity(pair, place_of(pair, *contact), bodies);
      const NormalContact normal = seen(point, *contact, relative);
      reading.rate = normal.rate;
      if (!acts(pair, point)) continue;
      const NormalLaw& law = *laws_[pair.law].normal;
      reading.force = normal.penetration > 0 ? law.force(normal) : 0;
      reading.slip = (relative - relative.dot(contact->normal) * contact->normal).norm();
      if (point.touching) reading.level = law.release_penetration(normal);
    }
  }
}

template <int D>
void ContactSet<D>::begin(int index, double t, const ContactReading& reading, double dissipated) {
  Point& point = points_[index];
  Pair& pair = pairs_[point.pair];
  const Group& group = groups_[pair.group];
  if (!point.touching) ++pair.touching;
  point.touching = true;
  // A slow touch would damp without bound; an infinite impact speed does not damp at all.
  point.impact_speed = reading.rate >= group.minimum_speed ? reading.rate
                       : group.elastic_when_slow           ? std::numeric_limits<double>::infinity()
                                                           : group.minimum_speed;
  point.deepest = std::max(0.0, reading.penetration);
  histories_[index].episode = {.point = index,
                               .begin = t,
                               .end = t,
                               .impact_speed = reading.rate,
                               .begin_penetration = reading.penetration,
                               .largest_penetration = point.deepest,
                               .dissipated = dissipated,
                               .stiffness = laws_[pair.law].stiffness,
                               .axis_ratio = laws_[pair.law].axis_ratio};
}

template <int D>
ContactEpisode ContactSet<D>::end(int index, double t, const ContactReading& reading, double dissipated) {
  Point& point = points_[index];
  if (point.touching) --pairs_[point.pair].touching;
  point.touching = false;
  ContactEpisode& episode = histories_[index].episode;
  episode.end = t;
  episode.separation_speed = -reading.rate;
  episode.dissipated = dissipated - episode.dissipated;
  return episode;
}

template <int D>
double ContactSet<D>::stored(int index, const ContactReading& reading) const {
  const Point& point = points_[index];
  if (!(reading.penetration > 0)) return 0;
  return laws_[pairs_[point.pair].law].normal->energy({.penetration = reading.penetration,
                                                       .rate = reading.rate,
                                                       .impact_speed = point.impact_speed,
                                                       .deepest = point.deepest});
}

template <int D>
void ContactSet<D>::note(int index, double penetration, double force) {
  Point& point = points_[index];
  point.deepest = std::max(point.deepest, penetration);
  ContactEpisode& episode = histories_[index].episode;
  episode.largest_penetration = std::max(episode.largest_penetration, penetration);
  episode.peak_force = std::max(episode.peak_force, force);
}

template <int D>
const ContactEpisode& ContactSet<D>::episode(int point) const {
  return histories_[point].episode;
}

template <int D>
bool ContactSet<D>::act_unnoticed() {
  if (std::any_of(laws_.begin(), laws_.end(), [](const Law& law) { return !law.normal->is_memoryless(); }))
    return false;
  for (Law& law : laws_) law.unnoticed = true;
  return true;
}

template <int D>
void ContactSet<D>::act_elastically() {
  elastic_only_ = true;
  for (Law& law : laws_) law.unnoticed = true;
}

template <int D>
void ContactSet<D>::add_points(const Pair& pair) {
  Point point;
  point.pair = pair_count();
  points_.resize(points_.size() + pair.points, point);
  histories_.resize(points_.size());
  memory_.resize(memory_.size() + pair.kind->memory(shapes_[pair.a], shapes_[pair.b]), 0);
  pairs_.push_back(pair);
}

template <int D>
bool ContactSet<D>::refresh(const Bodies<D>& bodies) {
  if (!broad_phase_) return false;
  // The list must last for the next step, which will go about as far as this one.
  const double moved = broad_phase_->moved(bodies), travel = 1.5 * std::max(0.0, moved - moved_);
  moved_ = moved;
  if (!broad_phase_->update(bodies, std::isfinite(travel) ? travel : 0)) return false;
  moved_ = 0;
  take_candidates();
  return true;
}

template <int D>
bool ContactSet<D>::refresh_for(const Bodies<D>& bodies, double travel) {
  if (!broad_phase_ || !broad_phase_->cover(bodies, travel)) return false;
  moved_ = 0;
  take_candidates();
  return true;
}

// Pairs of the broad phase behind the fixed ones; what touches goes on.
template <int D>
void ContactSet<D>::take_candidates() {
  old_pairs_.swap(pairs_), old_points_.swap(points_), old_memory_.swap(memory_);
  old_histories_.swap(histories_);
  pairs_.assign(old_pairs_.begin(), old_pairs_.begin() + fixed_pairs_);
  points_.assign(old_points_.begin(), old_points_.begin() + fixed_points_);
  histories_.assign(old_histories_.begin(), old_histories_.begin() + fixed_points_);
  memory_.assign(old_memory_.begin(), old_memory_.begin() + static_cast<std::ptrdiff_t>(fixed_memory_));
  for (const Candidate& candidate : broad_phase_->candidates()) {
    const Encounter& meeting = encounter(candidate.a, candidate.b);
    Pair pair;
    pair.kind = meeting.kind;
    pair.a = meeting.swapped ? candidate.b : candidate.a, pair.b = meeting.swapped ? candidate.a : candidate.b;
    pair.group = meeting.group, pair.law = meeting.law;
    pair.in_hole = meeting.kind->clearance != nullptr;
    pair.first_point = point_count();
    pair.points = meeting.kind->points(shapes_[pair.a], shapes_[pair.b]);
    pair.memory = static_cast<int>(memory_.size());
    add_points(pair);
  }
  // What touches goes on.
  for_each_kept(broad_phase_->previous_candidates(), broad_phase_->candidates(),
                [&](std::size_t before, std::size_t after) {
                  const Pair& from = old_pairs_[fixed_pairs_ + before];
                  Pair& to = pairs_[fixed_pairs_ + after];
                  to.touching = from.touching;
                  to.open_until = from.open_until;
                  for (int k = 0; k < to.points; ++k) {
                    Point& point = points_[to.first_point + k];
                    const int pair = point.pair;
                    point = old_points_[from.first_point + k];
                    point.pair = pair;
                    histories_[to.first_point + k] = old_histories_[from.first_point + k];
                    histories_[to.first_point + k].episode.point = to.first_point + k;
                  }
                  const int remembered = to.kind->memory(shapes_[to.a], shapes_[to.b]);
                  std::copy_n(old_memory_.begin() + from.memory, remembered, memory_.begin() + to.memory);
                });
}

// Undamped central impact of two free bodies (formulation of Hertz' law for any exponent).
template <int D>
double ContactSet<D>::impact_duration(int point, double speed) const {
  const Law& law = laws_[pairs_[points_[point].pair].law];
  const double n = law.exponent;
  const double depth = std::pow((n + 1) * law.mass * speed * speed / (2 * law.stiffness), 1 / (n + 1));
  return 2 * depth / speed * std::sqrt(M_PI) * std::tgamma(1 + 1 / (n + 1)) / std::tgamma(0.5 + 1 / (n + 1));
}

template class ContactSet<2>;
template class ContactSet<3>;

}  // namespace carom
