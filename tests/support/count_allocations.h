#pragma once

#include <cstddef>
#include <cstdlib>

// Counts the allocations of the test program; for one source of it only, because it replaces malloc.
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

#define CAROM_COUNTS_ALLOCATIONS
#endif
