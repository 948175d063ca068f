#include "math/block_lu.h"

#include <algorithm>
#include <cmath>

#include <amd.h>
#include <Eigen/LU>

namespace carom::inline math {

// By the version of AMD that works in room it is given.
template <int B>
void BlockLu<B>::find_order(const std::vector<int>& first, const std::vector<int>& columns) {
  const int n = static_cast<int>(first.size()) - 1;
  order_.resize(n), position_.resize(n);
  const std::size_t entries = columns.size() - n, room = entries + entries / 5 + n + 1;
  constexpr int arrays = 8;
  work_.resize(room + static_cast<std::size_t>(arrays) * n);
  pattern_start_.resize(n + 1);
  int* const index = work_.data();
  const auto array = [&](int k) { return index + room + static_cast<std::ptrdiff_t>(k) * n; };
  int* const length = array(0);
  int* const next = array(1);
  int* const order = array(2);
  int count = 0;
  for (int i = 0; i < n; ++i) {
    pattern_start_[i] = count;
    for (int k = first[i]; k < first[i + 1]; ++k) {
      if (columns[k] != i) index[count++] = columns[k];
    }
    length[i] = count - pattern_start_[i];
  }
  amd_2(n, pattern_start_.data(), index, length, static_cast<int>(room), count, array(3), next, order, array(4),
        array(5), array(6), array(7), nullptr, nullptr);
  std::copy_n(order, n, order_.begin());
  for (int k = 0; k < n; ++k) position_[order_[k]] = k;
}

// The rows of column k of L are its own below the diagonal, and those of its children in the elimination tree.
template <int B>
void BlockLu<B>::find_fill(const std::vector<int>& first, const std::vector<int>& columns) {
  const int n = size();
  constexpr int none = -1;
  mark_.assign(n, none), first_child_.assign(n, none), next_child_.assign(n, none);
  start_.assign(1, 0);
  row_.clear();
  cost_ = 0;
  for (int k = 0; k < n; ++k) {
    const auto begin = static_cast<std::ptrdiff_t>(row_.size());
    mark_[k] = k;
    const auto take = [&](int row) {
      if (row <= k || mark_[row] == k) return;
      mark_[row] = k;
      row_.push_back(row);
    };
    for (int p = first[order_[k]]; p < first[order_[k] + 1]; ++p) take(position_[columns[p]]);
    for (int child = first_child_[k]; child != none; child = next_child_[child]) {
      for (int p = start_[child]; p < start_[child + 1]; ++p) take(row_[p]);
    }
    std::sort(row_.begin() + begin, row_.end());
    start_.push_back(static_cast<int>(row_.size()));
    const auto count = static_cast<double>(row_.size() - begin);
    cost_ += B * B * B * (count * count + 2 * count);
    if (count == 0) continue;
    const int parent = row_[begin];
    next_child_[k] = first_child_[parent];
    first_child_[parent] = k;
  }
}

template <int B>
void BlockLu<B>::find_places(const std::vector<int>& first, const std::vector<int>& columns) {
  place_.resize(columns.size()), upper_entry_.resize(columns.size());
  for (int i = 0; i < size(); ++i) {
    for (int k = first[i]; k < first[i + 1]; ++k) {
      const int row = position_[i], column = position_[columns[k]], least = std::min(row, column);
      upper_entry_[k] = row < column;
      const auto begin = row_.begin() + start_[least], end = row_.begin() + start_[least + 1];
      place_[k] = row == column ? -1 - row
                                : static_cast<int>(std::lower_bound(begin, end, std::max(row, column)) - row_.begin());
    }
  }
}

template <int B>
void BlockLu<B>::analyse(const std::vector<int>& first, const std::vector<int>& columns) {
  find_order(first, columns);
  find_fill(first, columns);
  find_places(first, columns);
  diagonal_.resize(size());
  lower_.resize(row_.size());
  upper_.resize(row_.size());
  permuted_.resize(size());
}

template <int B>
void BlockLu<B>::clear() {
  for (auto* blocks : {&diagonal_, &lower_, &upper_}) std::fill(blocks->begin(), blocks->end(), Block::Zero());
}

// What column and row k change in those after them: A_ij −= L_ik U_kj, L_ik = A_ik D⁻¹. The rows of column k are among
// those of column j, or j itself.
template <int B>
void BlockLu<B>::eliminate(int k) {
  const int end = start_[k + 1];
  for (int p = start_[k]; p < end; ++p) lower_[p] = (lower_[p] * diagonal_[k]).eval();
  for (int p = start_[k]; p < end; ++p) {
    const int j = row_[p];
    const Block own_lower = lower_[p], own_upper = upper_[p];
    diagonal_[j].noalias() -= own_lower * own_upper;
    int to = start_[j];
    for (int q = p + 1; q < end; ++q, ++to) {
      while (row_[to] != row_[q]) ++to;
      lower_[to].noalias() -= lower_[q] * own_upper;
      upper_[to].noalias() -= own_lower * upper_[q];
    }
  }
}

template <int B>
bool BlockLu<B>::factor() {
  for (int k = 0; k < size(); ++k) {
    const Block inverse = diagonal_[k].inverse();
    if (!inverse.allFinite()) return false;
    diagonal_[k] = inverse;
    eliminate(k);
  }
  return true;
}

template <int B>
void BlockLu<B>::solve(Vector* x) {
  const int n = size();
  for (int k = 0; k < n; ++k) permuted_[k] = x[order_[k]];
  for (int k = 0; k < n; ++k) {
    const Vector own = permuted_[k];
    for (int p = start_[k]; p < start_[k + 1]; ++p) permuted_[row_[p]].noalias() -= lower_[p] * own;
  }
  for (int k = n - 1; k >= 0; --k) {
    Vector sum = permuted_[k];
    for (int p = start_[k]; p < start_[k + 1]; ++p) sum.noalias() -= upper_[p] * permuted_[row_[p]];
    permuted_[k].noalias() = diagonal_[k] * sum;
    x[order_[k]] = permuted_[k];
  }
}

template class BlockLu<2>;
template class BlockLu<3>;
template class BlockLu<6>;

}  // namespace carom::inline math
