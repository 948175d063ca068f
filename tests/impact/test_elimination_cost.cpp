#include "impact/elimination_cost.h"

#include <gtest/gtest.h>

#include "impact/delassus_pattern.h"

namespace carom {
namespace {

double cost_of_stack(int boxes) {
  EliminationCost cost;
  cost.clear(boxes);
  for (int b = 0; b < boxes; ++b) {
    for (int corner = 0; corner < 2; ++corner) cost.add(b - 1, b, 2);
  }
  return cost.estimate();
}

TEST(EliminationCost, AStackCostsAsMuchAsItIsHigh) {
  const double one = cost_of_stack(50), two = cost_of_stack(100);
  EXPECT_NEAR(two / one, 2, 0.1);
  EXPECT_LT(two, 200 * 2 * 20 * 20);
}

// All contacts on one body act on each other.
TEST(EliminationCost, ManyContactsOfOneBodyCostTheCube) {
  EliminationCost cost;
  cost.clear(1);
  for (int c = 0; c < 100; ++c) cost.add(-1, 0, 1);
  EXPECT_NEAR(cost.estimate(), 1e6 / 3, 1e4);
}

// A chain whose contacts come in any order: neighbours in W are brought near each other, and products are the same.
TEST(DelassusPattern, NeighboursStandNearEachOther) {
  constexpr int count = 101;
  const auto shuffled = [](int k) { return 37 * k % count; };
  ContactProblem problem;
  for (int c = 0; c < count; ++c) problem.contacts.push_back({.row = c});
  problem.rows = count;
  problem.make_room();
  for (int k = 0; k < count; ++k) {
    problem.delassus_row(shuffled(k))[shuffled(k)] = 2;
    if (k == 0) continue;
    problem.delassus_row(shuffled(k))[shuffled(k - 1)] = problem.delassus_row(shuffled(k - 1))[shuffled(k)] = -1;
  }
  DelassusPattern pattern;
  pattern.find(problem);
  ASSERT_FALSE(pattern.is_full());
  std::vector<int> place(count, -1);
  for (int k = 0; k < count; ++k) place[pattern.order()[k]] = k;
  std::vector<double> x(count);
  for (int k = 0; k < count; ++k) x[k] = k * k;
  for (int k = 1; k < count; ++k) EXPECT_EQ(std::abs(place[shuffled(k)] - place[shuffled(k - 1)]), 1);
  for (int i = 0; i < count; ++i) {
    double sum = 3;
    for (int j = 0; j < count; ++j) sum += problem.delassus_row(i)[j] * x[j];
    EXPECT_EQ(pattern.product(problem, i, x.data(), 3), sum);
  }
}

}  // namespace
}  // namespace carom
