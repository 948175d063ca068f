#pragma once

#include <vector>

#include "math/space.h"

// Kinematics of a set of rigid bodies and the loads on them: what joints and force elements see of the system.
namespace carom::inline math {

// Pose and motion of one body at its mass centre.
template <int D>
struct BodyState {
  Rotation<D> orientation;
  VectorOf<D> position = VectorOf<D>::Zero();            // m, of the mass centre
  VectorOf<D> velocity = VectorOf<D>::Zero();            // m/s
  AngularOf<D> angular_velocity = AngularOf<D>::Zero();  // rad/s, in WORLD axes
  double angle = 0;                                      // rad, planar bodies only, with full turns

  // Lever arm in world axes of a point given in body axes from the mass centre.
  VectorOf<D> lever(const VectorOf<D>& point) const { return orientation * point; }
  VectorOf<D> point_position(const VectorOf<D>& point) const { return position + lever(point); }
  VectorOf<D> velocity_at(const VectorOf<D>& lever) const { return velocity + cross(angular_velocity, lever); }
  // The part of a point's acceleration that comes from the angular velocity alone, ω × (ω × lever).
  VectorOf<D> centripetal(const VectorOf<D>& lever) const {
    if constexpr (D == 2) {
      return -angular_velocity[0] * angular_velocity[0] * lever;
    } else {
      return cross(angular_velocity, cross(angular_velocity, lever));
    }
  }
};

// The body moved by a small step along one degree of freedom: position in world axes, rotation about a body axis. Its
// velocities stay.
template <int D>
BodyState<D> displaced(const BodyState<D>& body, int dof, double step) {
  BodyState<D> moved = body;
  if (dof < D) {
    moved.position[dof] += step;
  } else if constexpr (D == 2) {
    moved.angle += step;
    moved.orientation = Rotation<2>(moved.angle);
  } else {
    const Eigen::Vector3d turn = step * Eigen::Vector3d::Unit(dof - 3);
    moved.orientation = Rotation<3>(body.orientation.matrix() * rotation_from_vector(turn).toRotationMatrix());
    moved.angular_velocity = moved.orientation * body.orientation.back(body.angular_velocity);
  }
  return moved;
}

// Index 0 is the ground, which never moves; body b of the model has index b + 1.
template <int D>
using Bodies = std::vector<BodyState<D>>;

// Generalised forces, one segment of Space<D>::dofs per moving body: force in world axes, torque about
// the mass centre in body axes.
template <int D>
class Loads {
 public:
  explicit Loads(Eigen::VectorXd& forces) : forces_(forces.data()) {}
  void add_force(const Bodies<D>& bodies, int body, const VectorOf<D>& lever, const VectorOf<D>& force) {
    if (body == 0) return;
    auto segment = dofs_of(body);
    segment.template head<D>() += force;
    segment.template tail<Space<D>::rotational_dofs>() += bodies[body].orientation.angular_to_body(cross(lever, force));
  }
  // Force at the mass centre in world axes, torque in body axes.
  void add(int body, const VectorOf<D>& force, const AngularOf<D>& torque) {
    auto segment = dofs_of(body);
    segment.template head<D>() += force;
    segment.template tail<Space<D>::rotational_dofs>() += torque;
  }
  // Torque in world axes.
  void add_torque(const Bodies<D>& bodies, int body, const AngularOf<D>& torque) {
    if (body == 0) return;
    dofs_of(body).template tail<Space<D>::rotational_dofs>() += bodies[body].orientation.angular_to_body(torque);
  }

 private:
  Eigen::Map<typename Space<D>::Dofs> dofs_of(int body) {
    return Eigen::Map<typename Space<D>::Dofs>(forces_ + (body - 1) * Space<D>::dofs);
  }
  double* forces_;
};

}  // namespace carom::inline math
