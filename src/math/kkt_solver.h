#pragma once

#include <memory>
#include <vector>

#include <Eigen/LU>
#include <Eigen/SparseCore>

namespace carom {

// The linear system of an implicit step,
//   ⎡ m M + c C + k K   Gᵀ ⎤ ⎡x⎤   ⎡r⎤
//   ⎣ G                −E  ⎦ ⎣y⎦ = ⎣s⎦,
// with fixed patterns. Small systems are solved densely, others by KLU with one analysis for all factorisations.
//
// E is tiny and diagonal: regularisation × (G (m M)⁻¹ Gᵀ)ᵢᵢ, which gives redundant rows a pivot and which Newton
// iterations on the true residual do not feel; rows of G that are all zero (unused) get 1.
class KktSolver {
 public:
  using Sparse = Eigen::SparseMatrix<double>;
  static constexpr int largest_dense = 40;
  static constexpr double regularisation = 1e-9;

  KktSolver();
  ~KktSolver();
  KktSolver(const KktSolver&) = delete;
  KktSolver& operator=(const KktSolver&) = delete;

  struct Factors {
    double mass = 1, damping = 0, stiffness = 0;
  };
  // All matrices keep their pattern from the first call on. False: singular, or not numbers.
  bool factor(const Factors& factors, const Sparse& mass, const Sparse& damping, const Sparse& stiffness,
              const Sparse& jacobian);
  // In place; size velocities + constraints.
  void solve(Eigen::VectorXd& right_hand_side);

  bool is_sparse() const { return klu_ != nullptr; }

 private:
  struct Klu;  // keeps the names of SuiteSparse out of the header
  void analyse(const Sparse& mass, const Sparse& damping, const Sparse& stiffness, const Sparse& jacobian);
  void scatter(const Sparse& matrix, const std::vector<int>& places, double factor);

  int velocities_ = 0, rows_ = 0;
  Sparse matrix_;  // the whole system
  std::vector<int> mass_places_, damping_places_, stiffness_places_, jacobian_places_, transpose_places_,
      diagonal_places_;
  Eigen::VectorXd row_weight_, solution_;
  Eigen::MatrixXd dense_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  std::unique_ptr<Klu> klu_;
};

}  // namespace carom
