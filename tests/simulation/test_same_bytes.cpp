#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "model_io/read_model.h"
#include "recording/block_checksum.h"
#include "simulation/simulation.h"

// Same input, same bytes: the first steps of every small model of examples and cases, alone and beside others.
namespace carom {
namespace {

constexpr int steps = 100;
constexpr std::size_t most_bodies = 60;

std::vector<std::filesystem::path> model_files() {
  std::vector<std::filesystem::path> found;
  for (const char* folder : {"examples", "cases"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(CAROM_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".toml" || entry.path().filename() == "case.toml") continue;
      std::ostringstream text;
      text << "\n" << std::ifstream(entry.path()).rdbuf();
      if (text.str().find("\n[solver]") != std::string::npos) found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Of the states after each of the first steps; 0: the model is not of the kind that is compared here.
std::uint64_t first_steps(const std::filesystem::path& file) {
  ProblemList problems;
  const Model model = read_model(file, problems);
  if (problems.errors() > 0 || model.solver.analysis != Analysis::dynamic || model.bodies.size() > most_bodies)
    return 0;
  Simulation simulation(model);
  std::uint64_t sum = 1;
  for (int k = 0; k < steps && simulation.state().t < simulation.last(); ++k) {
    if (!simulation.step(simulation.last()).accepted()) break;
    const State& state = simulation.state();
    for (const Eigen::VectorXd* part : {&state.q, &state.v, &state.work, &state.internal})
      sum = 31 * sum + block_checksum(part->data(), static_cast<std::size_t>(part->size()) * sizeof(double));
    sum = 31 * sum + block_checksum(&state.t, sizeof state.t);
  }
  return sum;
}

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
  const std::vector<std::filesystem::path> files = model_files();
  const std::vector<std::uint64_t> alone = first_steps_of_all(files, 1, false);
  EXPECT_GT(std::count_if(alone.begin(), alone.end(), [](std::uint64_t sum) { return sum != 0; }), 100);
  for (const int threads : {2, 5}) {
    const std::vector<std::uint64_t> beside = first_steps_of_all(files, threads, true);
    for (std::size_t i = 0; i < files.size(); ++i) EXPECT_EQ(alone[i], beside[i]) << files[i] << ", " << threads;
  }
}

}  // namespace
}  // namespace carom
