#pragma once

#include <algorithm>

namespace carom::inline impact {

struct GaussSeidelOutcome {
  int gauss_seidel_iterations = 0;  // of the island that needed most
  long visits = 0;                  // of contacts
  double residual = 0;              // largest change of a local velocity in the last iteration
};

// Of one iteration.
struct SweepChange {
  double largest = 0;  // of a local velocity
  long visits = 0;     // of contacts
};

// Projected Gauss–Seidel iterations over an island, until no local velocity changes by more than the tolerance. Those
// that have not settled after the first few go forth and back through the contacts, and after each such pair the
// impulses go on by a growing share of what the pairs have changed, as Nesterov does; the next pair projects them
// again. Where a pair comes back against the last change, the share starts from nothing (O'Donoghue, Candès, Found.
// Comput. Math. 15 (2015) 715–732). With friction, and with contacts that open, large shares swing in one place while
// the others hide it: the share comes near to one only while the residual falls.
//
// The island is asked to `iterate(all, backward)` over its contacts, or those alone whose bodies have been stirred; to
// `start_paths()` where impulses are; and to `lean(share)` by a share of the last change, for the work of this change
// along the last pair.
template <class Island>
GaussSeidelOutcome settle(Island&& island, double tolerance, int most) {
  constexpr int plain = 10, usual = 25;
  GaussSeidelOutcome outcome;
  bool all = true;
  bool backward = false;
  int onward = 0, most_onward = usual;  // pairs that went on along the last change
  double last = 0;                      // residual of the pair before
  while (outcome.gauss_seidel_iterations < most) {
    const bool accelerated = ++outcome.gauss_seidel_iterations > plain;
    const SweepChange change = island.iterate(all, backward);
    outcome.visits += change.visits;
    outcome.residual = change.largest;
    const bool settled = change.largest <= tolerance;
    if (settled && (all || !accelerated)) break;
    all = settled;  // after impulses have gone on all contacts have to be looked at
    if (settled) continue;
    if (outcome.gauss_seidel_iterations == plain) island.start_paths();
    if (backward) {
      most_onward = change.largest < last ? std::max(usual, onward + 1) : usual;
      last = change.largest;
      onward = island.lean(onward / (onward + 3.0)) < 0 ? 0 : std::min(onward + 1, most_onward);
    }
    backward = accelerated && !backward;
  }
  return outcome;
}

}  // namespace carom::inline impact
