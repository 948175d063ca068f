#include "simulation/run.h"

#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "analyses/kinematics.h"
#include "analyses/linearisation.h"
#include "analyses/statics.h"
#include "base/problem.h"

namespace carom {
namespace {

using Clock = std::chrono::steady_clock;

// One run: the objects that live as long as it does.
class Run {
 public:
  Run(const Model& model, const RunOptions& options) : model_(model), options_(options), system_(System::create(model)) {
    summary_.model = model.name;
    summary_.analysis = model.solver.analysis;
    summary_.constraints = model.solver.constraints;
    summary_.end = model.solver.end;
    every_ = model.output.every > 0 ? model.output.every : (model.solver.end - model.solver.start) / 1000;
  }

  RunSummary execute() {
    const auto begin = Clock::now();
    assemble_model();
    // The file is opened only when there is something to write: an input error leaves an older result alone.
    recorder_.emplace(*system_, model_, options_.output);
    v_rate_.resize(system_->velocity_size());
    q_rate_.resize(system_->position_size());
    power_.resize(system_->work_size());
    if (model_.solver.analysis == "kinematic") {
      analyse_kinematics();
    } else if (model_.solver.analysis == "static") {
      analyse_statics();
    } else if (model_.solver.analysis == "linear") {
      analyse_modes();
    } else {
      integrate();
    }
    finish();
    summary_.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return std::move(summary_);
  }

 private:
  void assemble_model() {
    state_ = system_->initial_state();
    summary_.assembly = assemble(*system_, model_, state_);
    if (!summary_.assembly.assembled) {
      ProblemList problems;
      problems.add(Problem{.file = model_.file, .where = {}, .key = "joint", .found = unassemblable_message(summary_.assembly),
                    .expected = "a configuration in which all joints close",
                    .remedy = "correct the positions, points or lengths of the joints named"});
      throw InputError(problems);
    }
    if (!summary_.assembly.warning.empty()) summary_.warnings.push_back(summary_.assembly.warning);
    if (!summary_.assembly.redundant.empty()) {
      std::string names;
      for (const RedundantRow& row : summary_.assembly.redundant) names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", row.joint, row.what);
      summary_.warnings.push_back(fmt::format(
          "{} redundant constraint row{}: {}; the motion is unique, the reactions of the joints in these loops are one choice of many",
          summary_.assembly.redundant.size(), summary_.assembly.redundant.size() == 1 ? "" : "s", names));
    }
  }

  void integrate() {
    const auto integrator = make_integrator(*system_, model_.solver);
    summary_.integrator = model_.solver.integrator;
    integrator->start(state_);
    sample(state_);
    while (state_.t < model_.solver.end) {
      const StepOutcome outcome = integrator->step(model_.solver.end);
      summary_.statistics = integrator->statistics();
      if (!outcome.accepted()) return fail(outcome.reason);
      for (double t = next_output(); t <= integrator->state().t; t = next_output()) {
        integrator->interpolate(t, sample_);
        sample_.t = t;
        sample(sample_);
      }
      state_.t = integrator->state().t;
      if (stopped_or_shown(state_.t)) return;
    }
    if (last_sample_ < model_.solver.end) sample(integrator->state());
  }

  void analyse_kinematics() {
    KinematicAnalysis analysis(*system_, state_);
    for (double t = model_.solver.start;; t = next_output()) {
      t = std::min(t, model_.solver.end);
      const AnalysisOutcome outcome = analysis.advance(t);
      if (!outcome) return fail(outcome.reason);
      projected_ = analysis.state();
      recorder_->record(analysis.state(), analysis.accelerations(), analysis.multipliers());
      ++samples_;
      state_.t = t;
      if (t >= model_.solver.end || stopped_or_shown(t)) return;
    }
  }

  void analyse_statics() {
    const StaticEquilibrium equilibrium = find_static_equilibrium(*system_, state_);
    state_ = projected_ = equilibrium.state;
    summary_.verdict = name_of(equilibrium.stability);
    v_rate_.setZero();
    recorder_->record(equilibrium.state, v_rate_, equilibrium.multipliers);
    if (!equilibrium.outcome) fail(equilibrium.outcome.reason);
  }

  // Vibration about the position of the file, held still.
  void analyse_modes() {
    state_.v.setZero();
    sample(state_);
    if (v_rate_.norm() > 1e-6 * (1 + residual_force())) {
      summary_.warnings.push_back("the position is not an equilibrium: the modes are those of the frozen position; run a static analysis first");
    }
    for (const Mode& mode : linearise(*system_, state_, system_->multipliers()).modes) summary_.modes.push_back({mode.frequency, mode.damping_ratio});
  }

