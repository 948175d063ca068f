#include <algorithm>
#include <cassert>
#include <set>

#include "bearings/rolling_bearing.h"
#include "control/signal_order.h"
#include "dynamics/system_of.h"

namespace carom::inline dynamics {
namespace {

template <int D>
std::unique_ptr<ForceElement<D>> make_force(const Model& model, const ElementModel& force) {
  const ForceElementDescription& type = *find_force_element(force.type);
  if constexpr (D == 2) {
    return type.make_planar({model, force});
  } else {
    return type.make_spatial({model, force});
  }
}

// Null: its elements are bodies of the model.
template <int D>
std::unique_ptr<ForceElement<D>> make_bearing(const Model& model, const BearingModel& bearing) {
  if constexpr (D == 3) {
    if (bearing.is_element) return make_rolling_bearing(model, bearing);
  }
  return nullptr;
}

// Where a joint holds its bodies; one that an event has attached, where they were.
AttachmentPair placement_of(const Model& model, const ElementModel& joint) {
  AttachmentPair placement = attach_pair(model, joint.settings);
  for (const JointStates::Grip& grip : model.joint_states.grips) {
    if (grip.joint != joint.name) continue;
    placement.at[1].point = grip.point, placement.at[1].frame = grip.frame;
    placement.twist = 0;
  }
  return placement;
}

}  // namespace

std::unique_ptr<System> System::create(const Model& model) {
  if (model.planar) return std::make_unique<SystemOf<2>>(model);
  return std::make_unique<SystemOf<3>>(model);
}

template <int D>
SystemOf<D>::SystemOf(const Model& model) : BodySystem<D>(model) {
  if (!model.signals.empty() || !model.events.empty()) signals_.network = std::make_unique<SignalNetwork>(model);
  build_bodies(model);
  build_joints(model);
  build_motions(model);
  build_locks(model);
  constraints_.finish();
  build_forces(model);
  build_beams(model);
  if (signals_.network) build_events(model);
  build_contacts();
  build_sensors(model);
  build_states();
  build_solver(model);
  build_matrices();
  build_channels(model);
  initial_.work = Eigen::VectorXd::Zero(work_size());
  initial_.internal = Eigen::VectorXd::Zero(internal_size());
  present_internal(initial_.internal.data());
  forget_turns(initial_.q.data());  // an angle that starts near half a turn must not jump on its first step
}

template <int D>
void SystemOf<D>::build_bodies(const Model& model) {
  const int count = static_cast<int>(model.bodies.size());
  gravity_ = model.gravity.head<D>();
  bodies_.resize(count + 1);
  initial_.t = model.solver.start;
  initial_.q.resize(count * coordinates_per_body);
  initial_.v.resize(count * dofs);
  length_scale_ = 0;
  for (int b = 0; b < count; ++b) {
    const BodyModel& body = model.bodies[b];
    Inertia inertia;
    inertia.mass = body.mass;
    inertia.inverse_mass = 1 / body.mass;
    if constexpr (D == 2) {
      inertia.tensor(0, 0) = body.inertia(2, 2);
    } else {
      inertia.tensor = body.inertia;
    }
    inertia.inverse_tensor = inertia.tensor.inverse();
    inertia.origin = -body.center_of_mass.head<D>();
    inertia_.push_back(inertia);
    body_names_.push_back(body.name);

    const Eigen::Vector3d centre = body.position + body.orientation * body.center_of_mass;
    length_scale_ = std::max(length_scale_, centre.norm());
    initial_.q.segment<D>(coordinates_per_body * b) = centre.head<D>();
    initial_.v.segment<D>(dofs * b) = body.velocity.head<D>();
    if constexpr (D == 2) {
      initial_.q[3 * b + 2] = body.angle;
      initial_.v[3 * b + 2] = body.angular_velocity.z();
    } else {
      const Eigen::Quaterniond& turn = body.orientation;
      initial_.q.segment<4>(7 * b + 3) << turn.w(), turn.x(), turn.y(), turn.z();
      initial_.v.segment<3>(6 * b + 3) = turn.conjugate() * body.angular_velocity;
    }
  }
  set_positions(initial_.q.data());
  set_velocities(initial_.v.data());
}

template <int D>
void SystemOf<D>::build_joints(const Model& model) {
  // Joints that tie others come last: they need the coordinates of those.
  std::vector<const ElementModel*> order;
  for (const ElementModel& joint : model.joints) {
    if (!joint.clearance) order.push_back(&joint);
  }
  std::stable_partition(order.begin(), order.end(),
                        [](const ElementModel* joint) { return !find_joint(joint->type)->ties_joints; });

  for (const ElementModel* joint : order) {
    const JointDescription& type = *find_joint(joint->type);
    const AttachmentPair placement = type.ties_joints ? AttachmentPair{} : placement_of(model, *joint);
    JointBuilder<D> builder{constraints_, placement, joint->settings};
    JointRecord record;
    record.name = joint->name;
    record.ties_joints = type.ties_joints;
    if (type.ties_joints) {
      for (const std::string& path : joint->settings.names("joints")) {
        builder.constrained.push_back(find_coordinate(path));
        builder.constrained_values.push_back(
            coordinate_value(constraints_.coordinates()[builder.constrained.back()], bodies_));
      }
    } else {
      const Eigen::Vector3d first = world_position(model, placement.at[0]),
                            second = world_position(model, placement.at[1]);
      builder.file_distance = (second - first).norm();
      length_scale_ =
          std::max({length_scale_, builder.file_distance, placement.at[0].point.norm(), placement.at[1].point.norm()});
      record.body_i = placement.at[0].body, record.body_j = placement.at[1].body;
      record.frame_i = placement.at[0].frame, record.point_i = placement.at[0].point;
      record.point_j = placement.at[1].point.head<D>();
    }
    constraints_.begin_joint();
    constraints_.mute(model.joint_states.is_released(joint->name));
    if constexpr (D == 2) {
      type.build_planar(builder);
    } else {
      type.build_spatial(builder);
    }
    constraints_.mute(false);
    record.coordinate_names = type.coordinates;
    record.coordinates = builder.coordinates;
    joints_.push_back(std::move(record));
  }
  if (length_scale_ == 0) length_scale_ = 1;
}

// "pivot" or "pivot.rotation".
template <int D>
int SystemOf<D>::find_coordinate(const std::string& path) const {
  const auto dot = path.rfind('.');
  for (const JointRecord& joint : joints_) {
    if (joint.name == path && !joint.coordinates.empty()) return joint.coordinates.front();
    if (dot == std::string::npos || joint.name != path.substr(0, dot)) continue;
    for (std::size_t k = 0; k < joint.coordinates.size(); ++k) {
      if (joint.coordinate_names[k] == path.substr(dot + 1)) return joint.coordinates[k];
    }
  }
  assert(false && "the model has been validated");
  return 0;
}

template <int D>
void SystemOf<D>::build_motions(const Model& model) {
  int drives_by_signals = 0;
  for (const MotionModel& motion : model.motions) {
    MotionRecord record{motion.name, 0, constraints_.combination_count()};
    if (!motion.joint.empty()) {
      record.coordinate = find_coordinate(motion.joint);
    } else {
      Coordinate<D> x;
      x.body_j = body_index(model, motion.body);
      if (motion.component == BodyCoordinate::angle) {
        x.kind = CoordinateKind::rotation;
      } else {
        x.axis = Vector::Unit(static_cast<int>(motion.component) - static_cast<int>(BodyCoordinate::x));
        x.point_j = inertia_[x.body_j - 1].origin;
      }
      record.coordinate = constraints_.add_coordinate(x);
    }
    const Coordinate<D>& x = constraints_.coordinates()[record.coordinate];
    const double from = model.solver.start, until = model.solver.end;
    const double value = coordinate_value(x, bodies_), rate = coordinate_rate(x, bodies_);
    Function target = motion.value;
    if (!motion.value.signals().empty()) {
      record.by_signals = drives_by_signals++;
      signals_.network->start_drive(record.by_signals, value, rate);
      target = Function::given(std::make_shared<SignalTarget>(signals_.network->drive_target(record.by_signals),
                                                              motion.value.description()));
    } else {
      if (motion.level == MotionLevel::acceleration) target = target.antiderivative(from, rate, until);
      if (motion.level != MotionLevel::position) target = target.antiderivative(from, value, until);
    }
    constraints_.begin_joint();
    if (model.joint_states.is_off(motion.name)) {
      record.combination = -1;
    } else {
      constraints_.hold_combination({{record.coordinate, 1}}, target, "drive");
    }
    JointRecord row;
    row.name = motion.name, row.ties_joints = true;
    joints_.push_back(std::move(row));
    motions_.push_back(record);
    work_names_.push_back("motion:" + motion.name);
  }
}

template <int D>
void SystemOf<D>::build_forces(const Model& model) {
  for (const ElementModel& force : model.forces)
    add_force(force.name, "force:", make_force<D>(model, with_signals(force)));
  for (const BearingModel& bearing : model.bearings) {
    if (auto element = make_bearing<D>(model, bearing)) add_force(bearing.element.name, "bearing:", std::move(element));
  }
}

template <int D>
void SystemOf<D>::add_force(const std::string& name, const std::string& group,
                            std::unique_ptr<ForceElement<D>> element) {
  ForceRecord record;
  record.name = name;
  record.group = group;
  record.element = std::move(element);
  record.bodies = record.element->bodies();
  record.outputs = static_cast<int>(record.element->outputs().size());
  if (!record.element->is_conservative()) {
    record.work = static_cast<int>(work_names_.size());
    work_names_.push_back(group + name);
  }
  if (record.element->has_loss()) {
    record.loss = static_cast<int>(work_names_.size());
    work_names_.push_back(group + name + ".loss");
  }
  forces_.push_back(std::move(record));
}

template <int D>
bool SystemOf<D>::replace_forces(const Model& model) {
  std::vector<std::unique_ptr<ForceElement<D>>> elements;
  for (const ElementModel& force : model.forces) elements.push_back(make_force<D>(model, with_signals(force)));
  for (const BearingModel& bearing : model.bearings) {
    if (auto element = make_bearing<D>(model, bearing)) elements.push_back(std::move(element));
  }
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    const ForceElement<D>& before = *forces_[k].element;
    if (elements[k]->bodies() != before.bodies() || elements[k]->is_conservative() != before.is_conservative() ||
        elements[k]->states() != before.states())
      return false;
    elements[k]->take_memory(before);
  }
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    ForceRecord& force = forces_[k];
    force.element = std::move(elements[k]);
    if (force.first_state >= 0) force.element->use_states(signals_.states.data() + force.first_state);
  }
  return true;
}

