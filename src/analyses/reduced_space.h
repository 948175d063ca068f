#pragma once

#include "dynamics/system.h"

namespace carom::inline analyses {

// The velocities that the constraints allow in one configuration, G v = 0, and the solutions of G v = b beside them.
//
// Dense and in the metric of the masses: the columns of basis() are orthonormal with M, so that the reduced mass matrix
// is the identity. Rows of G that depend on others are left out. Cost n²m for n degrees of freedom and m rows: for
// analyses done once or on mechanisms of up to some thousand degrees of freedom, not inside a time step.
class ReducedSpace {
 public:
  // Sine of the angle to the rows before it below which a constraint row counts as dependent.
  static constexpr double dependence = 1e-8;

  ReducedSpace(System& system, double t, const double* q);

  int rank() const { return rank_; }
  int dofs() const { return static_cast<int>(basis_.cols()); }
  // n × degrees of freedom(), G B = 0, Bᵀ M B = 1.
  const Eigen::MatrixXd& basis() const { return basis_; }
  // The solution of G v = b of least kinetic energy; rows that depend on others are ignored.
  Eigen::VectorXd particular(const Eigen::VectorXd& b) const;
  // λ with Gᵀ λ = f up to the part of f that does work on allowed velocities; dependent rows carry nothing.
  Eigen::VectorXd multipliers(const Eigen::VectorXd& f) const;
  // Reduced quantities of the full degrees of freedom.
  Eigen::VectorXd reduce(const Eigen::VectorXd& f) const { return basis_.transpose() * f; }
  Eigen::MatrixXd reduce(const Eigen::SparseMatrix<double>& matrix) const {
    return basis_.transpose() * (matrix * basis_);
  }

 private:
  int rank_ = 0;
  Eigen::MatrixXd basis_;
  Eigen::MatrixXd range_;                  // n × rank, orthonormal, in the variables u = Lᵀ v with M = L Lᵀ
  Eigen::MatrixXd triangle_;               // rank × rank, upper
  std::vector<int> rows_;                  // rows of G behind the columns of triangle_
  Eigen::VectorXd row_scale_;              // and the factors that give them unit length
  Eigen::SparseMatrix<double> mass_root_;  // L
  int row_count_ = 0;
};

}  // namespace carom::inline analyses
