#include "impact/elimination_cost.h"

#include <algorithm>
#include <numeric>

namespace carom::inline impact {

void EliminationCost::clear(int bodies) {
  contacts_.clear();
  first_.assign(bodies + 1, 0);
}

void EliminationCost::add(int a, int b, int rows) {
  contacts_.push_back({a, b, rows});
  for (const int body : {a, b}) {
    if (body >= 0) ++first_[body];
  }
}

double EliminationCost::estimate() {
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  of_body_.resize(first_.back());
  const int count = static_cast<int>(contacts_.size());
  for (int c = count; c-- > 0;) {
    for (const int body : {contacts_[c].a, contacts_[c].b}) {
      if (body >= 0) of_body_[--first_[body]] = c;
    }
  }
  const auto each_neighbour = [&](int contact, const auto& act) {
    for (const int body : {contacts_[contact].a, contacts_[contact].b}) {
      if (body < 0) continue;
      for (int k = first_[body]; k < first_[body + 1]; ++k) act(of_body_[k]);
    }
  };
  place_.assign(count, -1);
  order_.clear();
  const auto reach = [&](int contact) {
    if (place_[contact] >= 0) return;
    place_[contact] = static_cast<int>(order_.size());
    order_.push_back(contact);
  };
  double cost = 0;
  for (int start = 0; start < count; ++start) {
    std::size_t next = order_.size();
    reach(start);
    for (; next < order_.size(); ++next) {
      int last = static_cast<int>(next);
      each_neighbour(order_[next], reach);
      each_neighbour(order_[next], [&](int other) { last = std::max(last, place_[other]); });
      double rows = 0;
      for (int k = static_cast<int>(next); k <= last; ++k) rows += contacts_[order_[k]].rows;
      cost += contacts_[order_[next]].rows * rows * rows;
    }
  }
  return cost;
}

}  // namespace carom::inline impact
