#include <algorithm>
#include <cmath>

#include "contacts/compliant_contacts.h"
#include "contacts/patch.h"

// The force of one compliant contact point.
namespace carom::inline contacts {

namespace {

constexpr double near = 0.1;  // of the size: farther apart no radius is asked for

NormalForce stiffened(const CompliantLaw& law, const NormalForce& own, double scale) {
  const double power = law.damping_power, damping = own.force - own.elastic;
  NormalForce result = own;
  result.elastic *= scale;
  result.force = result.elastic + (power == 1 ? scale : std::pow(scale, power)) * damping;
  return result;
}

}  // namespace

// In space only: in the plane nothing is asked of it.
template <int D>
double CompliantContacts<D>::scale(const Pair& pair, const Point& point, const ContactPoint<D>& contact,
                                   const Bodies<D>& bodies, double* axis_ratio) const {
  if constexpr (D == 3) {
    const CompliantLaw& law = laws_[pair.law];
    if (!(law.radius > 0)) return 1;
    if (law.by_point && point.touching) return point.scale;
    double radius = contact.area.radius;
    if (law.by_point && contact.gap < near * law.radius) {
      const Shape<3>&a = pairs_.shape_a(pair), &b = pairs_.shape_b(pair);
      const Patch patch = patch_at(a, b, bodies[a.body], bodies[b.body], contact);
      radius = patch.effective_radius;
      if (axis_ratio) *axis_ratio = patch.axis_ratio;
    }
    return radius > 0 ? std::sqrt(radius / law.radius) : 1;
  }
  return 1;
}

template <int D>
int CompliantContacts<D>::kin_of(const Pair& pair, int point, const ContactPoint<D>* contacts) const {
  // An area that is there may be the heir of one that is not, in another slot.
  const ContactPoint<D>& own = contacts[point - pair.first_point];
  int nearest = -1, gone = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int k = pair.first_point; k < pair.first_point + pair.points; ++k) {
    const ContactPoint<D>& other = contacts[k - pair.first_point];
    if (k == point || !(points_[k].touching || points_[point].touching)) continue;
    if (!(other.gap < 0)) {
      if (points_[k].touching && gone < 0) gone = k;
      continue;
    }
    const double distance = std::isfinite(own.gap) ? (own.point_a - other.point_a).squaredNorm() : 0;
    if (distance < least) least = distance, nearest = k;
  }
  return nearest >= 0 || points_[point].touching ? nearest : gone;
}

template <int D>
const typename CompliantContacts<D>::Point& CompliantContacts<D>::borrow(const Point& own, const Point& kin) const {
  borrowed_ = kin;
  borrowed_.touching = false, borrowed_.bristle = own.bristle;
  return borrowed_;
}

template <int D>
NormalContact CompliantContacts<D>::seen(const Point& point, const ContactPoint<D>& contact,
                                         const Vector& relative) const {
  if (elastic_only_)
    return {.penetration = -contact.gap, .rate = 0, .impact_speed = 1, .deepest = std::max(0.0, -contact.gap)};
  return {.penetration = -contact.gap,
          .rate = -contact.normal.dot(relative),
          .impact_speed = point.impact_speed,
          .deepest = point.deepest};
}

// False where nothing acts. A right-hand side of a small mechanism consists of it in good part: no call is made for it.
template <int D>
inline bool CompliantContacts<D>::act(const Pair& pair, const Point& point, const ContactPoint<D>& contact,
                                      const Bodies<D>& bodies, Action& action) const {
  if (!(contact.gap < 0)) return false;
  const CompliantGroup& group = groups_[pair.group];
  action.place = pairs_.place_of(pair, contact);
  const Vector relative = pairs_.relative_velocity(pair, action.place, bodies);
  const NormalContact normal = seen(point, contact, relative);
  NormalForce law = laws_[pair.law].normal->evaluate(normal);
  if (D == 3 && laws_[pair.law].radius > 0) law = stiffened(laws_[pair.law], law, scale(pair, point, contact, bodies));
  action.normal = law.force;
  action.force = law.force * contact.normal;
  action.power = -(law.force - law.elastic) * normal.rate;
  action.torque.setZero();
  if (elastic_only_) return true;
  const BodyState<D>&a = bodies[pairs_.shape_a(pair).body], &b = bodies[pairs_.shape_b(pair).body];
  if (group.friction) {
    const Vector slip = relative + normal.rate * contact.normal;
    if (point.bristle >= 0) {
      const Vector friction = bristle_friction(*group.friction, point, contact.normal, slip, law.force);
      action.force += friction;
      action.power += friction.dot(slip);
    } else if (D == 3 && contact.area.lever > 0) {
      rub(*group.friction, contact, slip, AngularOf<D>(b.angular_velocity - a.angular_velocity), action);
    } else if (const double speed = slip.norm(); speed > 0) {
      const double friction = group.friction->evaluate(speed, law.force).coefficient * law.force;
      action.force -= friction / speed * slip;
      action.power -= friction * speed;
    }
  }
  if (group.resists_rotation())
    action.torque +=
        resist(group, contact.normal, AngularOf<D>(b.angular_velocity - a.angular_velocity), law.force, action.power);
  return true;
}

