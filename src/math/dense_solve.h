#pragma once

#include <cmath>
#include <utility>

namespace carom {

// Solves a x = b in place by elimination with row pivoting; `a` is n × n, row by row, and is destroyed. For small
// systems whose size changes from call to call: nothing is allocated. False: a pivot is smaller than `least`, or not a
// number.
inline bool solve_dense(int n, double* a, double* b, double least = 0) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    }
    if (pivot != k) {
      for (int j = k; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
      std::swap(b[k], b[pivot]);
    }
    const double inverse = 1 / a[k * n + k];
    if (!std::isfinite(inverse) || !(std::abs(a[k * n + k]) > least)) return false;
    for (int i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] * inverse;
      if (factor == 0) continue;
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    double sum = b[k];
    for (int j = k + 1; j < n; ++j) sum -= a[k * n + j] * b[j];
    b[k] = sum / a[k * n + k];
  }
  return true;
}

}  // namespace carom