template <int D>
void SystemOf<D>::build_contacts() {
  first_contact_work_ = static_cast<int>(work_names_.size());
  for (int k = 0; k < contacts_.group_count(); ++k) work_names_.push_back(contacts_.group_name(k));
}

// Bodies with exactly one joint to the ground, a pin or a slide. Drives and ties are rows of their own and do not
// count.
template <int D>
std::vector<GroundedBody<D>> SystemOf<D>::find_grounded(const Model& model) const {
  std::vector<int> ground_joints(body_count() + 1, 0);
  std::vector<GroundedBody<D>> found;
  for (const ElementModel& joint : model.joints) {
    const JointDescription& type = *find_joint(joint.type);
    if (type.ties_joints || joint.clearance || model.joint_states.is_released(joint.name)) continue;
    const AttachmentPair placement = placement_of(model, joint);
    const int side = placement.at[0].body == 0 ? 1 : 0;  // the moving body's
    const int body = placement.at[side].body;
    if (placement.at[1 - side].body != 0 || body == 0) continue;
    ++ground_joints[body];
    if (type.ground_dof == GroundDof::several) continue;
    GroundedBody<D> held;
    held.body = body;
    held.joint = static_cast<int>(
        std::find_if(joints_.begin(), joints_.end(), [&](const auto& record) { return record.name == joint.name; }) -
        joints_.begin());
    held.turns = type.ground_dof == GroundDof::rotation;
    held.pivot = placement.at[side].point.template head<D>();
    held.axis = D == 2 && held.turns ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d(placement.at[1 - side].frame.col(2));
    const Inertia& inertia = inertia_[body - 1];
    if (!held.turns) {
      held.inverse_inertia = inertia.inverse_mass;
    } else if constexpr (D == 2) {
      held.angular_velocity[0] = 1;
      held.inverse_inertia = 1 / (inertia.tensor(0, 0) + inertia.mass * held.pivot.squaredNorm());
    } else {
      held.angular_velocity = placement.at[side].frame.col(2);
      held.inverse_inertia = 1 / (held.angular_velocity.dot(inertia.tensor * held.angular_velocity) +
                                  inertia.mass * held.pivot.cross(held.angular_velocity).squaredNorm());
    }
    found.push_back(held);
  }
  std::erase_if(found, [&](const GroundedBody<D>& held) { return ground_joints[held.body] > 1; });
  return found;
}

