#pragma once

#include "integrators/smooth/integrator.h"

namespace carom::inline smooth_integrators {

// What the integrators of this room have in common: the system with its sizes, the choices of the user, the state at
// the end of the last step, and whether there is a way on.
class SmoothIntegrator : public Integrator, public StepMotion {
 public:
  void start(const State& state) override;
  StepOutcome step(double t_limit) final;
  const State& state() const final { return state_; }
  double step_begin() const final { return step_begin_; }
  const StepMotion* motion() const final { return this; }

 protected:
  SmoothIntegrator(System& system, const SolverSettings& settings);

  // One step towards t_limit, which lies ahead.
  virtual StepOutcome advance(double t_limit) = 0;

  // No further step until the next start. `what` happened, `said` by a library perhaps; `remedy` is a sentence without
  // a full stop.
  StepOutcome fail(const char* method, const std::string& what, const char* remedy, const std::string& said = {});

  System& system_;
  const int nq_, nv_, nw_, nz_;  // sizes of positions, velocities, work and internal states
  const double tolerance_;
  const double fixed_step_, first_step_;  // s; 0: left to the integrator
  const double max_step_;                 // s; infinity where none is given
  const bool projecting_;                 // there are constraints, and their drift is projected away
  const double drift_tolerance_;

  State state_;
  double step_begin_ = 0;
  bool fresh_ = true;      // start was called and nothing evaluated yet
  bool has_step_ = false;  // the last step can be interpolated
  std::string failed_;     // why; until the next start
};

template <class Type>
std::unique_ptr<Integrator> make_smooth(System& system, const SolverSettings& settings) {
  return std::make_unique<Type>(system, settings);
}

}  // namespace carom::inline smooth_integrators
