#include <algorithm>

#include <fmt/format.h>

#include "base/problem.h"
#include "simulation/simulation.h"

// What is done to a simulation between its steps: it is put elsewhere, kept and taken back.
namespace carom::inline simulation {
namespace {

void refuse_deep(const std::vector<InitialOverlap>& overlaps, double t) {
  if (overlaps.empty()) return;
  throw ComputationError(fmt::format("bodies would lie {:.4g} m deep in each other in {} at t = {:.6g} s",
                                     overlaps.front().penetration, overlaps.front().contact, t));
}

}  // namespace

void Simulation::restart_from(State state) {
  integrator_->start(state);
  if (stepper_) stepper_->go_on_from(state);
}

void Simulation::set_state(State state) {
  pass_waiting_breakpoint();
  state.t = integrator_->state().t;
  if (system_->active_constraints() > 0) {
    system_->set_internal(state.internal.data());
    const double tolerance = 1e-14 * std::max(1.0, system_->length_scale());
    const auto position = system_->project_position(state.t, state.q.data(), tolerance);
    const auto velocity = system_->project_velocity(state.t, state.q.data(), state.v.data());
    if (!(position.after < 1e-9 * std::max(1.0, system_->length_scale())) || !velocity.converged)
      throw ComputationError(
          fmt::format("the joints do not close at the positions that were set at t = {:.6g} s", state.t));
  }
  system_->normalise(state.q.data());
  if (stepper_) settle_contacts(state);
  if (nonsmooth_) refuse_deep(nonsmooth_->initial_overlaps(state, model_.solver.penetration_tolerance), state.t);
  if (nonsmooth_ && state.q != this->state().q) nonsmooth_->forget_contacts();
  restart_from(std::move(state));
}

// Contacts that were pulled apart end; bodies that were put into each other are refused.
void Simulation::settle_contacts(State& state) {
  ContactPoints& contacts = *system_->contacts();
  contacts.refresh_contacts(state);
  std::vector<ContactReading> readings;
  contacts.read_contacts(state, readings);
  std::vector<InitialOverlap> deep;
  for (int k = 0; k < contacts.contact_points(); ++k) {
    if (!contacts.touches(k) && readings[k].penetration > model_.solver.penetration_tolerance &&
        !contacts.allows_initial_penetration(k))
      deep.push_back({contacts.contact_name(k), readings[k].penetration});
  }
  refuse_deep(deep, state.t);
  for (int k = 0; k < contacts.contact_points(); ++k) {
    if (!contacts.touches(k) || readings[k].penetration > 0) continue;
    contact_events_.push_back({false, contacts.contact_name(k), contacts.end_contact(k, state, readings[k])});
  }
}

void Simulation::restart_beside(const Simulation& other, State state, double share) {
  const Eigen::VectorXd internal =
      other.state().internal + share * (integrator_->state().internal - other.state().internal);
  if (stepper_) {
    ContactPoints& contacts = *system_->contacts();
    const ContactPoints& others = *other.system_->contacts();
    for (int k = 0; k < contacts.contact_points(); ++k) {
      if (!others.touches(k)) {
        if (contacts.touches(k)) contacts.end_contact(k, state, {});
        continue;
      }
      const ContactEpisode& episode = others.contact_episode(k);
      contacts.begin_contact(k, state, {.penetration = episode.largest_penetration, .rate = episode.impact_speed});
    }
  }
  state.internal = internal;
  restart_from(std::move(state));
}

void Simulation::pass_waiting_breakpoint() {
  if (passed_breakpoints_ == breakpoints_.size() || state().t < breakpoints_[passed_breakpoints_].before) return;
  const double after = breakpoints_[passed_breakpoints_].after;
  if (const StepOutcome outcome = pass_breakpoint(after, nullptr); !outcome.accepted())
    throw ComputationError(outcome.reason);
}

// All parts are made anew, from the model and what was remembered: nothing that they have kept for themselves can make
// a difference to what follows.
void Simulation::restore(const SimulationSnapshot& snapshot) {
  model_ = snapshot.model;
  functions_ = time_functions(model_);
  breakpoints_until_ = std::max(model_.solver.end, snapshot.state.t);
  breakpoints_ = find_breakpoints(functions_, snapshot.state.t, breakpoints_until_);
  passed_breakpoints_ = 0;
  auto system = System::create(model_);
  system->take_memory(*snapshot.memory);
  integrator_.reset();
  stepper_.reset();
  system_ = std::move(system);
  build();
  if (stepper_) stepper_->go_on_from(snapshot.state);
  integrator_->start(snapshot.state);
  time_ = snapshot.time;
  steps_ = snapshot.steps;
  contact_events_.clear();
  impacts_.clear();
}

SimulationSnapshot Simulation::snapshot() {
  pass_waiting_breakpoint();
  auto memory = System::create(model_);
  memory->take_memory(*system_);
  SimulationSnapshot snapshot{model_, integrator_->state(), std::move(memory), time_, steps_};
  auto events = std::move(contact_events_);
  auto impacts = std::move(impacts_);
  restore(snapshot);
  contact_events_ = std::move(events);
  impacts_ = std::move(impacts);
  return snapshot;
}

void Simulation::replace_forces(const Model& model) {
  pass_waiting_breakpoint();
  std::vector<ElementModel> forces = model.forces;
  forces.swap(model_.forces);
  if (!system_->replace_forces(model_)) {
    forces.swap(model_.forces);
    throw ComputationError(
        "a force element would act on other bodies, or begin or cease to take or give energy: that cannot change while "
        "a simulation goes on");
  }
  model_.parameters = model.parameters;
  functions_ = time_functions(model_);
  breakpoints_ = find_breakpoints(functions_, state().t, breakpoints_until_);
  passed_breakpoints_ = 0;
  restart();
}

}  // namespace carom::inline simulation
