#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "model_io/read_model.h"
#include "recording/block_checksum.h"
#include "simulation/simulation.h"

// Checksums of the first steps of models, to compare builds and threads.
namespace carom {

// The models of examples and cases, sorted.
inline std::vector<std::filesystem::path> models_to_step(const std::filesystem::path& source) {
  std::vector<std::filesystem::path> found;
  for (const char* folder : {"examples", "cases"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source / folder)) {
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
inline std::uint64_t first_steps(const std::filesystem::path& file, int steps = 100, std::size_t most_bodies = 60) {
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

}  // namespace carom
