#pragma once

#include "integrators/nonsmooth/step_stages.h"
#include "math/kkt_solver.h"

namespace carom::inline nonsmooth_integrators {

// How impulses move bodies constrained by joints and forces: the matrix of the stage under way, factorised, and
// the forces that change with what impulses do.
template <int D>
class Mechanism {
 public:
  // Of h²: a change of force during the step displaces by so much.
  static constexpr double share_of_force = 0.5;

  Mechanism(StepContext<D>& context, const AlphaStep& alpha) : context_(context), alpha_(alpha) {}

  // The matrix of position correction (at q̃) or velocity jump. False: singular, and the context knows.
  bool factor_for_positions(const StepStart<D>& start, const SmoothState<D>& smooth);
  bool factor_for_velocities(const StepStart<D>& start, const SmoothState<D>& smooth, const Eigen::VectorXd& q);
  // Null where no bodies are constrained.
  KktSolver* matrix() { return context_.constrained ? &matrix_ : nullptr; }
  // Velocities and reactions of joints, in place.
  void solve(Eigen::VectorXd& right) { matrix_.solve(right); }

  // f(q, v) − f(q̃, ṽ) − (G − G̃)ᵀ λ̃
  void load_change(const SmoothState<D>& smooth, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                   Eigen::VectorXd& load) const;

 private:
  StepContext<D>& context_;
  const AlphaStep& alpha_;
  KktSolver matrix_;
  Eigen::SparseMatrix<double> stiffness_, damping_;  // half a step ahead; else those of the smooth motion serve
};

extern template class Mechanism<2>;
extern template class Mechanism<3>;

}  // namespace carom::inline nonsmooth_integrators