  // Size of the accelerations that the loads alone would cause.
  double residual_force() {
    system_->loads(state_.t, state_.q.data(), state_.v.data(), load_);
    return load_.cwiseQuotient(Eigen::VectorXd(system_->mass().diagonal())).norm();
  }

  static std::string name_of(Stability stability) {
    switch (stability) {
      case Stability::stable: return "stable";
      case Stability::neutral: return "neutral";
      case Stability::unstable: return "unstable";
      default: return "unknown";
    }
  }

  // Output times are multiples of the interval, counted, so that rounding does not add up.
  double next_output() const {
    const double t = model_.solver.start + static_cast<double>(samples_) * every_;
    // A last sample that falls on the end but for rounding belongs to the end.
    return std::abs(t - model_.solver.end) < 1e-9 * every_ ? model_.solver.end : t;
  }

  // Puts the state on the constraints (where the settings ask for it), evaluates accelerations and reactions, records.
  void sample(const State& raw) {
    projected_ = raw;
    if (model_.solver.constraints == "projection") {
      const double tolerance = 1e-14 * std::max(1.0, system_->length_scale());
      const auto position = system_->project_position(projected_.t, projected_.q.data(), tolerance, 3);
      const auto velocity = system_->project_velocity(projected_.t, projected_.q.data(), projected_.v.data());
      note_drift(position.before, velocity.before);
    } else {
      system_->position_residual(projected_.t, projected_.q.data(), residual_);
      const double position = residual_.size() > 0 ? residual_.cwiseAbs().maxCoeff() : 0;
      system_->velocity_residual(projected_.t, projected_.q.data(), projected_.v.data(), residual_);
      note_drift(position, residual_.size() > 0 ? residual_.cwiseAbs().maxCoeff() : 0);
    }
    system_->normalise(projected_.q.data());
    system_->rates(projected_.t, projected_.q.data(), projected_.v.data(), q_rate_.data(), v_rate_.data(), power_.data());
    recorder_->record(projected_, v_rate_, system_->multipliers());
    last_sample_ = projected_.t;
    ++samples_;
  }

  void note_drift(double position, double velocity) {
    summary_.position_drift = std::max(summary_.position_drift, position);
    summary_.velocity_drift = std::max(summary_.velocity_drift, velocity);
  }

  bool stopped_or_shown(double t) {
    if (options_.interrupted && options_.interrupted->load()) {
      summary_.status = RunStatus::interrupted;
      return true;
    }
    // Reading the clock costs more than a step of a small mechanism.
    if (++steps_since_look_ < 64) return false;
    steps_since_look_ = 0;
    const auto now = Clock::now();
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

  void fail(const std::string& reason) {
    summary_.status = RunStatus::failed;
    summary_.reason = reason;
  }

  void finish() {
    summary_.t = state_.t;
    summary_.samples = recorder_->samples();
    summary_.energy = recorder_->ledger();
    summary_.largest_residual = recorder_->largest_residual();
    summary_.largest_energy = recorder_->largest_energy();
    summary_.position_drift = std::max(summary_.position_drift, summary_.statistics.largest_position_drift);
    summary_.velocity_drift = std::max(summary_.velocity_drift, summary_.statistics.largest_velocity_drift);
    const auto names = system_->work_names();
    for (std::size_t k = 0; k < names.size(); ++k) summary_.works.emplace_back(names[k], projected_.work.size() > 0 ? projected_.work[static_cast<Eigen::Index>(k)] : 0);
    const std::string status = summary_.status == RunStatus::complete      ? "complete"
                               : summary_.status == RunStatus::interrupted ? "interrupted"
                                                                           : "failed: " + summary_.reason;
    recorder_->finish(to_json(summary_), status);
  }

  const Model& model_;
  const RunOptions& options_;
  std::unique_ptr<System> system_;
  std::optional<Recorder> recorder_;
  RunSummary summary_;
  double every_ = 0;
  long samples_ = 0;
  double last_sample_ = -1e300;
  State state_, sample_, projected_;
  Eigen::VectorXd q_rate_, v_rate_, power_, residual_, load_;
  int steps_since_look_ = 0;
  Clock::time_point shown_ = Clock::now(), flushed_ = Clock::now();
};

}  // namespace

RunSummary run(const Model& model, const RunOptions& options) { return Run(model, options).execute(); }

}  // namespace carom
