#pragma once

#include <vector>

#include <Eigen/Core>

namespace carom::inline math {

// LU factorisation of a sparse matrix made of B × B blocks whose pattern, but not whose values, are symmetric.
//
// Blocks are pivots where they stand: for matrices whose diagonal blocks carry them, as a semi-definite matrix with
// something positive on its diagonal. The pattern is ordered by approximate minimum degree. Nothing is allocated once
// the largest pattern has been seen.
template <int B>
class BlockLu {
 public:
  using Block = Eigen::Matrix<double, B, B>;
  using Vector = Eigen::Matrix<double, B, 1>;

  // Pattern by rows: the columns of row i are columns[first[i]] to columns[first[i + 1]], sorted, with the diagonal,
  // and (i, j) is there where (j, i) is.
  void analyse(const std::vector<int>& first, const std::vector<int>& columns);

  int size() const { return static_cast<int>(order_.size()); }
  // Multiplications of one factorisation, about.
  double cost() const { return cost_; }

  void clear();
  // The k-th entry of the pattern, to be filled.
  Block& entry(int k) { return *place(k); }
  // False: a pivot is no number, or vanishes.
  bool factor();
  // In place, in the order of the pattern.
  void solve(Vector* x);

 private:
  Block* place(int k) {
    const int at = place_[k];
    return at < 0 ? &diagonal_[-1 - at] : (upper_entry_[k] ? &upper_[at] : &lower_[at]);
  }
  void find_order(const std::vector<int>& first, const std::vector<int>& columns);
  void find_fill(const std::vector<int>& first, const std::vector<int>& columns);
  void find_places(const std::vector<int>& first, const std::vector<int>& columns);
  void eliminate(int k);

  std::vector<int> order_, position_;  // the row that is eliminated k-th; when a row is
  std::vector<int> start_, row_;       // of column k of L, which is row k of U: the others, sorted
  std::vector<int> place_;             // by entry: ≥ 0 in L or U, < 0 on the diagonal
  std::vector<char> upper_entry_;      // by entry
  std::vector<Block> diagonal_;        // inverses after factor
  std::vector<Block> lower_, upper_;   // column by column, row by row
  std::vector<Vector> permuted_;
  std::vector<int> mark_, next_child_, first_child_;
  std::vector<int> work_, pattern_start_;
  double cost_ = 0;
};

extern template class BlockLu<2>;
extern template class BlockLu<3>;
extern template class BlockLu<6>;

}  // namespace carom::inline math
