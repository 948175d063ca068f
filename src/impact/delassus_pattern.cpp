#include "impact/delassus_pattern.h"

#include <algorithm>

namespace carom::inline impact {
namespace {

constexpr int few_rows = 24;         // that are eliminated faster than looked through
constexpr double most_filled = 0.5;  // of W

}  // namespace

void DelassusPattern::find(const ContactProblem& problem) {
  full_ = problem.rows <= few_rows;
  if (full_) return;
  first_.assign(1, 0);
  columns_.clear();
  const auto most = static_cast<std::size_t>(most_filled * problem.rows * problem.rows);
  for (int i = 0; i < problem.rows; ++i) {
    const double* w = problem.delassus_row(i);
    for (int j = 0; j < problem.rows; ++j) {
      if (w[j] != 0 || j == i) columns_.push_back(j);
    }
    first_.push_back(static_cast<int>(columns_.size()));
    full_ = columns_.size() > most;
    if (full_) return;
  }
  sort_contacts(problem);
}

// From one contact to all that it acts on, those with few neighbours first, and so on.
void DelassusPattern::sort_contacts(const ContactProblem& problem) {
  const int count = static_cast<int>(problem.contacts.size());
  contact_of_.resize(problem.rows);
  degree_.resize(count);
  for (int c = 0; c < count; ++c) {
    const int row = problem.contacts[c].row, end = c + 1 < count ? problem.contacts[c + 1].row : problem.rows;
    std::fill(contact_of_.begin() + row, contact_of_.begin() + end, c);
    degree_[c] = first_[row + 1] - first_[row];
  }
  constexpr int taken = -1;
  const auto fewer = [&](int c, int d) { return degree_[c] != degree_[d] ? degree_[c] < degree_[d] : c < d; };
  next_.resize(count);
  for (int c = 0; c < count; ++c) next_[c] = c;
  std::sort(next_.begin(), next_.end(), fewer);  // where another part of the problem is begun
  order_.clear();
  std::size_t begun = 0;
  for (const int start : next_) {
    if (degree_[start] == taken) continue;
    order_.push_back(start);
    degree_[start] = taken;
    for (; begun < order_.size(); ++begun) {
      const int row = problem.contacts[order_[begun]].row;
      const auto found = static_cast<std::ptrdiff_t>(order_.size());
      for (int k = first_[row]; k < first_[row + 1]; ++k) {
        const int other = contact_of_[columns_[k]];
        if (degree_[other] == taken || std::find(order_.begin() + found, order_.end(), other) != order_.end()) continue;
        order_.push_back(other);
      }
      std::sort(order_.begin() + found, order_.end(), fewer);
      for (std::size_t k = found; k < order_.size(); ++k) degree_[order_[k]] = taken;
    }
  }
}

}  // namespace carom::inline impact
