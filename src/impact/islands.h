#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace carom::inline impact {

// Islands are groups of bodies that contacts hold together; each can be solved for itself. They are numbered by their
// first contact, and contacts keep their order inside.
class Islands {
 public:
  // Nothing is joined yet.
  void start(std::size_t bodies) {
    parent_.resize(bodies);
    std::iota(parent_.begin(), parent_.end(), 0);
    island_of_root_.assign(bodies, -1);
  }
  void join(int body, int other) { parent_[root(body)] = root(other); }
  // Sorts contacts into islands, once all bodies are joined. `body_of(contact)` is a body of its island; −1: it is in
  // none.
  template <typename BodyOf>
  void sort_contacts(int contacts, const BodyOf& body_of);

  int count() const { return static_cast<int>(begin_.size()) - 1; }
  int of(int contact) const { return island_of_[contact]; }              // −1: none
  int contact_count() const { return static_cast<int>(order_.size()); }  // in all islands
  const int* contacts(int island) const { return order_.data() + begin_[island]; }
  int size(int island) const { return begin_[island + 1] - begin_[island]; }

 private:
  int root(int body) {
    while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
    return body;
  }
  int number_of(int body);

  std::vector<int> parent_, island_of_root_;  // by body
  std::vector<int> island_of_;                // by contact; −1: none
  std::vector<int> order_, begin_ = {0};      // contacts by island, and where each island begins
};

inline int Islands::number_of(int body) {
  int& island = island_of_root_[root(body)];
  if (island < 0) {
    island = count();
    begin_.push_back(0);
  }
  return island;
}

template <typename BodyOf>
void Islands::sort_contacts(int contacts, const BodyOf& body_of) {
  begin_.assign(1, 0);
  island_of_.resize(contacts);
  for (int c = 0; c < contacts; ++c) {
    const int body = body_of(c);
    island_of_[c] = body < 0 ? -1 : number_of(body);
    if (body >= 0) ++begin_[island_of_[c] + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  order_.resize(begin_.back());
  // Filled from behind, so that the end of each island moves to its begin.
  for (int c = contacts; c-- > 0;) {
    if (island_of_[c] >= 0) order_[--begin_[island_of_[c] + 1]] = c;
  }
  begin_.erase(begin_.begin());
  begin_.push_back(contact_count());
}

}  // namespace carom::inline impact
