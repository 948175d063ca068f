#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace carom::inline math {

// Solves a x = b in place by elimination with row pivoting; `a` is n × n, row by row, and is destroyed. For systems
// whose size changes from call to call: nothing is allocated once the largest has been seen. Zeros before the first and
// after the last entries of the rows cost nothing, so that systems whose unknowns act on near ones only are cheap.
class DenseSolver {
 public:
  // False: a pivot is smaller than `least`, or not a number.
  bool solve(int n, double* a, double* b, double least = 0) {
    find_envelope(n, a);
    for (int k = 0; k < n; ++k) {
      const int last = reach_[k];
      int pivot = k;
      for (int i = k + 1; i < last; ++i) {
        if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
      }
      if (pivot != k) {
        std::swap_ranges(a + k * n + k, a + k * n + std::max(end_[k], end_[pivot]), a + pivot * n + k);
        std::swap(end_[k], end_[pivot]);
        std::swap(b[k], b[pivot]);
      }
      const double inverse = 1 / a[k * n + k];
      if (!std::isfinite(inverse) || !(std::abs(a[k * n + k]) > least)) return false;
      for (int i = k + 1; i < last; ++i) {
        const double factor = a[i * n + k] * inverse;
        if (factor == 0) continue;
        for (int j = k + 1; j < end_[k]; ++j) a[i * n + j] -= factor * a[k * n + j];
        b[i] -= factor * b[k];
        end_[i] = std::max(end_[i], end_[k]);
      }
    }
    for (int k = n - 1; k >= 0; --k) {
      double sum = b[k];
      for (int j = k + 1; j < end_[k]; ++j) sum -= a[k * n + j] * b[j];
      b[k] = sum / a[k * n + k];
    }
    return true;
  }

 private:
  void find_envelope(int n, const double* a) {
    constexpr int small = 24;  // not worth a look
    if (n <= small) {
      end_.assign(n, n), reach_.assign(n, n);
      return;
    }
    end_.resize(n);
    reach_.resize(n);
    for (int k = 0; k < n; ++k) reach_[k] = k + 1;
    for (int i = 0; i < n; ++i) {
      int first = 0, last = n;
      while (first < i && a[i * n + first] == 0) ++first;
      while (last > i + 1 && a[i * n + last - 1] == 0) --last;
      end_[i] = last;
      reach_[first] = std::max(reach_[first], i + 1);
    }
    for (int k = 1; k < n; ++k) reach_[k] = std::max(reach_[k], reach_[k - 1]);
  }

  std::vector<int> end_;    // by row: after its last entry
  std::vector<int> reach_;  // by column: after the last row that begins there or before
};

}  // namespace carom::inline math
