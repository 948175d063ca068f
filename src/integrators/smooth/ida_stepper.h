#pragma once

#include <array>

#include "integrators/smooth/sundials_stepper.h"

namespace carom::inline smooth_integrators {

// BDF on the stabilised index-2 form of Gear, Gupta and Leimkuhler, by IDA, one internal step at a time:
//   q̇ = N(q) (v − M⁻¹ Gᵀ μ),   M v̇ + Gᵀ λ = f,   G v + g_t = 0,   g = 0,   y = [q, v, λ, μ].
// Dense, so meant for small systems. Tiny multiples of λ and μ in the constraint rows give redundant rows a pivot;
// unused rows set their multipliers to zero. The work is not part of y but summed up over each step by Gauss quadrature
// of the powers.
class IdaStepper final : public SundialsStepper {
 public:
  static constexpr int largest_system = 500;  // unknowns

  IdaStepper(System& system, const SolverSettings& settings);
  ~IdaStepper() override;

  void interpolate(double t, State& out) override;

 private:
  static const Library& library();
  static int residual(double t, N_Vector y, N_Vector y_rate, N_Vector result, void* self);
  static int jacobian(double t, double c, N_Vector y, N_Vector y_rate, N_Vector result, SUNMatrix matrix, void* self,
                      N_Vector, N_Vector, N_Vector);
  static int weights(N_Vector y, N_Vector weight, void* self);

  bool begin() override;
  int solve(double t_limit, double& t) override;
  const char* finish() override;
  std::string explain(int flag) const override;
  StepOutcome failure(const std::string& what) override;

  bool evaluate(double t, const double* y, const double* y_rate, double* result);
  void find_unused_rows();
  bool polish();
  Corrections corrections() const override;
  bool sum_up_work();
  bool motion_at(double t);

  const int rows_, size_;
  Eigen::VectorXd absolute_;
  SundialsOwner<N_Vector> y_rate_, differential_;

  Eigen::MatrixXd mass_, mass_inverse_;
  std::vector<bool> unused_;
  Eigen::VectorXd row_weight_;  // (G M⁻¹ Gᵀ)ᵢᵢ at the start

  // residual and Jacobian
  Eigen::VectorXd load_, gap_, velocity_, changed_, difference_;

  Eigen::VectorXd correction_,
      previous_correction_;  // of [q, v] at the end and the beginning of the step, by projection
  State sample_;
  Eigen::VectorXd work_begin_, sample_rate_;
  std::array<Eigen::VectorXd, 3> power_;  // at the Gauss points
};

}  // namespace carom::inline smooth_integrators
