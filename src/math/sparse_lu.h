#pragma once

#include <memory>
#include <vector>

#include <Eigen/SparseCore>

namespace carom::inline math {

// LU factorisation of matrices that share one pattern, and mostly one sequence of pivots.
//
// KLU orders the pattern and chooses the pivots of the first matrix. Matrices of mechanisms change little from one to
// the next: the others are factorised over the same pivots, row by row in flat arrays, without search, scaling or
// allocation, at a third of the price of KLU's own repetition for matrices of some ten rows. When a pivot has become
// poor, KLU chooses again.
class SparseLu {
 public:
  // By rows: the factors then come by rows, too, and solving is made of dot products.
  using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  SparseLu();
  ~SparseLu();
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;

  // `matrix` is square and compressed, and keeps its pattern from the first call on. False: singular.
  bool factor(Sparse& matrix);
  // In place.
  void solve(double* x);

  int pivot_choices() const { return pivot_choices_; }  // how often KLU has chosen

 private:
  struct Klu;  // keeps the names of SuiteSparse out of the header

  // A strict triangle by rows; places and columns in the order of elimination.
  struct Triangle {
    std::vector<int> start, column;
    std::vector<double> value;
  };

  bool choose_pivots(Sparse& matrix);
  double eliminate(const Sparse& matrix);  // the largest multiplier of a row; infinite: a pivot is zero

  std::unique_ptr<Klu> klu_;
  bool chosen_ = false;
  int pivot_choices_ = 0;
  std::vector<int> row_of_, column_of_;  // of the matrix, by place in the order of elimination
  std::vector<int> place_;               // in that order, of the column of each entry of the matrix
  Triangle lower_, upper_;               // A = L U but for the order; U has ones on its diagonal, L the pivots
  std::vector<double> weight_;  // of the entries of U, which are compared with their pivots as if columns were scaled
  std::vector<double> inverse_pivot_;
  std::vector<double> work_;  // zeros between calls of eliminate
  std::vector<double> solution_;
};

}  // namespace carom::inline math
