#include "dynamics/system_of.h"

namespace carom {

template <int D>
void SystemOf<D>::set_positions(const double* q) {
  for (int b = 0; b < body_count(); ++b, q += coordinates_per_body) {
    BodyState<D>& body = bodies_[b + 1];
    body.position = Eigen::Map<const Vector>(q);
    if constexpr (D == 2) {
      body.angle = q[2];
      body.orientation = Rotation<2>(q[2]);
    } else {
      body.orientation = Rotation<3>(rotation_matrix(q + 3));
    }
  }
}

template <int D>
void SystemOf<D>::set_velocities(const double* v) {
  for (int b = 0; b < body_count(); ++b, v += freedoms) {
    BodyState<D>& body = bodies_[b + 1];
    body.velocity = Eigen::Map<const Vector>(v);
    body.spin = body.orientation.spin_to_world(Eigen::Map<const Spin>(v + D));
  }
}

template <int D>
void SystemOf<D>::gather_loads(double t, double* power) {
  for (int b = 0; b < body_count(); ++b) {
    auto load = load_.segment<freedoms>(freedoms * b);
    load.template head<D>() = inertia_[b].mass * gravity_;
    if constexpr (D == 2) {
      load[2] = 0;
    } else {
      const Eigen::Vector3d spin = bodies_[b + 1].orientation.back(bodies_[b + 1].spin);
      load.template tail<3>() = -spin.cross(inertia_[b].tensor * spin);
    }
  }
  Loads<D> sum(load_);
  for (const ForceRecord& force : forces_) {
    const double lost = force.element->apply(bodies_, t, sum);
    if (force.work >= 0 && power) power[force.work] = lost;
  }
}

template <int D>
typename SystemOf<D>::Freedoms SystemOf<D>::accelerate(int body, const Freedoms& load) const {
  Freedoms result;
  result.template head<D>() = inertia_[body].inverse_mass * load.template head<D>();
  result.template tail<spins>() = inertia_[body].inverse_tensor * load.template tail<spins>();
  return result;
}

// Baumgarte's terms 2α (G v + g_t) + β² g on the right-hand side.
template <int D>
void SystemOf<D>::add_stabilisation(double t, const double* v) {
  constraints_.residual(bodies_, t, residual_);
  velocity_residual_now(t, v, time_rate_);
  residual_ = 2 * alpha_ * time_rate_ + beta_ * beta_ * residual_;
}

template <int D>
SolveStatus SystemOf<D>::rates(double t, const double* q, const double* v, double* q_rate, double* v_rate, double* power) {
  set_positions(q);
  set_velocities(v);
  gather_loads(t, power);
  position_rate(q, v, q_rate);
  for (int b = 0; b < body_count(); ++b) {
    Eigen::Map<Freedoms>(v_rate + freedoms * b) = accelerate(b, load_.segment<freedoms>(freedoms * b));
  }
  if (constraints_.block_count() == 0) return SolveStatus::regular;

  const bool stabilised = alpha_ != 0 || beta_ != 0;
  ConstraintSolver<D>& solver = stabilised ? full_ : reduced_;
  constraints_.linearise(bodies_, t, stabilised ? ConstraintSet<D>::Scope::all : ConstraintSet<D>::Scope::kept);
  solver.place_grounded(bodies_);
  solver.hold_grounded(bodies_, load_, v_rate);
  const int dropped = solver.factor(constraints_);
  solver.set_right_hand_side([&](int block, Vector& value) { value = -constraints_.bias()[block]; });
  if (stabilised) {
    add_stabilisation(t, v);
    solver.set_right_hand_side([&](int block, Vector& value) { value += residual_.segment<D>(D * block); });
  }
  solver.add_product(constraints_, v_rate);
  solver.solve();
  solver.apply(v_rate);
  solver.copy_multipliers(lambda_);
  multipliers_complete_ = solver.grounded().empty();
  rates_time_ = t;
  rates_result_ = Eigen::Map<const Eigen::VectorXd>(v_rate, velocity_size());

  if (!std::isfinite(rates_result_.sum())) return SolveStatus::failed;
  if (power) {
    // The force of a drive along its coordinate is −λ; the coordinate moves as the drive says.
    for (std::size_t k = 0; k < motions_.size(); ++k) {
      const int combination = motions_[k].combination;
      power[k] = -lambda_[constraints_.combination_row(combination)] * constraints_.target(combination).derivatives(t).first;
    }
  }
  return dropped > 0 ? SolveStatus::redundant : SolveStatus::regular;
}

// The joint of a grounded body carries what is missing in the balance of that body: Gᵀ λ = f − M v̇ − forces of its other joints.
template <int D>
const Eigen::VectorXd& SystemOf<D>::multipliers() {
  if (multipliers_complete_) return lambda_;
  multipliers_complete_ = true;
  constraints_.linearise(bodies_, rates_time_);
  load_rate_ = load_;
  for (int b = 0; b < body_count(); ++b) {
    load_rate_.segment<D>(freedoms * b) -= inertia_[b].mass * rates_result_.segment<D>(freedoms * b);
    load_rate_.segment<spins>(freedoms * b + D) -= inertia_[b].tensor * rates_result_.segment<spins>(freedoms * b + D);
  }
  for (const GroundedBody<D>& held : reduced_.grounded()) lambda_.segment(D * constraints_.first_block(held.joint), D * (constraints_.end_block(held.joint) - constraints_.first_block(held.joint))).setZero();
  const auto& slots = constraints_.slots();
  for (std::size_t k = 0; k < slots.size(); ++k) {
    load_rate_.segment<freedoms>(freedoms * (slots[k].body - 1)) -= constraints_.jacobian()[k].transpose() * lambda_.segment<D>(D * slots[k].block);
  }
  for (const GroundedBody<D>& held : reduced_.grounded()) {
    const int first = constraints_.first_block(held.joint), count = D * (constraints_.end_block(held.joint) - first);
    const auto [first_slot, end_slot] = constraints_.slots_of(held.joint);
    Eigen::Matrix<double, Eigen::Dynamic, freedoms, 0, 6, freedoms> rows = decltype(rows)::Zero(count, freedoms);
    for (int k = first_slot; k < end_slot; ++k) rows.template middleRows<D>(D * (slots[k].block - first)) = constraints_.jacobian()[k];
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> normal = rows * rows.transpose();
    for (int r = 0; r < count; ++r) {
      if (!constraints_.label(D * first + r).used) normal(r, r) = 1;
    }
    lambda_.segment(D * first, count) = normal.llt().solve(rows * load_rate_.template segment<freedoms>(freedoms * (held.body - 1)));
  }
  return lambda_;
}

template <int D>
void SystemOf<D>::position_rate(const double* q, const double* v, double* q_rate) const {
  if constexpr (D == 2) {
    std::copy_n(v, velocity_size(), q_rate);
  } else {
    for (int b = 0; b < body_count(); ++b, q += 7, v += 6, q_rate += 7) {
      std::copy_n(v, 3, q_rate);
      const Eigen::Quaterniond rate = Eigen::Quaterniond(q[3], q[4], q[5], q[6]) * Eigen::Quaterniond(0, v[3], v[4], v[5]);
      q_rate[3] = 0.5 * rate.w(), q_rate[4] = 0.5 * rate.x(), q_rate[5] = 0.5 * rate.y(), q_rate[6] = 0.5 * rate.z();
    }
  }
}

template <int D>
void SystemOf<D>::loads(double t, const double* q, const double* v, Eigen::VectorXd& f) {
  set_positions(q);
  set_velocities(v);
  gather_loads(t, nullptr);
  f = load_;
}

template <int D>
Energy SystemOf<D>::energy(double t, const double* q, const double* v) {
  set_positions(q);
  set_velocities(v);
  Energy sum;
  for (int b = 0; b < body_count(); ++b) {
    const BodyState<D>& body = bodies_[b + 1];
    const Eigen::Map<const Spin> spin(v + freedoms * b + D);
    sum.kinetic += 0.5 * inertia_[b].mass * body.velocity.squaredNorm() + 0.5 * spin.dot(inertia_[b].tensor * spin);
    sum.potential -= inertia_[b].mass * gravity_.dot(body.position);
  }
  for (const ForceRecord& force : forces_) sum.potential += force.element->energy(bodies_, t);
  return sum;
}

template class SystemOf<2>;
template class SystemOf<3>;

}  // namespace carom
