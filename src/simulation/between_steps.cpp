#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "simulation/run_in_progress.h"
#include "simulation/start.h"

// What a run does between steps: it takes samples, passes the kinks of the laws, and looks at the clock and at the
// interrupt flag.
namespace carom {

// Output times are multiples of the interval, counted, so that rounding does not add up.
double RunInProgress::next_output() const {
  const double t = model_.solver.start + static_cast<double>(samples_) * every_;
  // A last sample that falls on the end but for rounding belongs to the end.
  return std::abs(t - model_.solver.end) < 1e-9 * every_ ? model_.solver.end : t;
}

// Puts the state on the constraints (where the settings ask for it), evaluates accelerations and reactions, records
// at a time that is that of the state but for rounding. False: they cannot be evaluated, and nothing was recorded.
bool RunInProgress::sample(const State& raw, double time) {
  projected_ = raw;
  if (model_.solver.constraints == "projection") {
    const double tolerance = 1e-14 * std::max(1.0, system_->length_scale());
    const auto position = system_->project_position(projected_.t, projected_.q.data(), tolerance, 3);
    const auto velocity = system_->project_velocity(projected_.t, projected_.q.data(), projected_.v.data());
    note_drift(position.before, velocity.before);
  } else {
    note_drift(projected_);
  }
  system_->normalise(projected_.q.data());
  if (const int memory = system_->memory_size(); memory > 0)
    system_->set_memory(projected_.work.data() + projected_.work.size() - memory);
  const SolveStatus status = system_->rates(projected_.t, projected_.q.data(), projected_.v.data(), q_rate_.data(),
                                            v_rate_.data(), power_.data());
  if (status == SolveStatus::failed && recorder_->samples() == 0) return false;
  const Eigen::VectorXd& lambda = system_->multipliers(projected_.t, projected_.q.data(), projected_.v.data());
  projected_.t = time;
  recorder_->record(projected_, v_rate_, lambda);
  last_sample_ = time;
  ++samples_;
  if (status == SolveStatus::redundant && !singular_) look_for_singularity();
  return true;
}

void RunInProgress::note_drift(double position, double velocity) {
  summary_.position_drift = std::max(summary_.position_drift, position);
  summary_.velocity_drift = std::max(summary_.velocity_drift, velocity);
}

void RunInProgress::note_drift(const State& state) {
  system_->position_residual(state.t, state.q.data(), residual_);
  const double position = residual_.lpNorm<Eigen::Infinity>();
  system_->velocity_residual(state.t, state.q.data(), state.v.data(), residual_);
  note_drift(position, residual_.lpNorm<Eigen::Infinity>());
}

// More dependent rows than at the start: the mechanism gains a freedom here, and where it goes on from may be a
// matter of chance.
void RunInProgress::look_for_singularity() {
  const std::vector<RedundantRow> rows = system_->redundant_rows(projected_.t, projected_.q.data());
  if (rows.size() <= summary_.assembly.redundant.size()) return;
  singular_ = true;
  summary_.singular_time = projected_.t;
  warn(
      fmt::format("singular position at t = {:.6g} s: {} dependent constraint rows, {} at the start: {}; the "
                  "reactions are not unique there, "
                  "and the mechanism may continue in more than one way",
                  projected_.t, rows.size(), summary_.assembly.redundant.size(), list_rows(rows)));
}

double RunInProgress::next_limit() const {
  return passed_kinks_ == kinks_.size() ? last_ : kinks_[passed_kinks_].before;
}

// Takes the integrator over the next kink, if it has come there. No motion happens in the gap of a kink. False: the
// mechanism cannot follow.
bool RunInProgress::pass_kink(Integrator& integrator) {
  if (passed_kinks_ == kinks_.size() || integrator.state().t < next_limit()) return true;
  const Kink& kink = kinks_[passed_kinks_++];
  state_ = integrator.state();
  state_.t = kink.after;
  if (!jump(kink)) return false;
  for (double t = next_output(); t <= state_.t; t = next_output()) sample(state_, t);
  integrator.start(state_);
  return true;
}

// A drive given by position may jump in speed: the mechanism follows at once, and what that changes in its energy is
// the work of the drive.
bool RunInProgress::jump(const Kink& kink) {
  const auto drives = [this](int k) { return functions_[static_cast<std::size_t>(k)].motion >= 0; };
  const auto drive = std::find_if(kink.functions.begin(), kink.functions.end(), drives);
  if (drive == kink.functions.end()) return true;
  const TimeFunction& law = functions_[static_cast<std::size_t>(*drive)];
  system_->position_residual(state_.t, state_.q.data(), residual_);
  const double gap = residual_.lpNorm<Eigen::Infinity>();
  if (gap > 1e-3 * system_->length_scale()) {
    fail(
        fmt::format("{} jumps by {:.3g} at t = {:.6g} s, which no mechanism can follow. Make it continuous, with a "
                    "ramp or step()",
                    law.key, gap, kink.after));
    return false;
  }
  const double energy = system_->energy(state_.t, state_.q.data(), state_.v.data()).total();
  const auto speed = system_->project_velocity(state_.t, state_.q.data(), state_.v.data());
  if (!(speed.before > 1e-6)) return true;
  state_.work[law.motion] += system_->energy(state_.t, state_.q.data(), state_.v.data()).total() - energy;
  if (++speed_jumps_ > 1) return true;
  warn(
      fmt::format("{} jumps in speed by {:.3g} at t = {:.6g} s: the mechanism is knocked, and the force of the drive "
                  "is infinite there; a cubic table or step() is smooth",
                  law.key, speed.before, kink.after));
  return true;
}

bool RunInProgress::stopped_or_shown(double t) {
  if (options_.interrupted && options_.interrupted->load()) {
    summary_.status = RunStatus::interrupted;
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
  if (now - flushed_ > std::chrono::seconds(1)) {
    flushed_ = now;
    recorder_->flush();
  }
  return false;
}

}  // namespace carom
