#pragma once

#include <cstdint>
#include <vector>

#include "lanes/contact_lanes.h"

namespace carom::inline lanes {

// Puts contacts into batches of four that share no moving body, each into the first batch that is open and free of its
// bodies, so that the order of the contacts stays about what it was. A batch is closed when it is full, or when it
// would be too far behind.
class LaneOrder {
 public:
  struct Place {
    int batch = 0, lane = 0;
  };
  // Bodies have numbers below `bodies`; the batches are numbered from `first_batch` on.
  void start(std::size_t bodies, int first_batch);
  // Of two bodies, those that move: −1 for one that does not.
  Place place(int a, int b);
  // One past the last batch.
  int end() const { return end_; }

 private:
  static constexpr int window = 64;  // of batches that are open at once: the bits of a word
  struct Batch {
    int count = 0;
    int bodies[2 * lane_count] = {};
  };
  static int slot_of(int batch) { return batch % window; }
  void close_first();

  std::vector<std::uint64_t> taken_;  // by body: slots of the open batches that it is in
  Batch batches_[window];
  std::uint64_t full_ = 0;  // slots of full batches behind the first open one
  int first_ = 0, end_ = 0;
};

}  // namespace carom::inline lanes
