#include "dynamics/planar_linkage.h"

#include <algorithm>
#include <cmath>

namespace carom {

bool PlanarLinkage::build(const ConstraintSet<2>& constraints, const std::vector<BodyInertia<2>>& inertia,
                          const std::vector<GroundedBody<2>>& grounded) {
  const auto kept = constraints.kept_pins();
  usable_ = kept.has_value();
  if (!usable_) return false;
  bodies_.assign(inertia.size() + 1, {});
  for (std::size_t b = 0; b < inertia.size(); ++b) {
    Body& body = bodies_[b + 1];
    body.mobility_xx = body.mobility_yy = inertia[b].inverse_mass;
    body.inverse_inertia = inertia[b].inverse_tensor(0, 0);
  }
  for (const GroundedBody<2>& held : grounded) {
    Body& body = bodies_[held.body];
    body.kind = held.turns ? Kind::pinned : Kind::sliding;
    const double along = held.turns ? 0 : held.inverse_inertia;
    body.mobility_xx = along * held.axis.x() * held.axis.x();
    body.mobility_xy = along * held.axis.x() * held.axis.y();
    body.mobility_yy = along * held.axis.y() * held.axis.y();
    body.inverse_inertia = held.turns ? held.inverse_inertia : 0;
    if (held.turns) body.centre_x = -held.pivot.x(), body.centre_y = -held.pivot.y();
  }

  const int count = static_cast<int>(kept->size());
  std::vector<std::vector<int>> pins_of(bodies_.size());
  for (int k = 0; k < count; ++k) {
    for (const int body : {(*kept)[k].body_i, (*kept)[k].body_j}) {
      if (body > 0) pins_of[body].push_back(k);
    }
  }
  std::vector<std::pair<int, int>> pairs;
  for (const auto& list : pins_of) {
    for (const int a : list) {
      for (const int b : list) {
        if (a < b) pairs.emplace_back(a, b);
      }
    }
  }
  ldlt_.analyse(count, pairs);
  pins_.assign(count, {});
  for (int k = 0; k < count; ++k) {
    const auto& from = (*kept)[k];
    Pin& pin = pins_[ldlt_.position(k)];
    const Body &i = bodies_[from.body_i], &j = bodies_[from.body_j];
    pin.body_i = from.body_i, pin.body_j = from.body_j;
    pin.point_ix = from.point_i.x() + i.centre_x, pin.point_iy = from.point_i.y() + i.centre_y;
    pin.point_jx = from.point_j.x() + j.centre_x, pin.point_jy = from.point_j.y() + j.centre_y;
    pin.mobility_xx = i.mobility_xx + j.mobility_xx;
    pin.mobility_xy = i.mobility_xy + j.mobility_xy;
    pin.mobility_yy = i.mobility_yy + j.mobility_yy;
  }
  couplings_.clear();
  std::vector<bool> assembled(ldlt_.fill(), false);
  for (std::size_t body = 1; body < pins_of.size(); ++body) {
    for (const int a : pins_of[body]) {
      for (const int b : pins_of[body]) {
        if (a == b) continue;
        const auto place = ldlt_.place(a, b);
        if (place.transposed) continue;
        const bool second_a = (*kept)[a].body_j == static_cast<int>(body), second_b = (*kept)[b].body_j == static_cast<int>(body);
        couplings_.push_back({ldlt_.position(a), ldlt_.position(b), static_cast<int>(body), place.index, second_a, second_b,
                              !assembled[place.index], second_a == second_b ? 1.0 : -1.0});
        assembled[place.index] = true;
      }
    }
  }
  fill_.clear();
  for (std::size_t k = 0; k < assembled.size(); ++k) {
    if (!assembled[k]) fill_.push_back(static_cast<int>(k));
  }
  force_.assign(count, Eigen::Vector2d::Zero());
  return true;
}

int PlanarLinkage::accelerate(const double* q, const double* v, const double* load, double* v_rate) {
  const int body_count = static_cast<int>(bodies_.size()) - 1, pin_count = static_cast<int>(pins_.size());
  // Accelerations of the reference points under the loads alone.
  for (int b = 0; b < body_count; ++b) {
    Body& body = bodies_[b + 1];
    const double fx = load[3 * b], fy = load[3 * b + 1], torque = load[3 * b + 2], spin = v[3 * b + 2];
    const double angle = q[3 * b + 2];
    body.cosine = std::cos(angle), body.sine = std::sin(angle);
    body.spin_squared = spin * spin;
    double moment = torque;
    if (body.kind == Kind::pinned) {
      body.lever_x = body.cosine * body.centre_x - body.sine * body.centre_y;
      body.lever_y = body.sine * body.centre_x + body.cosine * body.centre_y;
      moment += body.lever_x * fy - body.lever_y * fx;
    }
    body.x = body.mobility_xx * fx + body.mobility_xy * fy;
    body.y = body.mobility_xy * fx + body.mobility_yy * fy;
    body.angle = body.inverse_inertia * moment;
  }

  // How far the two sides of every pin would part, and how a force in the pin changes that.
  for (int k = 0; k < pin_count; ++k) {
    Pin& pin = pins_[k];
    const Body &i = bodies_[pin.body_i], &j = bodies_[pin.body_j];
    const double ix = i.cosine * pin.point_ix - i.sine * pin.point_iy, iy = i.sine * pin.point_ix + i.cosine * pin.point_iy;
    const double jx = j.cosine * pin.point_jx - j.sine * pin.point_jy, jy = j.sine * pin.point_jx + j.cosine * pin.point_jy;
    pin.normal_ix = -iy, pin.normal_iy = ix;
    pin.normal_jx = -jy, pin.normal_jy = jx;
    force_[k] = {j.x - j.angle * jy - j.spin_squared * jx - (i.x - i.angle * iy - i.spin_squared * ix),
                 j.y + j.angle * jx - j.spin_squared * jy - (i.y + i.angle * ix - i.spin_squared * iy)};
    const double sx = i.inverse_inertia * iy, sy = i.inverse_inertia * ix, tx = j.inverse_inertia * jy, ty = j.inverse_inertia * jx;
    Eigen::Matrix2d& diagonal = ldlt_.diagonal_in_order(k);
    diagonal(0, 0) = pin.mobility_xx + sx * iy + tx * jy;
    diagonal(1, 0) = diagonal(0, 1) = pin.mobility_xy - sx * ix - tx * jx;
    diagonal(1, 1) = pin.mobility_yy + sy * ix + ty * jx;
  }
  for (const int target : fill_) ldlt_.off_diagonal(target).setZero();
  for (const Coupling& coupling : couplings_) {
    const Body& body = bodies_[coupling.body];
    const Pin &a = pins_[coupling.row], &b = pins_[coupling.column];
    const double factor = coupling.sign * body.inverse_inertia;
    const double ax = factor * (coupling.row_is_second ? a.normal_jx : a.normal_ix);
    const double ay = factor * (coupling.row_is_second ? a.normal_jy : a.normal_iy);
    const double bx = coupling.column_is_second ? b.normal_jx : b.normal_ix, by = coupling.column_is_second ? b.normal_jy : b.normal_iy;
    const double mixed = coupling.sign * body.mobility_xy;
    Eigen::Matrix2d& target = ldlt_.off_diagonal(coupling.target);
    if (coupling.first) target.setZero();
    target(0, 0) += coupling.sign * body.mobility_xx + ax * bx;
    target(1, 0) += mixed + ay * bx;
    target(0, 1) += mixed + ax * by;
    target(1, 1) += coupling.sign * body.mobility_yy + ay * by;
  }
  const int dropped = ldlt_.factor();
  ldlt_.solve_in_order(force_.data());

  for (int k = 0; k < pin_count; ++k) {
    const Pin& pin = pins_[k];
    const double fx = force_[k].x(), fy = force_[k].y();
    Body &i = bodies_[pin.body_i], &j = bodies_[pin.body_j];
    i.x += i.mobility_xx * fx + i.mobility_xy * fy;
    i.y += i.mobility_xy * fx + i.mobility_yy * fy;
    i.angle += i.inverse_inertia * (pin.normal_ix * fx + pin.normal_iy * fy);
    j.x -= j.mobility_xx * fx + j.mobility_xy * fy;
    j.y -= j.mobility_xy * fx + j.mobility_yy * fy;
    j.angle -= j.inverse_inertia * (pin.normal_jx * fx + pin.normal_jy * fy);
  }
  for (int b = 0; b < body_count; ++b) {
    const Body& body = bodies_[b + 1];
    double* rate = v_rate + 3 * b;
    rate[0] = body.x, rate[1] = body.y, rate[2] = body.angle;
    if (body.kind != Kind::pinned) continue;
    rate[0] = -body.angle * body.lever_y - body.spin_squared * body.lever_x;
    rate[1] = body.angle * body.lever_x - body.spin_squared * body.lever_y;
  }
  return dropped;
}

}  // namespace carom
