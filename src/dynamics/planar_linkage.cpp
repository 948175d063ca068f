#include "dynamics/planar_linkage.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/hot_kernel.h"

namespace carom::inline dynamics {

bool PlanarLinkage::build(const ConstraintSet<2>& constraints, const std::vector<BodyInertia<2>>& inertia,
                          const std::vector<GroundedBody<2>>& grounded, const std::vector<Drive>& drives,
                          const Eigen::VectorXd& q) {
  auto kept = constraints.kept_pins(static_cast<int>(drives.size()));
  usable_ = kept.has_value();
  if (!usable_) return false;
  place_bodies(inertia, grounded, q);
  drive_bodies(drives);
  Joints joints{.pins = std::move(*kept), .of_body = {}};
  order_pins(joints);
  place_pins(joints);
  find_pins_of_drives(joints);
  couple_pins(joints);
  force_.assign(pins_.size(), Eigen::Vector2d::Zero());
  link_chain();
  return true;
}

void PlanarLinkage::place_bodies(const std::vector<BodyInertia<2>>& inertia,
                                 const std::vector<GroundedBody<2>>& grounded, const Eigen::VectorXd& q) {
  bodies_.assign(inertia.size() + 1, {});
  bodies_[0].kind = Kind::sliding;  // the ground: a slide that does not slide
  for (std::size_t b = 0; b < inertia.size(); ++b) {
    Body& body = bodies_[b + 1];
    body.mobility.xx = body.mobility.yy = inertia[b].inverse_mass;
    body.inverse_inertia = inertia[b].inverse_tensor(0, 0);
  }
  for (const GroundedBody<2>& held : grounded) {
    Body& body = bodies_[held.body];
    body.kind = held.turns ? Kind::pinned : Kind::sliding;
    const double along = held.turns ? 0 : held.inverse_inertia;
    body.mobility = {.xx = along * held.axis.x() * held.axis.x(),
                     .xy = along * held.axis.x() * held.axis.y(),
                     .yy = along * held.axis.y() * held.axis.y()};
    body.inverse_inertia = held.turns ? held.inverse_inertia : 0;
    if (held.turns) {
      body.centre = {-held.pivot.x(), -held.pivot.y()};
    } else {
      // A slide to the ground does not turn.
      const double angle = q[3 * (held.body - 1) + 2];
      body.cosine = std::cos(angle), body.sine = std::sin(angle);
    }
  }
}

void PlanarLinkage::drive_bodies(const std::vector<Drive>& drives) {
  driven_.clear();
  for (const Drive& drive : drives) {
    Body& body = bodies_[drive.body];
    driven_.push_back({.drive = drive, .body = &body, .inertia = 1 / body.inverse_inertia, .pins_i = {}, .pins_j = {}});
    body.inverse_inertia = 0;
  }
}

// Pins are coupled where they share a body.
void PlanarLinkage::order_pins(Joints& joints) {
  const int count = static_cast<int>(joints.pins.size());
  joints.of_body.resize(bodies_.size());
  for (int k = 0; k < count; ++k) {
    for (const int body : {joints.pins[k].body_i, joints.pins[k].body_j}) {
      if (body > 0) joints.of_body[body].push_back(k);
    }
  }
  std::vector<std::pair<int, int>> pairs;
  for (const auto& list : joints.of_body) {
    for (const int a : list) {
      for (const int b : list) {
        if (a < b) pairs.emplace_back(a, b);
      }
    }
  }
  ldlt_.analyse(count, pairs);
}

void PlanarLinkage::place_pins(Joints& joints) {
  pins_.assign(joints.pins.size(), {});
  for (int k = 0; k < static_cast<int>(pins_.size()); ++k) {
    auto& from = joints.pins[k];
    // Whatever does not turn comes second, where it costs less.
    if (bodies_[from.body_i].kind == Kind::sliding) {
      std::swap(from.body_i, from.body_j);
      std::swap(from.point_i, from.point_j);
    }
    Pin& pin = pins_[ldlt_.position(k)];
    Body &i = bodies_[from.body_i], &j = bodies_[from.body_j];
    pin.body_i = &i, pin.body_j = &j;
    pin.second_turns = j.kind != Kind::sliding;
    pin.diagonal = ldlt_.diagonal_in_order(ldlt_.position(k)).data();
    pin.point_i = {from.point_i.x() + i.centre.x, from.point_i.y() + i.centre.y};
    pin.point_j = {from.point_j.x() + j.centre.x, from.point_j.y() + j.centre.y};
    pin.mobility = {
        .xx = i.mobility.xx + j.mobility.xx, .xy = i.mobility.xy + j.mobility.xy, .yy = i.mobility.yy + j.mobility.yy};
  }
}

void PlanarLinkage::find_pins_of_drives(const Joints& joints) {
  for (DrivenBody& driven : driven_) {
    for (const int k : joints.of_body[driven.drive.body]) {
      const Pin& pin = pins_[ldlt_.position(k)];
      (pin.body_i == driven.body ? driven.pins_i : driven.pins_j).push_back(&pin);
    }
  }
}

void PlanarLinkage::couple_pins(const Joints& joints) {
  couplings_.clear();
  std::vector<bool> assembled(ldlt_.fill(), false);
  for (int body = 1; body < static_cast<int>(bodies_.size()); ++body) {
    for (const int a : joints.of_body[body]) {
      for (const int b : joints.of_body[body]) {
        if (a != b) couple(joints, body, a, b, assembled);
      }
    }
  }
  fill_.clear();
  for (std::size_t k = 0; k < assembled.size(); ++k) {
    if (!assembled[k]) fill_.push_back(static_cast<int>(k));
  }
}

// The block of pins a and b, where it lies below the diagonal.
void PlanarLinkage::couple(const Joints& joints, int body, int a, int b, std::vector<bool>& assembled) {
  const auto place = ldlt_.place(a, b);
  if (place.transposed) return;
  const bool second_a = joints.pins[a].body_j == body, second_b = joints.pins[b].body_j == body;
  const double sign = second_a == second_b ? 1 : -1;
  const Body& shared = bodies_[body];
  const Pin &row = pins_[ldlt_.position(a)], &column = pins_[ldlt_.position(b)];
  couplings_.push_back(
      {.row_pin = ldlt_.position(a),
       .column_pin = ldlt_.position(b),
       .row = second_a ? &row.lever_j : &row.lever_i,
       .column = second_b ? &column.lever_j : &column.lever_i,
       .target = ldlt_.off_diagonal(place.index).data(),
       .first = !assembled[place.index],
       .inverse_inertia = sign * shared.inverse_inertia,
       .mobility = {
           .xx = sign * shared.mobility.xx, .xy = sign * shared.mobility.xy, .yy = sign * shared.mobility.yy}});
  assembled[place.index] = true;
}

void PlanarLinkage::link_chain() {
  std::vector<int> later(pins_.size(), 0);
  is_chain_ =
      !pins_.empty() && fill_.empty() && couplings_.size() == ldlt_.fill() && couplings_.size() + 1 == pins_.size();
  for (const Coupling& coupling : couplings_) is_chain_ &= ++later[coupling.column_pin] == 1;
  for (const Coupling& coupling : couplings_) {
    Successor& next = pins_[coupling.column_pin].next;
    next.pin = &pins_[coupling.row_pin];
    next.own = coupling.column, next.other = coupling.row;
    next.inverse_inertia = coupling.inverse_inertia;
    next.mobility = coupling.mobility;
  }
}

// What a force in a pin adds to the acceleration of a body.
[[gnu::always_inline]] inline void PlanarLinkage::push(Body& body, const Lever& lever, double fx, double fy) {
  switch (body.kind) {
    case Kind::free: {
      const double x = body.x + body.mobility.xx * fx, y = body.y + body.mobility.xx * fy;
      body.x = x, body.y = y;
      [[fallthrough]];
    }
    case Kind::pinned:
      body.angle += body.inverse_inertia * (lever.x * fy - lever.y * fx);
      return;
    default: {
      const double x = body.x + body.mobility.xx * fx + body.mobility.xy * fy,
                   y = body.y + body.mobility.xy * fx + body.mobility.yy * fy;
      body.x = x, body.y = y;
    }
  }
}

// Every loop loads into locals first and stores last: the compiler cannot know that the arrays do not overlap.

// On its own: a call makes the compiler save what it holds.
[[gnu::always_inline]] inline void PlanarLinkage::turn_bodies(const double* q) {
  for (Body *b = bodies_.data() + 1, *last = bodies_.data() + bodies_.size(); b != last; ++b, q += 3) {
    if (b->kind == Kind::sliding) continue;
    const double angle = q[2], cosine = std::cos(angle), sine = std::sin(angle);
    b->cosine = cosine, b->sine = sine;
  }
}

void PlanarLinkage::take_orientations(const Bodies<2>& bodies) {
  for (std::size_t k = 1; k < bodies_.size(); ++k) {
    bodies_[k].cosine = bodies[k].orientation.cosine(), bodies_[k].sine = bodies[k].orientation.sine();
  }
  oriented_ = true;
}

void PlanarLinkage::set_drives(double t) {
  for (DrivenBody& driven : driven_) {
    const Jet motion = driven.drive.target->derivatives(t);
    driven.speed = motion.first;
    driven.body->given = driven.drive.sign * motion.second;
  }
}

double PlanarLinkage::drive_power(std::size_t drive) const {
  const DrivenBody& driven = driven_[drive];
  double moment = driven.body->moment;
  for (const Pin* pin : driven.pins_i) moment += pin->lever_i.x * pin->y - pin->lever_i.y * pin->x;
  for (const Pin* pin : driven.pins_j) moment -= pin->lever_j.x * pin->y - pin->lever_j.y * pin->x;
  return driven.drive.sign * (driven.inertia * driven.body->given - moment) * driven.speed;
}

// Accelerations of the reference points under the loads alone.
[[gnu::always_inline]] inline void PlanarLinkage::load_bodies(const double* v, const double* load, double* q_rate) {
  Body* const first = bodies_.data() + 1;
  Body* const last = bodies_.data() + bodies_.size();
  std::ptrdiff_t k = 0;
  for (Body* b = first; b != last; ++b, k += 3) {
    Body& body = *b;
    const double fx = load[k], fy = load[k + 1], vx = v[k], vy = v[k + 1], angular_velocity = v[k + 2];
    q_rate[k] = vx, q_rate[k + 1] = vy, q_rate[k + 2] = angular_velocity;
    if (body.kind == Kind::sliding) {
      const double xx = body.mobility.xx, xy = body.mobility.xy, yy = body.mobility.yy;
      body.x = xx * fx + xy * fy;
      body.y = xy * fx + yy * fy;
      continue;
    }
    double moment = load[k + 2];
    if (body.kind != Kind::free) {
      const double cosine = body.cosine, sine = body.sine;
      const double lever_x = cosine * body.centre.x - sine * body.centre.y,
                   lever_y = sine * body.centre.x + cosine * body.centre.y;
      moment += lever_x * fy - lever_y * fx;
      body.lever.x = lever_x, body.lever.y = lever_y;
    } else {
      const double mobility = body.mobility.xx;
      body.x = mobility * fx, body.y = mobility * fy;
    }
    const double angle = body.given + body.inverse_inertia * moment;
    body.angular_velocity_squared = angular_velocity * angular_velocity;
    body.moment = moment, body.angle = angle;
  }
}

// How far the two sides of every pin would part, and how a force in the pin changes that.
[[gnu::always_inline]] inline void PlanarLinkage::open_pins() {
  for (Pin *pin = pins_.data(), *last = pin + pins_.size(); pin != last; ++pin) {
    const Body& i = *pin->body_i;
    const Body& j = *pin->body_j;
    const double ix = i.cosine * pin->point_i.x - i.sine * pin->point_i.y,
                 iy = i.sine * pin->point_i.x + i.cosine * pin->point_i.y;
    const double ia = i.angle, iw = i.angular_velocity_squared, si = i.inverse_inertia;
    double x = j.x - (i.x - ia * iy - iw * ix), y = j.y - (i.y + ia * ix - iw * iy);
    double xx = pin->mobility.xx + si * iy * iy, xy = pin->mobility.xy - si * iy * ix,
           yy = pin->mobility.yy + si * ix * ix;
    if (pin->second_turns) {
      const double jx = j.cosine * pin->point_j.x - j.sine * pin->point_j.y,
                   jy = j.sine * pin->point_j.x + j.cosine * pin->point_j.y;
      const double ja = j.angle, jw = j.angular_velocity_squared, sj = j.inverse_inertia;
      x -= ja * jy + jw * jx, y += ja * jx - jw * jy;
      xx += sj * jy * jy, xy -= sj * jy * jx, yy += sj * jx * jx;
      pin->lever_j = {jx, jy};
    }
    pin->lever_i = {ix, iy};
    pin->x = x, pin->y = y;
    pin->response.xx = xx, pin->response.xy = xy, pin->response.yy = yy;
    pin->scale = xx * yy;
  }
}

// Block LDLᵀ of a chain: BlockLdlt for matrices with one block below the diagonal in every column, without its indices.
[[gnu::always_inline]] inline bool PlanarLinkage::solve_chain() {
  Pin* const first = pins_.data();
  Pin* const last = first + pins_.size() - 1;
  for (Pin* pin = first; pin != last; ++pin) {
    const double a = pin->response.xx, b = pin->response.xy, c = pin->response.yy, minor = a * c - b * b;
    if (!(minor > BlockLdlt<2>::drop_tolerance * pin->scale)) return false;
    const double scale = 1 / minor, ixx = scale * c, ixy = -scale * b, iyy = scale * a;
    Successor& shared = pin->next;
    const Lever n = *shared.own, m = *shared.other;
    const double sx = shared.inverse_inertia * m.x, sy = shared.inverse_inertia * m.y;
    const double e00 = shared.mobility.xx + sy * n.y, e01 = shared.mobility.xy - sy * n.x,
                 e10 = shared.mobility.xy - sx * n.y, e11 = shared.mobility.yy + sx * n.x;
    const double l00 = e00 * ixx + e01 * ixy, l01 = e00 * ixy + e01 * iyy;
    const double l10 = e10 * ixx + e11 * ixy, l11 = e10 * ixy + e11 * iyy;
    const double x = pin->x, y = pin->y;
    shared.l00 = l00, shared.l01 = l01, shared.l10 = l10, shared.l11 = l11;
    pin->x = ixx * x + ixy * y, pin->y = ixy * x + iyy * y;
    Pin* const next = shared.pin;
    const double xx = next->response.xx - l00 * e00 - l01 * e01, xy = next->response.xy - l10 * e00 - l11 * e01,
                 yy = next->response.yy - l10 * e10 - l11 * e11;
    const double next_x = next->x - l00 * x - l01 * y, next_y = next->y - l10 * x - l11 * y;
    next->response.xx = xx, next->response.xy = xy, next->response.yy = yy;
    next->x = next_x, next->y = next_y;
  }
  const double a = last->response.xx, b = last->response.xy, c = last->response.yy, minor = a * c - b * b;
  if (!(minor > BlockLdlt<2>::drop_tolerance * last->scale)) return false;
  const double scale = 1 / minor;
  double x = scale * (c * last->x - b * last->y), y = scale * (a * last->y - b * last->x);
  for (Pin* pin = last;;) {
    push(*pin->body_i, pin->lever_i, x, y);
    push(*pin->body_j, pin->lever_j, -x, -y);
    pin->x = x, pin->y = y;
    if (pin == first) return true;
    --pin;
    const Successor& shared = pin->next;
    const double next_x = shared.pin->x, next_y = shared.pin->y;
    x = pin->x - shared.l00 * next_x - shared.l10 * next_y;
    y = pin->y - shared.l01 * next_x - shared.l11 * next_y;
  }
}

int PlanarLinkage::solve_general() {
  Eigen::Vector2d* force = force_.data();
  for (const Pin& pin : pins_) {
    double* diagonal = pin.diagonal;
    diagonal[0] = pin.response.xx, diagonal[1] = pin.response.xy, diagonal[2] = pin.response.xy,
    diagonal[3] = pin.response.yy;
    *force++ = {pin.x, pin.y};
  }
  for (const int target : fill_) ldlt_.off_diagonal(target).setZero();
  for (const Coupling& coupling : couplings_) {
    const Lever a = *coupling.row, b = *coupling.column;
    const double ax = coupling.inverse_inertia * a.x, ay = coupling.inverse_inertia * a.y;
    const double xx = coupling.mobility.xx + ay * b.y, yx = coupling.mobility.xy - ax * b.y;
    const double xy = coupling.mobility.xy - ay * b.x, yy = coupling.mobility.yy + ax * b.x;
    double* target = coupling.target;
    if (coupling.first) {
      target[0] = xx, target[1] = yx, target[2] = xy, target[3] = yy;
    } else {
      target[0] += xx, target[1] += yx, target[2] += xy, target[3] += yy;
    }
  }
  const int dropped = ldlt_.factor_and_solve_in_order(force_.data());
  force = force_.data();
  for (Pin& pin : pins_) {
    const double fx = force->x(), fy = force->y();
    pin.x = fx, pin.y = fy;
    push(*pin.body_i, pin.lever_i, fx, fy);
    push(*pin.body_j, pin.lever_j, -fx, -fy);
    ++force;
  }
  return dropped;
}

// Accelerations of the mass centres; false when one is not a number.
[[gnu::always_inline]] inline bool PlanarLinkage::store(double* v_rate) const {
  double sum = 0;
  for (const Body *b = bodies_.data() + 1, *last = bodies_.data() + bodies_.size(); b != last; ++b, v_rate += 3) {
    const Body& body = *b;
    double x = body.x, y = body.y;
    const double angle = body.angle;
    if (body.kind == Kind::pinned) {
      x = -angle * body.lever.y - body.angular_velocity_squared * body.lever.x;
      y = angle * body.lever.x - body.angular_velocity_squared * body.lever.y;
    }
    sum += x + y + angle;
    v_rate[0] = x, v_rate[1] = y, v_rate[2] = angle;
  }
  return sum - sum == 0;
}

CAROM_HOT_KERNEL PlanarLinkage::Outcome PlanarLinkage::accelerate(const double* q, const double* v, const double* load,
                                                                  double* q_rate, double* v_rate) {
  if (!oriented_) turn_bodies(q);
  oriented_ = false;
  load_bodies(v, load, q_rate);
  open_pins();
  Outcome outcome;
  if (!is_chain_ || !solve_chain()) {
    if (is_chain_) open_pins();
    outcome.dropped = solve_general();
  }
  outcome.finite = store(v_rate);
  return outcome;
}

}  // namespace carom::inline dynamics
