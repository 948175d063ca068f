#include "integrators/smooth/smooth_integrator.h"

#include <fmt/format.h>

#include "integrators/smooth/step_control.h"

namespace carom::inline smooth_integrators {

SmoothIntegrator::SmoothIntegrator(System& system, const SolverSettings& settings)
    : system_(system),
      nq_(system.position_size()),
      nv_(system.velocity_size()),
      nw_(system.work_size()),
      nz_(system.internal_size()),
      tolerance_(settings.tolerance),
      fixed_step_(settings.step),
      first_step_(settings.first_step),
      max_step_(settings.max_step > 0 ? settings.max_step : std::numeric_limits<double>::infinity()),
      projecting_(settings.constraints == ConstraintTreatment::projection && system.active_constraints() > 0),
      drift_tolerance_(drift_tolerance(system, settings.tolerance)) {
  const bool baumgarte = settings.constraints == ConstraintTreatment::baumgarte;
  system.set_baumgarte(baumgarte ? settings.baumgarte_alpha : 0, baumgarte ? settings.baumgarte_beta : 0);
}

void SmoothIntegrator::start(const State& state) {
  ++statistics_.restarts;
  state_ = state;
  step_begin_ = state.t;
  fresh_ = true;
  has_step_ = false;
  failed_.clear();
}

StepOutcome SmoothIntegrator::step(double t_limit) {
  if (!failed_.empty()) return {StepStatus::failed, failed_};
  if (!(t_limit > state_.t)) return {};
  return advance(t_limit);
}

StepOutcome SmoothIntegrator::fail(const char* method, const std::string& what, const char* remedy,
                                   const std::string& said) {
  failed_ = fmt::format("{}: {} (t = {:.9g} s{}). {}", method, what, state_.t, said, remedy);
  return {StepStatus::failed, failed_};
}

}  // namespace carom::inline smooth_integrators
