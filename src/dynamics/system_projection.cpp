#include "dynamics/system_of.h"

namespace carom::inline dynamics {

template <int D>
void SystemOf<D>::position_residual(double t, const double* q, Eigen::VectorXd& g) {
  set_positions(q);
  aim(t);
  constraints_.residual(bodies_, t, g);
}

template <int D>
void SystemOf<D>::velocity_residual_now(double t, const double* v, Eigen::VectorXd& g_rate) {
  constraints_.time_rate(t, g_rate);
  const auto& slots = constraints_.slots();
  for (std::size_t k = 0; k < slots.size(); ++k) {
    g_rate.segment<D>(D * slots[k].block).noalias() +=
        constraints_.jacobian()[k] * Eigen::Map<const Dofs>(v + dofs * (slots[k].body - 1));
  }
}

template <int D>
void SystemOf<D>::velocity_residual(double t, const double* q, const double* v, Eigen::VectorXd& g_rate) {
  if (has_signal_drives()) {
    set_positions(q);
    set_velocities(v);
    aim(t);
  }
  constraints_.time_rate(t, g_rate);
  g_rate.noalias() += constraint_jacobian(t, q) * Eigen::Map<const Eigen::VectorXd>(v, velocity_size());
}

template <int D>
bool SystemOf<D>::solve_for_residual() {
  const int dropped = full_.factor(constraints_);
  full_.set_right_hand_side([&](int block, Vector& value) { value = rows_.residual.segment<D>(D * block); });
  full_.solve();
  return dropped == 0;
}

// Newton on g(q) = 0 along M⁻¹Gᵀ: the nearest consistent position in the metric of the masses.
template <int D>
System::Projection SystemOf<D>::project_position(double t, double* q, double tolerance, int max_iterations) {
  Projection result;
  for (;; ++result.iterations) {
    position_residual(t, q, rows_.residual);
    result.after = rows_.residual.size() > 0 ? rows_.residual.cwiseAbs().maxCoeff() : 0;
    if (result.iterations == 0) result.before = result.after;
    result.converged = result.after <= tolerance;
    if (result.converged || result.iterations == max_iterations || !std::isfinite(result.after)) return result;
    constraints_.linearise(bodies_, t);
    solve_for_residual();
    load_rate_.setZero();
    full_.apply(load_rate_.data());
    // A long way from closing, Newton may overshoot: no body turns by more than half a radian at a time.
    double largest_turn = 0;
    for (int b = 0; b < body_count(); ++b) {
      largest_turn = std::max(largest_turn, load_rate_.segment<rotational_dofs>(dofs * b + D).norm());
    }
    if (largest_turn > 0.5) load_rate_ *= 0.5 / largest_turn;
    retract(q, load_rate_.data(), q);
  }
}

template <int D>
System::Projection SystemOf<D>::project_velocity(double t, const double* q, double* v) {
  Projection result;
  if (constraints_.block_count() == 0) return result;
  set_positions(q);
  set_velocities(v);
  aim(t);
  constraints_.linearise(bodies_, t);
  velocity_residual_now(t, v, rows_.residual);
  result.before = rows_.residual.cwiseAbs().maxCoeff();
  solve_for_residual();
  full_.apply(v);
  velocity_residual_now(t, v, rows_.residual);
  result.after = rows_.residual.cwiseAbs().maxCoeff();
  result.iterations = 1;
  return result;
}

template <int D>
void SystemOf<D>::normalise(double* q) const {
  if constexpr (D == 3) {
    for (int b = 0; b < body_count(); ++b) Eigen::Map<Eigen::Vector4d>(q + 7 * b + 3).normalize();
  }
}

template <int D>
void SystemOf<D>::accept(double, const double* q, const double* v) {
  if (constraints_.coordinates().empty() && forces_.empty()) return;  // nothing remembers
  set_positions(q);
  set_velocities(v);
  constraints_.remember_turns(bodies_);
  for (ForceRecord& force : forces_) force.element->remember(bodies_);
}

template <int D>
void SystemOf<D>::forget_turns(const double* q) {
  set_positions(q);
  constraints_.forget_turns(bodies_);
  for (ForceRecord& force : forces_) force.element->forget(bodies_);
}

template <int D>
void SystemOf<D>::take_memory(const System& other) {
  const auto& same = dynamic_cast<const SystemOf&>(other);
  constraints_.take_turns(same.constraints_);
  contacts_.take_memory(same.contacts_);
  for (std::size_t k = 0; k < forces_.size(); ++k) forces_[k].element->take_memory(*same.forces_[k].element);
  if (signals_.network && same.signals_.network) signals_.network->take_history(*same.signals_.network);
}

template <int D>
void SystemOf<D>::retract(const double* q, const double* increment, double* result) const {
  if constexpr (D == 2) {
    for (int k = 0; k < velocity_size(); ++k) result[k] = q[k] + increment[k];
  } else {
    for (int b = 0; b < body_count(); ++b, q += 7, increment += 6, result += 7) {
      for (int k = 0; k < 3; ++k) result[k] = q[k] + increment[k];
      const Eigen::Quaterniond turned = Eigen::Quaterniond(q[3], q[4], q[5], q[6]) *
                                        rotation_from_vector(Eigen::Map<const Eigen::Vector3d>(increment + 3));
      result[3] = turned.w(), result[4] = turned.x(), result[5] = turned.y(), result[6] = turned.z();
    }
  }
}

template <int D>
void SystemOf<D>::increment(const double* a, const double* b, double* result) const {
  if constexpr (D == 2) {
    for (int k = 0; k < velocity_size(); ++k) result[k] = b[k] - a[k];
  } else {
    for (int body = 0; body < body_count(); ++body, a += 7, b += 7, result += 6) {
      for (int k = 0; k < 3; ++k) result[k] = b[k] - a[k];
      Eigen::Quaterniond turn =
          Eigen::Quaterniond(a[3], a[4], a[5], a[6]).conjugate() * Eigen::Quaterniond(b[3], b[4], b[5], b[6]);
      if (turn.w() < 0) turn.coeffs() *= -1;
      const double sine = turn.vec().norm();
      const double factor = sine < 1e-8 ? 2 / turn.w() : 2 * std::atan2(sine, turn.w()) / sine;
      Eigen::Map<Eigen::Vector3d>(result + 3) = factor * turn.vec();
    }
  }
}

template <int D>
std::vector<RedundantRow> SystemOf<D>::redundant_rows(double t, const double* q) {
  std::vector<RedundantRow> result;
  if (constraints_.block_count() == 0) return result;
  set_positions(q);
  constraints_.linearise(bodies_, t);
  full_.factor(constraints_);
  for (const int row : full_.dropped_rows()) {
    const auto& label = constraints_.label(row);
    if (label.used) result.push_back({owner_of(label.joint), label.what});
  }
  return result;
}

template <int D>
std::vector<System::JointResidual> SystemOf<D>::residual_by_joint(double t, const double* q) {
  position_residual(t, q, rows_.residual);
  std::vector<JointResidual> result;
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const int joint = static_cast<int>(k), first = D * constraints_.first_block(joint);
    result.push_back(
        {joints_[k].name, rows_.residual.segment(first, D * constraints_.end_block(joint) - first).norm()});
  }
  return result;
}

template class SystemOf<2>;
template class SystemOf<3>;

}  // namespace carom::inline dynamics
