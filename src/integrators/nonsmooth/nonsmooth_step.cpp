#include "integrators/nonsmooth/nonsmooth_step.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "integrators/smooth/step_control.h"

namespace carom {
namespace {

constexpr double gap_fraction = 1e-9;  // of the smallest clearance or shape: gaps below it are closed

// A body whose three inertias are equal feels no gyroscopic torque.
template <int D>
bool has_gyroscopes(const SystemOf<D>& system) {
  if (D == 2) return false;
  for (const BodyInertia<D>& body : system.inertia()) {
    const auto& tensor = body.tensor;
    if (!(tensor - tensor(0, 0) * BodyInertia<D>::SpinMatrix::Identity()).isZero(1e-12 * tensor(0, 0))) return true;
  }
  return false;
}

}  // namespace

template <int D>
NonsmoothStep<D>::NonsmoothStep(SystemOf<D>& system, const SolverSettings& settings, IntegratorStatistics& counts,
                                NonsmoothStatistics& statistics)
    : system_(system),
      contacts_(system.contact_set()),
      counts_(counts),
      statistics_(statistics),
      nv_(system.velocity_size()),
      rows_(system.constraint_size()),
      nw_(system.work_size()),
      moreau_(settings.scheme == "moreau-jean"),
      sequential_(settings.impacts == "sequential"),
      contact_solver_(settings.contact_solver),
      sweep_tolerance_(settings.contact_tolerance),
      tied_(system.constraint_size() > 0 || system.has_forces()),
      forces_vary_(tied_ || has_gyroscopes(system)),
      driven_(system.has_forces() || system.has_drives()),
      length_(system.length_scale()),
      smooth_(system, settings, AlphaStep::Level::velocity, counts, AlphaStep::Reuse::for_two_iterations),
      contact_system_(system) {
  gap_tolerance_ =
      std::max(gap_fraction * contacts_.gap_scale(), 64 * std::numeric_limits<double>::epsilon() * length_);
  for (auto* vector : {&no_jerk_, &smooth_v_, &smooth_load_, &smooth_reaction_, &travel_, &correction_, &jump_, &load_,
                       &response_, &pushed_, &mean_acceleration_}) {
    vector->setZero(nv_);
  }
  for (auto* vector : {&correction_lambda_, &jump_lambda_, &residual_, &mean_lambda_}) vector->setZero(rows_);
  right_.setZero(nv_ + rows_);
  power_.setZero(nw_), power_before_.setZero(nw_);
  work_.resize(contacts_.group_count());
  const std::vector<bool> tied = system.tied_bodies();
  for (std::size_t b = 0; b < tied.size(); ++b) {
    if (tied[b]) tied_bodies_.push_back(static_cast<int>(b));
  }
  sizes_ = contacts_.smallest_shapes(static_cast<int>(system.inertia().size()) + 1);
}

template <int D>
bool NonsmoothStep<D>::start(const State& state) {
  begin_.t = state.t;
  begin_.step = 1;
  begin_.q = state.q, begin_.v = state.v, begin_.work = state.work;
  begin_.rate.setZero(system_.position_size() + nv_ + nw_);
  double* rate = begin_.rate.data();
  const SolveStatus status = system_.rates(state.t, state.q.data(), state.v.data(), rate,
                                           rate + system_.position_size(), rate + system_.position_size() + nv_);
  if (status == SolveStatus::failed) return fail("the equations of motion cannot be solved at the starting point");
  begin_.acceleration = begin_.a = begin_.rate.segment(system_.position_size(), nv_);
  begin_.lambda = system_.multipliers(state.t, state.q.data(), state.v.data());
  mean_acceleration_ = begin_.acceleration, mean_lambda_ = begin_.lambda;
  end_ = begin_;
  smooth_.forget_matrix();
  second_pass_ = 1, second_pass_age_ = 0;
  system_.place(begin_.q.data(), begin_.v.data(), begin_bodies_);
  system_.powers(begin_.t, begin_.q.data(), begin_.v.data(), begin_.lambda, power_before_.data());
  contacts_.refresh(begin_bodies_);
  return true;
}

template <int D>
bool NonsmoothStep<D>::advance(double t_end) {
  h_ = t_end - begin_.t;
  smooth_iterations_ = position_iterations_ = velocity_iterations_ = 0;
  std::fill(work_.begin(), work_.end(), 0.0);
  if (moreau_ ? !move_explicitly(t_end) : !(move_smoothly(t_end) && correct_positions())) return false;
  if (!moreau_) keep_angular_momentum();
  if (!jump_velocities()) return false;
  if (moreau_) {
    right_.head(nv_) = 0.5 * h_ * (begin_.v + end_.v);
    system_.retract(begin_.q.data(), right_.data(), end_.q.data());
    system_.normalise(end_.q.data());
    system_.place(end_.q.data(), end_.v.data(), bodies_);
  }
  if (!all_finite(end_.q.data(), static_cast<int>(end_.q.size())) || !all_finite(end_.v.data(), nv_))
    return fail("positions or velocities are not numbers any more");
  account_work();
  return true;
}

// Generalized-α with joints at the velocity level and no contacts.
template <int D>
bool NonsmoothStep<D>::move_smoothly(double t_end) {
  if (forces_vary_) {
    const long before = counts_.newton_iterations;
    if (!smooth_.solve(begin_, end_, no_jerk_, t_end)) {
      smooth_.forget_matrix();
      return fail("the smooth motion between contacts was not found");
    }
    smooth_iterations_ = static_cast<int>(counts_.newton_iterations - before);
  } else {
    fall_freely(t_end);
  }
  system_.normalise(end_.q.data());
  smooth_q_ = end_.q, smooth_v_ = end_.v;
  if (forces_vary_) smooth_load_ = smooth_.load();
  if (rows_ > 0)
    smooth_reaction_.noalias() = system_.constraint_jacobian(t_end, smooth_q_.data()).transpose() * end_.lambda;
  system_.increment(begin_.q.data(), smooth_q_.data(), travel_.data());
  system_.place(smooth_q_.data(), smooth_v_.data(), smooth_bodies_);
  look_for_fast_bodies();
  contacts_.refresh(smooth_bodies_);
  return true;
}

// Bodies under their weight alone: the accelerations are known, and nothing is to be solved.
template <int D>
void NonsmoothStep<D>::fall_freely(double t_end) {
  const AlphaCoefficients& c = smooth_.coefficients();
  end_.t = t_end;
  end_.step = h_;
  end_.acceleration = begin_.acceleration, end_.a = begin_.a, end_.lambda = begin_.lambda;
  end_.a =
      ((1 - c.alpha_f) * end_.acceleration + c.alpha_f * begin_.acceleration - c.alpha_m * begin_.a) / (1 - c.alpha_m);
  end_.v = begin_.v + h_ * ((1 - c.gamma) * begin_.a + c.gamma * end_.a);
  right_.head(nv_) = h_ * begin_.v + h_ * h_ * ((0.5 - c.beta) * begin_.a + c.beta * end_.a);
  system_.retract(begin_.q.data(), right_.data(), end_.q.data());
  smooth_iterations_ = 1;
}

// Moreau's midpoint: contacts are looked for half a step ahead, loads act from there.
template <int D>
bool NonsmoothStep<D>::move_explicitly(double t_end) {
  end_.t = t_end;
  travel_ = h_ * begin_.v;
  right_.head(nv_) = 0.5 * travel_;
  smooth_q_ = begin_.q;
  system_.retract(begin_.q.data(), right_.data(), smooth_q_.data());
  system_.loads(begin_.t + 0.5 * h_, smooth_q_.data(), begin_.v.data(), smooth_load_);
  for (std::size_t b = 0; b < system_.inertia().size(); ++b) {
    const BodyInertia<D>& body = system_.inertia()[b];
    auto rate = end_.acceleration.segment<freedoms>(freedoms * b);
    rate.template head<D>() = body.inverse_mass * smooth_load_.segment<D>(freedoms * b);
    rate.template tail<Space<D>::spins>() =
        body.inverse_tensor * smooth_load_.segment<Space<D>::spins>(freedoms * b + D);
  }
  smooth_v_ = begin_.v + h_ * end_.acceleration;
  smooth_reaction_.setZero();
  end_.lambda.setZero();
  end_.q = smooth_q_;
  system_.place(smooth_q_.data(), smooth_v_.data(), smooth_bodies_);
  look_for_fast_bodies();
  contacts_.refresh(smooth_bodies_);
  bodies_ = smooth_bodies_;
  contacts_.find_rigid(bodies_, 0, closed_);
  pressed_.clear();
  return true;
}

// Spins are in body axes: turning a body by its correction would turn its angular momentum along.
template <int D>
void NonsmoothStep<D>::keep_angular_momentum() {
  if constexpr (D == 3) {
    for (std::size_t b = 0; b < system_.inertia().size(); ++b) {
      const Eigen::Vector3d turn = correction_.segment<3>(freedoms * b + 3);
      if (turn.isZero(0)) continue;
      auto spin = smooth_v_.segment<3>(freedoms * b + 3);
      const BodyInertia<D>& body = system_.inertia()[b];
      const Eigen::Vector3d momentum = rotation_from_vector(turn).conjugate() * Eigen::Vector3d(body.tensor * spin);
      spin = body.inverse_tensor * momentum;
    }
  }
}

template <int D>
void NonsmoothStep<D>::look_for_fast_bodies() {
  fast_body_ = 0;
  if (contacts_.empty()) return;
  for (int b = 1; b < static_cast<int>(smooth_bodies_.size()); ++b) {
    const double size = sizes_[b];
    if (travel_.segment<D>(freedoms * (b - 1)).squaredNorm() > size * size) fast_body_ = b;
  }
}

// Drives and forces by the trapezoidal rule, drives with the mean of their reaction in this step; contacts by what
// their impulses did to the kinetic energy and their corrections against gravity.
template <int D>
void NonsmoothStep<D>::account_work() {
  mean_acceleration_ = end_.acceleration + jump_ / h_;
  mean_lambda_ = end_.lambda + jump_lambda_ / h_;
  const Eigen::VectorXd& mean = residual_ = 0.5 * (begin_.lambda + end_.lambda) + jump_lambda_ / h_;
  system_.drive_powers(begin_bodies_, mean, power_before_.data());
  system_.powers(end_.t, end_.q.data(), end_.v.data(), mean, power_.data());
  end_.work = begin_.work + 0.5 * h_ * (power_before_ + power_);
  for (std::size_t k = 0; k < work_.size(); ++k) end_.work[system_.first_contact_work() + k] += work_[k];
}

template <int D>
void NonsmoothStep<D>::commit(std::vector<ImpactEvent>& events) {
  note_contacts(events);
  statistics_.smooth.add(smooth_iterations_);
  statistics_.position.add(position_iterations_);
  statistics_.velocity.add(velocity_iterations_);
  system_.accept(end_.t, end_.q.data(), end_.v.data());
  std::swap(begin_, end_);
  std::swap(begin_bodies_, bodies_);
  std::swap(power_before_, power_);
  // Vectors that the next step writes must have their sizes.
  end_ = begin_;
}

template class NonsmoothStep<2>;
template class NonsmoothStep<3>;

}  // namespace carom
