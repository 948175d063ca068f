#include "simulation/run.h"

#include "base/problem.h"
#include "simulation/run_in_progress.h"
#include "simulation/start.h"

namespace carom {

RunInProgress::RunInProgress(const Model& model, const RunOptions& options)
    : model_(model),
      options_(options),
      system_(System::create(model)),
      functions_(time_functions(model)),
      kinks_(find_kinks(functions_, model.solver.start, model.solver.end)),
      last_(model.solver.end),
      forces_(model) {
  // Where a law ends together with the run, its end is seen from the inside.
  if (!kinks_.empty() && kinks_.back().after > last_) {
    last_ = kinks_.back().before;
    kinks_.pop_back();
  }

  summary_.model = model.name;
  summary_.analysis = model.solver.analysis;
  summary_.method = model.solver.method;
  summary_.constraints = model.solver.constraints;
  summary_.end = model.solver.end;
  every_ = model.output.every > 0 ? model.output.every : (model.solver.end - model.solver.start) / 1000;
}

RunSummary RunInProgress::execute() {
  const auto begin = Clock::now();
  summary_.assembly = assemble_start(*system_, model_, state_);
  warn(assembly_warnings(summary_.assembly));
  // The file is opened only when there is something to write: an input error leaves an older result alone.
  recorder_.emplace(*system_, model_, options_.output, options_.memory);
  v_rate_.resize(system_->velocity_size());
  q_rate_.resize(system_->position_size());
  power_.resize(system_->work_size());
  try {
    analyse();
    check_energy();
    finish();
  } catch (const ResultError& error) {
    // The disk is full or gone: what was flushed before is still there.
    fail(error.what());
    summarise();
    summary_.samples = samples_on_disk();
  }
  summary_.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return std::move(summary_);
}

void RunInProgress::analyse() {
  // At rest there are no impacts to remember: what overlaps pushes.
  const bool at_rest = model_.solver.analysis == "static" || model_.solver.analysis == "linear";
  if (at_rest && system_->contacts()) system_->contacts()->act_elastically();
  if (model_.solver.analysis == "kinematic") {
    analyse_kinematics();
  } else if (model_.solver.analysis == "static") {
    analyse_statics();
  } else if (model_.solver.analysis == "linear") {
    analyse_modes();
  } else if (model_.solver.method == "nonsmooth") {
    integrate_impulses();
  } else {
    integrate_forces();
  }
}

RunSummary run(const Model& model, const RunOptions& options) {
  return RunInProgress(model, options).execute();
}

}  // namespace carom
