#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "simulation/run.h"
#include "validation/case.h"
#include "validation/evaluate.h"

namespace carom::inline validation {

// Errors of a series of runs with ever smaller fixed steps.
struct ConvergenceCurves {
  std::string name;
  double order = 0;  // expected
  std::vector<double> steps;
  std::vector<std::string> groups;          // their quantities, separated by commas
  std::vector<std::vector<double>> errors;  // errors[k][i]: group k at step i, relative to the largest magnitudes
  std::vector<double> slopes;               // the measured orders, one a group
};

// One run of the model, of a variant if the case has any.
struct CaseRun {
  std::string variant;
  RunSummary summary;
  std::filesystem::path result_file;
  std::map<std::string, std::vector<Episode>> episodes;  // by contact
};

struct CaseResult {
  Case the_case;
  std::string failure;  // why a run did not come to its end; empty if all did
  std::vector<CaseRun> runs;
  std::vector<Finding> findings;
  std::vector<ConvergenceCurves> convergences;
  double wall_seconds = 0;

  bool passed() const;
};

// Runs the model of a case into `folder`/NAME.h5, or its variants into `folder`/NAME/VARIANT.h5, and evaluates its
// checks. A run that fails is a failed case. With `first_failure`, a case that fails is left at the first variant that
// does, and its convergence is not measured: all that is asked is whether it passes.
CaseResult run_case(const Case& the_case, const std::filesystem::path& folder, bool first_failure = false);

// The order of each group of quantities, by the rule of cases/README.md; runs into the same folder.
void measure_convergence(const Case& the_case, const Model& model, const Convergence& convergence,
                         const std::filesystem::path& folder, CaseResult& result);

}  // namespace carom::inline validation
