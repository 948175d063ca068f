#pragma once

#include <Eigen/Core>

// Eigen's decompositions of dense matrices of any size. They are compiled here, once, for each takes the compiler many
// seconds.
namespace carom::inline math {

// By LU with partial pivoting.
Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& matrix);
Eigen::VectorXd solve_by_lu(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right);

// Of a symmetric matrix, in rising order.
struct SymmetricSpectrum {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricSpectrum symmetric_spectrum(const Eigen::MatrixXd& matrix);
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix);

}  // namespace carom::inline math
