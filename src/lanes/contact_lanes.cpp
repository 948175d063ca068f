#include "lanes/contact_lanes.h"

#include "lanes/lane_kernel.h"

namespace carom::inline lanes {

LaneChange iterate_plain(LaneBody* bodies, LaneContacts* batches, int count, double idle, bool round) {
  return round ? iterate<true>(bodies, batches, count, idle) : iterate<false>(bodies, batches, count, idle);
}

void push_plain(LaneBody* bodies, LaneContacts* batches, int count, bool round) {
  return round ? push<true>(bodies, batches, count) : push<false>(bodies, batches, count);
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) LaneChange iterate_wide(LaneBody* bodies, LaneContacts* batches, int count, double idle,
                                                        bool round) {
  return round ? iterate<true>(bodies, batches, count, idle) : iterate<false>(bodies, batches, count, idle);
}

__attribute__((target("avx2"))) void push_wide(LaneBody* bodies, LaneContacts* batches, int count, bool round) {
  return round ? push<true>(bodies, batches, count) : push<false>(bodies, batches, count);
}

bool has_wide_lanes() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

#else

LaneChange iterate_wide(LaneBody* bodies, LaneContacts* batches, int count, double idle, bool round) {
  return iterate_plain(bodies, batches, count, idle, round);
}

void push_wide(LaneBody* bodies, LaneContacts* batches, int count, bool round) {
  return push_plain(bodies, batches, count, round);
}

bool has_wide_lanes() {
  return false;
}

#endif

LaneArithmetic lane_arithmetic() {
  return has_wide_lanes() ? LaneArithmetic{iterate_wide, push_wide} : LaneArithmetic{};
}

}  // namespace carom::inline lanes
