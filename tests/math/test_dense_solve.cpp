#include "math/dense_solve.h"

#include <random>

#include <gtest/gtest.h>
#include <Eigen/Dense>

namespace carom {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Rows that reach `width` to both sides; none of the diagonal is large, so that rows are exchanged.
RowMajor banded(int n, int width, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  RowMajor matrix = RowMajor::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - width); j < std::min(n, i + width + 1); ++j) matrix(i, j) = number(random);
  }
  return matrix;
}

TEST(DenseSolve, AnyBandIsSolved) {
  std::mt19937 random(7);
  DenseSolver solver;
  for (const int n : {1, 5, 30, 80}) {
    for (const int width : {0, 1, 4, n}) {
      const RowMajor matrix = banded(n, width, random);
      const Eigen::VectorXd exact = Eigen::VectorXd::LinSpaced(n, 1, 2);
      Eigen::VectorXd b = matrix * exact;
      RowMajor work = matrix;
      ASSERT_TRUE(solver.solve(n, work.data(), b.data()));
      EXPECT_LE((matrix * (b - exact)).norm(), 1e-11 * n) << n << " rows, width " << width;
    }
  }
}

TEST(DenseSolve, ASingularMatrixIsTold) {
  DenseSolver solver;
  RowMajor matrix = RowMajor::Identity(40, 40);
  matrix(20, 20) = 0;
  Eigen::VectorXd b = Eigen::VectorXd::Ones(40);
  EXPECT_FALSE(solver.solve(40, matrix.data(), b.data(), 1e-12));
}

}  // namespace
}  // namespace carom
