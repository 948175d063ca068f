#pragma once

#include <vector>

#include <Eigen/SparseCore>

#include "math/sparse_lu.h"

namespace carom::inline math {

// The linear system of an implicit step,
//   ⎡ m M + c C + k K   Gᵀ ⎤ ⎡x⎤   ⎡r⎤
//   ⎣ G                −E  ⎦ ⎣y⎦ = ⎣s⎦,
// with fixed patterns.
//
// E is tiny and diagonal: regularisation × (G (m M)⁻¹ Gᵀ)ᵢᵢ, which gives redundant rows a pivot and which Newton
// iterations on the true residual do not feel; rows of G that are all zero (unused) get 1.
class KktSolver {
 public:
  using Sparse = Eigen::SparseMatrix<double>;
  static constexpr double regularisation = 1e-9;

  struct Factors {
    double mass = 1, damping = 0, stiffness = 0;
  };
  // All matrices keep their pattern from the first call on. False: singular, or not numbers.
  bool factor(const Factors& factors, const Sparse& mass, const Sparse& damping, const Sparse& stiffness,
              const Sparse& jacobian);
  // In place; size velocities + constraints.
  void solve(Eigen::VectorXd& right_hand_side) { lu_.solve(right_hand_side.data()); }

 private:
  void analyse(const Sparse& mass, const Sparse& damping, const Sparse& stiffness, const Sparse& jacobian);
  void scatter(const Sparse& matrix, const std::vector<int>& places, double factor);

  int velocities_ = 0, rows_ = 0;
  SparseLu::Sparse matrix_;  // the whole system
  std::vector<int> mass_places_, damping_places_, stiffness_places_, jacobian_places_, transpose_places_,
      diagonal_places_, massless_places_;
  Eigen::VectorXd row_weight_;
  SparseLu lu_;
};

}  // namespace carom::inline math
