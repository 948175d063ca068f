#pragma once

#include "integrators/nonsmooth/mechanism.h"

namespace carom::inline nonsmooth_integrators {

// Joints and forces while positions are corrected by U:
//   M U − ½ h² f^p + G̃ᵀ ν = multipliers,   g(q̃ ⊕ U) = 0
// (formulation 6.2), by Newton's method with the matrix at q̃.
template <int D>
struct CorrectionEquations {
  CorrectionEquations(StepContext<D>& its_context, Mechanism<D>& its_mechanism);

  // No correction yet.
  void reset(const SmoothState<D>& smooth, CorrectedState<D>& state);
  // What the joints and forces ask for besides the multipliers → load and the last rows of right.
  void gather_load(double h, const SmoothState<D>& smooth, const CorrectedState<D>& state);
  void find_joint_residual(const SmoothState<D>& smooth, const CorrectedState<D>& state);
  // Adds `right` to the correction and to ν, and places the bodies.
  void advance(const SmoothState<D>& smooth, CorrectedState<D>& state);
  void place(const SmoothState<D>& smooth, CorrectedState<D>& state);

  StepContext<D>& context;
  Mechanism<D>& mechanism;
  Eigen::VectorXd lambda;    // ν
  Eigen::VectorXd load;      // generalised
  Eigen::VectorXd right;     // velocities, then reactions
  Eigen::VectorXd residual;  // of the joints
  Eigen::VectorXd response;  // of the bodies
  bool corrected = false;    // q is not q̃ any more
};

extern template struct CorrectionEquations<2>;
extern template struct CorrectionEquations<3>;

}  // namespace carom::inline nonsmooth_integrators
