#include "simulation/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "analyses/kinematics.h"
#include "analyses/linearisation.h"
#include "analyses/statics.h"
#include "base/problem.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"
#include "integrators/smooth/contact_stepper.h"
#include "recording/result_reader.h"
#include "simulation/time_functions.h"

namespace carom {
namespace {

using Clock = std::chrono::steady_clock;

// Above this part of the largest energy a residual is worth a word.
constexpr double noticeable_residual = 1e-6;

std::string list_rows(const std::vector<RedundantRow>& rows) {
  std::string names;
  for (const RedundantRow& row : rows)
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", row.joint, row.what);
  return names;
}

// The model with its clearance joints made ideal; none when it has no such joint.
std::optional<Model> with_ideal_joints(const Model& model) {
  const auto loose = [](const ElementModel& joint) { return joint.clearance.has_value(); };
  if (std::none_of(model.joints.begin(), model.joints.end(), loose)) return std::nullopt;
  Model ideal = model;
  for (ElementModel& joint : ideal.joints) joint.clearance.reset();
  return ideal;
}

// One run: the objects that live as long as it does.
class Run {
 public:
  Run(const Model& model, const RunOptions& options)
      : model_(model),
        options_(options),
        system_(System::create(model)),
        functions_(time_functions(model)),
        kinks_(find_kinks(functions_, model.solver.start, model.solver.end)),
        last_(model.solver.end) {
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

  RunSummary execute() {
    const auto begin = Clock::now();
    assemble_model();
    // The file is opened only when there is something to write: an input error leaves an older result alone.
    recorder_.emplace(*system_, model_, options_.output);
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

 private:
  void analyse() {
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
      integrate();
    }
  }

  // Joints with clearance are closed as if they were ideal, which gives the configuration and the velocities to start
  // from; they are let loose afterwards.
  void assemble_model() {
    state_ = system_->initial_state();
    if (const auto ideal = with_ideal_joints(model_)) {
      const auto tight = System::create(*ideal);
      State start = tight->initial_state();
      summary_.assembly = assemble(*tight, *ideal, start);
      state_.q = start.q, state_.v = start.v;
      summary_.assembly.redundant = system_->redundant_rows(state_.t, state_.q.data());
      summary_.assembly.degrees_of_freedom = system_->velocity_size() - system_->active_constraints() +
                                             static_cast<int>(summary_.assembly.redundant.size());
      system_->forget_turns(state_.q.data());
    } else {
      summary_.assembly = assemble(*system_, model_, state_);
    }
    if (!summary_.assembly.assembled) {
      ProblemList problems;
      problems.add(Problem{.file = model_.file,
                           .where = {},
                           .key = "joint",
                           .found = unassemblable_message(summary_.assembly),
                           .expected = "a configuration in which all joints close",
                           .remedy = "correct the positions, points or lengths of the joints named"});
      throw InputError(problems);
    }
    if (!summary_.assembly.warning.empty()) summary_.warnings.push_back(summary_.assembly.warning);
    if (!summary_.assembly.redundant.empty()) {
      summary_.warnings.push_back(
          fmt::format("{} redundant constraint row{}: {}; the motion is unique, the reactions of the joints in these "
                      "loops are one choice of many",
                      summary_.assembly.redundant.size(), summary_.assembly.redundant.size() == 1 ? "" : "s",
                      list_rows(summary_.assembly.redundant)));
    }
  }

  void integrate() {
    const auto integrator = make_integrator(*system_, model_.solver);
    auto kink = kinks_.begin();
    summary_.integrator = model_.solver.integrator;
    std::optional<ContactStepper> stepper;
    if (system_->contacts()) begin_contacts(stepper.emplace(*system_, model_.solver));
    integrator->start(state_);
    if (!sample(state_, state_.t)) return fail("the equations of motion cannot be solved at the starting point");
    const auto sample_step = [this](Integrator& method, double until) {
      for (double t = next_output(); t <= until; t = next_output()) {
        method.interpolate(t, sample_);
        sample_.t = t;
        sample(sample_, t);
      }
    };
    while (state_.t < last_) {
      const double limit = kink == kinks_.end() ? last_ : kink->before;
      StepOutcome outcome;
      if (stepper) {
        outcome = stepper->advance(*integrator, limit, sample_step, events_);
        record_events(*stepper);
      } else {
        outcome = integrator->step(limit);
        if (outcome.accepted()) sample_step(*integrator, integrator->state().t);
      }
      summary_.statistics = integrator->statistics();
      if (!outcome.accepted()) return fail(stepper ? with_contact(outcome.reason, *stepper) : outcome.reason);
      state_.t = integrator->state().t;
      if (kink != kinks_.end() && state_.t >= limit) {
        if (!pass(*kink, integrator->state())) return;
        integrator->start(state_);
        ++kink;
      }
      if (stopped_or_shown(state_.t)) return;
    }
    state_.t = model_.solver.end;
    if (last_sample_ < model_.solver.end) sample(integrator->state(), model_.solver.end);
    if (stepper) {
      stepper->finish(integrator->state(), events_);
      record_events(*stepper);
    }
  }

  // Fixed steps. Samples are ends of steps, because between them velocities jump: the step is made to fit into the
  // interval of samples, and where that is shorter every step is a sample.
  void integrate_impulses() {
    SolverSettings settings = model_.solver;
    if (!(settings.step > 0)) settings.step = std::min(1e-3, (settings.end - settings.start) / 1000);
    if (settings.max_step > 0) settings.step = std::min(settings.step, settings.max_step);
    if (every_ > settings.step) settings.step = every_ / std::ceil(every_ / settings.step - 1e-9);
    const auto integrator = make_nonsmooth_integrator(*system_, settings);
    summary_.integrator = settings.scheme;
    refuse_overlaps(*integrator);
    integrator->start(state_);
    record_step(*integrator, state_, state_.t);
    auto kink = kinks_.begin();
    while (state_.t < last_) {
      const double limit = kink == kinks_.end() ? last_ : kink->before;
      const StepOutcome outcome = integrator->step(limit);
      summary_.statistics = integrator->statistics();
      summary_.nonsmooth = integrator->contact_statistics();
      for (const ImpactEvent& event : integrator->impacts()) recorder_->record_event(event);
      integrator->impacts().clear();
      if (!outcome.accepted()) return fail(outcome.reason);
      state_.t = integrator->state().t;
      const double next = next_output();
      if (state_.t >= next - 1e-6 * settings.step) {
        record_step(*integrator, integrator->state(),
                    std::abs(state_.t - next) < 1e-6 * settings.step ? next : state_.t);
        while (next_output() <= state_.t + 1e-6 * settings.step) ++samples_;
      }
      if (kink != kinks_.end() && state_.t >= limit) {
        if (!pass(*kink, integrator->state())) return;
        integrator->start(state_);
        ++kink;
      }
      if (stopped_or_shown(state_.t)) break;
    }
    for (const std::string& remark : integrator->remarks()) summary_.warnings.push_back(remark);
    if (summary_.status != RunStatus::complete) return;
    state_.t = model_.solver.end;
    if (last_sample_ < model_.solver.end) record_step(*integrator, integrator->state(), model_.solver.end);
  }

  void record_step(const NonsmoothIntegrator& integrator, const State& state, double time) {
    projected_ = state;
    projected_.t = time;
    system_->position_residual(time, projected_.q.data(), residual_);
    const double position = residual_.size() > 0 ? residual_.lpNorm<Eigen::Infinity>() : 0;
    system_->velocity_residual(time, projected_.q.data(), projected_.v.data(), residual_);
    note_drift(position, residual_.size() > 0 ? residual_.lpNorm<Eigen::Infinity>() : 0);
    recorder_->record(projected_, integrator.accelerations(), integrator.multipliers());
    system_->forget_impulses();
    last_sample_ = time;
    ++samples_;
  }

  void refuse_overlaps(NonsmoothIntegrator& integrator) {
    std::vector<InitialOverlap> overlaps;
    for (const auto& [contact, depth] : integrator.initial_overlaps(state_, model_.solver.penetration_tolerance))
      overlaps.push_back({contact, depth});
    refuse(overlaps);
  }

  void refuse(const std::vector<InitialOverlap>& overlaps) const {
    ProblemList problems;
    for (const InitialOverlap& overlap : overlaps) {
      problems.add(Problem{
          .file = model_.file,
          .where = {},
          .key = overlap.contact,
          .found = fmt::format("bodies that lie {:.4g} m deep in each other at the start", overlap.penetration),
          .expected =
              fmt::format("no overlap beyond penetration_tolerance = {:g} m", model_.solver.penetration_tolerance),
          .remedy = "move them apart, or set allow_initial_penetration = true in the pair"});
    }
    if (problems.errors() > 0) throw InputError(problems);
  }

  // Contacts that are closed where the run starts, and what there is to say before the first step.
  void begin_contacts(ContactStepper& stepper) {
    for (const std::string& remark : system_->contacts()->contact_remarks()) summary_.warnings.push_back(remark);
    refuse(stepper.start(state_));
    if (model_.solver.step > 0) advise_step();
    warn_of_resting_contacts();
  }

  // A contact that is there from the start, or begins at rest, has no impact speed to damp by.
  void warn_of_resting_contacts() {
    const ContactPoints& contacts = *system_->contacts();
    for (int k = 0; k < contacts.contact_points(); ++k) {
      if (!contacts.touches(k) || !contacts.is_stiff_at_rest(k)) continue;
      summary_.warnings.push_back(
          fmt::format("{} is closed at the start without an impact: its law damps as for an impact at minimum_speed, "
                      "which is very stiff; slow_contact = \"elastic\", a larger minimum_speed or the law "
                      "`marhefka-orin` avoid that",
                      contacts.contact_name(k)));
      return;
    }
  }

  // Fixed steps must resolve an impact; how long one takes follows from the materials.
  void advise_step() {
    constexpr double steps_per_impact = 50, usual_speed = 1;  // m/s
    double shortest = std::numeric_limits<double>::infinity();
    std::string contact;
    const ContactPoints& contacts = *system_->contacts();
    for (int k = 0; k < contacts.contact_points(); ++k) {
      const double duration = contacts.impact_duration(k, usual_speed);
      if (duration < shortest) shortest = duration, contact = contacts.contact_name(k);
    }
    if (!(model_.solver.step > shortest / steps_per_impact)) return;
    summary_.warnings.push_back(
        fmt::format("an impact at {:g} m/s in {} lasts {:.3g} s; a fixed step should not exceed {:.2g} s, it is {:g} s",
                    usual_speed, contact, shortest, shortest / steps_per_impact, model_.solver.step));
  }

  void record_events(const ContactStepper& stepper) {
    summary_.contacts = stepper.statistics();
    for (const ContactEvent& event : events_) recorder_->record_event(event);
    events_.clear();
  }

  static std::string with_contact(const std::string& reason, const ContactStepper& stepper) {
    const std::string contact = stepper.busiest_contact();
    if (contact.empty()) return reason;
    return reason + ". The largest contact force acts in " + contact +
           "; a softer contact, another law, bdf, or a coarser tolerance may help";
  }

  // Takes the state over the gap of a kink. No motion happens there, but a drive given by position may jump in speed:
  // the mechanism follows at once, and what that changes in its energy is the work of the drive.
  bool pass(const Kink& kink, const State& before) {
    state_ = before;
    state_.t = kink.after;
    system_->position_residual(state_.t, state_.q.data(), residual_);
    const double gap = residual_.size() > 0 ? residual_.cwiseAbs().maxCoeff() : 0;
    int drive = -1;
    for (const int k : kink.functions)
      drive = functions_[static_cast<std::size_t>(k)].motion >= 0 && drive < 0 ? k : drive;
    if (drive >= 0) {
      const TimeFunction& law = functions_[static_cast<std::size_t>(drive)];
      if (gap > 1e-3 * system_->length_scale()) {
        fail(
            fmt::format("{} jumps by {:.3g} at t = {:.6g} s, which no mechanism can follow. Make it continuous, with a "
                        "ramp or step()",
                        law.key, gap, kink.after));
        return false;
      }
      const double energy = system_->energy(state_.t, state_.q.data(), state_.v.data()).total();
      const auto jump = system_->project_velocity(state_.t, state_.q.data(), state_.v.data());
      if (jump.before > 1e-6) {
        state_.work[law.motion] += system_->energy(state_.t, state_.q.data(), state_.v.data()).total() - energy;
        if (++speed_jumps_ == 1) {
          summary_.warnings.push_back(
              fmt::format("{} jumps in speed by {:.3g} at t = {:.6g} s: the mechanism is knocked, and the force of the "
                          "drive is infinite there; a cubic table or step() is smooth",
                          law.key, jump.before, kink.after));
        }
      }
    }
    for (double t = next_output(); t <= state_.t; t = next_output()) sample(state_, t);
    return true;
  }

  void analyse_kinematics() {
    KinematicAnalysis analysis(*system_, state_);
    for (double t = model_.solver.start;; t = next_output()) {
      t = std::min(t, model_.solver.end);
      const AnalysisOutcome outcome = analysis.advance(std::min(t, last_));
      if (!outcome) return fail(outcome.reason);
      projected_ = analysis.state();
      projected_.t = t;
      recorder_->record(projected_, analysis.accelerations(), analysis.multipliers());
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
    sample(state_, state_.t);
    if (v_rate_.norm() > 1e-6 * (1 + residual_force())) {
      summary_.warnings.push_back(
          "the position is not an equilibrium: the modes are those of the frozen position; run a static analysis "
          "first");
    }
    const Eigen::VectorXd lambda = system_->multipliers(state_.t, state_.q.data(), state_.v.data());
    for (const Mode& mode : linearise(*system_, state_, lambda).modes)
      summary_.modes.push_back({mode.frequency, mode.damping_ratio});
  }

  // Size of the accelerations that the loads alone would cause.
  double residual_force() {
    system_->loads(state_.t, state_.q.data(), state_.v.data(), load_);
    return load_.cwiseQuotient(Eigen::VectorXd(system_->mass().diagonal())).norm();
  }

  static std::string name_of(Stability stability) {
    switch (stability) {
      case Stability::stable:
        return "stable";
      case Stability::neutral:
        return "neutral";
      case Stability::unstable:
        return "unstable";
      default:
        return "unknown";
    }
  }

  // Output times are multiples of the interval, counted, so that rounding does not add up.
  double next_output() const {
    const double t = model_.solver.start + static_cast<double>(samples_) * every_;
    // A last sample that falls on the end but for rounding belongs to the end.
    return std::abs(t - model_.solver.end) < 1e-9 * every_ ? model_.solver.end : t;
  }

  // Puts the state on the constraints (where the settings ask for it), evaluates accelerations and reactions, records
  // at a time that is that of the state but for rounding. False: they cannot be evaluated, and nothing was recorded.
  bool sample(const State& raw, double time) {
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

  // More dependent rows than at the start: the mechanism gains a freedom here, and where it goes on from may be a
  // matter of chance.
  void look_for_singularity() {
    const std::vector<RedundantRow> rows = system_->redundant_rows(projected_.t, projected_.q.data());
    if (rows.size() <= summary_.assembly.redundant.size()) return;
    singular_ = true;
    summary_.singular_time = projected_.t;
    summary_.warnings.push_back(
        fmt::format("singular position at t = {:.6g} s: {} dependent constraint rows, {} at the start: {}; the "
                    "reactions are not unique there, "
                    "and the mechanism may continue in more than one way",
                    projected_.t, rows.size(), summary_.assembly.redundant.size(), list_rows(rows)));
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

  void fail(const std::string& reason) {
    summary_.status = RunStatus::failed;
    summary_.reason = reason;
    // A law that ceases to be finite is the commonest cause and easily named.
    const double shortest = 1e-6 * (model_.solver.end - model_.solver.start);
    const std::string laws = not_finite_text(functions_, state_.t, std::min(model_.solver.end, state_.t + shortest));
    if (!laws.empty()) summary_.reason += ". Cause: " + laws;
  }

  // What a run that was stopped by its result file has left there.
  long samples_on_disk() const {
    try {
      return static_cast<long>(ResultReader(*options_.output).sample_count());
    } catch (const ResultError&) {
      return 0;
    }
  }

  void finish() {
    summarise();
    const std::string status = summary_.status == RunStatus::complete      ? "complete"
                               : summary_.status == RunStatus::interrupted ? "interrupted"
                                                                           : "failed: " + summary_.reason;
    recorder_->finish(to_json(summary_), status);
  }

  void summarise() {
    summary_.t = state_.t;
    summary_.samples = recorder_->samples();
    summary_.energy = recorder_->ledger();
    summary_.largest_residual = recorder_->largest_residual();
    summary_.largest_energy = recorder_->largest_energy();
    summary_.position_drift = std::max(summary_.position_drift, summary_.statistics.largest_position_drift);
    summary_.velocity_drift = std::max(summary_.velocity_drift, summary_.statistics.largest_velocity_drift);
    const auto names = system_->work_names();
    summary_.works.clear();
    for (std::size_t k = 0; k < names.size(); ++k)
      summary_.works.emplace_back(names[k],
                                  projected_.work.size() > 0 ? projected_.work[static_cast<Eigen::Index>(k)] : 0);
  }

  void check_energy() {
    if (model_.solver.analysis != "dynamic" || model_.solver.constraints != "projection") return;
    if (model_.solver.method == "nonsmooth") return;  // of first order in the step; the summary tells it
    const double residual = recorder_->largest_residual(), largest = recorder_->largest_energy();
    // Rounding of a large potential may exceed any part of a motion that hardly is one.
    const double rounding = 1e-12 * std::max(std::abs(recorder_->ledger().potential), largest);
    if (residual <= std::max(noticeable_residual * largest, rounding)) return;
    const bool damped = model_.solver.integrator == "generalized-alpha";
    summary_.warnings.push_back(
        fmt::format("the energy balance is off by {:.1e} of the largest energy: {}a tolerance ({:g}) or step that is "
                    "too coarse, a law or force with jumps "
                    "that are not written as t < … or step(), or a singular position on the way{}",
                    largest > 0 ? residual / largest : 1.0,
                    damped ? fmt::format("numerical damping (rho_infinity = {:g}), ", model_.solver.rho_infinity) : "",
                    model_.solver.tolerance, contact_suspect()));
  }

  // A contact that began too deep has got energy for nothing.
  std::string contact_suspect() const {
    const ContactStatistics& contacts = summary_.contacts;
    if (contacts.too_deep == 0) {
      if (contacts.strongest_contact.empty()) return "";
      return "; the largest contact force acted in " + contacts.strongest_contact;
    }
    return fmt::format("; {} contact{} began deeper than penetration_tolerance, {} by {:.3g} m", contacts.too_deep,
                       contacts.too_deep == 1 ? "" : "s", contacts.deepest_beginning_contact,
                       contacts.deepest_beginning);
  }

  const Model& model_;
  const RunOptions& options_;
  std::unique_ptr<System> system_;
  std::vector<TimeFunction> functions_;
  std::vector<Kink> kinks_;
  double last_;  // s, until which is computed: the end, or just before it
  std::optional<Recorder> recorder_;
  RunSummary summary_;
  double every_ = 0;
  long samples_ = 0;
  double last_sample_ = -1e300;
  State state_, sample_, projected_;
  std::vector<ContactEvent> events_;
  Eigen::VectorXd q_rate_, v_rate_, power_, residual_, load_;
  bool singular_ = false;
  int speed_jumps_ = 0, steps_since_look_ = 0, steps_between_looks_ = 1;
  Clock::time_point looked_ = Clock::now(), shown_ = looked_, flushed_ = looked_;
};

}  // namespace

RunSummary run(const Model& model, const RunOptions& options) {
  return Run(model, options).execute();
}

}  // namespace carom
