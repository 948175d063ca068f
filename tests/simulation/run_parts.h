#pragma once

#include <gtest/gtest.h>

#include <fstream>

#include "../support/meshes.h"
#include "model_io/read_model.h"
#include "recording/recorded_run.h"
#include "simulation/run.h"

#include <fmt/format.h>

// Runs of models as texts, into memory.
namespace carom {

struct Outcome {
  RunSummary summary;
  RecordedRun recorded;

  double last(const std::string& quantity) const { return recorded.column(quantity).back(); }
};

inline Outcome run_text(const std::string& text, const std::filesystem::path& folder) {
  ProblemList problems;
  const Model model = read_model_text(text, "parts.toml", problems, {}, folder);
  for (const Problem& problem : problems.all()) EXPECT_EQ(problem.severity, Severity::warning) << to_text(problem);
  Outcome outcome;
  RunOptions options;
  options.memory = &outcome.recorded;
  outcome.summary = run(model, options);
  EXPECT_EQ(outcome.summary.status, RunStatus::complete) << outcome.summary.reason;
  return outcome;
}

inline std::string problems_of_text(const std::string& text, const std::filesystem::path& folder) {
  ProblemList problems;
  read_model_text(text, "parts.toml", problems, {}, folder);
  std::string all;
  for (const Problem& problem : problems.all()) all += to_text(problem) + "\n";
  return all;
}

// With all digits.
inline void write_obj(const std::filesystem::path& file, const TriangleSoup& soup) {
  std::ofstream out(file);
  for (const Eigen::Vector3d& point : soup.points)
    out << fmt::format("v {:.17g} {:.17g} {:.17g}\n", point.x(), point.y(), point.z());
  for (const Triangle& t : soup.triangles) out << fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
}

}  // namespace carom
