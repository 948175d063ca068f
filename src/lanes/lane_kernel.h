#pragma once

#include "lanes/contact_lanes.h"

// The arithmetic of one iteration over batches, written once for vectors of four numbers: what they are compiled to is
// said by the function that this is inlined into.
namespace carom::inline lanes {

#define CAROM_INLINE inline __attribute__((always_inline))

using Four = double __attribute__((vector_size(32)));
using FourBits = long long __attribute__((vector_size(32)));

struct FourVector {
  Four x, y, z;
};

CAROM_INLINE Four load(const double* from) {
  return *reinterpret_cast<const Four*>(from);
}
CAROM_INLINE void store(const Four& value, double* to) {
  *reinterpret_cast<Four*>(to) = value;
}
CAROM_INLINE FourVector load(const Lane* from) {
  return {load(from[0]), load(from[1]), load(from[2])};
}
CAROM_INLINE void store(const FourVector& value, Lane* to) {
  store(value.x, to[0]), store(value.y, to[1]), store(value.z, to[2]);
}
CAROM_INLINE Four dot(const FourVector& a, const FourVector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
CAROM_INLINE FourVector cross(const FourVector& a, const FourVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
CAROM_INLINE FourVector plus(const FourVector& a, const FourVector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
CAROM_INLINE FourVector minus(const FourVector& a, const FourVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
CAROM_INLINE FourVector times(const Four& s, const FourVector& a) {
  return {s * a.x, s * a.y, s * a.z};
}
CAROM_INLINE Four greater(const Four& a, const Four& b) {
  return a > b ? a : b;
}
CAROM_INLINE Four size_of(const Four& a) {
  return a < 0 ? -a : a;
}
CAROM_INLINE Four root(const Four& a) {
  return Four{__builtin_sqrt(a[0]), __builtin_sqrt(a[1]), __builtin_sqrt(a[2]), __builtin_sqrt(a[3])};
}
CAROM_INLINE bool any(const FourBits& mask) {
  return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

// Rows of four bodies into vectors of one number each, and back.
struct FourRows {
  Four r0, r1, r2, r3;
};
CAROM_INLINE FourRows transposed(const FourRows& m) {
  const Four low01 = __builtin_shufflevector(m.r0, m.r1, 0, 4, 2, 6),
             high01 = __builtin_shufflevector(m.r0, m.r1, 1, 5, 3, 7);
  const Four low23 = __builtin_shufflevector(m.r2, m.r3, 0, 4, 2, 6),
             high23 = __builtin_shufflevector(m.r2, m.r3, 1, 5, 3, 7);
  return {__builtin_shufflevector(low01, low23, 0, 1, 4, 5), __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
          __builtin_shufflevector(low01, low23, 2, 3, 6, 7), __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
}

// Four bodies at once.
struct FourBodies {
  FourVector velocity, angular_velocity;
  Four inverse_mass, stirred;
};
CAROM_INLINE FourBodies gather(const LaneBody* bodies, const std::int32_t* which) {
  const LaneBody &b0 = bodies[which[0]], &b1 = bodies[which[1]], &b2 = bodies[which[2]], &b3 = bodies[which[3]];
  const FourRows v = transposed({load(b0.velocity), load(b1.velocity), load(b2.velocity), load(b3.velocity)});
  const FourRows w = transposed(
      {load(b0.angular_velocity), load(b1.angular_velocity), load(b2.angular_velocity), load(b3.angular_velocity)});
  return {{v.r0, v.r1, v.r2}, {w.r0, w.r1, w.r2}, v.r3, w.r3};
}
// What does not move is not written to: other threads read it.
CAROM_INLINE void scatter(LaneBody* bodies, const std::int32_t* which, int moving, const FourBodies& state) {
  const FourRows v = transposed({state.velocity.x, state.velocity.y, state.velocity.z, state.inverse_mass});
  const FourRows w =
      transposed({state.angular_velocity.x, state.angular_velocity.y, state.angular_velocity.z, state.stirred});
  const auto put = [&](int lane, const Four& row_v, const Four& row_w) __attribute__((always_inline)) {
    if ((moving >> lane & 1) == 0) return;
    store(row_v, bodies[which[lane]].velocity);
    store(row_w, bodies[which[lane]].angular_velocity);
  };
  put(0, v.r0, w.r0), put(1, v.r1, w.r1), put(2, v.r2, w.r2), put(3, v.r3, w.r3);
}

// What a torque about each of four bodies does to its angular velocity.
template <bool round>
CAROM_INLINE FourVector turned(const LaneBody* bodies, const std::int32_t* which, const FourVector& torque) {
  const LaneBody &b0 = bodies[which[0]], &b1 = bodies[which[1]], &b2 = bodies[which[2]], &b3 = bodies[which[3]];
  if constexpr (round) {
    return times(Four{b0.diagonal[0], b1.diagonal[0], b2.diagonal[0], b3.diagonal[0]}, torque);
  } else {
    const FourRows d = transposed({load(b0.diagonal), load(b1.diagonal), load(b2.diagonal), load(b3.diagonal)});
    const Four yz = {b0.yz, b1.yz, b2.yz, b3.yz}, zx = {b0.zx, b1.zx, b2.zx, b3.zx};
    return {d.r0 * torque.x + d.r3 * torque.y + zx * torque.z, d.r3 * torque.x + d.r1 * torque.y + yz * torque.z,
            zx * torque.x + yz * torque.y + d.r2 * torque.z};
  }
}

// Impulses on b and against a, at four contacts.
template <bool round>
CAROM_INLINE void act(LaneBody* bodies, LaneContacts& batch, FourBodies& a, FourBodies& b, const FourVector& impulse) {
  a.velocity = minus(a.velocity, times(a.inverse_mass, impulse));
  b.velocity = plus(b.velocity, times(b.inverse_mass, impulse));
  a.angular_velocity = minus(a.angular_velocity, turned<round>(bodies, batch.a, cross(load(batch.lever_a), impulse)));
  b.angular_velocity = plus(b.angular_velocity, turned<round>(bodies, batch.b, cross(load(batch.lever_b), impulse)));
}

// One visit of four contacts; the largest change of their local velocities, by lane.
template <bool round>
CAROM_INLINE Four visit(LaneBody* bodies, LaneContacts& batch) {
  FourBodies a = gather(bodies, batch.a), b = gather(bodies, batch.b);
  const FourVector normal = load(batch.normal), tangent = load(batch.tangent), second = cross(normal, tangent);
  const FourVector lever_a = load(batch.lever_a), lever_b = load(batch.lever_b);
  const FourVector offset = load(batch.offset), had = load(batch.impulse);
  const FourVector relative = plus(minus(b.velocity, a.velocity),
                                   minus(cross(b.angular_velocity, lever_b), cross(a.angular_velocity, lever_a)));
  const Four none = {0, 0, 0, 0};
  const Four pressed = greater(had.x - load(batch.normal_weight) * (dot(normal, relative) + offset.x), none);
  const Four slip_weight = load(batch.slip_weight), bound = load(batch.friction) * pressed;
  Four x = had.y - slip_weight * (dot(tangent, relative) + offset.y);
  Four y = had.z - slip_weight * (dot(second, relative) + offset.z);
  const Four square = x * x + y * y;
  const FourBits slips = square > bound * bound;
  if (any(slips)) {
    const Four shrink = bound / root(slips ? square : none + 1);
    x = slips ? x * shrink : x, y = slips ? y * shrink : y;
  }
  const Four by = pressed - had.x, dx = x - had.y, dy = y - had.z;
  store(pressed, batch.impulse[0]), store(x, batch.impulse[1]), store(y, batch.impulse[2]);
  const FourVector impulse = plus(times(by, normal), plus(times(dx, tangent), times(dy, second)));
  const Four change = greater(size_of(by) * load(batch.normal_mass), root(dx * dx + dy * dy) * load(batch.slip_mass));
  act<round>(bodies, batch, a, b, impulse);
  const Four before = a.stirred + b.stirred;
  a.stirred += a.inverse_mass > 0 ? change : none;
  b.stirred += b.inverse_mass > 0 ? change : none;
  store(load(batch.settles) > 0 ? a.stirred + b.stirred : before, batch.seen);
  scatter(bodies, batch.a, batch.moving, a);
  scatter(bodies, batch.b, batch.moving >> lane_count, b);
  return change;
}

// Impulses in the directions of their contacts act on the bodies, and stir them.
template <bool round>
CAROM_INLINE void push_by(LaneBody* bodies, LaneContacts& batch, const FourVector& by, const Four& change) {
  FourBodies a = gather(bodies, batch.a), b = gather(bodies, batch.b);
  const FourVector normal = load(batch.normal), tangent = load(batch.tangent);
  act<round>(bodies, batch, a, b,
             plus(times(by.x, normal), plus(times(by.y, tangent), times(by.z, cross(normal, tangent)))));
  a.stirred += a.inverse_mass > 0 ? change : change * 0;
  b.stirred += b.inverse_mass > 0 ? change : change * 0;
  scatter(bodies, batch.a, batch.moving, a);
  scatter(bodies, batch.b, batch.moving >> lane_count, b);
}

template <bool round>
CAROM_INLINE void push(LaneBody* bodies, LaneContacts* batches, int count) {
  for (int k = 0; k < count; ++k) push_by<round>(bodies, batches[k], load(batches[k].impulse), Four{0, 0, 0, 0});
}

template <bool round>
CAROM_INLINE double lean(LaneBody* bodies, LaneContacts* batches, LanePath* paths, int count, double share,
                         double least) {
  const Four part = {share, share, share, share}, none = {0, 0, 0, 0}, negligible = {least, least, least, least};
  Four along = none;
  for (int k = 0; k < count; ++k) {
    LaneContacts& batch = batches[k];
    LanePath& path = paths[k];
    const Four normal_mass = load(batch.normal_mass), slip_mass = load(batch.slip_mass);
    const FourVector has = load(batch.impulse), went = minus(has, load(path.last)), came = minus(has, load(path.start));
    along += went.x * came.x * normal_mass + (went.y * came.y + went.z * came.z) * slip_mass;
    FourVector by = times(part, went);
    by.x = greater(by.x, -has.x);
    const Four change = greater(size_of(by.x) * normal_mass, root(by.y * by.y + by.z * by.z) * slip_mass);
    const FourBits counts = change > negligible;
    store(has, path.last);
    if (!any(counts)) {
      store(has, path.start);
      continue;
    }
    by = {counts ? by.x : none, counts ? by.y : none, counts ? by.z : none};
    const FourVector to = plus(has, by);
    store(to, path.start), store(to, batch.impulse);
    push_by<round>(bodies, batch, by, counts ? change : none);
  }
  return along[0] + along[1] + along[2] + along[3];
}

CAROM_INLINE bool is_idle(const LaneBody* bodies, const LaneContacts& batch, double idle) {
  const auto stirred = [&](int lane) __attribute__((always_inline)) {
    return bodies[batch.a[lane]].stirred + bodies[batch.b[lane]].stirred;
  };
  const Four by = Four{stirred(0), stirred(1), stirred(2), stirred(3)} - load(batch.seen);
  return !any(by > idle);
}

template <bool round>
CAROM_INLINE LaneChange iterate(LaneBody* bodies, LaneContacts* batches, int count, double idle, bool backward) {
  LaneChange result;
  Four largest = {0, 0, 0, 0};
  for (int k = 0; k < count; ++k) {
    LaneContacts& batch = batches[backward ? count - 1 - k : k];
    if (idle >= 0 && is_idle(bodies, batch, idle)) continue;
    ++result.visits;
    largest = greater(visit<round>(bodies, batch), largest);
  }
  for (int lane = 0; lane < lane_count; ++lane) {
    if (largest[lane] > result.largest) result.largest = largest[lane];
  }
  return result;
}

}  // namespace carom::inline lanes
