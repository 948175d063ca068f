#include <algorithm>
#include <cassert>
#include <set>

#include "dynamics/system_of.h"

namespace carom {

std::unique_ptr<System> System::create(const Model& model) {
  if (model.planar) return std::make_unique<SystemOf<2>>(model);
  return std::make_unique<SystemOf<3>>(model);
}

template <int D>
SystemOf<D>::SystemOf(const Model& model) {
  build_bodies(model);
  build_joints(model);
  build_motions(model);
  constraints_.finish();
  build_forces(model);
  build_solver();
  build_matrices();
  build_channels(model);
  initial_.work = Eigen::VectorXd::Zero(work_size());
  forget_turns(initial_.q.data());  // an angle that starts near half a turn must not jump on its first step
}

template <int D>
void SystemOf<D>::build_bodies(const Model& model) {
  const int count = static_cast<int>(model.bodies.size());
  gravity_ = model.gravity.head<D>();
  bodies_.resize(count + 1);
  initial_.t = model.solver.start;
  initial_.q.resize(count * coordinates_per_body);
  initial_.v.resize(count * freedoms);
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
    initial_.v.segment<D>(freedoms * b) = body.velocity.head<D>();
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
  for (const ElementModel& joint : model.joints) order.push_back(&joint);
  std::stable_partition(order.begin(), order.end(), [](const ElementModel* joint) { return !find_joint(joint->type)->ties_joints; });

  for (const ElementModel* joint : order) {
    const JointDescription& type = *find_joint(joint->type);
    const AttachmentPair placement = type.ties_joints ? AttachmentPair{} : attach_pair(model, joint->settings);
    JointBuilder<D> builder{constraints_, placement, joint->settings};
    JointRecord record;
    record.name = joint->name;
    record.ties_joints = type.ties_joints;
    if (type.ties_joints) {
      for (const std::string& path : joint->settings.names("joints")) {
        builder.tied.push_back(find_coordinate(path));
        builder.tied_values.push_back(coordinate_value(constraints_.coordinates()[builder.tied.back()], bodies_));
      }
    } else {
      const Eigen::Vector3d first = world_position(model, placement.at[0]), second = world_position(model, placement.at[1]);
      builder.file_distance = (second - first).norm();
      length_scale_ = std::max({length_scale_, builder.file_distance, placement.at[0].point.norm(), placement.at[1].point.norm()});
      record.body_j = placement.at[1].body;
      record.point_j = placement.at[1].point.head<D>();
    }
    constraints_.begin_joint();
    if constexpr (D == 2) {
      type.build_planar(builder);
    } else {
      type.build_spatial(builder);
    }
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
  for (const MotionModel& motion : model.motions) {
    MotionRecord record{motion.name, 0, constraints_.combination_count()};
    if (!motion.joint.empty()) {
      record.coordinate = find_coordinate(motion.joint);
    } else {
      Coordinate<D> x;
      x.body_j = body_index(model, motion.body);
      if (motion.component == "angle") {
        x.kind = CoordinateKind::rotation;
      } else {
        x.axis = Vector::Unit(motion.component[0] - 'x');
        x.point_j = inertia_[x.body_j - 1].origin;
      }
      record.coordinate = constraints_.add_coordinate(x);
    }
    const Coordinate<D>& x = constraints_.coordinates()[record.coordinate];
    const double from = model.solver.start, until = model.solver.end;
    const double value = coordinate_value(x, bodies_), rate = coordinate_rate(x, bodies_);
    Function target = motion.value;
    if (motion.level == MotionLevel::acceleration) target = target.antiderivative(from, rate, until);
    if (motion.level != MotionLevel::position) target = target.antiderivative(from, value, until);
    constraints_.begin_joint();
    constraints_.hold_combination({{record.coordinate, 1}}, target, "drive");
    joints_.push_back({motion.name, true, 0, Vector::Zero(), {}, {}});
    motions_.push_back(record);
    work_names_.push_back("motion:" + motion.name);
  }
}

template <int D>
void SystemOf<D>::build_forces(const Model& model) {
  for (const ElementModel& force : model.forces) {
    const ForceElementDescription& type = *find_force_element(force.type);
    const ForceElementContext context{model, force};
    ForceRecord record;
    record.name = force.name;
    if constexpr (D == 2) {
      record.element = type.make_planar(context);
    } else {
      record.element = type.make_spatial(context);
    }
    record.outputs = static_cast<int>(record.element->outputs().size());
    if (!record.element->is_conservative()) {
      record.work = static_cast<int>(work_names_.size());
      work_names_.push_back("force:" + force.name);
    }
    forces_.push_back(std::move(record));
  }
}

template <int D>
void SystemOf<D>::build_solver() {
  const int blocks = constraints_.block_count();
  const auto& slots = constraints_.slots();
  std::vector<std::vector<int>> slots_of(body_count() + 1);
  for (std::size_t k = 0; k < slots.size(); ++k) slots_of[slots[k].body].push_back(static_cast<int>(k));
  std::vector<std::pair<int, int>> couplings;
  for (const auto& list : slots_of) {
    for (const int a : list) {
      for (const int b : list) {
        if (slots[a].block < slots[b].block) couplings.emplace_back(slots[a].block, slots[b].block);
      }
    }
  }
  solver_.analyse(blocks, couplings);
  for (const auto& list : slots_of) {
    for (const int a : list) {
      for (const int b : list) {
        if (slots[a].block == slots[b].block) continue;
        const auto place = solver_.place(slots[a].block, slots[b].block);
        if (!place.transposed) slot_pairs_.push_back({a, b, place.index});
      }
    }
  }
  for (int row = 0; row < constraints_.row_count(); ++row) {
    if (!constraints_.label(row).used) spare_rows_.push_back(row);
  }
  weighted_.assign(slots.size(), Block::Zero());
  block_rhs_.assign(blocks, Vector::Zero());
  lambda_ = Eigen::VectorXd::Zero(constraints_.row_count());
  residual_ = time_rate_ = lambda_;
  load_ = load_rate_ = Eigen::VectorXd::Zero(velocity_size());
}

template class SystemOf<2>;
template class SystemOf<3>;

}  // namespace carom
