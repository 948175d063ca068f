#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "carom/parts.h"
#include "force_elements/force_element.h"
#include "parts/guarded_call.h"

// What force elements of parts have in common: where they are attached, and how their loads come to the bodies.
namespace carom::inline parts {

inline Eigen::Vector3d vector_of(const v1::Vector3& a) {
  return {a[0], a[1], a[2]};
}
inline v1::Vector3 array_of(const Eigen::Vector3d& a) {
  return {a.x(), a.y(), a.z()};
}

// Vectors and angular velocities of the plane have their place in space.
inline Eigen::Vector3d in_space(const Eigen::Vector2d& a) {
  return {a.x(), a.y(), 0};
}
inline Eigen::Vector3d in_space(const Eigen::Vector3d& a) {
  return a;
}
inline Eigen::Vector3d spin_in_space(const AngularOf<2>& angular_velocity) {
  return {0, 0, angular_velocity[0]};
}
inline Eigen::Vector3d spin_in_space(const Eigen::Vector3d& angular_velocity) {
  return angular_velocity;
}
inline Eigen::Matrix3d matrix_of(const Rotation<2>& rotation) {
  Eigen::Matrix3d matrix = Eigen::Matrix3d::Identity();
  matrix.topLeftCorner<2, 2>() << rotation.cosine(), -rotation.sine(), rotation.sine(), rotation.cosine();
  return matrix;
}
inline const Eigen::Matrix3d& matrix_of(const Rotation<3>& rotation) {
  return rotation.matrix();
}
template <int D>
AngularOf<D> angular_velocity_of(const Eigen::Vector3d& torque) {
  return torque.template tail<Space<D>::rotational_dofs>();
}

inline double sum_of(const v1::Load& load) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += load.force[k] + load.torque[k];
  return sum;
}

inline v1::ForceAction failed_action() {
  v1::ForceAction action;
  action.energy = unknown;
  for (v1::Load& load : action.other) load.force.fill(unknown), load.torque.fill(unknown);
  return action;
}

inline std::array<Attachment, 2> attach(const ForceElementContext& context, bool one_body) {
  if (one_body) return {Attachment{}, attach_single(context.model, context.element.settings)};
  return attach_pair(context.model, context.element.settings).at;
}

template <int D>
class PlacedForce : public ForceElement<D> {
 public:
  PlacedForce(const v1::ForcePart& part, const ForceElementContext& context)
      : title_("force `" + context.element.name + "` of the type `" + part.name + "`"),
        one_body_(part.attachment == v1::Attachment::one_body),
        at_(attach(context, one_body_)) {}

  std::vector<int> bodies() const override {
    std::vector<int> result;
    for (const Attachment& each : at_)
      if (each.body > 0 && (result.empty() || result.front() != each.body)) result.push_back(each.body);
    return result;
  }

  double apply(const Bodies<D>& bodies, double t, Loads<D>& loads) const override {
    const v1::ForceState state = state_of(bodies, t);
    const v1::ForceAction action = checked_action(bodies, state);
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

  double energy(const Bodies<D>& bodies, double t) const override {
    return checked_action(bodies, state_of(bodies, t)).energy;
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

 protected:
  // May throw.
  virtual v1::ForceAction action_in(const Bodies<D>& bodies, const v1::ForceState& state) const = 0;

  v1::ForceAction checked_action(const Bodies<D>& bodies, const v1::ForceState& state) const {
    const v1::ForceAction action = guarded(
        title_, [&] { return action_in(bodies, state); }, failed_action());
    double sum = action.energy;
    for (int k = 0; k < 2; ++k) sum += sum_of(action.conservative[k]) + sum_of(action.other[k]);
    if (!std::isfinite(sum)) note_not_finite(title_);
    return action;
  }

  VectorOf<D> lever(const Bodies<D>& bodies, int k) const {
    return bodies[at_[k].body].lever(VectorOf<D>(at_[k].point.template head<D>()));
  }

  std::string title_;
  bool one_body_;
  std::array<Attachment, 2> at_;
};

}  // namespace carom::inline parts
