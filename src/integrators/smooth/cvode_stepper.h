#pragma once

#include "integrators/smooth/integrator.h"
#include "integrators/smooth/sundials_memory.h"

namespace carom {

// CVODE, one internal step at a time, on the index-1 form y = [q, v, work].
//
// Drift of the constraints is removed in the history of the method itself: the difference between the projected and the
// computed state is added to the present value in the Nordsieck array, the derivatives stay (Eich, SIAM J. Numer. Anal.
// 30 (1993): order and stability of the multistep method are kept). So no restart is needed, which would throw the
// order back to one.
class CvodeStepper final : public Integrator {
 public:
  enum class Method { adams, bdf };
  CvodeStepper(System& system, const SolverSettings& settings, Method method);
  ~CvodeStepper() override;
  CvodeStepper(const CvodeStepper&) = delete;
  CvodeStepper& operator=(const CvodeStepper&) = delete;

  void start(const State& state) override;
  StepOutcome step(double t_limit) override;
  const State& state() const override { return state_; }
  double step_begin() const override { return step_begin_; }
  void interpolate(double t, State& out) override;

 private:
  static int right_hand_side(double t, N_Vector y, N_Vector y_rate, void* self);
  static void remember_complaint(int code, const char* module, const char* function, char* message, void* self);

  void attach_solvers();
  bool begin();
  bool step_within_rounding(double t_limit);
  bool correct_drift();
  void update_statistics();
  StepOutcome failure(const std::string& what);

  System& system_;
  const Method method_;
  const int nq_, nv_, nw_, size_;
  const SolverSettings settings_;
  const bool projecting_;
  const double drift_tolerance_;

  SundialsOwner<SUNContext> context_;
  SundialsOwner<N_Vector> y_, absolute_, dense_;
  SundialsOwner<SUNMatrix> matrix_;
  SundialsOwner<SUNLinearSolver> linear_solver_;
  SundialsOwner<SUNNonlinearSolver> nonlinear_solver_;
  void* cvode_ = nullptr;

  State state_;
  double step_begin_ = 0;
  bool initialised_ = false;  // CVODE has its vectors
  bool fresh_ = true;         // start was called, CVODE does not know yet
  bool has_step_ = false;
  std::string complaint_, failed_;
  int tiny_steps_ = 0;                                                    // in a row
  long rejected_before_ = 0, setups_before_ = 0, iterations_before_ = 0;  // before the last restart

  Eigen::VectorXd correction_;  // of y, by the projection at the end of the last step
  bool corrected_ = false;
  Eigen::VectorXd residual_;
};

}  // namespace carom
