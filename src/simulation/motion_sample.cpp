#include "simulation/motion_sample.h"

#include <algorithm>

namespace carom::inline simulation {

void MotionSample::take(System& system, const SolverSettings& settings, const State& raw) {
  state = raw;
  if (state.internal.size() > 0) system.set_internal(state.internal.data());
  if (settings.constraints == ConstraintTreatment::projection) {
    const double tolerance = 1e-14 * std::max(1.0, system.length_scale());
    const auto position = system.project_position(state.t, state.q.data(), tolerance, 3);
    const auto velocity = system.project_velocity(state.t, state.q.data(), state.v.data());
    position_drift = position.before, velocity_drift = velocity.before;
  } else {
    measure_drift(system);
  }
  system.normalise(state.q.data());
  q_rate.resize(system.position_size());
  v_rate.resize(system.velocity_size());
  power.resize(system.work_size());
  status = system.rates(state.t, state.q.data(), state.v.data(), q_rate.data(), v_rate.data(), power.data());
  lambda = system.multipliers(state.t, state.q.data(), state.v.data());
}

void MotionSample::measure_drift(System& system) {
  system.position_residual(state.t, state.q.data(), residual_);
  position_drift = residual_.lpNorm<Eigen::Infinity>();
  system.velocity_residual(state.t, state.q.data(), state.v.data(), residual_);
  velocity_drift = residual_.lpNorm<Eigen::Infinity>();
}

}  // namespace carom::inline simulation
