#include "../support/count_allocations.h"

#include <gtest/gtest.h>

#include "contact_geometry/area_pairs.h"
#include "contact_geometry/broad_phase.h"
#include "sample_shapes.h"

#ifdef CAROM_COUNTS_ALLOCATIONS

namespace carom {
namespace {

template <int D>
void check_pairs(const std::vector<PairDescription<D>>& pairs, int trials = 50) {
  Dice dice(41);
  for (const auto& pair : pairs) {
    for (int trial = 0; trial < trials; ++trial) {
      const Scene<D> scene = sample_scene(pair, dice);
      ContactManifold<D> manifold(pair.points(scene.a, scene.b));
      std::vector<double> memory(pair.memory(scene.a, scene.b), 0.0);
      scene.a.bounding_radius();  // the catalogue of shapes is made before
      const std::size_t before = allocations;
      for (int call = 0; call < 2; ++call) {
        write_manifold(pair, scene.a, scene.b, scene.body_a, scene.body_b, manifold, memory.data());
      }
      ASSERT_EQ(allocations, before) << pair.name;
    }
  }
}

TEST(Allocation, PairsAllocateNothing) {
  check_pairs<2>(pair_catalogue<2>());
  check_pairs<3>(pair_catalogue<3>());
}

TEST(Allocation, AreasAllocateNothing) {
  std::vector<PairDescription<3>> areas;
  for (const auto& pair : pair_catalogue<3>()) {
    const auto *const area = find_area_pair<3>(pair.a, pair.b), *const given = find_given_pair<3>(pair.a, pair.b);
    if (area) areas.push_back(*area);
    if (given && given != area) areas.push_back(*given);
  }
  EXPECT_EQ(areas.size(), 22U);
  check_pairs<3>(areas);
}

TEST(Allocation, AreasOfSolidsAllocateNothing) {
  std::vector<PairDescription<3>> areas;
  for (const auto& pair : pair_catalogue<3>()) {
    if (const auto* area = find_solid_area_pair<3>(pair.a, pair.b)) areas.push_back(*area);
  }
  EXPECT_GT(areas.size(), 60U);
  check_pairs<3>(areas, 3);
}

TEST(Allocation, TheBroadPhaseAllocatesNothingOnceItIsWarm) {
  Dice dice(42);
  std::vector<Shape<3>> shapes(300);
  Bodies<3> bodies(shapes.size() + 1);
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    shapes[k].body = static_cast<int>(k) + 1;
    shapes[k].radius = dice.between(0.05, 0.1);
    bodies[k + 1].position = dice.vector<3>(1);
  }
  BroadPhase<3> broad_phase(shapes, 0.05);
  const auto swing = [&](double shift) {
    for (std::size_t k = 1; k < bodies.size(); ++k) bodies[k].position[k % 3] += shift;
    return broad_phase.update(bodies);
  };
  for (const double shift : {0.0, 0.2, -0.2, 0.2, -0.2}) swing(shift);
  const std::size_t before = allocations;
  for (const double shift : {0.2, -0.2, 0.2, -0.2}) EXPECT_TRUE(swing(shift));
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace carom

#endif
