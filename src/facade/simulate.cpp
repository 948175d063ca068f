#include "carom/simulate.h"

#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "analyses/assembly.h"
#include "facade/result_file.h"
#include "facade/translate.h"
#include "simulation/run.h"

namespace carom::v1 {
namespace {

// A new empty file, removed again unless it is handed on.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::string name = (std::filesystem::temp_directory_path() / "carom-XXXXXX.h5").string();
    const int handle = mkstemps(name.data(), 3);
    if (handle < 0) throw ResultError("no temporary file can be made for the result: " + name);
    close(handle);
    path_ = name;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void hand_on() { path_.clear(); }

 private:
  std::filesystem::path path_;
};

carom::RunSummary run_model(const Model& model, const std::filesystem::path& file, const SimulateOptions& options) {
  return translating_errors([&] {
    const carom::Model read_model = read(model);
    carom::RunOptions run_options{.output = file, .progress = {}, .interrupted = options.interrupt};
    if (options.progress) {
      run_options.progress = [&](const carom::Progress& now) {
        options.progress({.time = now.t, .start = now.start, .end = now.end, .steps = now.steps});
      };
    }
    return carom::run(read_model, run_options);
  });
}

Result report(const carom::RunSummary& summary, const Result& result) {
  if (summary.status != carom::RunStatus::failed) return result;
  throw ComputationError("the run failed at t = " + std::to_string(summary.t) + " s: " + summary.reason, result);
}

}  // namespace

ComputationError::ComputationError(const std::string& message, const Result& result)
    : Error(message), result_(result) {}
ComputationError::~ComputationError() = default;

Result simulate(const Model& model, const std::filesystem::path& file, const SimulateOptions& options) {
  const carom::RunSummary summary = run_model(model, file, options);
  return report(summary, Result(file));
}

Result simulate(const Model& model, const SimulateOptions& options) {
  TemporaryFile file;
  const carom::RunSummary summary = run_model(model, file.path(), options);
  const Result result = ResultAccess::open(file.path(), true);
  file.hand_on();
  return report(summary, result);
}

Structure check(const Model& model) {
  return translating_errors([&] {
    const carom::Model read_model = read(model);
    const auto system = carom::System::create(read_model);
    carom::State state = system->initial_state();
    const carom::AssemblyReport report = carom::assemble(*system, read_model, state);
    Structure structure{.assembled = report.assembled,
                        .residual = report.residual,
                        .dofs = system->velocity_size(),
                        .constraint_rows = system->active_constraints(),
                        .degrees_of_freedom = report.degrees_of_freedom,
                        .redundant = {},
                        .warning = report.warning};
    for (const carom::RedundantRow& row : report.redundant) structure.redundant.push_back({row.joint, row.what});
    return structure;
  });
}

}  // namespace carom::v1
