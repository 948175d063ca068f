#include "math/block_ldlt.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>
#include <Eigen/QR>

namespace carom {
namespace {

// A random pattern of blocks with the matrix S = A Aᵀ on it, where A has a block column per coupling, as joints have a
// body between them.
template <int B>
struct Problem {
  int blocks;
  std::vector<std::pair<int, int>> couplings;
  Eigen::MatrixXd dense;

  Problem(int its_blocks, int links, unsigned seed, bool regular) : blocks(its_blocks) {
    std::mt19937 random(seed);
    const auto some = [&] { return static_cast<double>(random()) / 2147483648.0 - 1; };
    dense = Eigen::MatrixXd::Zero(B * blocks, B * blocks);
    const auto add = [&](const std::vector<int>& rows, int columns) {
      Eigen::MatrixXd factor = Eigen::MatrixXd::Zero(B * blocks, columns);
      for (const int block : rows) {
        for (int r = 0; r < B; ++r) {
          for (int c = 0; c < columns; ++c) factor(B * block + r, c) = some();
        }
      }
      dense += factor * factor.transpose();
    };
    for (int k = 0; k < links; ++k) {
      const int i = static_cast<int>(random() % static_cast<unsigned>(blocks)),
                j = static_cast<int>(random() % static_cast<unsigned>(blocks));
      if (i == j) continue;
      couplings.emplace_back(i, j);
      add({i, j}, 2 * B);
    }
    if (regular) {
      for (int k = 0; k < blocks; ++k) add({k}, B + 1);
    }
  }

  BlockLdlt<B> factored(int* dropped = nullptr) const {
    BlockLdlt<B> solver;
    solver.analyse(blocks, couplings);
    solver.clear();
    for (int i = 0; i < blocks; ++i) solver.diagonal(i) += block(i, i);
    std::set<std::pair<int, int>> done;
    for (const auto& [i, j] : couplings) {
      if (!done.insert({std::min(i, j), std::max(i, j)}).second) continue;
      const auto place = solver.place(i, j);
      solver.off_diagonal(place.index) += place.transposed ? block(j, i) : block(i, j);
    }
    const int count = solver.factor();
    if (dropped) *dropped = count;
    return solver;
  }

  Eigen::Matrix<double, B, B> block(int i, int j) const { return dense.template block<B, B>(B * i, B * j); }

