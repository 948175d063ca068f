#include "lanes/contact_lanes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <set>

#include "lanes/lane_order.h"

namespace carom {
namespace {

// Bodies and contacts at random, laid out by the order: every eighth contact is with a body that does not move.
struct Heap {
  std::vector<LaneBody> bodies;
  std::vector<LaneContacts> batches;
};

Heap random_heap(int body_count, int contact_count, bool round, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1), positive(0.5, 2);
  Heap heap;
  heap.bodies.resize(body_count + 1);  // the first one does not move
  for (int b = 1; b <= body_count; ++b) {
    LaneBody& body = heap.bodies[b];
    for (double& each : body.velocity) each = number(random);
    for (double& each : body.angular_velocity) each = number(random);
    body.inverse_mass = positive(random);
    for (double& each : body.diagonal) each = 3 * positive(random);
    if (!round) body.xy = 0.1 * number(random), body.yz = 0.1 * number(random), body.zx = 0.1 * number(random);
    if (round) body.diagonal[1] = body.diagonal[2] = body.diagonal[0];
  }
  std::uniform_int_distribution<int> any(1, body_count);
  LaneOrder order;
  order.start(heap.bodies.size(), 0);
  for (int c = 0; c < contact_count; ++c) {
    const int a = c % 8 == 0 ? 0 : any(random);
    int b = any(random);
    while (b == a) b = any(random);
    const LaneOrder::Place place = order.place(a > 0 ? a : -1, b);
    while (static_cast<int>(heap.batches.size()) <= place.batch) {
      heap.batches.push_back({});
      std::fill_n(heap.batches.back().contact, lane_count, -1);
    }
    LaneContacts& batch = heap.batches[place.batch];
    EXPECT_EQ(batch.contact[place.lane], -1);
    batch.contact[place.lane] = c;
    batch.a[place.lane] = a, batch.b[place.lane] = b;
    batch.moving |= (a > 0 ? 1 : 0) << place.lane | 1 << (place.lane + lane_count);
    double n[3] = {number(random), number(random), number(random)};
    const double size = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), across = std::hypot(n[0], n[1]);
    const double t[3] = {-n[1] / across, n[0] / across, 0};
    for (int k = 0; k < 3; ++k) {
      batch.normal[k][place.lane] = n[k] / size, batch.tangent[k][place.lane] = t[k];
      batch.lever_a[k][place.lane] = 0.1 * number(random), batch.lever_b[k][place.lane] = 0.1 * number(random);
      batch.offset[k][place.lane] = 0.01 * number(random);
    }
    batch.friction[place.lane] = c % 5 == 0 ? 0 : 0.3;
    batch.normal_weight[place.lane] = 0.2, batch.slip_weight[place.lane] = 0.15;
    batch.normal_mass[place.lane] = 1 / 0.2, batch.slip_mass[place.lane] = 1 / 0.15;
    batch.settles[place.lane] = c % 3 == 0 ? 1 : 0;
  }
  return heap;
}

template <typename T>
bool same_bytes(const std::vector<T>& one, const std::vector<T>& two) {
  return one.size() == two.size() && std::memcmp(one.data(), two.data(), one.size() * sizeof(T)) == 0;
}

TEST(ContactLanes, GiveTheSameBytesInEitherArithmetic) {
  if (!has_wide_lanes()) GTEST_SKIP() << "this processor has no AVX2";
  for (const bool round : {true, false}) {
    Heap plain = random_heap(200, 700, round, 7), wide = plain;
    const double before = plain.bodies[5].velocity[0];
    push_plain(plain.bodies.data(), plain.batches.data(), static_cast<int>(plain.batches.size()), round);
    push_wide(wide.bodies.data(), wide.batches.data(), static_cast<int>(wide.batches.size()), round);
    const int count = static_cast<int>(plain.batches.size());
    std::vector<LanePath> plain_paths(count), wide_paths(count);
    for (int pass = 0; pass < 30; ++pass) {
      const double idle = pass == 0 ? -1 : 1e-3;
      const bool backward = pass % 2 == 1;
      const LaneChange one = iterate_plain(plain.bodies.data(), plain.batches.data(), count, idle, round, backward);
      const LaneChange two = iterate_wide(wide.bodies.data(), wide.batches.data(), count, idle, round, backward);
      EXPECT_EQ(one.largest, two.largest);
      EXPECT_EQ(one.visits, two.visits);
      if (!backward) continue;
      EXPECT_EQ(lean_plain(plain.bodies.data(), plain.batches.data(), plain_paths.data(), count, 0.5, 1e-4, round),
                lean_wide(wide.bodies.data(), wide.batches.data(), wide_paths.data(), count, 0.5, 1e-4, round));
    }
    EXPECT_TRUE(same_bytes(plain_paths, wide_paths));
    EXPECT_NE(plain.bodies[5].velocity[0], before);
    EXPECT_TRUE(same_bytes(plain.bodies, wide.bodies));
    EXPECT_TRUE(same_bytes(plain.batches, wide.batches));
  }
}

