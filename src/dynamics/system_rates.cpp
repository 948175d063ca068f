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

// S = G M⁻¹ Gᵀ, assembled over the bodies: each couples the constraint blocks that meet in it.
template <int D>
void SystemOf<D>::factor_constraints() {
  solver_.clear();
  const auto& slots = constraints_.slots();
  const auto& jacobian = constraints_.jacobian();
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const Inertia& inertia = inertia_[slots[k].body - 1];
    Block& weighted = weighted_[k];
    weighted.template leftCols<D>() = inertia.inverse_mass * jacobian[k].template leftCols<D>();
    weighted.template rightCols<spins>().noalias() = jacobian[k].template rightCols<spins>() * inertia.inverse_tensor;
    solver_.diagonal(slots[k].block).noalias() += weighted * jacobian[k].transpose();
  }
  for (const SlotPair& pair : slot_pairs_) {
    solver_.off_diagonal(pair.target).noalias() += weighted_[pair.slot_a] * jacobian[pair.slot_b].transpose();
  }
  for (const int row : spare_rows_) solver_.diagonal(row / D)(row % D, row % D) += 1;
  dropped_ = solver_.factor();
}

template <int D>
void SystemOf<D>::apply_multipliers(double* v_rate) const {
  const auto& slots = constraints_.slots();
  for (std::size_t k = 0; k < slots.size(); ++k) {
    Eigen::Map<Freedoms>(v_rate + freedoms * (slots[k].body - 1)).noalias() -= weighted_[k].transpose() * block_rhs_[slots[k].block];
  }
}

template <int D>
SolveStatus SystemOf<D>::rates(double t, const double* q, const double* v, double* q_rate, double* v_rate, double* power) {
  set_positions(q);
  set_velocities(v);
  gather_loads(t, power);
  for (int b = 0; b < body_count(); ++b) {
    Eigen::Map<Freedoms>(v_rate + freedoms * b) = accelerate(b, load_.segment<freedoms>(freedoms * b));
  }
  position_rate(q, v, q_rate);
  const auto is_finite = [&] {
    double sum = 0;
    for (int k = 0; k < velocity_size(); ++k) sum += v_rate[k];
    return std::isfinite(sum);
  };
  if (constraints_.block_count() == 0) return is_finite() ? SolveStatus::regular : SolveStatus::failed;

  constraints_.linearise(bodies_, t);
  factor_constraints();
  const auto& slots = constraints_.slots();
  for (std::size_t k = 0; k < block_rhs_.size(); ++k) block_rhs_[k] = -constraints_.bias()[k];
  if (alpha_ != 0 || beta_ != 0) {
    constraints_.residual(bodies_, t, residual_);
    velocity_residual_now(t, v, time_rate_);
    for (std::size_t k = 0; k < block_rhs_.size(); ++k) {
      const auto row = static_cast<Eigen::Index>(D * k);
      block_rhs_[k] += 2 * alpha_ * time_rate_.segment<D>(row) + beta_ * beta_ * residual_.segment<D>(row);
    }
  }
  for (std::size_t k = 0; k < slots.size(); ++k) {
    block_rhs_[slots[k].block].noalias() += constraints_.jacobian()[k] * Eigen::Map<const Freedoms>(v_rate + freedoms * (slots[k].body - 1));
  }
  solver_.solve(block_rhs_.data());
  apply_multipliers(v_rate);
  std::copy_n(block_rhs_.data()->data(), lambda_.size(), lambda_.data());

  if (!is_finite()) return SolveStatus::failed;
  if (power) {
    // The force of a drive along its coordinate is −λ; the coordinate moves as the drive says.
    for (std::size_t k = 0; k < motions_.size(); ++k) {
      const int combination = motions_[k].combination;
      power[k] = -lambda_[constraints_.combination_row(combination)] * constraints_.target(combination).derivatives(t).first;
    }
  }
  return dropped_ > 0 ? SolveStatus::redundant : SolveStatus::regular;
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
