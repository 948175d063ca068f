#pragma once

#include <array>

#include "integrators/smooth/integrator.h"
#include "integrators/smooth/sundials_memory.h"

namespace carom {

// BDF on the stabilised index-2 form of Gear, Gupta and Leimkuhler, by IDA, one internal step at a time:
//   q̇ = N(q) (v − M⁻¹ Gᵀ μ),   M v̇ + Gᵀ λ = f,   G v + g_t = 0,   g = 0,   y = [q, v, λ, μ].
// Dense, so meant for small systems. Tiny multiples of λ and μ in the constraint rows give redundant rows a pivot;
// unused rows set their multipliers to zero. The work is not part of y but summed up over each step by Gauss quadrature
// of the powers.
class IdaStepper final : public Integrator {
 public:
  static constexpr int largest_system = 500;  // unknowns

  IdaStepper(System& system, const SolverSettings& settings);
  ~IdaStepper() override;
  IdaStepper(const IdaStepper&) = delete;
  IdaStepper& operator=(const IdaStepper&) = delete;

  void start(const State& state) override;
  StepOutcome step(double t_limit) override;
  const State& state() const override { return state_; }
  double step_begin() const override { return step_begin_; }
  void interpolate(double t, State& out) override;

 private:
  static int residual(double t, N_Vector y, N_Vector y_rate, N_Vector result, void* self);
  static int jacobian(double t, double c, N_Vector y, N_Vector y_rate, N_Vector result, SUNMatrix matrix, void* self,
                      N_Vector, N_Vector, N_Vector);
  static int weights(N_Vector y, N_Vector weight, void* self);
  static void remember_complaint(int code, const char* module, const char* function, char* message, void* self);

  bool evaluate(double t, const double* y, const double* y_rate, double* result);
  void find_unused_rows();
  bool begin();
  bool polish();
  bool sum_up_work();
  bool motion_at(double t);
  void update_statistics();
  StepOutcome failure(const std::string& what);

  System& system_;
  const int nq_, nv_, nw_, rows_, size_;
  const SolverSettings settings_;
  const double drift_tolerance_;
  Eigen::VectorXd absolute_;

  SundialsOwner<SUNContext> context_;
  SundialsOwner<N_Vector> y_, y_rate_, differential_, dense_;
  SundialsOwner<SUNMatrix> matrix_;
  SundialsOwner<SUNLinearSolver> linear_solver_;
  void* ida_ = nullptr;

  Eigen::MatrixXd mass_, mass_inverse_;
  std::vector<bool> unused_;
  Eigen::VectorXd row_weight_;  // (G M⁻¹ Gᵀ)ᵢᵢ at the start

  // residual and Jacobian
  Eigen::VectorXd load_, gap_, velocity_, changed_, difference_;

  State state_;
  double step_begin_ = 0;
  bool initialised_ = false, fresh_ = true, has_step_ = false;
  std::string complaint_, failed_;
  int tiny_steps_ = 0;  // in a row
  long rejected_before_ = 0, setups_before_ = 0, iterations_before_ = 0;

  Eigen::VectorXd correction_,
      previous_correction_;  // of [q, v] at the end and the beginning of the step, by projection
  State sample_;
  Eigen::VectorXd work_begin_, sample_rate_;
  std::array<Eigen::VectorXd, 3> power_;  // at the Gauss points
};

}  // namespace carom
