#include <cmath>

#include "control/signal_order.h"
#include "dynamics/system_of.h"

// Events: what they wait for and set, and what they make of joints and drives.
namespace carom::inline dynamics {

template <int D>
void SystemOf<D>::build_events(const Model& model) {
  for (const EventModel& event : model.events) {
    EventPart part;
    part.when = signals_.network->bind(event.when);
    if (!event.contact.empty()) part.group = group_of(event.contact);
    for (const EventModel::Setting& setting : event.settings)
      part.settings.emplace_back(signals_.network->first_state(signal_index(model, setting.signal)),
                                 signals_.network->bind(setting.value));
    if (!event.lock.empty() || !event.engage.empty() || !event.attach.empty()) {
      part.work = static_cast<int>(work_names_.size());
      work_names_.push_back("event:" + event.name);
    }
    signals_.events.push_back(std::move(part));
  }
}

// Joints that events have locked, after all others and after the drives.
template <int D>
void SystemOf<D>::build_locks(const Model& model) {
  for (const JointStates::Lock& lock : model.joint_states.locks) {
    const JointRecord& joint = joints_[place_by_name(joints_, lock.joint)];
    constraints_.begin_joint();
    for (std::size_t k = 0; k < joint.coordinates.size(); ++k)
      constraints_.hold_combination({{joint.coordinates[k], 1}}, Function::constant(lock.values[k]), "lock");
  }
}

template <int D>
double SystemOf<D>::event_value(const State& state, int event) {
  take_state(state);
  const EventPart& part = signals_.events[event];
  if (part.group < 0) return part.when.value(state.t);
  contacts_.output(part.group, bodies_, state.t, signals_.outputs.data());
  return signals_.outputs.front() - 0.5;  // points that touch
}

template <int D>
void SystemOf<D>::set_signals(State& state, int event) {
  take_state(state);
  double* const states = state.internal.data() + contacts_.bristle_size();
  for (const auto& [place, value] : signals_.events[event].settings) states[place] = value.value(state.t);
}

template <int D>
std::vector<double> SystemOf<D>::joint_values(const State& state, const std::string& joint) {
  set_positions(state.q.data());
  std::vector<double> values;
  for (const int coordinate : joints_[place_by_name(joints_, joint)].coordinates)
    values.push_back(coordinate_value(constraints_.coordinates()[coordinate], bodies_));
  return values;
}

template <int D>
JointStates::Grip SystemOf<D>::grip(const State& state, const std::string& name) {
  set_positions(state.q.data());
  const JointRecord& joint = joints_[place_by_name(joints_, name)];
  const BodyState<D>&first = bodies_[joint.body_i], &second = bodies_[joint.body_j];
  const Vector place = first.point_position(Vector(joint.point_i.template head<D>()));
  JointStates::Grip grip{name};
  grip.point.template head<D>() = second.orientation.back(Vector(place - second.position));
  // In the plane the frames have their third axis in it.
  for (int axis = 0; axis < 3; ++axis) {
    const Vector direction = first.orientation * Vector(joint.frame_i.col(axis).template head<D>());
    grip.frame.col(axis) = joint.frame_i.col(axis);
    grip.frame.col(axis).template head<D>() = second.orientation.back(direction);
  }
  return grip;
}

template <int D>
SystemSignals::SpeedGap SystemOf<D>::largest_speed_gap(const State& state) {
  take_state(state);
  SpeedGap largest;
  for (std::size_t k = 0; k < motions_.size(); ++k) {
    const MotionRecord& motion = motions_[k];
    if (motion.combination < 0 || motion.by_signals < 0) continue;
    const double gap = std::abs(coordinate_rate(constraints_.coordinates()[motion.coordinate], bodies_) -
                                constraints_.target(motion.combination).derivatives(state.t).first);
    if (largest.motion < 0 || gap > largest.size) largest = {static_cast<int>(k), gap};
  }
  return largest;
}

template <int D>
void SystemOf<D>::take_up_drive(State& state, const std::string& name) {
  take_state(state);
  const MotionRecord& motion = motions_[place_by_name(motions_, name)];
  if (motion.by_signals < 0) return;
  const auto [first, count] = signals_.network->drive_states(motion.by_signals);
  const Coordinate<D>& x = constraints_.coordinates()[motion.coordinate];
  double* const states = state.internal.data() + contacts_.bristle_size() + first;
  if (count > 0) states[0] = coordinate_value(x, bodies_);
  if (count > 1) states[1] = coordinate_rate(x, bodies_);
}

template class SystemOf<2>;
template class SystemOf<3>;

}  // namespace carom::inline dynamics
