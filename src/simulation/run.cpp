#include "simulation/run.h"

#include "base/problem.h"
#include "simulation/rings_apart.h"
#include "simulation/run_in_progress.h"
#include "simulation/start.h"

namespace carom::inline simulation {

RunInProgress::RunInProgress(const Model& model, const RunOptions& options)
    : model_(model), options_(options), functions_(time_functions(model)) {
  summary_.model = model.name;
  summary_.analysis = name_of(model.solver.analysis);
  summary_.method = name_of(model.solver.method);
  summary_.constraints = name_of(model.solver.constraints);
  summary_.end = model.solver.end;
  every_ = sample_interval(model);
}

// Closes the joints, and starts what moves.
void RunInProgress::begin() {
  if (model_.solver.analysis == Analysis::dynamic) {
    simulation_.emplace(model_, SimulationOptions{.interval = every_});
    system_ = &simulation_->system();
    state_ = simulation_->state();
    last_ = simulation_->last();
    summary_.assembly = simulation_->assembly();
  } else {
    resting_system_ = System::create(model_);
    system_ = resting_system_.get();
    last_ = last_instant(functions_, model_.solver.start, model_.solver.end);
    summary_.assembly = assemble_start(*system_, model_, state_);
  }
  warn(assembly_warnings(summary_.assembly));
}

RunSummary RunInProgress::execute() {
  const auto start = Clock::now();
  begin();
  // The file is opened only when there is something to write: an input error leaves an older result alone.
  recorder_.emplace(*system_, model_, options_.output, options_.memory);
  now_.v_rate.setZero(system_->velocity_size());
  const std::vector<std::string> said = loads_without_hold(model_, state_);
  warn(said);
  try {
    analyse();
    check_energy();
    if (said.empty()) warn(rings_apart(model_, *system_, simulation_ ? simulation_->state() : state_));
    finish();
  } catch (const ResultError& error) {
    // The disk is full or gone: what was flushed before is still there.
    fail(error.what());
    summarise();
    summary_.samples = samples_on_disk();
  }
  summary_.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return std::move(summary_);
}

void RunInProgress::analyse() {
  // At rest there are no impacts to remember: what overlaps pushes.
  const bool at_rest = model_.solver.analysis == Analysis::statics || model_.solver.analysis == Analysis::linear;
  if (at_rest && system_->contacts()) system_->contacts()->act_elastically();
  if (model_.solver.analysis == Analysis::kinematic) {
    analyse_kinematics();
  } else if (model_.solver.analysis == Analysis::statics) {
    analyse_statics();
  } else if (model_.solver.analysis == Analysis::linear) {
    analyse_modes();
  } else {
    follow_motion();
  }
}

RunSummary run(const Model& model, const RunOptions& options) {
  return RunInProgress(model, options).execute();
}

}  // namespace carom::inline simulation