// Drives of the angle of a body on a pin to the ground, one each; empty unless all drives are of this kind.
template <int D>
std::vector<PlanarLinkage::Drive> SystemOf<D>::find_driven(const std::vector<GroundedBody<D>>& grounded) const {
  std::vector<PlanarLinkage::Drive> drives;
  for (const MotionRecord& motion : motions_) {
    const Coordinate<D>& x = constraints_.coordinates()[motion.coordinate];
    if (motion.combination < 0) return {};
    if (x.kind != CoordinateKind::rotation || (x.body_i > 0 && x.body_j > 0)) return {};
    const int body = x.body_i + x.body_j;
    const bool pinned = std::any_of(grounded.begin(), grounded.end(),
                                    [&](const auto& held) { return held.body == body && held.turns; });
    const bool taken = std::any_of(drives.begin(), drives.end(), [&](const auto& other) { return other.body == body; });
    if (!pinned || taken) return {};
    drives.push_back({body, x.body_j == body ? 1.0 : -1.0, &constraints_.target(motion.combination)});
  }
  return drives;
}

template <int D>
void SystemOf<D>::build_solver(const Model& model) {
  const auto grounded = find_grounded(model);
  std::vector<int> aside;
  for (const GroundedBody<D>& held : grounded) aside.push_back(held.joint);
  constraints_.set_aside(aside);
  full_.build(constraints_, inertia_, {});
  reduced_.build(constraints_, inertia_, grounded);
  rows_.lambda = Eigen::VectorXd::Zero(constraints_.row_count());
  rows_.residual = rows_.time_rate = rows_.lambda;
  load_ = load_rate_ = weight_ = Eigen::VectorXd::Zero(velocity_size());
  for (int b = 0; b < body_count(); ++b) weight_.template segment<D>(dofs * b) = inertia_[b].mass * gravity_;
  const bool all_drive =
      std::all_of(motions_.begin(), motions_.end(), [](const MotionRecord& motion) { return motion.combination >= 0; });
  if constexpr (D == 2) {
    if (all_drive) linkage_.build(constraints_, inertia_, grounded, find_driven(grounded), initial_.q);
  }
  choose_path();
}

template class SystemOf<2>;
template class SystemOf<3>;

}  // namespace carom::inline dynamics
