#include <gtest/gtest.h>

#include <random>

#include <Eigen/LU>

#include "math/block_lu.h"

namespace carom {
namespace {

struct Pattern {
  std::vector<int> first = {0}, columns;
};

// Symmetric, with the diagonal, and about that share of the other blocks.
Pattern random_pattern(std::mt19937& random, int n, double share) {
  std::uniform_real_distribution<double> uniform;
  std::vector<std::vector<char>> there(n, std::vector<char>(n, 0));
  for (int i = 0; i < n; ++i) {
    there[i][i] = 1;
    for (int j = 0; j < i; ++j) there[i][j] = there[j][i] = uniform(random) < share;
  }
  Pattern pattern;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (there[i][j]) pattern.columns.push_back(j);
    }
    pattern.first.push_back(static_cast<int>(pattern.columns.size()));
  }
  return pattern;
}

// Fills the matrix with unsymmetric numbers, and returns the same as a dense one.
template <int B>
Eigen::MatrixXd fill(std::mt19937& random, const Pattern& pattern, BlockLu<B>& lu) {
  std::normal_distribution<double> normal;
  const int n = lu.size();
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(B * n, B * n);
  lu.clear();
  for (int i = 0; i < n; ++i) {
    for (int k = pattern.first[i]; k < pattern.first[i + 1]; ++k) {
      auto& block = lu.entry(k);
      for (int row = 0; row < B; ++row) {
        for (int column = 0; column < B; ++column) block(row, column) = normal(random);
      }
      if (pattern.columns[k] == i) block.diagonal().array() += 4.0 * B * n;
      dense.block(B * i, B * pattern.columns[k], B, B) = block;
    }
  }
  return dense;
}

template <int B>
void compare_with_dense() {
  std::mt19937 random(B);
  BlockLu<B> lu;
  for (const int n : {1, 2, 7, 30, 3}) {
    for (const double share : {0.0, 0.1, 0.6}) {
      const Pattern pattern = random_pattern(random, n, share);
      lu.analyse(pattern.first, pattern.columns);
      ASSERT_EQ(lu.size(), n);
      for (int again = 0; again < 2; ++again) {  // another matrix with the same pattern
        const Eigen::MatrixXd dense = fill(random, pattern, lu);
        ASSERT_TRUE(lu.factor());
        const Eigen::VectorXd right = Eigen::VectorXd::Random(B * n);
        std::vector<typename BlockLu<B>::Vector> x(n);
        for (int i = 0; i < n; ++i) x[i] = right.segment(B * i, B);
        lu.solve(x.data());
        const Eigen::VectorXd expected = dense.partialPivLu().solve(right);
        for (int i = 0; i < n; ++i) EXPECT_LT((x[i] - expected.segment(B * i, B)).norm(), 1e-12 * right.norm());
      }
    }
  }
}

TEST(BlockLu, AgreesWithADenseFactorisation) {
  compare_with_dense<2>();
  compare_with_dense<3>();
  compare_with_dense<6>();
}

TEST(BlockLu, SaysWhenABlockIsSingular) {
  BlockLu<2> lu;
  lu.analyse({0, 1, 2}, {0, 1});
  lu.clear();
  lu.entry(0).setIdentity();
  EXPECT_FALSE(lu.factor());
  lu.entry(0).setIdentity();
  lu.entry(1).setIdentity();
  EXPECT_TRUE(lu.factor());
}

// Where all others act on the first block alone, that one is eliminated last, and nothing fills in.
TEST(BlockLu, OrdersAgainstFill) {
  constexpr int n = 200;
  Pattern arrow;
  for (int i = 0; i < n; ++i) {
    if (i == 0) {
      for (int j = 0; j < n; ++j) arrow.columns.push_back(j);
    } else {
      arrow.columns.insert(arrow.columns.end(), {0, i});
    }
    arrow.first.push_back(static_cast<int>(arrow.columns.size()));
  }
  BlockLu<3> lu;
  lu.analyse(arrow.first, arrow.columns);
  EXPECT_LE(lu.cost(), 27.0 * 3 * n);
}

}  // namespace
}  // namespace carom
