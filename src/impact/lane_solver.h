#pragma once

#include <vector>

#include "impact/body_gauss_seidel.h"
#include "lanes/contact_lanes.h"
#include "lanes/lane_order.h"

namespace carom::inline impact {

// The large islands of a contact problem in space, laid out for Gauss–Seidel iterations over four contacts at a time
// (lanes/contact_lanes.h). Bodies that are constrained and contacts that resist turning have no place there.
class LaneSolver {
 public:
  static constexpr int least_contacts = 64;  // of an island: below, the layout is no gain

  // Lays out those islands of the problem that it can solve.
  void start(const BodyContactProblem<3>& problem, const Islands& islands);
  bool has(int island) const { return !ranges_.empty() && ranges_[island].count > 0; }
  // As BodyGaussSeidel::solve; each island may be solved by a thread of its own.
  GaussSeidelOutcome solve(int island, bool pushes, double tolerance, double idle, int most);
  // Impulses of contacts and velocities of bodies.
  void finish(BodyContactProblem<3>& problem) const;

 private:
  struct Range {
    int first = 0, count = 0;  // batches
    bool round = true;
  };
  class Sweeps;
  static bool takes(const BodyContactProblem<3>& problem, const int* contacts, int count);
  Range lay_out(const BodyContactProblem<3>& problem, const int* contacts, int count);
  void lay_out_bodies(const BodyContactProblem<3>& problem);
  lanes::LaneContacts& batch_at(int number);

  lanes::LaneOrder order_;
  std::vector<Range> ranges_;                 // by island
  std::vector<lanes::LaneBody> bodies_;       // the last one is that of empty lanes
  std::vector<char> in_lanes_;                // by body: it moves, and its contacts are here
  std::vector<lanes::LaneContacts> batches_;  // of which so many are used
  std::vector<lanes::LanePath> paths_;        // of the batches
  int used_ = 0;
};

}  // namespace carom::inline impact
