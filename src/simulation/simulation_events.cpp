#include <algorithm>

#include <fmt/format.h>

#include "base/problem.h"
#include "simulation/simulation.h"

// Samples, jumps of blocks and events of the model, and what follows from them.
namespace carom::inline simulation {
namespace {

constexpr double closed = 1e-6;  // of the length of the model: a joint that engages may be so far open

constexpr double noticed_jump = 1e-6;  // m/s or rad/s

void add_name(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

}  // namespace

void Simulation::start_events(State& state) {
  std::vector<HappenedEvent> happened;
  std::string endless;
  events_->happen(state, true, happened, endless);
  if (!endless.empty()) throw ComputationError(endless);
  if (const StepOutcome outcome = take_consequences(happened, state); !outcome.accepted())
    throw ComputationError(outcome.reason);
  settle_drives(state);
}

// Without contacts; these look for events themselves.
StepOutcome Simulation::step_to_event(double limit, StepObserver* observer) {
  const StepOutcome outcome = integrator_->step(limit);
  if (!outcome.accepted()) return outcome;
  const double end = state().t;
  const StepStop stop = events_->first_stop(*integrator_, end);
  if (!(stop.t < end)) {
    settle_step(*integrator_, end, observer);
    return outcome;
  }
  events_->accept_stop();
  State event;
  end_step_at(*integrator_, stop.t, stop.value, event);
  if (system_->active_constraints() > 0) {
    system_->set_internal(event.internal.data());
    system_->project_position(event.t, event.q.data(), event_drift * system_->length_scale(), 3);
    system_->project_velocity(event.t, event.q.data(), event.v.data());
  }
  settle_step(*integrator_, event.t, observer);
  integrator_->start(event);
  return outcome;
}

// What is due at the end of a step happens, and the motion goes on from there.
StepOutcome Simulation::pass_events(bool at_instant) {
  State state = integrator_->state();
  std::vector<HappenedEvent> happened;
  std::string endless;
  if (!events_->happen(state, at_instant, happened, endless)) return {};
  if (!endless.empty()) return {StepStatus::failed, endless};
  const bool rebuilt = std::any_of(happened.begin(), happened.end(), [&](const HappenedEvent& each) {
    return model_.events[each.event].changes_structure();
  });
  if (StepOutcome outcome = take_consequences(happened, state); !outcome.accepted()) return outcome;
  const bool knocked = settle_drives(state);
  if (nonsmooth_ && !rebuilt && !knocked) {
    nonsmooth_->change_internal(state);
  } else {
    integrator_->start(state);
  }
  return {};
}

// A signal that has jumped may have changed the speed of a drive: the mechanism follows at once, and what that changes
// in its energy is the work of the drive. True: velocities have changed.
bool Simulation::settle_drives(State& state) {
  SystemSignals* const signals = system_->signals();
  if (!signals || !signals->has_signal_drives()) return false;
  const SystemSignals::SpeedGap gap = signals->largest_speed_gap(state);
  if (gap.motion < 0) return false;
  const double energy = system_->energy(state.t, state.q.data(), state.v.data()).total();
  system_->project_velocity(state.t, state.q.data(), state.v.data());
  state.work[gap.motion] += system_->energy(state.t, state.q.data(), state.v.data()).total() - energy;
  if (!(gap.size > noticed_jump)) return false;
  if (++speed_jumps_ > 1) return true;
  remarks_.push_back(fmt::format(
      "motion:{} jumps in speed by {:.3g} at t = {:.6g} s, as its signals do: the mechanism is knocked, and "
      "the force of the drive is infinite there; a first-order-lag before it is smooth",
      model_.motions[gap.motion].name, gap.size, state.t));
  return true;
}

StepOutcome Simulation::take_consequences(const std::vector<HappenedEvent>& happened, State& state) {
  for (const HappenedEvent& each : happened) {
    happened_.push_back(each);
    const EventModel& event = model_.events[each.event];
    if (event.changes_structure()) {
      if (StepOutcome outcome = restructure(each.event, state); !outcome.accepted()) return outcome;
    }
    if (event.stop && stopped_by_.empty()) stopped_by_ = event.name;
  }
  return {};
}

void Simulation::change_joints(const EventModel& event, const State& state) {
  JointStates& joints = model_.joint_states;
  const auto locked = [&](const std::string& name) {
    return std::find_if(joints.locks.begin(), joints.locks.end(), [&](const auto& lock) { return lock.joint == name; });
  };
  for (const std::string& name : event.unlock) {
    if (const auto lock = locked(name); lock != joints.locks.end()) joints.locks.erase(lock);
  }
  for (const std::string& name : event.lock) {
    if (locked(name) == joints.locks.end())
      joints.locks.push_back({name, system_->signals()->joint_values(state, name)});
  }
  for (const std::string& name : event.engage) std::erase(joints.released, name);
  for (const std::string& name : event.release) add_name(joints.released, name);
  for (const std::string& name : event.attach) {
    std::erase_if(joints.grips, [&](const JointStates::Grip& grip) { return grip.joint == name; });
    joints.grips.push_back(system_->signals()->grip(state, name));
    std::erase(joints.released, name);
  }
  for (const std::string& name : event.detach) add_name(joints.released, name);
  for (const std::string& name : event.switch_on) std::erase(joints.switched_off, name);
  for (const std::string& name : event.switch_off) add_name(joints.switched_off, name);
}

// A system with other joints takes over. What is held from here on stops at once, as in a plastic impact: its energy is
// in the books of the event.
StepOutcome Simulation::restructure(int event, State& state) {
  const double before = system_->energy(state.t, state.q.data(), state.v.data()).total();
  change_joints(model_.events[event], state);
  auto system = System::create(model_);
  system->take_memory(*system_);
  earlier_.add(integrator_->statistics());
  const ContactStatistics contact_counts = stepper_ ? stepper_->statistics() : ContactStatistics{};
  const NonsmoothStatistics impact_counts = nonsmooth_ ? nonsmooth_->contact_statistics() : NonsmoothStatistics{};
  const StepEvents memory = *events_;
  integrator_.reset();
  stepper_.reset();
  system_ = std::move(system);
  build();
  events_->take_memory(memory);
  for (const std::string& drive : model_.events[event].switch_on) system_->signals()->take_up_drive(state, drive);
  system_->set_internal(state.internal.data());
  if (stepper_) stepper_->continue_counts(contact_counts);
  if (nonsmooth_) nonsmooth_->continue_counts(impact_counts);
  system_->position_residual(state.t, state.q.data(), residual_);
  const double gap = residual_.size() > 0 ? residual_.lpNorm<Eigen::Infinity>() : 0;
  if (gap > closed * system_->length_scale())
    return {
        StepStatus::failed,
        fmt::format("event:{} closes a joint, or switches a drive on, that is open by {:.3g} at t = {:.6g} s; let it "
                    "happen where it is closed",
                    model_.events[event].name, gap, state.t)};
  system_->project_velocity(state.t, state.q.data(), state.v.data());
  const double lost = before - system_->energy(state.t, state.q.data(), state.v.data()).total();
  if (const int work = system_->signals()->event_work(event); work >= 0) state.work[work] -= lost;
  if (stepper_) stepper_->go_on_from(state);
  return {};
}

}  // namespace carom::inline simulation
