#include "control/quantity.h"
#include "dynamics/system_of.h"

namespace carom::inline dynamics {
namespace {

using Component = ChannelDescription::Component;

const std::vector<Component>& body_components(bool planar) {
  static const std::vector<Component> in_plane = {
      {"x", "m", "position of the body's origin, world x"},
      {"y", "m", "position of the body's origin, world y"},
      {"angle", "rad", "of the body axes against the world axes, counter-clockwise, full turns counted"},
      {"vx", "m/s", "velocity of the mass centre, world x"},
      {"vy", "m/s", "velocity of the mass centre, world y"},
      {"omega", "rad/s", "angular velocity, counter-clockwise"},
      {"ax", "m/s^2", "acceleration of the mass centre, world x"},
      {"ay", "m/s^2", "acceleration of the mass centre, world y"},
      {"alpha", "rad/s^2", "angular acceleration, counter-clockwise"}};
  static const std::vector<Component> in_space = {
      {"x", "m", "position of the body's origin, world x"},
      {"y", "m", "position of the body's origin, world y"},
      {"z", "m", "position of the body's origin, world z"},
      {"qw", "1", "orientation, quaternion from body to world axes, w"},
      {"qx", "1", "orientation, quaternion from body to world axes, x"},
      {"qy", "1", "orientation, quaternion from body to world axes, y"},
      {"qz", "1", "orientation, quaternion from body to world axes, z"},
      {"vx", "m/s", "velocity of the mass centre, world x"},
      {"vy", "m/s", "velocity of the mass centre, world y"},
      {"vz", "m/s", "velocity of the mass centre, world z"},
      {"wx", "rad/s", "angular velocity, world x"},
      {"wy", "rad/s", "angular velocity, world y"},
      {"wz", "rad/s", "angular velocity, world z"},
      {"ax", "m/s^2", "acceleration of the mass centre, world x"},
      {"ay", "m/s^2", "acceleration of the mass centre, world y"},
      {"az", "m/s^2", "acceleration of the mass centre, world z"},
      {"alx", "rad/s^2", "angular acceleration, world x"},
      {"aly", "rad/s^2", "angular acceleration, world y"},
      {"alz", "rad/s^2", "angular acceleration, world z"},
      {"lx", "kg m^2/s", "angular momentum about the mass centre, world x"},
      {"ly", "kg m^2/s", "angular momentum about the mass centre, world y"},
      {"lz", "kg m^2/s", "angular momentum about the mass centre, world z"}};
  return planar ? in_plane : in_space;
}

ChannelDescription joint_channel(const std::string& name, bool ties, const std::vector<std::string>& coordinates,
                                 bool planar) {
  ChannelDescription channel{"joint:" + name, {}};
  if (ties) {
    channel.components = {
        {"force", "N", "of the tie on its first coordinate, along it: N, or N m where that is an angle"}};
  } else {
    channel.components = {{"fx", "N", "force of the joint on the second body, without that of a drive, world x"},
                          {"fy", "N", "force of the joint on the second body, without that of a drive, world y"}};
    if (!planar) {
      channel.components.push_back(
          {"fz", "N", "force of the joint on the second body, without that of a drive, world z"});
      channel.components.push_back({"tx", "N m", "torque of the joint on the second body, at the joint, world x"});
      channel.components.push_back({"ty", "N m", "torque of the joint on the second body, at the joint, world y"});
    }
    channel.components.push_back({"tz", "N m", "torque of the joint on the second body, at the joint, world z"});
    for (const std::string& coordinate : coordinates) {
      const std::string unit = coordinate == "rotation" ? "rad" : "m";
      const bool turns = unit == "rad";
      channel.components.push_back(
          {coordinate, unit,
           turns ? "of the second body against the first about the axis of the joint, full turns counted"
                 : "of the second body from the first along the axis of the joint"});
      channel.components.push_back({coordinate + "_rate", unit + "/s", "rate of " + coordinate});
    }
  }
  return channel;
}

ChannelDescription force_channel(const std::string& title, const std::vector<OutputDescription>& outputs, bool loses) {
  ChannelDescription channel{title, {}};
  for (const OutputDescription& output : outputs)
    channel.components.push_back({output.name, output.unit, output.meaning});
  channel.components.push_back({"energy", "J", "energy that the conservative part stores"});
  channel.components.push_back(
      {"power", "W", "of the other part (dampers, functions, given loads): positive when it feeds the system"});
  channel.components.push_back({"work", "J", "of that part since the start, of the same sign"});
  if (loses) {
    channel.components.push_back({"loss", "W", "power that the element turns into heat"});
    channel.components.push_back({"lost", "J", "the same since the start"});
  }
  return channel;
}

}  // namespace

template <int D>
void SystemOf<D>::build_channels(const Model& model) {
  for (const std::string& name : body_names_) channels_.push_back({"body:" + name, body_components(D == 2)});
  for (std::size_t k = 0; k + motions_.size() < joints_.size(); ++k) {
    const JointRecord& joint = joints_[k];
    channels_.push_back(joint_channel(joint.name, joint.ties_joints, joint.coordinate_names, D == 2));
  }
  for (const MotionRecord& motion : motions_) {
    const bool turns = constraints_.coordinates()[motion.coordinate].kind == CoordinateKind::rotation;
    channels_.push_back({"motion:" + motion.name,
                         {{"value", turns ? "rad" : "m", "driven coordinate of a joint or a body"},
                          {"rate", turns ? "rad/s" : "m/s", "rate of the driven coordinate"},
                          {"force", turns ? "N m" : "N", "force or torque of the drive, positive along its coordinate"},
                          {"power", "W", "force · rate: positive when the drive feeds the system"},
                          {"work", "J", "work of the drive since the start"}}});
  }
  for (const ForceRecord& force : forces_)
    channels_.push_back(force_channel(force.group + force.name, force.element->outputs(), force.loss >= 0));
  for (const ElementModel& signal : model.signals) {
    if (signal.implied && signal.type == measured_type) continue;  // recorded as what it is
    ++signals_.recorded;
    channels_.push_back({"signal:" + signal.name, {{"value", signal_unit(model, signal), "of the signal"}}});
  }
  build_beam_channels();
  for (int k = 0; k < contacts_.group_count(); ++k) {
    ChannelDescription channel{contacts_.group_name(k), {}};
    for (const OutputDescription& output : contacts_.outputs(k))
      channel.components.push_back({output.name, output.unit, output.meaning});
    channel.components.push_back({"dissipated", "J", "energy taken out by the law and by friction since the start"});
    channels_.push_back(std::move(channel));
  }
}

template <int D>
void SystemOf<D>::record_body(int body, const State& state, const Eigen::VectorXd& v_rate, double*& out) const {
  const BodyState<D>& now = bodies_[body + 1];
  const auto put = [&](const auto& values) {
    for (Eigen::Index k = 0; k < values.size(); ++k) *out++ = values[k];
  };
  put(now.point_position(inertia_[body].origin));
  if constexpr (D == 2) {
    put(state.q.segment<1>(3 * body + 2));
    put(state.v.segment<3>(3 * body));
    put(v_rate.segment<3>(3 * body));
  } else {
    put(state.q.segment<4>(7 * body + 3));
    put(now.velocity);
    put(now.angular_velocity);
    put(v_rate.segment<3>(6 * body));
    put(now.orientation * Eigen::Vector3d(v_rate.segment<3>(6 * body + 3)));
    put(now.orientation * Eigen::Vector3d(inertia_[body].tensor * state.v.segment<3>(6 * body + 3)));
  }
}

// Force and torque of the joint on its second body, carried to the joint point: the share of −Gᵀλ that falls on that
// body. A second body that is the ground feels the opposite of what the first one feels.
template <int D>
void SystemOf<D>::record_joint(int joint, const Eigen::VectorXd& lambda, double*& out) const {
  const JointRecord& record = joints_[joint];
  if (record.ties_joints) {
    *out++ = -lambda[D * constraints_.first_block(joint)];
    return;
  }
  Vector force = Vector::Zero();
  Angular torque = Angular::Zero();
  const Vector point = bodies_[record.body_j].point_position(record.point_j);
  const auto& slots = constraints_.slots();
  const auto [first_slot, end_slot] = constraints_.slots_of(joint);
  for (int k = first_slot; k < end_slot; ++k) {
    const int body = slots[k].body;
    if (record.body_j > 0 && body != record.body_j) continue;
    const double sign = body == record.body_j ? -1 : 1;
    const Dofs load = sign * (constraints_.jacobian()[k].transpose() * lambda.template segment<D>(D * slots[k].block));
    const Vector on_body = load.template head<D>();
    const Angular moment = load.template tail<rotational_dofs>();
    force += on_body;
    torque +=
        bodies_[body].orientation.angular_to_world(moment) - cross(Vector(point - bodies_[body].position), on_body);
  }
  for (int k = 0; k < D; ++k) *out++ = force[k];
  for (int k = 0; k < rotational_dofs; ++k) *out++ = torque[k];
  for (const int coordinate : record.coordinates) {
    *out++ = coordinate_value(constraints_.coordinates()[coordinate], bodies_);
    *out++ = coordinate_rate(constraints_.coordinates()[coordinate], bodies_);
  }
}

template <int D>
void SystemOf<D>::record(const State& state, const Eigen::VectorXd& v_rate, const Eigen::VectorXd& lambda,
                         std::vector<double>& values) {
  set_positions(state.q.data());
  set_velocities(state.v.data());
  set_internal(state.internal.data());
  look(state.t);
  if (constraints_.block_count() > 0) constraints_.linearise(bodies_, state.t);
  std::size_t total = 0;
  for (const auto& channel : channels_) total += channel.components.size();
  values.resize(total);
  double* out = values.data();
  for (int b = 0; b < body_count(); ++b) record_body(b, state, v_rate, out);
  for (std::size_t k = 0; k + motions_.size() < joints_.size(); ++k) record_joint(static_cast<int>(k), lambda, out);
  for (std::size_t k = 0; k < motions_.size(); ++k) {
    const Coordinate<D>& x = constraints_.coordinates()[motions_[k].coordinate];
    const double force =
        motions_[k].combination < 0 ? 0 : -lambda[constraints_.combination_row(motions_[k].combination)];
    const double rate = coordinate_rate(x, bodies_);
    for (const double value :
         {coordinate_value(x, bodies_), rate, force, force * rate, state.work[static_cast<Eigen::Index>(k)]})
      *out++ = value;
  }
  Loads<D> ignored(load_);
  for (const ForceRecord& force : forces_) {
    force.element->output(bodies_, state.t, out);
    out += force.outputs;
    *out++ = force.element->energy(bodies_, state.t);
    *out++ = force.element->apply(bodies_, state.t, ignored);
    *out++ = force.work >= 0 ? state.work[force.work] : 0;
    if (force.loss < 0) continue;
    *out++ = force.element->loss(bodies_, state.t);
    *out++ = -state.work[force.loss];
  }
  if (signals_.network) out = std::copy_n(signals_.network->values(), signals_.recorded, out);
  record_beams(state, out);
  const auto* channel = channels_.data() + channels_.size() - contacts_.group_count();  // theirs come last
  for (int k = 0; k < contacts_.group_count(); ++k, ++channel) {
    contacts_.output(k, bodies_, state.t, out);
    out += channel->components.size() - 1;
    *out++ = -state.work[first_contact_work_ + k];
  }
}

template class SystemOf<2>;
template class SystemOf<3>;

}  // namespace carom::inline dynamics
