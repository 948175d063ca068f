#include <cstdlib>

#include <gtest/gtest.h>

#include "contact_geometry/broad_phase.h"
#include "sample_shapes.h"

// Every allocation passes malloc, those of Eigen too, which do not use operator new. Sanitizers bring their own malloc.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)

namespace {
thread_local std::size_t allocations = 0;
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

[[gnu::visibility("default")]] void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
[[gnu::visibility("default")]] void* calloc(std::size_t count, std::size_t size) noexcept {
  ++allocations;
  return __libc_calloc(count, size);
}
[[gnu::visibility("default")]] void* realloc(void* memory, std::size_t size) noexcept {
  ++allocations;
  return __libc_realloc(memory, size);
}
[[gnu::visibility("default")]] void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}

namespace carom {
namespace {

template <int D>
void check_pairs() {
  Dice dice(41);
  for (const auto& pair : pair_catalogue<D>()) {
    for (int trial = 0; trial < 50; ++trial) {
      const Scene<D> scene = sample_scene(pair, dice);
      std::vector<ContactPoint<D>> points(pair.points(scene.a, scene.b));
      std::vector<double> memory(pair.memory(scene.a, scene.b), 0.0);
      const std::size_t before = allocations;
      for (int call = 0; call < 2; ++call) {
        pair.evaluate(scene.a, scene.b, scene.body_a, scene.body_b, points.data(), memory.data());
      }
      ASSERT_EQ(allocations, before) << pair.name;
    }
  }
}

TEST(Allocation, PairsAllocateNothing) {
  check_pairs<2>();
  check_pairs<3>();
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
