#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "math/sparse_lu.h"

namespace carom {
namespace {

// A saddle-point matrix as mechanisms have it: a band, and rows of constraints with zeros on the diagonal.
SparseLu::Sparse saddle(int bodies, int rows, double angle) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < bodies; ++i) {
    entries.emplace_back(i, i, 2 + std::cos(angle + i));
    if (i + 1 < bodies) {
      entries.emplace_back(i, i + 1, std::sin(angle * i));
      entries.emplace_back(i + 1, i, std::sin(angle * i + 0.3));
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (const int column : {2 * r, 2 * r + 3}) {
      const double value = std::cos(angle * (r + 1) + column);
      entries.emplace_back(bodies + r, column, value);
      entries.emplace_back(column, bodies + r, value);
    }
    entries.emplace_back(bodies + r, bodies + r, 0.0);
  }
  SparseLu::Sparse matrix(bodies + rows, bodies + rows);
  matrix.setFromTriplets(entries.begin(), entries.end());
  matrix.makeCompressed();
  return matrix;
}

double error_of(SparseLu& lu, SparseLu::Sparse& matrix) {
  EXPECT_TRUE(lu.factor(matrix));
  const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(matrix.rows(), -1, 2);
  Eigen::VectorXd x = right;
  lu.solve(x.data());
  const Eigen::VectorXd dense = Eigen::MatrixXd(matrix).fullPivLu().solve(right);
  return (x - dense).norm() / dense.norm();
}

TEST(SparseLu, SolvesAsDenseEliminationDoes) {
  for (const int bodies : {1, 2, 9, 40, 300}) {
    SparseLu lu;
    SparseLu::Sparse matrix = saddle(bodies, bodies / 4, 0.7);
    EXPECT_LT(error_of(lu, matrix), 1e-11) << bodies;
  }
}

TEST(SparseLu, KeepsThePivotsOfMatricesThatChangeLittle) {
  SparseLu lu;
  for (int k = 0; k < 50; ++k) {
    SparseLu::Sparse matrix = saddle(40, 8, 0.7 + 0.002 * k);
    EXPECT_LT(error_of(lu, matrix), 1e-10);
  }
  EXPECT_EQ(lu.pivot_choices(), 1);
}

TEST(SparseLu, ChoosesNewPivotsWhenTheOldOnesVanish) {
  SparseLu lu;
  const auto two = [](double a, double b) {
    SparseLu::Sparse matrix(2, 2);
    const std::vector<Eigen::Triplet<double>> entries = {{0, 0, a}, {0, 1, b}, {1, 0, b}, {1, 1, a}};
    matrix.setFromTriplets(entries.begin(), entries.end());
    matrix.makeCompressed();
    return matrix;
  };
  SparseLu::Sparse diagonal = two(1, 0.5), exchanged = two(1e-12, 1), exact = two(0, 1);
  EXPECT_LT(error_of(lu, diagonal), 1e-15);
  EXPECT_LT(error_of(lu, exchanged), 1e-15);
  EXPECT_EQ(lu.pivot_choices(), 2);
  EXPECT_LT(error_of(lu, exact), 1e-15);
  EXPECT_LT(error_of(lu, diagonal), 1e-15);
}

TEST(SparseLu, TellsSingularMatricesAndRecovers) {
  SparseLu lu;
  SparseLu::Sparse sound = saddle(6, 1, 0.4), singular = sound;
  EXPECT_TRUE(lu.factor(sound));
  for (int p = singular.outerIndexPtr()[2]; p < singular.outerIndexPtr()[3]; ++p) singular.valuePtr()[p] = 0;
  EXPECT_FALSE(lu.factor(singular));
  EXPECT_LT(error_of(lu, sound), 1e-12);
}

}  // namespace
}  // namespace carom
