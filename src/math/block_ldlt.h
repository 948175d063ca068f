#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

namespace carom::inline math {

// LDLᵀ factorisation of a sparse symmetric positive semi-definite matrix made of B × B blocks.
//
// The pattern is ordered (approximate minimum degree) and analysed once; factor and solve then run over fixed-size
// blocks without allocating. A row whose pivot vanishes against its own diagonal depends on rows before it: it is
// dropped (its unknown is zero), which yields a valid solution of a consistent singular system. That is how redundant
// constraints are handled.
template <int B>
class BlockLdlt {
 public:
  using Block = Eigen::Matrix<double, B, B>;
  using Vector = Eigen::Matrix<double, B, 1>;

  // Relative size of a pivot below which a row counts as dependent: the squared sine of its angle to the rows before
  // it.
  static constexpr double drop_tolerance = 1e-10;

  // couplings: pairs of different block indices that may be non-zero, in any order, repetitions allowed.
  void analyse(int blocks, const std::vector<std::pair<int, int>>& couplings);

  int size() const { return static_cast<int>(diagonal_.size()); }
  std::size_t fill() const { return off_diagonal_.size(); }  // blocks below the diagonal of L

  // Assembly. The block (i, j) is stored once; transposed reports that S(j, i) is what must be added there.
  struct Place {
    int index = 0;
    bool transposed = false;
  };
  Place place(int i, int j) const;  // i ≠ j
  void clear();
  Block& diagonal(int i) { return diagonal_[position_[i]]; }
  // Where block i comes in the order of elimination; callers that keep that order save the permutation.
  int position(int i) const { return position_[i]; }
  Block& diagonal_in_order(int k) { return diagonal_[k]; }
  Block& off_diagonal(int index) { return off_diagonal_[index]; }

  // Returns the number of dropped rows.
  int factor();
  // Rows dropped by the last factorisation, as row indices of the matrix, unordered.
  std::vector<int> dropped_rows() const;
  // right_hand_side: size() vectors in the caller's order, replaced by the solution.
  void solve(Vector* right_hand_side);
  void solve_in_order(Vector* right_hand_side) const;
  // Both at once, in one sweep each way; the matrix may be factored only once after it was filled.
  int factor_and_solve_in_order(Vector* right_hand_side);
  std::vector<int> dropped_rows_in_order() const;

 private:
  int drop_dependent(int k);
  // 2 × 2 blocks, and 3 × 3 blocks.
  int factor_pairs();
  int factor_triples();
  int factor_and_eliminate_pairs(double* x);
  void solve_pairs(double* x) const;
  void substitute_back_pairs(double* x) const;
  void solve_triples(Vector* x) const;

  std::vector<int> position_;      // of block i in the elimination order
  std::vector<int> column_start_;  // off-diagonal blocks of column k are [column_start_[k], column_start_[k + 1])
  std::vector<int> row_of_;        // row (elimination order) of an off-diagonal block
  std::vector<int>
      update_target_;  // where each product of two blocks of a column goes: ≥ 0 off-diagonal, < 0 diagonal −1 − index
  std::vector<Block> diagonal_, inverse_, off_diagonal_, column_copy_;
  std::vector<Vector> scale_, permuted_;
};

extern template class BlockLdlt<2>;
extern template class BlockLdlt<3>;

}  // namespace carom::inline math
