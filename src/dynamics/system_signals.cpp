#include <algorithm>

#include <Eigen/LU>

#include "control/signal_order.h"
#include "dynamics/system_of.h"

// Signals: what is measured of the bodies, and the states of the blocks.
namespace carom::inline dynamics {
namespace {

using Kind = MeasuredQuantity::Kind;

int place_of(const std::vector<OutputDescription>& outputs, const std::string& name) {
  const auto found = std::find_if(outputs.begin(), outputs.end(), [&](const auto& each) { return each.name == name; });
  return static_cast<int>(found - outputs.begin());
}

int place_of(std::initializer_list<const char*> names, const std::string& name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

template <int D>
ElementModel SystemOf<D>::with_signals(const ElementModel& element) const {
  ElementModel bound = element;
  if (signals_.network) signals_.network->bind(bound.settings);
  return bound;
}

template <int D>
void SystemOf<D>::build_sensors(const Model& model) {
  if (!signals_.network) return;
  std::set<int> sensed;
  for (const int signal : signals_.network->measured()) {
    signals_.sensors.push_back(make_sensor(model, model.signals[signal], sensed));
  }
  signals_.outputs.resize(64);
  for (const ForceRecord& force : forces_)
    signals_.outputs.resize(std::max<std::size_t>(signals_.outputs.size(), force.outputs));
  for (int k = 0; k < contacts_.group_count(); ++k)
    signals_.outputs.resize(std::max<std::size_t>(signals_.outputs.size(), contacts_.outputs(k).size()));
  signals_.sensed.assign(sensed.begin(), sensed.end());
  for (std::size_t k = 0; k < model.forces.size(); ++k) {
    if (signals_used(model.forces[k].settings).empty()) continue;
    std::set<int> involved = sensed;
    involved.insert(forces_[k].bodies.begin(), forces_[k].bodies.end());
    forces_[k].involved.assign(involved.begin(), involved.end());
  }
}

template <int D>
SignalSensor<D> SystemOf<D>::make_sensor(const Model& model, const ElementModel& signal, std::set<int>& sensed) const {
  const MeasuredQuantity quantity = find_quantity(model, signal);
  SignalSensor<D> sensor;
  sensor.kind = quantity.kind;
  sensor.factor = quantity.factor;
  const std::string& component = quantity.component;
  std::vector<int> bodies;
  switch (quantity.kind) {
    case Kind::body:
      sensor.index = body_index(model, quantity.owner);
      sensor.component = D == 2 ? place_of({"x", "y", "angle", "vx", "vy", "omega"}, component)
                                : place_of({"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"}, component);
      bodies = {sensor.index};
      break;
    case Kind::joint:
    case Kind::motion: {
      sensor.index = measured_coordinate(quantity);
      sensor.component = component.ends_with("rate") ? 1 : 0;
      const Coordinate<D>& x = constraints_.coordinates()[sensor.index];
      bodies = {x.body_i, x.body_j};
      break;
    }
    case Kind::force:
      sensor.index = place_by_name(forces_, quantity.owner);
      sensor.component = place_of(forces_[sensor.index].element->outputs(), component);
      bodies = forces_[sensor.index].bodies;
      break;
    case Kind::bearing:
      find_bearing(quantity.owner, sensor);
      sensor.component = place_of(
          sensor.kind == Kind::force ? forces_[sensor.index].element->outputs() : contacts_.outputs(sensor.index),
          component);
      bodies = sensor.kind == Kind::force ? forces_[sensor.index].bodies : all_bodies();
      break;
    case Kind::contact:
      sensor.index = group_of(quantity.owner);
      sensor.component = place_of(contacts_.outputs(sensor.index), component);
      bodies = all_bodies();
      break;
    case Kind::energy:
      sensor.component = place_of({"kinetic", "potential", "contact", "total"}, component);
      bodies = all_bodies();
      break;
    case Kind::markers: {
      const AttachmentPair pair = attach_pair(model, signal.settings);
      for (const int side : {0, 1}) {
        sensor.bodies[side] = pair.at[side].body;
        sensor.points[side] = pair.at[side].point.template head<D>();
      }
      sensor.component = place_of({"distance", "rate", "x", "y", "z"}, component);
      bodies = {sensor.bodies[0], sensor.bodies[1]};
      break;
    }
  }
  for (const int body : bodies) {
    if (body > 0) sensed.insert(body);
  }
  return sensor;
}

template <int D>
int SystemOf<D>::measured_coordinate(const MeasuredQuantity& quantity) const {
  if (quantity.kind == Kind::motion) return motions_[place_by_name(motions_, quantity.owner)].coordinate;
  const std::string end = "_rate";
  std::string name = quantity.component;
  if (name.ends_with(end)) name.resize(name.size() - end.size());
  return find_coordinate(quantity.owner + "." + name);
}

// Of contacts: a pair, or a joint with clearance.
template <int D>
int SystemOf<D>::group_of(const std::string& owner) const {
  for (int k = 0; k < contacts_.group_count(); ++k) {
    const std::string name = contacts_.group_name(k);
    if (name.substr(name.find(':') + 1) == owner) return k;
  }
  return -1;
}

// It is one of the forces, or reports as a group of contacts.
template <int D>
void SystemOf<D>::find_bearing(const std::string& owner, SignalSensor<D>& sensor) const {
  const std::string group = "bearing:";
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    if (forces_[k].group != group || forces_[k].name != owner) continue;
    sensor.kind = Kind::force, sensor.index = static_cast<int>(k);
    return;
  }
  sensor.kind = Kind::contact;
  for (int k = 0; k < contacts_.group_count(); ++k) {
    if (contacts_.group_name(k) == group + owner) sensor.index = k;
  }
}

template <int D>
std::vector<int> SystemOf<D>::all_bodies() const {
  std::vector<int> all;
  for (int b = 1; b <= body_count(); ++b) all.push_back(b);
  return all;
}

template <int D>
double SystemOf<D>::measure(const SignalSensor<D>& sensor, double t) {
  switch (sensor.kind) {
    case Kind::body:
      return measure_body(sensor);
    case Kind::joint:
    case Kind::motion: {
      const Coordinate<D>& x = constraints_.coordinates()[sensor.index];
      return sensor.component == 0 ? coordinate_value(x, bodies_) : coordinate_rate(x, bodies_);
    }
    case Kind::force:
      forces_[sensor.index].element->output(bodies_, t, signals_.outputs.data());
      return signals_.outputs[sensor.component];
    case Kind::contact:
      contacts_.output(sensor.index, bodies_, t, signals_.outputs.data());
      return sensor.factor * signals_.outputs[sensor.component];
    case Kind::energy: {
      velocities_of_bodies(signals_.velocities);
      const Energy energy = energy_of_bodies(t, signals_.velocities.data());
      const double parts[] = {energy.kinetic, energy.potential, energy.contact, energy.total()};
      return parts[sensor.component];
    }
    default:
      return measure_between(sensor);
  }
}

template <int D>
void SystemOf<D>::velocities_of_bodies(Eigen::VectorXd& v) const {
  v.resize(velocity_size());
  for (int b = 0; b < body_count(); ++b) {
    const BodyState<D>& body = bodies_[b + 1];
    v.template segment<D>(dofs * b) = body.velocity;
    v.template segment<rotational_dofs>(dofs * b + D) = body.orientation.angular_to_body(body.angular_velocity);
  }
}

template <int D>
double SystemOf<D>::measure_body(const SignalSensor<D>& sensor) const {
  const BodyState<D>& body = bodies_[sensor.index];
  const int k = sensor.component;
  if (k < D) return body.point_position(inertia_[sensor.index - 1].origin)[k];
  if constexpr (D == 2) {
    if (k == 2) return body.angle;
    return k == 5 ? body.angular_velocity[0] : body.velocity[k - 3];
  } else {
    return k < 6 ? body.velocity[k - 3] : body.angular_velocity[k - 6];
  }
}

template <int D>
double SystemOf<D>::measure_between(const SignalSensor<D>& sensor) const {
  const BodyState<D>&a = bodies_[sensor.bodies[0]], &b = bodies_[sensor.bodies[1]];
  const Vector way = b.point_position(sensor.points[1]) - a.point_position(sensor.points[0]);
  if (sensor.component >= 2) return a.orientation.back(way)[sensor.component - 2];
  const double distance = way.norm();
  if (sensor.component == 0) return distance;
  const Vector relative = b.velocity_at(b.lever(sensor.points[1])) - a.velocity_at(a.lever(sensor.points[0]));
  return distance > 0 ? way.dot(relative) / distance : relative.norm();
}

// Of positions; 0 of others, which would need accelerations.
template <int D>
double SystemOf<D>::measure_rate(const SignalSensor<D>& sensor) const {
  if (sensor.kind == Kind::joint || sensor.kind == Kind::motion) {
    return sensor.component == 0 ? coordinate_rate(constraints_.coordinates()[sensor.index], bodies_) : 0;
  }
  if (sensor.kind == Kind::body) {
    const BodyState<D>& body = bodies_[sensor.index];
    if (sensor.component < D) return body.velocity_at(body.lever(inertia_[sensor.index - 1].origin))[sensor.component];
    return D == 2 && sensor.component == 2 ? body.angular_velocity[0] : 0;
  }
  if (sensor.kind != Kind::markers || sensor.component == 1) return 0;
  const BodyState<D>&a = bodies_[sensor.bodies[0]], &b = bodies_[sensor.bodies[1]];
  const Vector way = b.point_position(sensor.points[1]) - a.point_position(sensor.points[0]);
  const Vector relative = b.velocity_at(b.lever(sensor.points[1])) - a.velocity_at(a.lever(sensor.points[0]));
  if (sensor.component == 0) return way.norm() > 0 ? way.dot(relative) / way.norm() : relative.norm();
  // In axes that turn: less what the way does by turning with them.
  Vector turned;
  if constexpr (D == 2) {
    turned = a.angular_velocity[0] * Vector(-way.y(), way.x());
  } else {
    turned = a.angular_velocity.cross(way);
  }
  return a.orientation.back(Vector(relative - turned))[sensor.component - 2];
}

// Those of signals, then those of elements.
template <int D>
void SystemOf<D>::build_states() {
  int count = signals_.network ? signals_.network->state_count() : 0;
  for (ForceRecord& force : forces_) {
    if (force.element->states() == 0) continue;
    force.first_state = count;
    count += force.element->states();
  }
  const bool by_network = signals_.network && count == signals_.network->state_count();
  if (!by_network) signals_.own_states.setZero(count);
  double* const place = by_network ? signals_.network->states() : signals_.own_states.data();
  new (&signals_.states) Eigen::Map<Eigen::VectorXd>(place, count);
  signals_.rates.setZero(count);
  signals_.residual.setZero(count);
  if (signals_.network) signals_.network->initial_states(signals_.states.data());
  for (ForceRecord& force : forces_) {
    if (force.first_state < 0) continue;
    force.element->initial_states(signals_.states.data() + force.first_state);
    force.element->use_states(signals_.states.data() + force.first_state);
  }
}

template <int D>
void SystemOf<D>::work_out_signals(double t) {
  if (!signals_.network) return;
  signals_.network->evaluate(t, signals_.states.data(), [&](int k) { return measure(signals_.sensors[k], t); });
}

template <int D>
void SystemOf<D>::state_rates(double t, double* rates) const {
  if (signals_.network) signals_.network->rates(t, rates);
  for (const ForceRecord& force : forces_) {
    if (force.first_state >= 0) force.element->rates(bodies_, t, rates + force.first_state);
  }
}

// Exact for signals; by differences where elements have states, too.
template <int D>
void SystemOf<D>::rates_by_states(double t, Eigen::MatrixXd& matrix) {
  const auto count = signals_.states.size();
  if (signals_.network && signals_.network->state_count() == count)
    return signals_.network->rates_by_states(t, signals_.states.data(), matrix);
  matrix.resize(count, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    double& state = signals_.states[k];
    const double here = state, step = 1e-6 * std::max(std::abs(here), 1e-3);
    for (const double side : {1.0, -1.0}) {
      state = here + side * step;
      work_out_signals(t);
      state_rates(t, signals_.rates.data());
      if (side > 0) {
        matrix.col(k) = signals_.rates;
      } else {
        matrix.col(k) = (matrix.col(k) - signals_.rates) / (2 * step);
      }
    }
    state = here;
  }
  work_out_signals(t);
}

// For the bodies as they are placed.
template <int D>
void SystemOf<D>::evaluate_signals(double t) {
  work_out_signals(t);
  if (signals_.base && have_states()) follow_motion(t);
  if (!has_signal_drives()) return;
  signals_.network->aim_drives(t, signals_.states.data(), [&](int k) { return measure_rate(signals_.sensors[k]); });
}

// States that follow the motion are found by Newton's method.
template <int D>
void SystemOf<D>::follow_motion(double t) {
  const Eigen::Map<const Eigen::VectorXd> base(signals_.base, signals_.states.size());
  constexpr int most_iterations = 20;
  constexpr double fine = 1e-14;
  for (int k = 0; k < most_iterations; ++k) {
    state_rates(t, signals_.rates.data());
    signals_.residual = signals_.states - base - signals_.weight * signals_.rates;
    const double scale = signals_.states.template lpNorm<Eigen::Infinity>() + base.template lpNorm<Eigen::Infinity>();
    if (signals_.residual.template lpNorm<Eigen::Infinity>() <= fine * scale) return;
    rates_by_states(t, signals_.matrix);
    signals_.matrix *= -signals_.weight;
    signals_.matrix.diagonal().array() += 1;
    signals_.states -= signals_.matrix.partialPivLu().solve(signals_.residual);
    work_out_signals(t);
  }
}

template <int D>
void SystemOf<D>::set_internal(const double* internal) {
  contacts_.set_bristles(internal);
  std::copy_n(internal + contacts_.bristle_size(), signals_.states.size(), signals_.states.data());
}

template <int D>
void SystemOf<D>::follow_internal(const double* base, double weight) {
  signals_.base = base ? base + contacts_.bristle_size() : nullptr;
  signals_.weight = weight;
}

template <int D>
void SystemOf<D>::present_internal(double* internal) const {
  std::copy_n(signals_.states.data(), signals_.states.size(), internal + contacts_.bristle_size());
}

template <int D>
void SystemOf<D>::internal_rates(double t, const double* q, const double* v, double* rates) {
  set_positions(q);
  set_velocities(v);
  std::fill_n(rates, contacts_.bristle_size(), 0.0);
  if (!have_states()) return;
  evaluate_signals(t);
  state_rates(t, rates + contacts_.bristle_size());
}

template <int D>
void SystemOf<D>::take_state(const State& state) {
  set_positions(state.q.data());
  set_velocities(state.v.data());
  set_internal(state.internal.data());
  evaluate_signals(state.t);
}

template <int D>
double SystemOf<D>::signal_at(const State& state, int signal) {
  take_state(state);
  return signals_.network->values()[signal];
}

template <int D>
bool SystemOf<D>::sample_signals(State& state) {
  take_state(state);
  double* const states = state.internal.data() + contacts_.bristle_size();
  return signals_.network->sample(state.t, states, [&](int k) { return measure(signals_.sensors[k], state.t); });
}

template <int D>
double SystemOf<D>::until_switch(const State& state, int k) {
  take_state(state);
  return signals_.network->until_switch(k, state.t, signals_.states.data());
}

template <int D>
void SystemOf<D>::switch_over(State& state, int k) {
  take_state(state);
  signals_.network->switch_over(k, state.t, state.internal.data() + contacts_.bristle_size());
}

template class SystemOf<2>;
template class SystemOf<3>;

}  // namespace carom::inline dynamics
