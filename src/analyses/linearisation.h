#pragma once

#include <complex>

#include "dynamics/system.h"

namespace carom::inline analyses {

struct Mode {
  std::complex<double> eigenvalue;  // 1/s; of a conjugate pair the one with positive imaginary part
  double frequency = 0;             // Hz, undamped: |eigenvalue| / 2π
  double damping_ratio = 0;         // −Re/|eigenvalue|; 1 for a decay without oscillation, negative when it grows
  Eigen::VectorXcd shape;  // increments of all degrees of freedom, φᴴ M φ = 1, largest entry real and positive
};

// Small motion about a state, δ = B y with G B = 0: ÿ + Cᵣ ẏ + Kᵣ y = 0. B is orthonormal with the masses, so the
// reduced mass matrix is the identity. K holds the geometric stiffness of the joint forces.
//
// Meant for states of rest. About a motion the gyroscopic terms of the bodies are there, those of constraints that move
// with the motion are not.
struct Linearisation {
  Eigen::MatrixXd basis;      // B, all degrees of freedom × degrees of freedom
  Eigen::MatrixXd damping;    // Cᵣ = BᵀCB, 1/s
  Eigen::MatrixXd stiffness;  // Kᵣ = BᵀKB, 1/s²
  std::vector<Mode> modes;    // by frequency; motions that meet neither stiffness nor damping have exactly zero
  Eigen::MatrixXd mass() const { return Eigen::MatrixXd::Identity(basis.cols(), basis.cols()); }
};

// The multipliers are those of the state: from rates(), an equilibrium or a kinematic analysis.
Linearisation linearise(System& system, const State& state, const Eigen::VectorXd& multipliers);

}  // namespace carom::inline analyses
