#pragma once

#include <vector>

namespace carom::inline impact {

// What an elimination over the assembled contact problem of these contacts would cost: little for a stack, whose
// contacts act on near ones only, much for a heap. The order is that of DelassusPattern, from neighbours to neighbours.
// Nothing is allocated once the most contacts have been seen.
class EliminationCost {
 public:
  void clear(int bodies);
  // Between two bodies; negative: does not move.
  void add(int a, int b, int rows);
  // Multiplications, about.
  double estimate();

 private:
  struct Contact {
    int a = 0, b = 0, rows = 0;
  };
  std::vector<Contact> contacts_;
  std::vector<int> first_, of_body_;  // contacts by body
  std::vector<int> order_, place_;    // of contacts; place −1: not reached
};

}  // namespace carom::inline impact
