#include "lanes/lane_order.h"

#include <algorithm>
#include <bit>

namespace carom::inline lanes {

void LaneOrder::start(std::size_t bodies, int first_batch) {
  // What the last problem has left.
  while (first_ < end_) close_first();
  if (taken_.size() < bodies) taken_.resize(bodies, 0);
  first_ = end_ = first_batch;
  full_ = 0;
}

void LaneOrder::close_first() {
  const int slot = slot_of(first_++);
  const std::uint64_t bit = std::uint64_t{1} << slot;
  Batch& batch = batches_[slot];
  for (const int body : batch.bodies) {
    if (body > 0) taken_[body - 1] &= ~bit;
  }
  batch = {};
  full_ &= ~bit;
  end_ = std::max(end_, first_);
}

LaneOrder::Place LaneOrder::place(int a, int b) {
  for (;;) {
    const std::uint64_t busy = full_ | (a >= 0 ? taken_[a] : 0) | (b >= 0 ? taken_[b] : 0);
    const int ahead = std::countr_one(std::rotr(busy, slot_of(first_)));
    if (ahead == window) {
      close_first();
      continue;
    }
    const int number = first_ + ahead, slot = slot_of(number);
    const std::uint64_t bit = std::uint64_t{1} << slot;
    Batch& batch = batches_[slot];
    const int lane = batch.count++;
    batch.bodies[2 * lane] = a + 1, batch.bodies[2 * lane + 1] = b + 1;
    if (a >= 0) taken_[a] |= bit;
    if (b >= 0) taken_[b] |= bit;
    end_ = std::max(end_, number + 1);
    if (batch.count == lane_count) full_ |= bit;
    while (first_ < end_ && (full_ >> slot_of(first_) & 1) != 0) close_first();
    return {number, lane};
  }
}

}  // namespace carom::inline lanes
