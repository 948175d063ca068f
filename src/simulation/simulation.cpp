#include "simulation/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/part_fault.h"
#include "base/problem.h"
#include "simulation/start.h"

namespace carom::inline simulation {
namespace {

constexpr int halvings = 26;  // of a step, to find an impact in it

std::string with_contact(const std::string& reason, const ContactStepper& stepper) {
  const std::string contact = stepper.busiest_contact();
  if (contact.empty()) return reason;
  return reason + ". The largest contact force acts in " + contact +
         "; a softer contact, another law, bdf, or a coarser tolerance may help";
}

}  // namespace

Simulation::Simulation(Model model, const SimulationOptions& options)
    : model_(std::move(model)), options_(options), functions_(time_functions(model_)), forces_(model_) {
  SolverSettings& settings = model_.solver;
  const double every = model_.output.every > 0 ? model_.output.every : (settings.end - settings.start) / 1000;
  if (settings.method == ContactMethod::nonsmooth)
    settings.step = fitting_step(settings, options_.interval > 0 ? options_.interval : every);
  breakpoints_until_ = options_.end.value_or(settings.end);
  breakpoints_ = find_breakpoints(functions_, settings.start, breakpoints_until_);
  last_ = !breakpoints_.empty() && breakpoints_.back().after > breakpoints_until_ ? breakpoints_.back().before
                                                                                  : breakpoints_until_;

  system_ = System::create(model_);
  State state;
  assembly_ = assemble_start(*system_, model_, state);
  build();
  if (stepper_) refuse_overlaps(model_, stepper_->start(state));
  if (nonsmooth_) refuse_overlaps(model_, nonsmooth_->initial_overlaps(state, settings.penetration_tolerance));
  if (events_) start_events(state);
  integrator_->start(state);
  time_ = state.t;
}

// The parts that step, for the system that is there.
void Simulation::build() {
  stepper_.reset();
  nonsmooth_ = nullptr;
  events_.reset();
  if (system_->signals()) events_.emplace(*system_, model_);
  if (model_.solver.method == ContactMethod::nonsmooth) {
    auto integrator = make_nonsmooth_integrator(*system_, model_.solver);
    nonsmooth_ = integrator.get();
    integrator_ = std::move(integrator);
  } else {
    integrator_ = make_integrator(*system_, model_.solver);
    if (system_->contacts()) stepper_.emplace(*system_, model_.solver);
    if (stepper_ && events_) stepper_->watch(&*events_);
  }
}

StepOutcome Simulation::step(double until, StepObserver* observer) {
  if (until > breakpoints_until_) find_breakpoints_until(until);
  const double instant = events_ ? events_->next_instant(state().t) : std::numeric_limits<double>::infinity();
  const double limit = std::min(next_limit(until), instant);
  drop_part_fault();  // of what came before, from where the motion went on
  if (!stopped_by_.empty()) return {};
  if (state().t < limit) {
    if (StepOutcome outcome = take_step(limit, observer); !outcome.accepted()) {
      if (const auto fault = take_part_fault())
        outcome.reason = fmt::format("{} at t = {:.6g} s. {}", *fault, state().t, outcome.reason);
      return outcome;
    }
    ++steps_;
  }
  StepOutcome outcome = pass_breakpoint(until, observer);
  const bool at_instant = !(state().t < instant);
  if (events_ && outcome.accepted() && (events_->watches() || at_instant)) outcome = pass_events(at_instant);
  time_ = state().t;
  return outcome;
}

void Simulation::advance_to(double until, Advance how, const std::function<void()>& after_step) {
  while (state().t < until) {
    if (options_.interrupted && options_.interrupted->load()) throw Interrupted{};
    if (const StepOutcome outcome = step(until); !outcome.accepted()) throw ComputationError(outcome.reason);
    if (after_step) after_step();
    if (how == Advance::one_step) return;
  }
  arrive(until);
}

StepOutcome Simulation::take_step(double limit, StepObserver* observer) {
  StepOutcome outcome;
  if (stepper_) {
    outcome = stepper_->advance(
        *integrator_, limit,
        [this, observer](Integrator& integrator, double t) { settle_step(integrator, t, observer); }, contact_events_);
    if (!options_.keeps_events) contact_events_.clear();
    if (!outcome.accepted()) outcome.reason = with_contact(outcome.reason, *stepper_);
    return outcome;
  }
  if (nonsmooth_) {
    outcome = options_.stops_at_impacts ? step_to_impact(limit) : nonsmooth_->step(limit);
    note_impacts();
  } else if (events_) {
    return step_to_event(limit, observer);
  } else {
    outcome = integrator_->step(limit);
  }
  if (outcome.accepted()) settle_step(*integrator_, state().t, observer);
  return outcome;
}

void Simulation::settle_step(Integrator& integrator, double t, StepObserver* observer) {
  if (observer) observer->step_settled(integrator, t);
  if (events_) events_->note_step(integrator, t);
}

// Where there is an impact in a step, one up to it and a very short one over it: the speeds of approach are then those
// of the touch, and not those of the start of the step.
StepOutcome Simulation::step_to_impact(double limit) {
  const State begin = state();
  const auto take = [&](double until) {
    nonsmooth_->impacts().clear();
    return nonsmooth_->step(until);
  };
  StepOutcome outcome = take(limit);
  if (!outcome.accepted() || nonsmooth_->impacts().empty()) return outcome;
  double before = begin.t, after = state().t;
  for (int k = 0; k < halvings; ++k) {
    const double middle = 0.5 * (before + after);
    if (!(middle > before && middle < after)) break;
    nonsmooth_->start(begin);
    outcome = take(middle);
    if (!outcome.accepted()) return outcome;
    (nonsmooth_->impacts().empty() ? before : after) = middle;
  }
  nonsmooth_->start(begin);
  if (before > begin.t) outcome = take(before);
  return outcome.accepted() ? take(after) : outcome;
}

// With the force behind each, which is recorded with its contact, too.
void Simulation::note_impacts() {
  std::vector<ImpactEvent>& found = nonsmooth_->impacts();
  if (options_.keeps_events && !found.empty()) {
    forces_.recover(found);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const ImpactPulse& pulse = forces_.pulses()[k];
      system_->note_peak_force(found[k].group, pulse.peak_force);
      impacts_.push_back({std::move(found[k]), pulse});
    }
  }
  found.clear();
}

bool Simulation::touches() const {
  const ContactPoints* contacts = stepper_ ? system_->contacts() : nullptr;
  for (int k = 0; contacts && k < contacts->contact_points(); ++k)
    if (contacts->touches(k)) return true;
  return false;
}

}  // namespace carom::inline simulation
