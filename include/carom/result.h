#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "carom/errors.h"
#include "carom/export.h"

namespace carom::v1 {

enum class Status {
  complete,
  interrupted,
  failed,
  unfinished
};  // unfinished: still being written, or its writer was killed

struct Mode {
  double frequency = 0;  // Hz
  double damping_ratio = 0;
};

struct Work {
  std::string element;  // "motion:crank", "force:damper"
  double work = 0;      // J, done on the system
};

// What happened in a run. Of an unfinished one only the status is known.
struct Summary {
  Status status = Status::unfinished;
  std::string reason;  // of a failure
  std::string model, analysis, integrator, constraints;
  double time = 0, end = 0;  // s, reached and asked for
  long samples = 0, steps = 0, rejected_steps = 0, evaluations = 0;
  int degrees_of_freedom = 0;
  double position_drift = 0, velocity_drift = 0;  // largest violation of the constraints before it was put right
  double kinetic = 0, potential = 0, supplied = 0, dissipated = 0;  // J, at the end
  double largest_residual = 0;                                      // J, of the energy balance over the run
  double largest_energy = 0;                                        // J, to compare the residual with
  std::vector<Work> works;
  std::vector<Mode> modes;  // linear analysis
  std::string verdict;      // static analysis: stable, unstable, …
  std::vector<std::string> warnings;
};

// Name and unit of something recorded.
struct Quantity {
  std::string name;  // group.component, such as body:crank.x
  std::string unit;  // "" means dimensionless
  std::string meaning;
};

// The samples of a run, in a result file. Copies share the file. Throws ResultError.
class CAROM_EXPORT Result {
 public:
  explicit Result(const std::filesystem::path& file);

  const std::filesystem::path& file() const;
  const Summary& summary() const;
  std::size_t sample_count() const;
  const std::vector<Quantity>& quantities() const;
  std::vector<double> times() const;  // s
  // The samples of one quantity, such as "body:crank.x". An unknown name throws, with names close to it.
  std::vector<double> column(const std::string& quantity) const;
  std::string unit(const std::string& quantity) const;
  std::string model_text() const;  // the model as it was run

 private:
  friend struct ResultAccess;
  struct Impl;
  explicit Result(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

}  // namespace carom::v1
