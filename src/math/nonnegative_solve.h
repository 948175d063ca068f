#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/dense_solve.h"

namespace carom::inline math {

// Solves x ≥ 0, u = W x + b ≥ 0, x · u = 0 for a symmetric W that is positive semidefinite, by the active set of Lawson
// and Hanson: the most violated row is added and solved for with those that are there, and rows whose x would become
// negative leave again. Rows that depend on each other are told apart by a little on the diagonal. Nothing is allocated
// once the largest problem has been seen.
class NonnegativeSolve {
 public:
  // `w` is n × n, row by row; u may miss zero by `tolerance` > 0. False: there is no solution, or none was found.
  bool solve(int n, const double* w, const double* b, double tolerance, std::vector<double>& x);

 private:
  static constexpr double diagonal = 1e-11;  // of the largest entry
  bool solve_active(int n, const double* w, const double* b, double shift);

  std::vector<int> active_;
  std::vector<double> matrix_, right_;
  DenseSolver solver_;
};

inline bool NonnegativeSolve::solve_active(int n, const double* w, const double* b, double shift) {
  const int count = static_cast<int>(active_.size());
  matrix_.resize(static_cast<std::size_t>(count) * count);
  right_.resize(count);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) matrix_[i * count + j] = w[active_[i] * n + active_[j]];
    matrix_[i * count + i] += shift;
    right_[i] = -b[active_[i]];
  }
  return solver_.solve(count, matrix_.data(), right_.data());
}

inline bool NonnegativeSolve::solve(int n, const double* w, const double* b, double tolerance, std::vector<double>& x) {
  x.assign(n, 0.0);
  active_.clear();
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, w[i * n + i]);
  for (int step = 0; step < 3 * n + 10; ++step) {
    int worst = -1;
    double least = -tolerance;
    for (int i = 0; i < n; ++i) {
      if (x[i] > 0) continue;
      double u = b[i];
      for (const int j : active_) u += w[i * n + j] * x[j];
      if (u < least) worst = i, least = u;
    }
    if (worst < 0) return true;
    active_.push_back(worst);
    for (bool settled = false; !settled;) {
      if (!solve_active(n, w, b, diagonal * largest)) return false;
      double part = 1;
      int blocking = -1;  // the first that would become negative
      settled = true;
      for (std::size_t k = 0; k < active_.size(); ++k) {
        if (!std::isfinite(right_[k])) return false;
        if (right_[k] > 0) continue;
        settled = false;
        const double here = x[active_[k]];
        const double own = here / std::max(here - right_[k], 1e-300);
        if (blocking < 0 || own < part) blocking = active_[k], part = own;
      }
      for (std::size_t k = 0; k < active_.size(); ++k) {
        double& here = x[active_[k]];
        here = settled ? right_[k] : here + part * (right_[k] - here);
      }
      if (!settled) x[blocking] = 0;
      if (!settled) std::erase_if(active_, [&](int i) { return !(x[i] > 0); });
      if (active_.empty()) break;
    }
  }
  return false;
}

}  // namespace carom::inline math
