#pragma once

#include <vector>

#include "impact/contact_problem.h"

namespace carom::inline impact {

// Where W has entries. Contacts act on each other through the bodies they share, so that in stacks and heaps most of W
// is zero; small problems, and those of mechanisms, are full. Nothing is allocated once the largest problem has been
// seen.
class DelassusPattern {
 public:
  void find(const ContactProblem& problem);
  // Not worth it, or not found: treated as full.
  bool is_full() const { return full_; }
  // Contacts in an order that keeps those which act on each other near each other (Cuthill, McKee 1969).
  const std::vector<int>& order() const { return order_; }

  // sum + Σ_j W_ij x_j
  double product(const ContactProblem& problem, int row, const double* x, double sum) const {
    const double* w = problem.delassus_row(row);
    if (full_) {
      for (int j = 0; j < problem.rows; ++j) sum += w[j] * x[j];
    } else {
      for (int k = first_[row]; k < first_[row + 1]; ++k) sum += w[columns_[k]] * x[columns_[k]];
    }
    return sum;
  }
  // to[k] += factor W_ij of the columns j = rows[k], whose place[j] is k; it is negative of the others.
  void add_scaled(const ContactProblem& problem, int row, double factor, const std::vector<int>& rows,
                  const std::vector<int>& place, double* to) const {
    const double* w = problem.delassus_row(row);
    if (full_) {
      for (std::size_t k = 0; k < rows.size(); ++k) to[k] += factor * w[rows[k]];
      return;
    }
    for (int k = first_[row]; k < first_[row + 1]; ++k) {
      const int j = columns_[k];
      if (place[j] >= 0) to[place[j]] += factor * w[j];
    }
  }

 private:
  void sort_contacts(const ContactProblem& problem);

  bool full_ = true;
  std::vector<int> first_, columns_;  // by row
  std::vector<int> order_;
  std::vector<int> contact_of_;  // by row
  std::vector<int> degree_, next_;
};

}  // namespace carom::inline impact
