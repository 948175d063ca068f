#include "math/block_ldlt.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include <amd.h>

namespace carom::inline math {
namespace {

// The numbers of the first block; of no block, none.
template <class Block>
auto numbers_of(Block* first) {
  return first ? first->data() : nullptr;
}

using Adjacency = std::vector<std::vector<int>>;

Adjacency neighbours(int blocks, const std::vector<std::pair<int, int>>& couplings) {
  Adjacency adjacent(blocks);
  for (const auto& [i, j] : couplings) {
    adjacent[i].push_back(j);
    adjacent[j].push_back(i);
  }
  for (auto& list : adjacent) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return adjacent;
}

// order[k] = block that is eliminated k-th.
std::vector<int> fill_reducing_order(const Adjacency& adjacent) {
  const int n = static_cast<int>(adjacent.size());
  std::vector<int> start = {0}, index, order(n);
  for (const auto& list : adjacent) {
    index.insert(index.end(), list.begin(), list.end());
    start.push_back(static_cast<int>(index.size()));
  }
  index.push_back(0);  // amd_order wants a valid pointer even for an empty pattern
  if (n > 0 && amd_order(n, start.data(), index.data(), order.data(), nullptr, nullptr) < 0) {
    throw std::runtime_error("ordering of the constraint equations failed");
  }
  return order;
}

// L = E D⁻¹ in place of E, C −= L Eᵀ and y −= L x, for 2 × 2 blocks in scalars (column-major).
inline void eliminate(double* e, const double* inverse, double* c, const double* x, double* y) {
  const double e00 = e[0], e10 = e[1], e01 = e[2], e11 = e[3], i00 = inverse[0], i10 = inverse[1], i11 = inverse[3];
  const double l00 = e00 * i00 + e01 * i10, l01 = e00 * i10 + e01 * i11;
  const double l10 = e10 * i00 + e11 * i10, l11 = e10 * i10 + e11 * i11;
  const double c00 = c[0] - l00 * e00 - l01 * e01, c10 = c[1] - l10 * e00 - l11 * e01,
               c11 = c[3] - l10 * e10 - l11 * e11;
  const double y0 = y[0] - l00 * x[0] - l01 * x[1], y1 = y[1] - l10 * x[0] - l11 * x[1];
  e[0] = l00, e[1] = l10, e[2] = l01, e[3] = l11;
  c[0] = c00, c[1] = c10, c[2] = c10, c[3] = c11;
  y[0] = y0, y[1] = y1;
}

}  // namespace

template <int B>
void BlockLdlt<B>::analyse(int blocks, const std::vector<std::pair<int, int>>& couplings) {
  const Adjacency adjacent = neighbours(blocks, couplings);
  const std::vector<int> order = fill_reducing_order(adjacent);
  position_.assign(blocks, 0);
  for (int k = 0; k < blocks; ++k) position_[order[k]] = k;

  // Pattern of L: the rows of column k are its own below the diagonal and those handed up by its children in the
  // elimination tree.
  Adjacency column(blocks);
  for (int k = 0; k < blocks; ++k) {
    auto& rows = column[k];
    for (const int other : adjacent[order[k]]) {
      if (position_[other] > k) rows.push_back(position_[other]);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty()) continue;
    auto& parent = column[rows.front()];
    parent.insert(parent.end(), rows.begin() + 1, rows.end());
  }

  column_start_.assign(1, 0);
  row_of_.clear();
  std::size_t longest = 0;
  for (const auto& rows : column) {
    row_of_.insert(row_of_.end(), rows.begin(), rows.end());
    column_start_.push_back(static_cast<int>(row_of_.size()));
    longest = std::max(longest, rows.size());
  }
  update_target_.clear();
  for (int k = 0; k < blocks; ++k) {
    for (int p = column_start_[k]; p < column_start_[k + 1]; ++p) {
      for (int q = column_start_[k]; q < p; ++q) {
        const auto first = row_of_.begin() + column_start_[row_of_[q]],
                   last = row_of_.begin() + column_start_[row_of_[q] + 1];
        const auto found = std::lower_bound(first, last, row_of_[p]);
        assert(found != last && *found == row_of_[p]);
        update_target_.push_back(static_cast<int>(found - row_of_.begin()));
      }
    }
  }
  diagonal_.assign(blocks, Block::Zero());
  inverse_.assign(blocks, Block::Zero());
  off_diagonal_.assign(row_of_.size(), Block::Zero());
  column_copy_.assign(longest, Block::Zero());
  scale_.assign(blocks, Vector::Zero());
  permuted_.assign(blocks, Vector::Zero());
}

template <int B>
typename BlockLdlt<B>::Place BlockLdlt<B>::place(int i, int j) const {
  const int row = std::max(position_[i], position_[j]), column = std::min(position_[i], position_[j]);
  const auto first = row_of_.begin() + column_start_[column], last = row_of_.begin() + column_start_[column + 1];
  const auto found = std::lower_bound(first, last, row);
  assert(found != last && *found == row);
  return {static_cast<int>(found - row_of_.begin()), position_[i] < position_[j]};
}

template <int B>
void BlockLdlt<B>::clear() {
  for (Block& block : diagonal_) block.setZero();
  for (Block& block : off_diagonal_) block.setZero();
}

template <int B>
int BlockLdlt<B>::factor() {
  if constexpr (B == 2) {
    return factor_pairs();
  } else {
    return factor_triples();
  }
}

template <int B>
int BlockLdlt<B>::factor_triples() {
  const int n = size();
  int dropped = 0;
  for (int k = 0; k < n; ++k) scale_[k] = diagonal_[k].diagonal();
  const int* target = update_target_.data();
  for (int k = 0; k < n; ++k) {
    const Block& d = diagonal_[k];
    const Vector& scale = scale_[k];
    Block& inverse = inverse_[k];
    const double minor = d(0, 0) * d(1, 1) - d(1, 0) * d(1, 0);
    const double c00 = d(1, 1) * d(2, 2) - d(2, 1) * d(2, 1), c10 = d(2, 0) * d(2, 1) - d(1, 0) * d(2, 2);
    const double c20 = d(1, 0) * d(2, 1) - d(2, 0) * d(1, 1), c11 = d(0, 0) * d(2, 2) - d(2, 0) * d(2, 0);
    const double c21 = d(1, 0) * d(2, 0) - d(0, 0) * d(2, 1);
    const double determinant = d(0, 0) * c00 + d(1, 0) * c10 + d(2, 0) * c20;
    inverse << c00, c10, c20, c10, c11, c21, c20, c21, minor;
    inverse *= 1 / determinant;
    const bool regular = d(0, 0) > drop_tolerance * scale[0] && minor > drop_tolerance * scale[1] * d(0, 0) &&
                         determinant > drop_tolerance * scale[2] * minor;
    if (!regular) dropped += drop_dependent(k);

    const int begin = column_start_[k], count = column_start_[k + 1] - begin;
    Block* column = off_diagonal_.data() + begin;
    for (int p = 0; p < count; ++p) {
      column_copy_[p] = column[p];
      column[p].noalias() = column_copy_[p] * inverse;
      diagonal_[row_of_[begin + p]].noalias() -= column[p] * column_copy_[p].transpose();
      for (int q = 0; q < p; ++q) off_diagonal_[*target++].noalias() -= column[p] * column_copy_[q].transpose();
    }
  }
  return dropped;
}

// The factors alone are the factors for a right-hand side of zeros.
template <int B>
int BlockLdlt<B>::factor_pairs() {
  for (Vector& x : permuted_) x.setZero();
  return factor_and_eliminate_pairs(numbers_of(permuted_.data()));
}

template <int B>
int BlockLdlt<B>::factor_and_solve_in_order(Vector* x) {
  if constexpr (B == 2) {
    const int dropped = factor_and_eliminate_pairs(numbers_of(x));
    substitute_back_pairs(numbers_of(x));
    return dropped;
  } else {
    const int dropped = factor_triples();
    solve_triples(x);
    return dropped;
  }
}

// 2 × 2 blocks in scalars: Eigen's small products cost twice the instructions.
template <int B>
int BlockLdlt<B>::factor_and_eliminate_pairs(double* x) {
  const int n = size();
  int dropped = 0;
  double* diagonal = numbers_of(diagonal_.data());
  double* scale = numbers_of(scale_.data());
  for (int k = 0; k < n; ++k) scale[2 * k] = diagonal[4 * k], scale[2 * k + 1] = diagonal[4 * k + 3];
  const int* target = update_target_.data();
  const int* row = row_of_.data();
  double* off = numbers_of(off_diagonal_.data());
  double* inverse = numbers_of(inverse_.data());
  for (int k = 0; k < n; ++k, inverse += 4) {
    const double a = diagonal[4 * k], b = diagonal[4 * k + 1], c = diagonal[4 * k + 3], minor = a * c - b * b,
                 factor = 1 / minor;
    inverse[0] = factor * c, inverse[1] = inverse[2] = -factor * b, inverse[3] = factor * a;
    if (!(a > drop_tolerance * scale[2 * k] && minor > drop_tolerance * scale[2 * k + 1] * a))
      dropped += drop_dependent(k);
    const int count = column_start_[k + 1] - column_start_[k];
    if (count == 1) {  // chains and loops: by far the most frequent column
      eliminate(off, inverse, diagonal + 4 * *row, x + 2 * k, x + 2 * *row);
    } else {
      for (int p = 0; p < count; ++p) {
        std::copy_n(off + 4 * p, 4, column_copy_[p].data());
        eliminate(off + 4 * p, inverse, diagonal + 4 * row[p], x + 2 * k, x + 2 * row[p]);
        const double* l = off + 4 * p;
        for (int q = 0; q < p; ++q) {
          const double* e = column_copy_[q].data();
          double* to = off_diagonal_[*target++].data();
          to[0] -= l[0] * e[0] + l[2] * e[2];
          to[1] -= l[1] * e[0] + l[3] * e[2];
          to[2] -= l[0] * e[1] + l[2] * e[3];
          to[3] -= l[1] * e[1] + l[3] * e[3];
        }
      }
    }
    off += 4 * count;
    row += count;
  }
  return dropped;
}

// Pseudo-inverse of a diagonal block with its dependent rows left out, eliminated in order.
template <int B>
int BlockLdlt<B>::drop_dependent(int k) {
  Block rest = diagonal_[k], lower = Block::Identity();
  Vector pivot_inverse;
  int dropped = 0;
  for (int c = 0; c < B; ++c) {
    const bool dependent = !(rest(c, c) > drop_tolerance * scale_[k][c]);
    pivot_inverse[c] = dependent ? 0 : 1 / rest(c, c);
    dropped += dependent ? 1 : 0;
    for (int r = c + 1; r < B; ++r) {
      lower(r, c) = rest(r, c) * pivot_inverse[c];
      for (int s = c + 1; s <= r; ++s) rest(r, s) -= lower(r, c) * rest(s, c);
    }
  }
  const Block lower_inverse = lower.template triangularView<Eigen::UnitLower>().solve(Block::Identity());
  inverse_[k].noalias() = lower_inverse.transpose() * pivot_inverse.asDiagonal() * lower_inverse;
  // A dropped row must not act through its coupling to later rows either.
  for (int c = 0; c < B; ++c) {
    if (pivot_inverse[c] != 0) continue;
    inverse_[k].row(c).setZero();
    inverse_[k].col(c).setZero();
  }
  return dropped;
}

template <int B>
std::vector<int> BlockLdlt<B>::dropped_rows_in_order() const {
  std::vector<int> rows;
  for (int k = 0; k < size(); ++k) {
    for (int c = 0; c < B; ++c) {
      if (inverse_[k](c, c) == 0) rows.push_back(B * k + c);
    }
  }
  return rows;
}

template <int B>
std::vector<int> BlockLdlt<B>::dropped_rows() const {
  std::vector<int> block_at(position_.size()), rows;
  for (int i = 0; i < size(); ++i) block_at[position_[i]] = i;
  for (const int row : dropped_rows_in_order()) rows.push_back(B * block_at[row / B] + row % B);
  return rows;
}

template <int B>
void BlockLdlt<B>::solve_in_order(Vector* x) const {
  if constexpr (B == 2) {
    solve_pairs(numbers_of(x));
  } else {
    solve_triples(x);
  }
}

template <int B>
void BlockLdlt<B>::solve_triples(Vector* x) const {
  const int n = size();
  for (int k = 0; k < n; ++k) {
    const Vector now = x[k];
    for (int p = column_start_[k]; p < column_start_[k + 1]; ++p) x[row_of_[p]].noalias() -= off_diagonal_[p] * now;
  }
  for (int k = n - 1; k >= 0; --k) {
    Vector now = inverse_[k] * x[k];
    for (int p = column_start_[k]; p < column_start_[k + 1]; ++p) {
      now.noalias() -= off_diagonal_[p].transpose() * x[row_of_[p]];
    }
    x[k] = now;
  }
}

template <int B>
void BlockLdlt<B>::solve_pairs(double* x) const {
  const int n = size();
  const int* start = column_start_.data();
  const int* row = row_of_.data();
  const double* off = numbers_of(off_diagonal_.data());
  for (int k = 0; k < n; ++k) {
    const double x0 = x[2 * k], x1 = x[2 * k + 1];
    for (int p = start[k]; p < start[k + 1]; ++p) {
      const double* l = off + 4 * p;
      double* target = x + 2 * row[p];
      const double t0 = target[0] - l[0] * x0 - l[2] * x1, t1 = target[1] - l[1] * x0 - l[3] * x1;
      target[0] = t0, target[1] = t1;
    }
  }
  substitute_back_pairs(x);
}

template <int B>
void BlockLdlt<B>::substitute_back_pairs(double* x) const {
  const int n = size();
  const int* start = column_start_.data();
  const int* row = row_of_.data();
  const double* off = numbers_of(off_diagonal_.data());
  const double* inverses = numbers_of(inverse_.data());
  for (int k = n - 1; k >= 0; --k) {
    const double* inverse = inverses + 4 * k;
    double x0 = inverse[0] * x[2 * k] + inverse[2] * x[2 * k + 1],
           x1 = inverse[1] * x[2 * k] + inverse[3] * x[2 * k + 1];
    for (int p = start[k]; p < start[k + 1]; ++p) {
      const double* l = off + 4 * p;
      const double y0 = x[2 * row[p]], y1 = x[2 * row[p] + 1];
      x0 -= l[0] * y0 + l[1] * y1;
      x1 -= l[2] * y0 + l[3] * y1;
    }
    x[2 * k] = x0, x[2 * k + 1] = x1;
  }
}

template <int B>
void BlockLdlt<B>::solve(Vector* right_hand_side) {
  for (int i = 0; i < size(); ++i) permuted_[position_[i]] = right_hand_side[i];
  solve_in_order(permuted_.data());
  for (int i = 0; i < size(); ++i) right_hand_side[i] = permuted_[position_[i]];
}

template class BlockLdlt<2>;
template class BlockLdlt<3>;

}  // namespace carom::inline math