// Impulses that are known act in either order of the same contacts.
TEST(ContactLanes, KeepMomentum) {
  Heap heap = random_heap(50, 150, false, 3);
  double before[3] = {}, after[3] = {}, given[3] = {};
  const auto add_momentum = [&](double* sum) {
    for (const LaneBody& body : heap.bodies) {
      for (int k = 0; k < 3 && body.inverse_mass > 0; ++k) sum[k] += body.velocity[k] / body.inverse_mass;
    }
  };
  add_momentum(before);
  const int count = static_cast<int>(heap.batches.size());
  std::vector<LanePath> paths(count);
  for (int pass = 0; pass < 20; ++pass) {
    iterate_plain(heap.bodies.data(), heap.batches.data(), count, -1, false, pass % 2 == 1);
    lean_plain(heap.bodies.data(), heap.batches.data(), paths.data(), count, 0.5, 0, false);
  }
  add_momentum(after);
  // What came from the body that does not move.
  for (const LaneContacts& batch : heap.batches) {
    for (int lane = 0; lane < lane_count; ++lane) {
      if (batch.contact[lane] < 0 || batch.a[lane] != 0) continue;
      const double n[3] = {batch.normal[0][lane], batch.normal[1][lane], batch.normal[2][lane]};
      const double t[3] = {batch.tangent[0][lane], batch.tangent[1][lane], batch.tangent[2][lane]};
      for (int k = 0; k < 3; ++k) {
        const double second = n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3];
        given[k] += batch.impulse[0][lane] * n[k] + batch.impulse[1][lane] * t[k] + batch.impulse[2][lane] * second;
      }
    }
  }
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(after[k] - before[k], given[k], 1e-12);
}

TEST(ContactLanes, WriteToNothingThatDoesNotMove) {
  Heap heap = random_heap(50, 150, true, 4);
  heap.bodies[0].velocity[2] = 0.25;  // driven, and the same to all
  const LaneBody driven = heap.bodies[0];
  iterate_plain(heap.bodies.data(), heap.batches.data(), static_cast<int>(heap.batches.size()), -1, true, false);
  EXPECT_EQ(std::memcmp(&driven, &heap.bodies[0], sizeof driven), 0);
}

// No moving body twice in a batch, and every contact in a place of its own; batches are nearly full.
TEST(LaneOrder, PartsBodiesOfABatch) {
  const Heap heap = random_heap(300, 1000, true, 5);
  int placed = 0;
  for (const LaneContacts& batch : heap.batches) {
    std::set<int> bodies;
    for (int lane = 0; lane < lane_count; ++lane) {
      if (batch.contact[lane] < 0) continue;
      ++placed;
      for (const int body : {batch.a[lane], batch.b[lane]}) {
        if (body == 0) continue;
        EXPECT_TRUE(bodies.insert(body).second);
      }
    }
  }
  EXPECT_EQ(placed, 1000);
  EXPECT_LT(heap.batches.size(), 1000 / lane_count * 1.05);
}

// A body in all contacts leaves one to a batch, and the order goes on.
TEST(LaneOrder, ClosesBatchesThatNothingFits) {
  LaneOrder order;
  order.start(1000, 3);
  int last = 2;
  for (int c = 0; c < 500; ++c) {
    const LaneOrder::Place place = order.place(0, 1 + c);
    EXPECT_EQ(place.lane, 0);
    EXPECT_EQ(place.batch, ++last);
  }
  EXPECT_EQ(order.end(), last + 1);
  order.start(1000, 0);  // forgets all of it
  EXPECT_EQ(order.place(0, 1).batch, 0);
}

}  // namespace
}  // namespace carom
