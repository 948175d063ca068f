#pragma once

#include <cstdint>
#include <vector>

// Contacts of free bodies, four at a time: a contact problem laid out for vector registers, and the Gauss–Seidel
// iteration over it. Four contacts that share no moving body are solved at once, one in each lane; what a lane does
// depends on no other one, so that the order of a batch is that of contacts solved one after the other.
//
// The iteration exists twice, in plain arithmetic and in that of AVX2, without fused operations: both give the same
// bytes.
namespace carom::inline lanes {

inline constexpr int lane_count = 4;

// Of a free body, world axes. Rows of four numbers, which are loaded at once.
struct alignas(32) LaneBody {
  double velocity[3] = {0, 0, 0};
  double inverse_mass = 0;  // zero: does not move
  double angular_velocity[3] = {0, 0, 0};
  double stirred = 0;  // sum of the changes that its contacts have made, as velocities
  // Of its inverse inertia: xx, yy, zz, xy and yz, zx.
  double diagonal[3] = {0, 0, 0};
  double xy = 0;
  double yz = 0, zx = 0;
  double unused[2] = {0, 0};
};

using Lane = double[lane_count];

// Four contacts. A lane without one has bodies that do not move, and weights of zero.
struct alignas(32) LaneContacts {
  Lane normal[3], tangent[3];   // the second tangent is normal × tangent
  Lane lever_a[3], lever_b[3];  // m
  Lane offset[3];               // added to the local velocity, in the directions of the contact
  Lane impulse[3];              // in these directions
  Lane friction;                // μ
  Lane normal_weight, slip_weight;
  Lane normal_mass, slip_mass;  // their inverses: of a change of the impulse, that of the velocity; zero: no contact
  Lane seen;                    // how much its bodies had been stirred when it was last visited
  Lane settles;                 // one: by one visit; else zero
  std::int32_t a[lane_count], b[lane_count];  // bodies
  std::int32_t contact[lane_count];           // its number in the problem it comes from; −1: none
  std::int32_t moving = 0;                    // bits: bodies of a, then of b, that move; the others are only read
};

// Four contacts of a batch act on their bodies with the impulses that they have.
using LanePush = void (*)(LaneBody* bodies, LaneContacts* batches, int count, bool round);
void push_plain(LaneBody* bodies, LaneContacts* batches, int count, bool round);
void push_wide(LaneBody* bodies, LaneContacts* batches, int count, bool round);

// Of one pass over a range of batches.
struct LaneChange {
  double largest = 0;  // change of a local velocity
  long visits = 0;     // of batches
};

// Impulses of four contacts after the iteration before and where this one began.
struct alignas(32) LanePath {
  Lane last[3], start[3];
};

// Between two iterations: impulses go on by `share` of how the last one changed them, with the velocities of their
// bodies, but where that changes local velocities by less than `least`. What the last change does along the way of the
// last iteration, N m.
using LaneLean = double (*)(LaneBody* bodies, LaneContacts* batches, LanePath* paths, int count, double share,
                            double least, bool round);
double lean_plain(LaneBody* bodies, LaneContacts* batches, LanePath* paths, int count, double share, double least,
                  bool round);
double lean_wide(LaneBody* bodies, LaneContacts* batches, LanePath* paths, int count, double share, double least,
                 bool round);

// Visits the batches in their order, but those of which all bodies have been stirred by no more than `idle` since.
// `round`: all bodies are, and of their inverse inertia xx alone counts.
using LaneIteration = LaneChange (*)(LaneBody* bodies, LaneContacts* batches, int count, double idle, bool round,
                                     bool backward);
LaneChange iterate_plain(LaneBody* bodies, LaneContacts* batches, int count, double idle, bool round, bool backward);
// Only where `has_wide_lanes`.
LaneChange iterate_wide(LaneBody* bodies, LaneContacts* batches, int count, double idle, bool round, bool backward);
bool has_wide_lanes();
// The faster ones that this processor can do.
struct LaneArithmetic {
  LaneIteration iterate = iterate_plain;
  LanePush push = push_plain;
  LaneLean lean = lean_plain;
};
LaneArithmetic lane_arithmetic();

}  // namespace carom::inline lanes
