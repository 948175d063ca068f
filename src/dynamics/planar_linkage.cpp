#include "dynamics/planar_linkage.h"

#include <algorithm>
#include <cmath>

namespace carom {

bool PlanarLinkage::build(const ConstraintSet<2>& constraints, const std::vector<BodyInertia<2>>& inertia,
                          const std::vector<GroundedBody<2>>& grounded, const Eigen::VectorXd& q) {
  const auto kept = constraints.kept_pins();
  usable_ = kept.has_value();
  if (!usable_) return false;
  bodies_.assign(inertia.size() + 1, {});
  bodies_[0].kind = Kind::sliding;  // the ground: a slide that does not slide
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
    if (held.turns) {
      body.centre_x = -held.pivot.x(), body.centre_y = -held.pivot.y();
    } else {
      // A slide to the ground does not turn.
      const double angle = q[3 * (held.body - 1) + 2];
      body.cosine = std::cos(angle), body.sine = std::sin(angle);
    }
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
    Body &i = bodies_[from.body_i], &j = bodies_[from.body_j];
    pin.body_i = &i, pin.body_j = &j;
    pin.diagonal = ldlt_.diagonal_in_order(ldlt_.position(k)).data();
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
        const bool second_a = (*kept)[a].body_j == static_cast<int>(body),
                   second_b = (*kept)[b].body_j == static_cast<int>(body);
        const double sign = second_a == second_b ? 1 : -1;
        const Body& shared = bodies_[body];
        const Pin &row = pins_[ldlt_.position(a)], &column = pins_[ldlt_.position(b)];
        couplings_.push_back({second_a ? &row.normal_j : &row.normal_i, second_b ? &column.normal_j : &column.normal_i,
                              ldlt_.off_diagonal(place.index).data(), !assembled[place.index],
                              sign * shared.inverse_inertia, sign * shared.mobility_xx, sign * shared.mobility_xy,
                              sign * shared.mobility_yy});
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

// What a force in a pin adds to the acceleration of a body.
inline void PlanarLinkage::push(Body& body, const Normal& normal, double fx, double fy) {
  switch (body.kind) {
    case Kind::free: {
      const double x = body.x + body.mobility_xx * fx, y = body.y + body.mobility_xx * fy;
      body.x = x, body.y = y;
      [[fallthrough]];
    }
    case Kind::pinned:
      body.angle += body.inverse_inertia * (normal.x * fx + normal.y * fy);
      return;
    default: {
      const double x = body.x + body.mobility_xx * fx + body.mobility_xy * fy,
                   y = body.y + body.mobility_xy * fx + body.mobility_yy * fy;
      body.x = x, body.y = y;
    }
  }
}

// Every loop loads into locals first and stores last: the compiler cannot know that the arrays do not overlap.
PlanarLinkage::Outcome PlanarLinkage::accelerate(const double* q, const double* v, const double* load, double* v_rate) {
  Body* const first_body = bodies_.data() + 1;
  Body* const end_body = bodies_.data() + bodies_.size();
  // Accelerations of the reference points under the loads alone.
  for (Body* b = first_body; b != end_body; ++b, q += 3, v += 3, load += 3) {
    Body& body = *b;
    const double fx = load[0], fy = load[1];
    if (body.kind == Kind::sliding) {
      const double xx = body.mobility_xx, xy = body.mobility_xy, yy = body.mobility_yy;
      body.x = xx * fx + xy * fy;
      body.y = xy * fx + yy * fy;
      continue;
    }
    const double angle = q[2], spin = v[2], inverse_inertia = body.inverse_inertia;
    const double cosine = std::cos(angle), sine = std::sin(angle);
    double moment = load[2];
    if (body.kind == Kind::pinned) {
      const double lever_x = cosine * body.centre_x - sine * body.centre_y,
                   lever_y = sine * body.centre_x + cosine * body.centre_y;
      moment += lever_x * fy - lever_y * fx;
      body.lever_x = lever_x, body.lever_y = lever_y;
    } else {
      const double mobility = body.mobility_xx;
      body.x = mobility * fx, body.y = mobility * fy;
    }
    body.cosine = cosine, body.sine = sine;
    body.spin_squared = spin * spin;
    body.angle = inverse_inertia * moment;
  }

  // How far the two sides of every pin would part, and how a force in the pin changes that.
  double* force = force_.data()->data();
  for (Pin& pin : pins_) {
    const Body &i = *pin.body_i, &j = *pin.body_j;
    const double ix = i.cosine * pin.point_ix - i.sine * pin.point_iy,
                 iy = i.sine * pin.point_ix + i.cosine * pin.point_iy;
    const double jx = j.cosine * pin.point_jx - j.sine * pin.point_jy,
                 jy = j.sine * pin.point_jx + j.cosine * pin.point_jy;
    const double ia = i.angle, iw = i.spin_squared, ja = j.angle, jw = j.spin_squared;
    const double rx = (j.x - ja * jy - jw * jx) - (i.x - ia * iy - iw * ix);
    const double ry = (j.y + ja * jx - jw * jy) - (i.y + ia * ix - iw * iy);
    const double si = i.inverse_inertia, sj = j.inverse_inertia;
    const double sx = si * iy, tx = sj * jy;
    const double xx = pin.mobility_xx + sx * iy + tx * jy;
    const double xy = pin.mobility_xy - sx * ix - tx * jx;
    const double yy = pin.mobility_yy + si * ix * ix + sj * jx * jx;
    pin.normal_i = {-iy, ix};
    pin.normal_j = {-jy, jx};
    force[0] = rx, force[1] = ry;
    force += 2;
    double* diagonal = pin.diagonal;
    diagonal[0] = xx, diagonal[1] = xy, diagonal[2] = xy, diagonal[3] = yy;
  }
  for (const int target : fill_) ldlt_.off_diagonal(target).setZero();
  for (const Coupling& coupling : couplings_) {
    const Normal na = *coupling.row, nb = *coupling.column;
    const double ax = coupling.inverse_inertia * na.x, ay = coupling.inverse_inertia * na.y;
    const double xx = coupling.mobility_xx + ax * nb.x, yx = coupling.mobility_xy + ay * nb.x;
    const double xy = coupling.mobility_xy + ax * nb.y, yy = coupling.mobility_yy + ay * nb.y;
    double* target = coupling.target;
    if (coupling.first) {
      target[0] = xx, target[1] = yx, target[2] = xy, target[3] = yy;
    } else {
      target[0] += xx, target[1] += yx, target[2] += xy, target[3] += yy;
    }
  }
  Outcome outcome;
  outcome.dropped = ldlt_.factor();
  ldlt_.solve_in_order(force_.data());

  force = force_.data()->data();
  for (const Pin& pin : pins_) {
    const double fx = force[0], fy = force[1];
    push(*pin.body_i, pin.normal_i, fx, fy);
    push(*pin.body_j, pin.normal_j, -fx, -fy);
    force += 2;
  }
  double sum = 0;
  for (const Body* b = first_body; b != end_body; ++b, v_rate += 3) {
    const Body& body = *b;
    double x = body.x, y = body.y;
    const double angle = body.angle;
    if (body.kind == Kind::pinned) {
      x = -angle * body.lever_y - body.spin_squared * body.lever_x;
      y = angle * body.lever_x - body.spin_squared * body.lever_y;
    }
    sum += x + y + angle;
    v_rate[0] = x, v_rate[1] = y, v_rate[2] = angle;
  }
  outcome.finite = sum - sum == 0;
  return outcome;
}

}  // namespace carom
