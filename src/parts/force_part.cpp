#include <algorithm>
#include <cmath>
#include <limits>

#include "parts/describe_part.h"
#include "parts/guarded_call.h"
#include "parts/part_keys.h"

namespace carom::inline parts {
namespace {

Eigen::Vector3d vector_of(const v1::Vector3& a) {
  return {a[0], a[1], a[2]};
}
v1::Vector3 array_of(const Eigen::Vector3d& a) {
  return {a.x(), a.y(), a.z()};
}

// Vectors and angular velocities of the plane have their place in space.
Eigen::Vector3d in_space(const Eigen::Vector2d& a) {
  return {a.x(), a.y(), 0};
}
Eigen::Vector3d in_space(const Eigen::Vector3d& a) {
  return a;
}
Eigen::Vector3d spin_in_space(const AngularOf<2>& angular_velocity) {
  return {0, 0, angular_velocity[0]};
}
Eigen::Vector3d spin_in_space(const Eigen::Vector3d& angular_velocity) {
  return angular_velocity;
}
Eigen::Matrix3d matrix_of(const Rotation<2>& rotation) {
  Eigen::Matrix3d matrix = Eigen::Matrix3d::Identity();
  matrix.topLeftCorner<2, 2>() << rotation.cosine(), -rotation.sine(), rotation.sine(), rotation.cosine();
  return matrix;
}
const Eigen::Matrix3d& matrix_of(const Rotation<3>& rotation) {
  return rotation.matrix();
}
template <int D>
AngularOf<D> angular_velocity_of(const Eigen::Vector3d& torque) {
  return torque.template tail<Space<D>::rotational_dofs>();
}

double sum_of(const v1::Load& load) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += load.force[k] + load.torque[k];
  return sum;
}

v1::ForceAction failed_action() {
  v1::ForceAction action;
  action.energy = unknown;
  for (v1::Load& load : action.other) load.force.fill(unknown), load.torque.fill(unknown);
  return action;
}

// The state in which the file puts the bodies.
v1::ForceState start_of(const Model& model, const std::array<Attachment, 2>& at, bool one_body) {
  v1::ForceState state;
  state.planar = model.planar;
  state.time = model.solver.start;
  for (int k = one_body ? 1 : 0; k < 2; ++k) {
    v1::End& end = state.ends[k];
    end.position = array_of(world_position(model, at[k]));
    const BodyModel& body = body_at(model, at[k].body);
    const Eigen::Matrix3d axes = body.orientation.toRotationMatrix();
    for (int entry = 0; entry < 9; ++entry) end.axes[entry] = axes(entry / 3, entry % 3);
    end.angle = body.angle;
  }
  return state;
}

std::array<Attachment, 2> attach(const ForceElementContext& context, bool one_body) {
  if (one_body) return {Attachment{}, attach_single(context.model, context.element.settings)};
  return attach_pair(context.model, context.element.settings).at;
}

template <int D>
class UserForce final : public ForceElement<D> {
 public:
  UserForce(const v1::ForcePart& part, const ForceElementContext& context)
      : title_("force `" + context.element.name + "` of the type `" + part.name + "`"),
        outputs_(part.outputs),
        one_body_(part.attachment == v1::Attachment::one_body),
        at_(attach(context, one_body_)) {
    element_ = made_part<v1::ForceElement>(title_, [&] {
      return part.make({values_of(part.keys, context.element.settings), start_of(context.model, at_, one_body_)});
    });
    conservative_ = element_->is_conservative();
  }

  std::vector<int> bodies() const override {
    std::vector<int> result;
    for (const Attachment& each : at_)
      if (each.body > 0 && (result.empty() || result.front() != each.body)) result.push_back(each.body);
    return result;
  }

