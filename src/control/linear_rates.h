#pragma once

#include <vector>

namespace carom::inline control {

// A factor of a number that lies at a place of a list.
struct LinearTerm {
  double factor = 0;
  int place = 0;
};

// Rates of states that are sums of such terms, all of them in one loop: for most blocks one term is the state itself
// and another one the input. Rows that were not set are 0.
class LinearRates {
 public:
  // States lie from `first_state` on in the list.
  void resize(int states, int first_state);
  void set_row(int state, const std::vector<LinearTerm>& terms);
  // After the last row.
  void find_runs();
  bool empty() const { return own_.empty(); }
  void work_out(const double* list, double* rates) const;

 private:
  struct Further {
    int state = 0;
    LinearTerm term;
  };
  // States whose other numbers lie side by side in the list, from `place` on: blocks one behind the other. Their count
  // is a multiple of four.
  struct Run {
    int begin = 0, end = 0, place = 0;
  };

  int first_state_ = 0;
  std::vector<double> own_, factor_;  // of each state: the factor of itself, and that of another number
  std::vector<int> place_;            // of that number
  std::vector<Run> runs_;             // in order; inputs of the states between them are gathered
  std::vector<Further> further_;      // terms
};

}  // namespace carom::inline control
