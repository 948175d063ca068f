#include "analyses/reduced_space.h"

#include <Eigen/QR>
#include <Eigen/SparseCholesky>

namespace carom::inline analyses {

ReducedSpace::ReducedSpace(System& system, double t, const double* q) {
  const Eigen::Index n = system.velocity_size();
  row_count_ = system.constraint_size();
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> cholesky(
      system.mass());
  mass_root_ = cholesky.matrixL();

  // Columns of L⁻¹Gᵀ, each scaled to unit length, so that light bodies do not decide what counts as dependent.
  Eigen::MatrixXd weighted = Eigen::MatrixXd::Zero(n, row_count_);
  if (row_count_ > 0) weighted = Eigen::MatrixXd(system.constraint_jacobian(t, q)).transpose();
  mass_root_.triangularView<Eigen::Lower>().solveInPlace(weighted);
  std::vector<int> used;
  std::vector<double> scale;
  const double largest = row_count_ > 0 ? weighted.colwise().norm().maxCoeff() : 0;
  for (int row = 0; row < row_count_; ++row) {
    const double length = weighted.col(row).norm();
    if (!(length > 1e-14 * largest)) continue;  // a spare row of a block
    weighted.col(static_cast<Eigen::Index>(used.size())) = weighted.col(row) / length;
    used.push_back(row);
    scale.push_back(1 / length);
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  Eigen::MatrixXd orthogonal = Eigen::MatrixXd::Identity(n, n);
  if (!used.empty()) {
    qr.setThreshold(dependence);
    qr.compute(weighted.leftCols(static_cast<Eigen::Index>(used.size())));
    rank_ = static_cast<int>(qr.rank());
    orthogonal = qr.householderQ() * Eigen::MatrixXd::Identity(n, n);
    triangle_ = qr.matrixR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>();
    row_scale_.resize(rank_);
    for (int k = 0; k < rank_; ++k) {
      const auto column = static_cast<std::size_t>(qr.colsPermutation().indices()[k]);
      rows_.push_back(used[column]);
      row_scale_[k] = scale[column];
    }
  }
  range_ = orthogonal.leftCols(rank_);
  basis_ = orthogonal.rightCols(n - rank_);
  mass_root_.transpose().triangularView<Eigen::Upper>().solveInPlace(basis_);
}

Eigen::VectorXd ReducedSpace::particular(const Eigen::VectorXd& b) const {
  Eigen::VectorXd chosen(rank_);
  for (int k = 0; k < rank_; ++k) chosen[k] = row_scale_[k] * b[rows_[k]];
  triangle_.triangularView<Eigen::Upper>().transpose().solveInPlace(chosen);
  Eigen::VectorXd v = range_ * chosen;
  mass_root_.transpose().triangularView<Eigen::Upper>().solveInPlace(v);
  return v;
}

Eigen::VectorXd ReducedSpace::multipliers(const Eigen::VectorXd& f) const {
  Eigen::VectorXd weighted = f;
  mass_root_.triangularView<Eigen::Lower>().solveInPlace(weighted);
  Eigen::VectorXd chosen = range_.transpose() * weighted;
  triangle_.triangularView<Eigen::Upper>().solveInPlace(chosen);
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(row_count_);
  for (int k = 0; k < rank_; ++k) lambda[rows_[k]] = row_scale_[k] * chosen[k];
  return lambda;
}

}  // namespace carom::inline analyses