// Sliding and spinning of an area share one friction: its places slip by √(v² + (ω l)²) with the mean distance l of the
// pressure from its centre, and what spins fast slides easily (Contensou 1963).
template <int D>
void CompliantContacts<D>::rub(const FrictionLaw& law, const ContactPoint<D>& contact, const Vector& slip,
                               const AngularOf<D>& angular_velocity, Action& action) {
  if constexpr (D == 3) {
    const double lever = contact.area.lever, spin = contact.normal.dot(angular_velocity);
    const double speed = std::sqrt(slip.squaredNorm() + spin * spin * lever * lever);
    if (!(speed > 0)) return;
    const double friction = law.evaluate(speed, action.normal).coefficient * action.normal;
    action.force -= friction / speed * slip;
    action.torque -= friction / speed * lever * lever * spin * contact.normal;
    action.power -= friction * speed;
  }
}

// Friction of a bristle on b, and the rate of its deflection z. The law is one of a line; in the plane of contact it
// holds along the slip, and what is bent across it relaxes at the same pace.
template <int D>
typename CompliantContacts<D>::Vector CompliantContacts<D>::bristle_friction(const FrictionLaw& law, const Point& point,
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

// Torque on b against the relative angular velocity; what it takes out is subtracted from the power.
template <int D>
AngularOf<D> CompliantContacts<D>::resist(const CompliantGroup& group, const Vector& normal,
                                          const AngularOf<D>& angular_velocity, double force, double& power) {
  const auto against = [&](const AngularOf<D>& part, const Resistance& resistance) -> AngularOf<D> {
    const double speed = part.norm();
    if (!(speed > 0) || !resistance.is_present()) return AngularOf<D>::Zero();
    const double torque = resistance.evaluate(speed, force).torque;
    power += torque * speed;
    return torque / speed * part;
  };
  if constexpr (D == 2) {
    return against(angular_velocity, group.rolling);
  } else {
    const Eigen::Vector3d about_normal = normal.dot(angular_velocity) * normal;
    return against(about_normal, group.spinning) +
           against(Eigen::Vector3d(angular_velocity - about_normal), group.rolling);
  }
}

template <int D>
void CompliantContacts<D>::load(const Pair& pair, const Action& action, const Bodies<D>& bodies,
                                Loads<D>& loads) const {
  const int a = pairs_.shape_a(pair).body, b = pairs_.shape_b(pair).body;
  loads.add_force(bodies, b, action.place - bodies[b].position, action.force);
  loads.add_force(bodies, a, action.place - bodies[a].position, -action.force);
  if (groups_[pair.group].resists_rotation() || (D == 3 && laws_[pair.law].radius > 0)) {
    loads.add_torque(bodies, b, action.torque);
    loads.add_torque(bodies, a, -action.torque);
  }
}

template <int D>
bool CompliantContacts<D>::apply(const Bodies<D>& bodies, Loads<D>& loads, double* power) const {
  const bool guarded = guard_ < std::numeric_limits<double>::infinity();
  bool shallow = true;
  std::fill(bristle_rates_.begin(), bristle_rates_.end(), 0.0);
  Action action;
  const int* touching = touching_.data();
  for (const Pair& pair : pairs_.pairs()) {
    if (*touching++ == 0 && !guarded && !laws_[pair.law].event_free) continue;
    const ContactPoint<D>* contact = pairs_.evaluate(pair, bodies);
    for (int k = pair.first_point, end = k + pair.points; k < end; ++k, ++contact) {
      const Memory memory = memory_of(pair, k, contact - (k - pair.first_point));
      if (!memory.acts) {
        shallow = shallow && !(-contact->gap > guard_);
      } else if (act(pair, memory.point, *contact, bodies, action)) {
        load(pair, action, bodies, loads);
        if (power) power[pair.group] += action.power;
      }
    }
  }
  return shallow;
}

template <int D>
void CompliantContacts<D>::apply_pair(int index, const Bodies<D>& bodies, Loads<D>& loads) const {
  const Pair& pair = pairs_.pairs()[index];
  if (touching_[index] == 0 && !laws_[pair.law].event_free) return;
  const ContactPoint<D>* contact = pairs_.evaluate(pair, bodies);
  Action action;
  for (int k = pair.first_point, end = k + pair.points; k < end; ++k, ++contact) {
    if (act(pair, k, *contact, bodies, action)) load(pair, action, bodies, loads);
  }
}

template <int D>
double CompliantContacts<D>::energy(const Bodies<D>& bodies) const {
  double sum = 0;
  const int* touching = touching_.data();
  for (const Pair& pair : pairs_.pairs()) {
    if (*touching++ == 0 && !laws_[pair.law].event_free) continue;
    const ContactPoint<D>* contact = pairs_.evaluate(pair, bodies);
    for (int k = pair.first_point, end = k + pair.points; k < end; ++k, ++contact) {
      if (!(contact->gap < 0)) continue;
      const Memory memory = memory_of(pair, k, contact - (k - pair.first_point));
      if (!memory.acts) continue;
      const double energy = laws_[pair.law].normal->energy(seen(memory.point, *contact, Vector::Zero()));
      sum += scale(pair, memory.point, *contact, bodies) * energy;
    }
  }
  return sum;
}

template <int D>
void CompliantContacts<D>::read_point(const Pair& pair, const Point& point, const ContactPoint<D>& contact,
                                      const Bodies<D>& bodies, ContactReading& reading) const {
  reading = {.penetration = -contact.gap};
  if (!std::isfinite(contact.gap)) {
    // An area that has grown together with another one, or planar surfaces that do not face each other any more: the
    // contact ends. What has left a hole, and features of meshes, may be back with all that they remember.
    const bool lost = D == 2 ? !pair.in_hole : is_over_areas(pair);
    if (point.touching && lost) reading.rate = -std::numeric_limits<double>::min();
    return;
  }
  const Vector relative = pairs_.relative_velocity(pair, pairs_.place_of(pair, contact), bodies);
  const NormalContact normal = seen(point, contact, relative);
  reading.rate = normal.rate;
  reading.scale = scale(pair, point, contact, bodies, &reading.axis_ratio);
  if (!acts(pair, point)) return;
  const NormalLaw& law = *laws_[pair.law].normal;
  if (normal.penetration > 0)
    reading.force = D == 3 && laws_[pair.law].radius > 0
                        ? stiffened(laws_[pair.law], law.evaluate(normal), reading.scale).force
                        : law.force(normal);
  reading.slip = (relative - relative.dot(contact.normal) * contact.normal).norm();
  if (point.touching) reading.level = law.release_penetration(normal);
}

template <int D>
void CompliantContacts<D>::read_kin(const Pair& pair, int point, const ContactPoint<D>* contacts,
                                    ContactReading& reading) const {
  reading.kin = kin_of(pair, point, contacts);
  if (reading.kin >= 0) reading.kin_penetration = -contacts[reading.kin - pair.first_point].gap;
}

template <int D>
void CompliantContacts<D>::read(const Bodies<D>& bodies, ContactReading* readings) const {
  for (const Pair& pair : pairs_.pairs()) {
    const ContactPoint<D>* contact = pairs_.evaluate(pair, bodies);
    for (int k = pair.first_point, end = k + pair.points; k < end; ++k, ++contact) {
      read_point(pair, points_[k], *contact, bodies, readings[k]);
      if (is_over_areas(pair) && (points_[k].touching ? !std::isfinite(contact->gap) : contact->gap < 0))
        read_kin(pair, k, contact - (k - pair.first_point), readings[k]);
      if (D == 3 && (contact->area.radius > 0 || laws_[pair.law].by_point)) scales_[k] = readings[k].scale;
    }
  }
}

template class CompliantContacts<2>;
template class CompliantContacts<3>;

}  // namespace carom::inline contacts
