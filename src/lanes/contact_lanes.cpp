#include "lanes/contact_lanes.h"

#include "lanes/lane_kernel.h"

namespace carom::inline lanes {

LaneChange iterate_plain(LaneBody* bodies, LaneContacts* batches, int count, double idle, bool round, bool backward) {
  return round ? iterate<true>(bodies, batches, count, idle, backward)
               : iterate<false>(bodies, batches, count, idle, backward);
}

void push_plain(LaneBody* bodies, LaneContacts* batches, int count, bool round) {
  return round ? push<true>(bodies, batches, count) : push<false>(bodies, batches, count);
}

double lean_plain(LaneBody* bodies, LaneContacts* batches, LanePath* paths, int count, double share, double least,
                  bool round) {
  return round ? lean<true>(bodies, batches, paths, count, share, least)
               : lean<false>(bodies, batches, paths, count, share, least);
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) LaneChange iterate_wide(LaneBody* bodies, LaneContacts* batches, int count, double idle,
                                                        bool round, bool backward) {
  return round ? iterate<true>(bodies, batches, count, idle, backward)
               : iterate<false>(bodies, batches, count, idle, backward);
}

__attribute__((target("avx2"))) void push_wide(LaneBody* bodies, LaneContacts* batches, int count, bool round) {
  return round ? push<true>(bodies, batches, count) : push<false>(bodies, batches, count);
}

__attribute__((target("avx2"))) double lean_wide(LaneBody* bodies, LaneContacts* batches, LanePath* paths, int count,
                                                 double share, double least, bool round) {
  return round ? lean<true>(bodies, batches, paths, count, share, least)
               : lean<false>(bodies, batches, paths, count, share, least);
}

bool has_wide_lanes() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

#else

LaneChange iterate_wide(LaneBody* bodies, LaneContacts* batches, int count, double idle, bool round, bool backward) {
  return iterate_plain(bodies, batches, count, idle, round, backward);
}

void push_wide(LaneBody* bodies, LaneContacts* batches, int count, bool round) {
  return push_plain(bodies, batches, count, round);
}

double lean_wide(LaneBody* bodies, LaneContacts* batches, LanePath* paths, int count, double share, double least,
                 bool round) {
  return lean_plain(bodies, batches, paths, count, share, least, round);
}

bool has_wide_lanes() {
  return false;
}

#endif

LaneArithmetic lane_arithmetic() {
  return has_wide_lanes() ? LaneArithmetic{iterate_wide, push_wide, lean_wide} : LaneArithmetic{};
}

}  // namespace carom::inline lanes
