#pragma once

#include <vector>

namespace carom::inline control {

// What a signal was: a polynomial for each step that has been made.
class SignalHistory {
 public:
  static constexpr int nodes = 7;  // of a step, its ends included
  // The part of a step at which node k lies; closer together towards the ends.
  static double node(int k);

  // Of the step from `begin` to `end`, s; values at the nodes.
  void append(double begin, double end, const double* values);
  // Before all steps: `before`. After the last one: its end.
  double at(double t, double before) const;
  // Steps that end before this are forgotten.
  void forget_until(double t);

 private:
  struct Piece {
    double begin = 0, end = 0;
    double values[nodes] = {};
  };
  std::vector<Piece> pieces_;
  std::size_t first_ = 0;  // that is not forgotten
};

}  // namespace carom::inline control
