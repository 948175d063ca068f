#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "result_scene.h"

namespace {
std::size_t allocations = 0;
}

// Not inlined: the compiler would otherwise see free() meet the memory of new and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size ? size : 1);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace carom {
namespace {

using namespace scene;

TEST(ResultFile, AppendingDoesNotAllocate) {
  const Folder folder;
  ResultWriter writer(folder / "run.h5", slider_crank());
  const std::vector<double> values = sample(0);
  writer.append(0, values);
  writer.flush();
  const std::size_t before = allocations;
  for (std::size_t i = 1; i < 20000; ++i) writer.append(sample_time(i), values);
  EXPECT_EQ(allocations, before);
  writer.finish("", "complete");
}

}  // namespace
}  // namespace carom
