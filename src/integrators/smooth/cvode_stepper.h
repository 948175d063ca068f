#pragma once

#include "integrators/smooth/sundials_stepper.h"

namespace carom::inline smooth_integrators {

// CVODE, one internal step at a time, on the index-1 form y = [q, v, work].
//
// Drift of the constraints is removed in the history of the method itself: the difference between the projected and the
// computed state is added to the present value in the Nordsieck array, the derivatives stay (Eich, SIAM J. Numer. Anal.
// 30 (1993): order and stability of the multistep method are kept). So no restart is needed, which would throw the
// order back to one.
class CvodeStepper final : public SundialsStepper {
 public:
  enum class Method { adams, bdf };
  CvodeStepper(System& system, const SolverSettings& settings, Method method);
  ~CvodeStepper() override;

  void interpolate(double t, State& out) override;

 private:
  static const Library& library();
  static int right_hand_side(double t, N_Vector y, N_Vector y_rate, void* self);

  StepOutcome advance(double t_limit) override;
  bool begin() override;
  int solve(double t_limit, double& t) override;
  const char* finish() override;
  std::string explain(int flag) const override;
  StepOutcome failure(const std::string& what) override;

  void attach_solvers();
  bool step_within_rounding(double t_limit);
  bool correct_drift();
  Corrections corrections() const override;

  const Method method_;
  const int size_;
  SundialsOwner<N_Vector> absolute_;
  SundialsOwner<SUNNonlinearSolver> nonlinear_solver_;

  Eigen::VectorXd correction_;  // of y, by the projection at the end of the last step
  Eigen::VectorXd taken_back_;  // of q, at the start of the step
  bool corrected_ = false;
  Eigen::VectorXd residual_;
};

}  // namespace carom::inline smooth_integrators
