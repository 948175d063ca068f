#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "../support/first_steps.h"

// Same input, same bytes: the first steps of every small model of examples and cases, alone and beside others.
namespace carom {
namespace {

std::vector<std::uint64_t> first_steps_of_all(const std::vector<std::filesystem::path>& files, int threads,
                                              bool backwards) {
  std::vector<std::uint64_t> sums(files.size());
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> pool;
  for (int k = 0; k < threads; ++k) {
    pool.emplace_back([&] {
      for (std::size_t taken = next++; taken < files.size(); taken = next++) {
        const std::size_t i = backwards ? files.size() - 1 - taken : taken;
        sums[i] = first_steps(files[i]);
      }
    });
  }
  for (std::thread& each : pool) each.join();
  return sums;
}

TEST(SameBytes, WhateverRunsBeside) {
  const std::vector<std::filesystem::path> files = models_to_step(CAROM_SOURCE_DIR);
  const std::vector<std::uint64_t> alone = first_steps_of_all(files, 1, false);
  EXPECT_GT(std::count_if(alone.begin(), alone.end(), [](std::uint64_t sum) { return sum != 0; }), 100);
  for (const int threads : {2, 5}) {
    const std::vector<std::uint64_t> beside = first_steps_of_all(files, threads, true);
    for (std::size_t i = 0; i < files.size(); ++i) EXPECT_EQ(alone[i], beside[i]) << files[i] << ", " << threads;
  }
}

}  // namespace
}  // namespace carom
