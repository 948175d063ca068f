#include <algorithm>

#include "parts/describe_part.h"
#include "parts/part_keys.h"
#include "parts/placed_force.h"

namespace carom::inline parts {
namespace {

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

template <int D>
class UserForce final : public PlacedForce<D> {
  using Base = PlacedForce<D>;
  using Base::title_, Base::one_body_, Base::at_, Base::lever, Base::state_of, Base::checked_action;

 public:
  UserForce(const v1::ForcePart& part, const ForceElementContext& context)
      : Base(part, context), outputs_(part.outputs) {
    element_ = made_part<v1::ForceElement>(title_, [&] {
      return part.make({values_of(part.keys, context.element.settings), start_of(context.model, at_, one_body_)});
    });
    conservative_ = element_->is_conservative();
  }

  bool tangents(const Bodies<D>& bodies, double t, ForceTangents<D>& result) const override {
    if (at_[0].body == at_[1].body) return false;
    const v1::ForceState state = state_of(bodies, t);
    v1::ForceDerivatives given;
    if (!guarded(
            title_, [&] { return element_->derivatives(state, given); }, false))
      return false;
    const v1::ForceAction action = checked_action(bodies, state);
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
  v1::ForceAction action_in(const Bodies<D>&, const v1::ForceState& state) const override {
    return element_->evaluate(state);
  }

  struct Place {
    int r, c, row, column, k;  // ends, blocks, degree of freedom of the column's body
  };

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

  std::vector<v1::OutputValue> outputs_;
  std::unique_ptr<v1::ForceElement> element_;
  bool conservative_ = false;
};

}  // namespace

std::vector<ParameterDescription> placement_keys(const v1::ForcePart& part) {
  return part.attachment == v1::Attachment::two_bodies ? two_end_parameters() : single_end_parameters();
}

ForceElementDescription describe_force_keys(const v1::ForcePart& part) {
  std::vector<ParameterDescription> rows = placement_keys(part);
  for (ParameterDescription& row : rows_of(part.keys)) rows.push_back(std::move(row));
  ForceElementDescription description{{.name = part.name,
                                       .summary = part.summary,
                                       .reference = part.reference,
                                       .planar = part.planar,
                                       .spatial = part.spatial,
                                       .parameters = std::move(rows)}};
  description.supplies = part.supplies;
  return description;
}

ForceElementDescription describe_part(const v1::ForcePart& part) {
  ForceElementDescription description = describe_force_keys(part);
  description.make_planar = [part](const ForceElementContext& context) -> std::unique_ptr<ForceElement<2>> {
    return std::make_unique<UserForce<2>>(part, context);
  };
  description.make_spatial = [part](const ForceElementContext& context) -> std::unique_ptr<ForceElement<3>> {
    return std::make_unique<UserForce<3>>(part, context);
  };
  return description;
}

}  // namespace carom::inline parts
