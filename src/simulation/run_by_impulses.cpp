#include <cmath>

#include <fmt/format.h>

#include "contact_problem_io/problem_file.h"
#include "simulation/run_in_progress.h"
#include "simulation/start.h"

// Dynamics in fixed steps. Samples are ends of steps, because between them velocities jump: the step is made to fit
// into the interval of samples, and where that is shorter every step is a sample.
namespace carom {
namespace {

constexpr double same_time = 1e-6;  // of a step: times this near are one
constexpr double long_impact = 10;  // steps: longer ones are not short enough to be taken as instantaneous

}  // namespace

void RunInProgress::integrate_impulses() {
  SolverSettings settings = model_.solver;
  settings.step = fitting_step(settings, every_);
  const auto integrator = make_nonsmooth_integrator(*system_, settings);
  summary_.integrator = settings.scheme;
  refuse_overlaps(model_, integrator->initial_overlaps(state_, settings.penetration_tolerance));
  std::optional<ProblemSaver> saver;
  if (options_.problems) saver.emplace(*options_.problems, model_);
  integrator->start(state_);
  record_step(*integrator, state_, state_.t);
  while (state_.t < last_) {
    if (saver) saver->watch(*integrator);
    const StepOutcome outcome = integrator->step(next_limit());
    summary_.statistics = integrator->statistics();
    summary_.nonsmooth = integrator->contact_statistics();
    record_impacts(*integrator);
    if (!outcome.accepted()) return fail(outcome.reason);
    state_.t = integrator->state().t;
    if (saver) save_problems(*saver);
    record_output(*integrator, same_time * settings.step);
    if (!pass_kink(*integrator)) return;
    if (stopped_or_shown(state_.t)) break;
  }
  if (system_->contacts()) warn(system_->contacts()->contact_remarks());
  warn(integrator->remarks());
  if (summary_.hardest && summary_.hardest->duration > long_impact * settings.step)
    warn(
        fmt::format("the hardest impact, in {}, lasts {:.3g} s, with steps of {:.3g} s: taken as instantaneous, it "
                    "acts sooner than in truth; the compliant method would follow its force",
                    summary_.hardest->contact, summary_.hardest->duration, settings.step));
  if (summary_.status != RunStatus::complete) return;
  state_.t = model_.solver.end;
  if (last_sample_ < model_.solver.end) record_step(*integrator, integrator->state(), model_.solver.end);
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

// With the force behind each, which is recorded with its contact, too.
void RunInProgress::record_impacts(NonsmoothIntegrator& integrator) {
  if (integrator.impacts().empty()) return;
  forces_.recover(integrator.impacts());
  for (std::size_t k = 0; k < integrator.impacts().size(); ++k) {
    const ImpactEvent& event = integrator.impacts()[k];
    const ImpactPulse& pulse = forces_.pulses()[k];
    recorder_->record_event(event, pulse);
    system_->note_peak_force(event.group, pulse.peak_force);
    if (pulse.peak_force > (summary_.hardest ? summary_.hardest->peak_force : 0))
      summary_.hardest = {event.contact, event.t, pulse.peak_force, pulse.duration};
  }
  integrator.impacts().clear();
}

// Records the end of a step if an output time has come.
void RunInProgress::record_output(const NonsmoothIntegrator& integrator, double tolerance) {
  const double next = next_output();
  if (state_.t < next - tolerance) return;
  record_step(integrator, integrator.state(), std::abs(state_.t - next) < tolerance ? next : state_.t);
  while (next_output() <= state_.t + tolerance) ++samples_;
}

void RunInProgress::record_step(const NonsmoothIntegrator& integrator, const State& state, double time) {
  projected_ = state;
  projected_.t = time;
  note_drift(projected_);
  recorder_->record(projected_, integrator.accelerations(), integrator.multipliers());
  system_->forget_impulses();
  last_sample_ = time;
  ++samples_;
}

}  // namespace carom
