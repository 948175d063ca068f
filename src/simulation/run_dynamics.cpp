#include <cmath>

#include <fmt/format.h>

#include "contact_problem_io/problem_file.h"
#include "simulation/run_in_progress.h"
#include "simulation/start.h"

// Dynamics: the simulation goes on step by step, and the run records what happens. Samples of the compliant method are
// taken from the dense output of a step before its contacts change. Those of the nonsmooth method are ends of steps,
// because between them velocities jump: the step is made to fit into the interval of samples, and where that is shorter
// every step is a sample.
namespace carom::inline simulation {
namespace {

constexpr double same_time = 1e-6;  // of a step: times this near are one
constexpr double long_impact = 10;  // steps: longer ones are not short enough to be taken as instantaneous

}  // namespace

void RunInProgress::follow_motion() {
  Simulation& simulation = *simulation_;
  const bool nonsmooth = simulation.nonsmooth() != nullptr;
  std::optional<ProblemSaver> saver;
  if (nonsmooth && options_.problems) saver.emplace(*options_.problems, model_);
  if (!record_start()) return fail("the equations of motion cannot be solved at the starting point");
  while (state_.t < last_ && summary_.status == RunStatus::complete) {
    if (saver) saver->watch(*simulation.nonsmooth());
    const StepOutcome outcome = simulation.step(last_, this);
    summary_.statistics = simulation.statistics();
    state_.t = simulation.state().t;
    if (system_ != &simulation.system()) {  // events have changed joints
      system_ = &simulation.system();
      recorder_->rebind(*system_);
    }
    record_events();
    warn(simulation.remarks());
    simulation.remarks().clear();
    if (!outcome.accepted()) {
      fail(outcome.reason);
      if (nonsmooth) return;
      break;
    }
    if (saver) save_problems(*saver);
    if (!simulation.stopped_by().empty() || stopped_or_shown(state_.t)) break;
  }
  if (summary_.status == RunStatus::complete) {
    summary_.events.stopped_by = simulation.stopped_by();
    if (summary_.events.stopped_by.empty()) state_.t = model_.solver.end;
    if (last_sample_ < state_.t && nonsmooth) record_step(simulation.state(), state_.t);
    if (last_sample_ < state_.t && !nonsmooth) sample(simulation.state(), state_.t);
    simulation.finish();
    record_events();
  }
  close_books();
}

// What is said of contacts at the start, and the first sample. False: it cannot be computed.
bool RunInProgress::record_start() {
  if (const NonsmoothIntegrator* nonsmooth = simulation_->nonsmooth()) {
    summary_.integrator = model_.solver.scheme;
    if (!nonsmooth->accelerations().allFinite()) return false;  // it could not be started
    record_step(state_, state_.t);
    return true;
  }
  summary_.integrator = model_.solver.integrator;
  if (simulation_->stepper()) {
    warn(contact_warnings(*system_->contacts(), model_.solver));
    known_remarks_ = system_->contacts()->contact_remarks().size();
  }
  return sample(state_, state_.t);
}

void RunInProgress::step_settled(Integrator& integrator, double until) {
  if (simulation_->nonsmooth()) return record_output(integrator.state());
  for (double t = next_output(); t <= until; t = next_output()) {
    integrator.interpolate(t, sample_);
    sample_.t = t;
    sample(sample_, t);
  }
}

void RunInProgress::breakpoint_passed(const State& state) {
  for (double t = next_output(); t <= state.t; t = next_output()) sample(state, t);
}

void RunInProgress::save_problems(ProblemSaver& saver) {
  saver.write(state_.t);
  if (saver.saved().left_out > 0 && !(summary_.problems && summary_.problems->left_out > 0))
    warn(fmt::format(
        "some contact problems are not saved, the first at t = {:.6g} s: FCLIB has no place for rolling and "
        "spinning resistance, and problems of more than {} rows are left out",
        state_.t, most_problem_rows));
  summary_.problems = saver.saved();
}

void RunInProgress::record_events() {
  if (simulation_->stepper()) summary_.contacts = simulation_->stepper()->statistics();
  if (simulation_->nonsmooth()) summary_.nonsmooth = simulation_->nonsmooth()->contact_statistics();
  for (const ContactEvent& event : simulation_->contact_events()) recorder_->record_event(event);
  for (const auto& [impact, pulse] : simulation_->impacts()) {
    recorder_->record_event(impact, pulse);
    if (pulse.peak_force > (summary_.hardest ? summary_.hardest->peak_force : 0))
      summary_.hardest = {impact.contact, impact.t, pulse.peak_force, pulse.duration};
  }
  for (const HappenedEvent& event : simulation_->events()) {
    recorder_->record_event(event);
    summary_.events.last = {event.name, event.t};
    if (summary_.events.happened++ == 0) summary_.events.first = summary_.events.last;
  }
  simulation_->events().clear();
  simulation_->contact_events().clear();
  simulation_->impacts().clear();
}

// Records the end of a step if an output time has come.
void RunInProgress::record_output(const State& state) {
  const double next = next_output(), tolerance = same_time * simulation_->fixed_step();
  if (state.t < next - tolerance) return;
  record_step(state, std::abs(state.t - next) < tolerance ? next : state.t);
  while (next_output() <= state.t + tolerance) ++samples_;
}

void RunInProgress::record_step(const State& state, double time) {
  const NonsmoothIntegrator& integrator = *simulation_->nonsmooth();
  now_.state = state;
  now_.state.t = time;
  now_.measure_drift(*system_);
  note_drift();
  record(now_.state, integrator.accelerations(), integrator.multipliers());
  system_->forget_impulses();
  last_sample_ = time;
  ++samples_;
}

// What has come up on the way.
void RunInProgress::close_books() {
  Integrator& integrator = simulation_->integrator();
  if (NonsmoothIntegrator* const nonsmooth = simulation_->nonsmooth()) {
    if (system_->contacts()) warn(system_->contacts()->contact_remarks());
    warn(nonsmooth->remarks());
    const double step = simulation_->fixed_step();
    if (!summary_.hardest || !(summary_.hardest->duration > long_impact * step)) return;
    warn(
        fmt::format("the hardest impact, in {}, lasts {:.3g} s, with steps of {:.3g} s: taken as instantaneous, it "
                    "acts sooner than in truth; the compliant method would follow its force",
                    summary_.hardest->contact, summary_.hardest->duration, step));
    return;
  }
  if (const std::string methods = integrator.methods_used(); !methods.empty()) summary_.integrator += ": " + methods;
  warn(integrator.method_remarks());
  if (!simulation_->stepper()) return;
  const std::vector<std::string>& all = system_->contacts()->contact_remarks();
  for (std::size_t k = known_remarks_; k < all.size(); ++k) warn(all[k]);
  check_depths();
  check_searches();
}

}  // namespace carom::inline simulation
