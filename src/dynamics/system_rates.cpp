#include "dynamics/system_of.h"

namespace carom::inline dynamics {

template <int D>
void SystemOf<D>::place_positions(const double* q, Bodies<D>& bodies) {
  for (std::size_t b = 1; b < bodies.size(); ++b, q += coordinates_per_body) {
    BodyState<D>& body = bodies[b];
    body.position = Eigen::Map<const Vector>(q);
    if constexpr (D == 2) {
      if (q[2] == body.angle) continue;  // on a slide
      body.angle = q[2];
      body.orientation = Rotation<2>(q[2]);
    } else {
      body.orientation = Rotation<3>(rotation_matrix(q + 3));
    }
  }
}

template <int D>
void SystemOf<D>::place(const double* q, const double* v, Bodies<D>& bodies) const {
  bodies.resize(bodies_.size());
  if constexpr (D == 2) {
    // Most often the system has just been there: its sines and cosines are known.
    for (std::size_t b = 1; b < bodies.size(); ++b) {
      if (bodies_[b].angle == q[coordinates_per_body * (b - 1) + 2])
        bodies[b].angle = bodies_[b].angle, bodies[b].orientation = bodies_[b].orientation;
    }
  }
  place_positions(q, bodies);
  if (v) place_velocities(v, bodies);
}

template <int D>
void SystemOf<D>::powers(double t, const double* q, const double* v, const Eigen::VectorXd& lambda, double* power) {
  std::fill_n(power, work_size(), 0.0);
  if (motions_.empty() && !has_forces()) return;
  set_positions(q);
  set_velocities(v);
  look(t);
  drive_powers(bodies_, lambda, power);
  if (!has_forces()) return;
  Loads<D> ignored(load_);
  for (const ForceRecord& force : forces_) {
    const double lost = force.element->apply(bodies_, t, ignored);
    if (force.work >= 0) power[force.work] = lost;
    if (force.loss >= 0) power[force.loss] = -force.element->loss(bodies_, t);
  }
  apply_beams(power);
}

template <int D>
void SystemOf<D>::drive_powers(const Bodies<D>& bodies, const Eigen::VectorXd& lambda, double* power) const {
  for (std::size_t k = 0; k < motions_.size(); ++k) {
    power[k] = 0;
    if (motions_[k].combination < 0) continue;
    power[k] = -lambda[constraints_.combination_row(motions_[k].combination)] *
               coordinate_rate(constraints_.coordinates()[motions_[k].coordinate], bodies);
  }
}

template <int D>
std::vector<bool> SystemOf<D>::constrained_bodies() const {
  std::vector<bool> constrained(bodies_.size(), false);
  for (const auto& slot : constraints_.slots()) constrained[slot.body] = true;
  for (const ForceRecord& force : forces_) {
    for (const int body : force.bodies) constrained[body] = true;
  }
  for (const BeamElement<D>& element : beams_.elements)
    constrained[element.data().a] = constrained[element.data().b] = true;
  constrained[0] = false;
  return constrained;
}

template <int D>
bool SystemOf<D>::gather_loads(double t, double* power, double* internal_rate) {
  look(t);
  if (internal_rate && have_states()) state_rates(t, internal_rate + contacts_.bristle_size());
  load_ = weight_;
  if constexpr (D == 3) {
    for (int b = 0; b < body_count(); ++b) {
      const Eigen::Vector3d angular_velocity = bodies_[b + 1].orientation.back(bodies_[b + 1].angular_velocity);
      load_.segment<3>(6 * b + 3) = -angular_velocity.cross(inertia_[b].tensor * angular_velocity);
    }
  }
  Loads<D> sum(load_);
  for (const ForceRecord& force : forces_) {
    const double lost = force.element->apply(bodies_, t, sum);
    if (force.work >= 0 && power) power[force.work] = lost;
    if (force.loss >= 0 && power) power[force.loss] = -force.element->loss(bodies_, t);
  }
  if (!beams_.records.empty()) {
    add_gyroscopic_coupling();
    apply_beams(power);
  }
  if (contacts_.empty()) return true;
  const bool shallow = contacts_.apply(bodies_, sum, power ? power + first_contact_work_ : nullptr);
  if (internal_rate) std::copy(contacts_.bristle_rates().begin(), contacts_.bristle_rates().end(), internal_rate);
  return shallow;
}

template <int D>
typename SystemOf<D>::Dofs SystemOf<D>::accelerate(int body, const Dofs& load) const {
  Dofs result;
  result.template head<D>() = inertia_[body].inverse_mass * load.template head<D>();
  result.template tail<rotational_dofs>() = inertia_[body].inverse_tensor * load.template tail<rotational_dofs>();
  return result;
}

// From unconstrained accelerations in v_rate to constrained ones; the solver keeps the multipliers.
template <int D>
SolveStatus SystemOf<D>::solve_constraints(ConstraintSolver<D>& solver, double t, const double* v, double* v_rate) {
  solver.place_grounded(bodies_);
  solver.hold_grounded(bodies_, load_, v_rate);
  const int dropped = solver.factor(constraints_);
  solver.set_right_hand_side([&](int block, Vector& value) { value = -constraints_.bias()[block]; });
  if (baumgarte_.alpha != 0 || baumgarte_.beta != 0) {
    constraints_.residual(bodies_, t, rows_.residual);
    velocity_residual_now(t, v, rows_.time_rate);
    solver.set_right_hand_side([&](int block, Vector& value) {
      value += 2 * baumgarte_.alpha * rows_.time_rate.segment<D>(D * block) +
               baumgarte_.beta * baumgarte_.beta * rows_.residual.segment<D>(D * block);
    });
  }
  solver.add_product(constraints_, v_rate);
  solver.solve();
  solver.apply(v_rate);
  solver.copy_multipliers(rows_.lambda);
  return checked(dropped, v_rate);
}

template <int D>
SolveStatus SystemOf<D>::checked(int dropped, const double* v_rate) const {
  double sum = 0;
  for (int k = 0; k < velocity_size(); ++k) sum += v_rate[k];
  if (!std::isfinite(sum)) return SolveStatus::failed;
  return dropped > 0 ? SolveStatus::redundant : SolveStatus::regular;
}

template <int D>
SolveStatus SystemOf<D>::rates(double t, const double* q, const double* v, double* q_rate, double* v_rate,
                               double* power, double* internal_rate) {
  if constexpr (D == 2) {
    if (pure_linkage_) return linkage_rates(q, v, weight_.data(), q_rate, v_rate);
  }
  if (power) {
    for (const EventPart& event : signals_.events) {
      if (event.work >= 0) power[event.work] = 0;  // events do work at their instants only
    }
  }
  return general_rates(t, q, v, q_rate, v_rate, power, internal_rate);
}

template <int D>
SolveStatus SystemOf<D>::linkage_rates(const double* q, const double* v, const double* load, double* q_rate,
                                       double* v_rate) {
  const PlanarLinkage::Outcome outcome = linkage_.accelerate(q, v, load, q_rate, v_rate);
  if (!outcome.finite) return SolveStatus::failed;
  return outcome.dropped > 0 ? SolveStatus::redundant : SolveStatus::regular;
}

template <int D>
SolveStatus SystemOf<D>::general_rates(double t, const double* q, const double* v, double* q_rate, double* v_rate,
                                       double* power, double* internal_rate) {
  const bool stabilised = baumgarte_.alpha != 0 || baumgarte_.beta != 0;
  set_positions(q);
  set_velocities(v);
  if (!gather_loads(t, power, internal_rate)) return SolveStatus::failed;
  if constexpr (D == 2) {
    if (linkage_.usable() && !stabilised && beams_.records.empty()) {
      linkage_.take_orientations(bodies_);
      if (!motions_.empty()) linkage_.set_drives(t);
      const SolveStatus status = linkage_rates(q, v, load_.data(), q_rate, v_rate);
      if (power) {
        for (std::size_t k = 0; k < motions_.size(); ++k) power[k] = linkage_.drive_power(k);
      }
      return status;
    }
  }
  position_rate(q, v, q_rate);
  const auto note_drives = [&] {
    if (!power) return;
    // The force of a drive along its coordinate is −λ; the coordinate moves as the drive says.
    for (std::size_t k = 0; k < motions_.size(); ++k) {
      const int combination = motions_[k].combination;
      power[k] = 0;
      if (combination < 0) continue;
      power[k] = -rows_.lambda[constraints_.combination_row(combination)] *
                 constraints_.target(combination).derivatives(t).first;
    }
  };
  if (!beams_.records.empty()) {
    const SolveStatus status = coupled_accelerations(t, q, v, v_rate);
    note_drives();
    return status;
  }
  for (int b = 0; b < body_count(); ++b) {
    Eigen::Map<Dofs>(v_rate + dofs * b) = accelerate(b, load_.segment<dofs>(dofs * b));
  }
  if (constraints_.block_count() == 0) return checked(0, v_rate);

  // Stabilisation acts on the rows of all joints; without it those of grounded bodies need not be looked at.
  constraints_.linearise(bodies_, t, stabilised ? ConstraintSet<D>::Scope::all : ConstraintSet<D>::Scope::kept);
  const SolveStatus status = solve_constraints(stabilised ? full_ : reduced_, t, v, v_rate);
  note_drives();
  return status;
}

template <int D>
const Eigen::VectorXd& SystemOf<D>::multipliers(double t, const double* q, const double* v) {
  if (constraints_.block_count() == 0) return rows_.lambda;
  set_positions(q);
  set_velocities(v);
  gather_loads(t);
  if (!beams_.records.empty()) {
    coupled_accelerations(t, q, v, load_rate_.data());
    return rows_.lambda;
  }
  for (int b = 0; b < body_count(); ++b) {
    load_rate_.segment<dofs>(dofs * b) = accelerate(b, load_.segment<dofs>(dofs * b));
  }
  constraints_.linearise(bodies_, t);
  solve_constraints(full_, t, v, load_rate_.data());
  return rows_.lambda;
}

template <int D>
void SystemOf<D>::position_rate(const double* q, const double* v, double* q_rate) const {
  if constexpr (D == 2) {
    std::copy_n(v, velocity_size(), q_rate);
  } else {
    for (int b = 0; b < body_count(); ++b, q += 7, v += 6, q_rate += 7) {
      std::copy_n(v, 3, q_rate);
      const Eigen::Quaterniond rate =
          Eigen::Quaterniond(q[3], q[4], q[5], q[6]) * Eigen::Quaterniond(0, v[3], v[4], v[5]);
      q_rate[3] = 0.5 * rate.w(), q_rate[4] = 0.5 * rate.x(), q_rate[5] = 0.5 * rate.y(), q_rate[6] = 0.5 * rate.z();
    }
  }
}

template <int D>
void SystemOf<D>::loads(double t, const double* q, const double* v, Eigen::VectorXd& f) {
  set_positions(q);
  set_velocities(v);
  gather_loads(t);
  f = load_;
}

template <int D>
void SystemOf<D>::read_contacts(const State& state, std::vector<ContactReading>& readings) {
  readings.resize(contacts_.point_count());
  set_positions(state.q.data());
  set_velocities(state.v.data());
  contacts_.read(bodies_, readings.data());
}

template <int D>
bool SystemOf<D>::refresh_contacts(const State& state) {
  if (!contacts_.pairs_change() && !contacts_.have_slid()) return false;
  set_positions(state.q.data());
  return contacts_.refresh(bodies_);
}

template <int D>
bool SystemOf<D>::refresh_for_step() {
  if (!contacts_.pairs_change()) return false;
  for (int b = 1; b <= body_count(); ++b) search_.path().place(b, 0, bodies_[b]);
  return contacts_.refresh_for(bodies_, search_.largest_travel());
}

template <int D>
bool SystemOf<D>::contacts_are_fresh(const State& state) {
  if (!contacts_.pairs_change()) return true;
  set_positions(state.q.data());
  return contacts_.is_fresh(bodies_);
}

template <int D>
void SystemOf<D>::begin_contact(int point, State& state, const ContactReading& reading) {
  if (const int bristle = contacts_.bristle_of(point); bristle >= 0) {
    auto own = state.internal.segment(bristle, D);
    if (reading.kin >= 0) {
      own = state.internal.segment(contacts_.bristle_of(reading.kin), D);
    } else {
      own.setZero();
    }
  }
  contacts_.begin(point, state.t, reading, -state.work[first_contact_work_ + contacts_.group_of(point)]);
}

template <int D>
ContactEpisode SystemOf<D>::end_contact(int point, State& state, const ContactReading& reading) {
  state.work[first_contact_work_ + contacts_.group_of(point)] -= contacts_.stored(point, reading);
  return contacts_.end(point, state.t, reading, -state.work[first_contact_work_ + contacts_.group_of(point)]);
}

template <int D>
Energy SystemOf<D>::energy(double t, const double* q, const double* v) {
  set_positions(q);
  set_velocities(v);
  look(t);
  return energy_of_bodies(t, v);
}

template <int D>
Energy SystemOf<D>::energy_of_bodies(double t, const double* v) const {
  Energy sum;
  for (int b = 0; b < body_count(); ++b) {
    const BodyState<D>& body = bodies_[b + 1];
    const Eigen::Map<const Angular> angular_velocity(v + dofs * b + D);
    sum.kinetic += 0.5 * inertia_[b].mass * body.velocity.squaredNorm() +
                   0.5 * angular_velocity.dot(inertia_[b].tensor * angular_velocity);
    sum.potential -= inertia_[b].mass * gravity_.dot(body.position);
  }
  for (const ForceRecord& force : forces_) sum.potential += force.element->energy(bodies_, t);
  for (const BeamRecord& beam : beams_.records) sum.potential += strain_energy(beam);
  if (!beams_.records.empty()) {
    const Eigen::Map<const Eigen::VectorXd> velocities(v, velocity_size());
    sum.kinetic = 0.5 * velocities.dot(mass_matrix_ * velocities);
  }
  if (!contacts_.empty()) sum.contact = contacts_.energy(bodies_);
  return sum;
}

template class SystemOf<2>;
template class SystemOf<3>;

}  // namespace carom::inline dynamics