  Eigen::VectorXd solve(BlockLdlt<B>& solver, const Eigen::VectorXd& right) const {
    std::vector<Eigen::Matrix<double, B, 1>> vectors(static_cast<std::size_t>(blocks));
    std::copy_n(right.data(), right.size(), vectors.data()->data());
    solver.solve(vectors.data());
    return Eigen::Map<Eigen::VectorXd>(vectors.data()->data(), right.size());
  }
};

template <class Size>
class BlockLdltTest : public ::testing::Test {};
using Sizes = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(BlockLdltTest, Sizes);

TYPED_TEST(BlockLdltTest, AgreesWithADenseFactorisation) {
  constexpr int B = TypeParam::value;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Problem<B> problem(3 + static_cast<int>(seed), 2 * static_cast<int>(seed), seed, true);
    int dropped = -1;
    BlockLdlt<B> solver = problem.factored(&dropped);
    EXPECT_EQ(dropped, 0);
    EXPECT_TRUE(solver.dropped_rows().empty());
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(problem.dense.rows(), -1, 2);
    const Eigen::VectorXd expected = problem.dense.ldlt().solve(right);
    EXPECT_LT((problem.solve(solver, right) - expected).norm(), 1e-9 * expected.norm()) << seed;
  }
}

TYPED_TEST(BlockLdltTest, FillOfAChainIsItsOwnPattern) {
  constexpr int B = TypeParam::value;
  std::vector<std::pair<int, int>> chain;
  for (int k = 0; k < 99; ++k) chain.emplace_back(k, k + 1);
  for (int k = 0; k < 99; ++k) chain.emplace_back(k + 1, k);  // repetitions do no harm
  BlockLdlt<B> solver;
  solver.analyse(100, chain);
  EXPECT_EQ(solver.size(), 100);
  EXPECT_EQ(solver.fill(), 99u);
}

TYPED_TEST(BlockLdltTest, EmptyAndUncoupledPatterns) {
  constexpr int B = TypeParam::value;
  BlockLdlt<B> none;
  none.analyse(0, {});
  none.clear();
  EXPECT_EQ(none.factor(), 0);
  Problem<B> apart(4, 0, 7, true);
  BlockLdlt<B> solver = apart.factored();
  const Eigen::VectorXd right = Eigen::VectorXd::Ones(apart.dense.rows());
  EXPECT_LT((apart.dense * apart.solve(solver, right) - right).norm(), 1e-10);
}

// S = A Aᵀ with fewer columns than rows, and a right-hand side in its range.
TYPED_TEST(BlockLdltTest, ConsistentSingularSystemsAreSolvedAndDependentRowsNamed) {
  constexpr int B = TypeParam::value;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Problem<B> problem(4 + static_cast<int>(seed % 5), 12, seed, true);
    // The last block repeats the rows of the first: its coupling to all others is that of the first.
    const int last = problem.blocks - 1, n = B * problem.blocks;
    Eigen::MatrixXd selection = Eigen::MatrixXd::Identity(n, n);
    selection.block(B * last, 0, B, n).setZero();
    selection.template block<B, B>(B * last, 0).setIdentity();
    selection(B * last + 1, B) = 0.5;  // and one row adds half of another
    problem.dense = selection * problem.dense * selection.transpose();
    problem.couplings.clear();
    for (int i = 0; i < problem.blocks; ++i) {
      for (int j = i + 1; j < problem.blocks; ++j) problem.couplings.emplace_back(i, j);
    }
    int dropped = 0;
    BlockLdlt<B> solver = problem.factored(&dropped);
    const auto rank =
        static_cast<int>(Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(problem.dense).setThreshold(1e-9).rank());
    EXPECT_EQ(dropped, n - rank) << seed;
    const std::vector<int> rows = solver.dropped_rows();
    EXPECT_EQ(static_cast<int>(rows.size()), n - rank);
    const Eigen::VectorXd right = problem.dense * Eigen::VectorXd::LinSpaced(n, -1, 1);
    const Eigen::VectorXd solution = problem.solve(solver, right);
    EXPECT_LT((problem.dense * solution - right).norm(), 1e-8 * right.norm()) << seed;
    for (const int row : rows) EXPECT_EQ(solution[row], 0);
    // The rows that are kept are independent: the named ones are truly dependent on them.
    Eigen::MatrixXd kept(0, n);
    for (int row = 0; row < n; ++row) {
      if (std::find(rows.begin(), rows.end(), row) != rows.end()) continue;
      kept.conservativeResize(kept.rows() + 1, n);
      kept.row(kept.rows() - 1) = problem.dense.row(row);
    }
    EXPECT_EQ(Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(kept).setThreshold(1e-9).rank(), rank);
  }
}

TYPED_TEST(BlockLdltTest, AZeroRowIsDroppedAndDoesNotSpreadNotANumbers) {
  constexpr int B = TypeParam::value;
  Problem<B> problem(3, 4, 3, true);
  problem.dense.row(1).setZero();
  problem.dense.col(1).setZero();
  int dropped = 0;
  BlockLdlt<B> solver = problem.factored(&dropped);
  EXPECT_EQ(dropped, 1);
  EXPECT_EQ(solver.dropped_rows(), std::vector<int>{1});
  Eigen::VectorXd right = Eigen::VectorXd::Ones(problem.dense.rows());
  right[1] = 0;
  const Eigen::VectorXd solution = problem.solve(solver, right);
  EXPECT_TRUE(solution.allFinite());
  EXPECT_LT((problem.dense * solution - right).norm(), 1e-9);
}

}  // namespace
}  // namespace carom