  double apply(const Bodies<D>& bodies, double t, Loads<D>& loads) const override {
    const v1::ForceState state = state_of(bodies, t);
    const v1::ForceAction action = action_in(state);
    double power = 0;
    for (int k = 0; k < 2; ++k) {
      const int body = at_[k].body;
      if (body == 0) continue;
      const v1::Load &stored = action.conservative[k], &other = action.other[k];
      const Eigen::Vector3d force = vector_of(stored.force) + vector_of(other.force),
                            torque = vector_of(stored.torque) + vector_of(other.torque);
      loads.add_force(bodies, body, lever(bodies, k), VectorOf<D>(force.template head<D>()));
      loads.add_torque(bodies, body, angular_velocity_of<D>(torque));
      power += vector_of(other.force).dot(vector_of(state.ends[k].velocity)) +
               vector_of(other.torque).dot(vector_of(state.ends[k].angular_velocity));
    }
    return power;
  }

  bool tangents(const Bodies<D>& bodies, double t, ForceTangents<D>& result) const override {
    if (at_[0].body == at_[1].body) return false;
    const v1::ForceState state = state_of(bodies, t);
    v1::ForceDerivatives given;
    if (!guarded(
            title_, [&] { return element_->derivatives(state, given); }, false))
      return false;
    const v1::ForceAction action = action_in(state);
    for (int c = 0, column = 0; c < 2; ++c) {
      if (at_[c].body == 0) continue;
      for (int r = 0, row = 0; r < 2; ++r) {
        if (at_[r].body == 0) continue;
        for (int k = 0; k < Space<D>::dofs; ++k) add_column(bodies, given, action, {r, c, row, column, k}, result);
        ++row;
      }
      ++column;
    }
    return true;
  }

  double energy(const Bodies<D>& bodies, double t) const override { return action_in(state_of(bodies, t)).energy; }
  bool is_conservative() const override { return conservative_; }

  std::vector<OutputDescription> outputs() const override {
    std::vector<OutputDescription> result;
    for (const v1::OutputValue& each : outputs_) result.push_back({each.name, each.unit, each.meaning});
    return result;
  }

  void output(const Bodies<D>& bodies, double t, double* values) const override {
    std::fill_n(values, outputs_.size(), unknown);
    guarded(
        title_,
        [&] {
          element_->output(state_of(bodies, t), std::span(values, outputs_.size()));
          return true;
        },
        false);
  }

 private:
  struct Place {
    int r, c, row, column, k;  // ends, blocks, degree of freedom of the column's body
  };

  VectorOf<D> lever(const Bodies<D>& bodies, int k) const {
    return bodies[at_[k].body].lever(VectorOf<D>(at_[k].point.template head<D>()));
  }

  v1::ForceState state_of(const Bodies<D>& bodies, double t) const {
    v1::ForceState state;
    state.time = t;
    state.planar = D == 2;
    for (int k = one_body_ ? 1 : 0; k < 2; ++k) {
      const BodyState<D>& body = bodies[at_[k].body];
      const VectorOf<D> arm = lever(bodies, k);
      v1::End& end = state.ends[k];
      end.position = array_of(in_space(VectorOf<D>(body.position + arm)));
      end.velocity = array_of(in_space(body.velocity_at(arm)));
      end.angular_velocity = array_of(spin_in_space(body.angular_velocity));
      const Eigen::Matrix3d axes = matrix_of(body.orientation);
      for (int entry = 0; entry < 9; ++entry) end.axes[entry] = axes(entry / 3, entry % 3);
      end.angle = body.angle;
    }
    return state;
  }

  v1::ForceAction action_in(const v1::ForceState& state) const {
    const v1::ForceAction action = guarded(
        title_, [&] { return element_->evaluate(state); }, failed_action());
    double sum = action.energy;
    for (int k = 0; k < 2; ++k) sum += sum_of(action.conservative[k]) + sum_of(action.other[k]);
    if (!std::isfinite(sum)) note_not_finite(title_);
    return action;
  }

