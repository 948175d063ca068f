#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/interruption.h"
#include "base/part_fault.h"
#include "simulation/run_in_progress.h"
#include "simulation/start.h"

// What a run does between steps: it takes samples, and looks at the clock and at the interrupt flag.
namespace carom::inline simulation {

// Output times are multiples of the interval, counted, so that rounding does not add up.
double RunInProgress::next_output() const {
  const double t = model_.solver.start + static_cast<double>(samples_) * every_;
  // A last sample that falls on the end but for rounding belongs to the end.
  return std::abs(t - model_.solver.end) < 1e-9 * every_ ? model_.solver.end : t;
}

// Records a state at a time that is its own but for rounding. False: it cannot be evaluated, and nothing was recorded.
bool RunInProgress::sample(const State& raw, double time) {
  now_.take(*system_, model_.solver, raw);
  note_drift();
  if (now_.status == SolveStatus::failed && recorder_->samples() == 0) return false;
  now_.state.t = time;
  record(now_.state, now_.v_rate, now_.lambda);
  last_sample_ = time;
  ++samples_;
  if (now_.status == SolveStatus::redundant && !singular_) look_for_singularity();
  return true;
}

// A part that fails while its numbers are recorded ends the run as one that fails in a step.
void RunInProgress::record(const State& state, const Eigen::VectorXd& v_rate, const Eigen::VectorXd& lambda) {
  drop_part_fault();  // of a trial that was followed by a better one
  recorder_->record(state, v_rate, lambda);
  if (const auto fault = take_part_fault()) fail(fmt::format("{} at t = {:.6g} s", *fault, state.t));
}

void RunInProgress::note_drift() {
  summary_.drift.position = std::max(summary_.drift.position, now_.position_drift);
  summary_.drift.velocity = std::max(summary_.drift.velocity, now_.velocity_drift);
}

// More dependent rows than at the start: the mechanism gains a degree of freedom here, and where it goes on from may be
// a matter of chance.
void RunInProgress::look_for_singularity() {
  const std::vector<RedundantRow> rows = system_->redundant_rows(now_.state.t, now_.state.q.data());
  if (rows.size() <= summary_.assembly.redundant.size()) return;
  singular_ = true;
  summary_.singular_time = now_.state.t;
  warn(
      fmt::format("singular position at t = {:.6g} s: {} dependent constraint rows, {} at the start: {}; the "
                  "reactions are not unique there, "
                  "and the mechanism may continue in more than one way",
                  now_.state.t, rows.size(), summary_.assembly.redundant.size(), list_rows(rows)));
}

bool RunInProgress::stopped_or_shown(double t) {
  if (options_.interrupted && options_.interrupted->load()) {
    summary_.status = RunStatus::interrupted;
    interruption_noticed() = true;
    return true;
  }
  // Reading the clock costs more than a step of a small mechanism; a step of a large one may take a second.
  if (++steps_since_look_ < steps_between_looks_) return false;
  steps_since_look_ = 0;
  const auto now = Clock::now();
  steps_between_looks_ = now - looked_ > std::chrono::milliseconds(20) ? std::max(1, steps_between_looks_ / 2)
                                                                       : std::min(64, 2 * steps_between_looks_);
  looked_ = now;
  if (now - shown_ > std::chrono::milliseconds(100)) {
    shown_ = now;
    if (options_.progress) options_.progress({t, model_.solver.start, model_.solver.end, summary_.statistics.steps});
  }
  // A disk that takes its time is asked less often: waiting for it costs a twentieth of the run at the most.
  if (now - flushed_ > std::max<Clock::duration>(std::chrono::seconds(1), 20 * flush_time_)) {
    recorder_->flush();
    flushed_ = Clock::now();
    flush_time_ = flushed_ - now;
  }
  report_place();
  return false;
}

void RunInProgress::report_place() {
  if (placed_ || !recorder_->is_in_place()) return;
  placed_ = true;
  if (options_.placed) options_.placed();
}

}  // namespace carom::inline simulation
