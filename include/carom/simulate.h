#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "carom/export.h"
#include "carom/model.h"
#include "carom/result.h"

namespace carom::v1 {

struct Progress {
  double time = 0, start = 0, end = 0;  // s, simulated
  long steps = 0;
};

struct SimulateOptions {
  std::function<void(const Progress&)> progress = {};  // called a few times a second; what it throws ends the run
  const std::atomic<bool>* interrupt = nullptr;        // set it from anywhere to stop at the next step
};

// The computation failed on the way. What was computed until then is in the result.
class CAROM_EXPORT ComputationError : public Error {
 public:
  ComputationError(const std::string& message, const Result& result);
  ~ComputationError() override;
  const Result& result() const { return result_; }

 private:
  Result result_;
};

// Runs the analysis that the model asks for and writes the samples to the file as it goes; an existing file is replaced
// once the model has been found sound. An interrupted run is no error: the summary reports. Throws InputError,
// ComputationError, ResultError.
CAROM_EXPORT Result simulate(const Model& model, const std::filesystem::path& file,
                             const SimulateOptions& options = {});

// The same without a file to keep: the samples live in a temporary one that goes with the last copy of the result.
CAROM_EXPORT Result simulate(const Model& model, const SimulateOptions& options = {});

struct RedundantRow {
  std::string joint, row;
};

// What the constraints of a model make of its degrees of freedom.
struct Structure {
  bool assembled = false;  // a configuration near that of the model closes all joints
  double residual = 0;     // largest violation of the position constraints there
  int dofs = 0;            // of the bodies without constraints
  int constraint_rows = 0;
  int degrees_of_freedom = 0;  // degrees of freedom less independent rows
  std::vector<RedundantRow> redundant;
  std::string warning;  // given velocities that had to be changed
};

// Validates and assembles a model. Throws InputError; a model that cannot be assembled is reported by the result.
CAROM_EXPORT Structure check(const Model& model);

}  // namespace carom::v1
