#include "math/dense_decompositions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace carom::inline math {

Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& matrix) {
  return matrix.inverse();
}

Eigen::VectorXd solve_by_lu(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right) {
  return matrix.partialPivLu().solve(right);
}

SymmetricSpectrum symmetric_spectrum(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace carom::inline math
