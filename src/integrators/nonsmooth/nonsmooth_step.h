#pragma once

#include "integrators/nonsmooth/contact_books.h"
#include "integrators/nonsmooth/scheme.h"
#include "integrators/nonsmooth/velocity_jump.h"

namespace carom::inline nonsmooth_integrators {

// One step of a scheme of the catalogue: three stages, each from the states that the ones before have handed on, and
// the books after them. See docs/theory/nonsmooth.md.
template <int D>
class NonsmoothStep {
 public:
  NonsmoothStep(BodySystem<D>& system, const SolverSettings& settings, IntegratorStatistics& counts,
                NonsmoothStatistics& statistics);

  // From a state on its constraints; the smooth accelerations there.
  bool start(const State& state);
  // Other states of signals where the last step has ended. Accelerations change by what these do to forces, so that
  // steps stay of second order, and contacts go on as they were.
  bool change_internal(const State& state);
  // A step to t_end. False: it did not converge, and `failure` says why; the state stands.
  // There may be no shorter one; and one may push bodies through each other, where nothing else is left.
  bool advance(double t_end, bool last_attempt, bool lets_pass);
  // The last one did so.
  bool passes_through() const { return passes_through_; }
  void commit(std::vector<ImpactEvent>& events);
  void observe_problems(ProblemObserver observer) { context_.observer = std::move(observer); }

  const AlphaPoint& begin() const { return start_.point; }
  const AlphaPoint& end() const { return smooth_.end; }                      // of an advance: after corrections
  const Eigen::VectorXd& internal() const { return start_.point.internal; }  // states of signals
  const Eigen::VectorXd& accelerations() const { return mean_acceleration_; }
  const Eigen::VectorXd& multipliers() const { return mean_lambda_; }
  const std::string& failure() const { return context_.failure; }
  // A body that has touched others in the last step and moved farther in it than its own size; 0: none.
  int fast_body() const { return motion_.fast_body(smooth_, corrected_.closed); }

 private:
  // What forces without those of contacts do at the beginning: accelerations, how fast they change, and multipliers.
  struct ForcesNow {
    Eigen::VectorXd acceleration, jerk, lambda;
  };
  bool look_at_forces(ForcesNow& now);
  bool take_stages(double t_end, bool lets_pass);
  void follow_signals();
  void stop_following(bool done);
  bool correct();
  bool stays_on_its_side(bool lets_pass);
  void note_left();
  void account_work();
  bool refines_tolerance();
  void relax_tolerance();

  const std::unique_ptr<Scheme<D>> scheme_;
  StepContext<D> context_;
  // Stages.
  SmoothMotion<D> motion_;
  Mechanism<D> mechanism_;
  BodyContacts<D> body_contacts_;
  PositionCorrection<D> correction_;
  VelocityJump<D> jump_;
  ContactBooks<D> books_;
  // What they hand on.
  StepStart<D> start_;
  SmoothState<D> smooth_;
  CorrectedState<D> corrected_;
  JumpedState<D> jumped_;
  // Books.
  Eigen::VectorXd mean_acceleration_, mean_lambda_, power_, power_before_, lambda_;
  // States of signals, by the trapezoidal rule.
  Eigen::VectorXd internal_base_, internal_rate_;
  struct {  // change_internal
    ForcesNow before, after;
    State probe;
    Eigen::VectorXd rate, increment;
  } change_;
  std::vector<double> work_;  // J, of contacts in this step, by group
  double weight_rate_ = 0;    // W/s, twice the energy that the weight gives to free bodies over the square of the time
  int calm_steps_ = 0;        // since the tolerance of the iterations was changed
  bool passes_through_ = false;
  FoundOverlap overlap_;  // after the correction all the same
};

extern template class NonsmoothStep<2>;
extern template class NonsmoothStep<3>;

}  // namespace carom::inline nonsmooth_integrators