  // The body of the column moves along its degree of freedom k, and the attachment point with it; the angular velocity
  // stays in body axes.
  void add_column(const Bodies<D>& bodies, const v1::ForceDerivatives& given, const v1::ForceAction& action,
                  const Place& place, ForceTangents<D>& result) const {
    using Six = Eigen::Matrix<double, 6, 1>;
    using Map = Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>;
    const auto& [r, c, row, column, k] = place;
    const BodyState<D>&moved = bodies[at_[c].body], &loaded = bodies[at_[r].body];
    const Eigen::Vector3d arm = in_space(lever(bodies, c)), arm_r = in_space(lever(bodies, r)),
                          omega = spin_in_space(moved.angular_velocity);
    const bool turns = k >= D;
    Eigen::Vector3d axis = Eigen::Vector3d::Zero(), shift = Eigen::Vector3d::Zero();
    if (turns) {
      axis = D == 2 ? Eigen::Vector3d::UnitZ().eval() : matrix_of(moved.orientation).col(k - D).eval();
      shift = axis.cross(arm);
    } else {
      shift[k] = 1;
    }
    Six motion, drift;
    motion << shift, axis;
    drift << axis.cross(omega).cross(arm) + omega.cross(axis.cross(arm)), axis.cross(omega);
    const Map stiffness(given.stiffness[r][c].data()), damping(given.damping[r][c].data());
    Six by_place = stiffness * motion, by_speed = damping * motion;
    if (turns) by_place += damping * drift;
    by_place.tail<3>() += arm_r.cross(by_place.head<3>());
    by_speed.tail<3>() += arm_r.cross(by_speed.head<3>());
    if (turns && r == c) {  // the lever turns, and so do the axes of the torque
      const Eigen::Vector3d force = vector_of(action.conservative[r].force) + vector_of(action.other[r].force),
                            torque = vector_of(action.conservative[r].torque) + vector_of(action.other[r].torque);
      by_place.tail<3>() += axis.cross(torque + arm_r.cross(force)) - axis.cross(arm_r).cross(force);
    }
    put(loaded, by_place, result.stiffness[row][column].col(k));
    put(loaded, by_speed, result.damping[row][column].col(k));
  }

  template <class Column>
  static void put(const BodyState<D>& body, const Eigen::Matrix<double, 6, 1>& load, Column column) {
    column.template head<D>() = load.template head<D>();
    column.template tail<Space<D>::rotational_dofs>() =
        body.orientation.angular_to_body(angular_velocity_of<D>(Eigen::Vector3d(load.template tail<3>())));
  }

  std::string title_;
  std::vector<v1::OutputValue> outputs_;
  bool one_body_;
  std::array<Attachment, 2> at_;
  std::unique_ptr<v1::ForceElement> element_;
  bool conservative_ = false;
};

}  // namespace

std::vector<ParameterDescription> placement_keys(const v1::ForcePart& part) {
  return part.attachment == v1::Attachment::two_bodies ? two_end_parameters() : single_end_parameters();
}

ForceElementDescription describe_part(const v1::ForcePart& part) {
  std::vector<ParameterDescription> rows = placement_keys(part);
  for (ParameterDescription& row : rows_of(part.keys)) rows.push_back(std::move(row));
  ForceElementDescription description{{.name = part.name,
                                       .summary = part.summary,
                                       .reference = part.reference,
                                       .planar = part.planar,
                                       .spatial = part.spatial,
                                       .parameters = std::move(rows)}};
  description.supplies = part.supplies;
  description.make_planar = [part](const ForceElementContext& context) -> std::unique_ptr<ForceElement<2>> {
    return std::make_unique<UserForce<2>>(part, context);
  };
  description.make_spatial = [part](const ForceElementContext& context) -> std::unique_ptr<ForceElement<3>> {
    return std::make_unique<UserForce<3>>(part, context);
  };
  return description;
}

}  // namespace carom::inline parts
