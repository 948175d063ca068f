#pragma once

#include "math/bodies.h"

namespace carom::inline math {

// A scalar that a drive, a gear or a spring acts on: a translation or a rotation of one body against another.
enum class CoordinateKind { translation, rotation };

template <int D>
struct Coordinate {
  using Vector = VectorOf<D>;
  CoordinateKind kind = CoordinateKind::translation;
  int body_i = 0, body_j = 0;
  Vector axis = Vector::UnitX();         // on body i: direction of a translation, axis of a rotation in space
  Vector point_i = Vector::Zero();       // translation: counted from this point of body i
  Vector point_j = Vector::Zero();       // … to this point of body j
  Vector reference_i = Vector::UnitX();  // rotation in space: directions that coincide at angle `zero`
  Vector reference_j = Vector::UnitX();
  double zero = 0;         // added to the value
  double turn_memory = 0;  // rotation in space: the angle at the last accepted step, to count turns
};

// Value of a coordinate with its gradient with respect to the velocities of both bodies, and the part of its second
// derivative that does not come from accelerations.
template <int D>
struct CoordinateRow {
  Eigen::Matrix<double, 1, Space<D>::dofs> gradient_i, gradient_j;
  double bias = 0;
};

template <int D>
double coordinate_value(const Coordinate<D>& x, const Bodies<D>& bodies) {
  const BodyState<D>&i = bodies[x.body_i], &j = bodies[x.body_j];
  if (x.kind == CoordinateKind::translation) {
    return (i.orientation * x.axis).dot(j.point_position(x.point_j) - i.point_position(x.point_i)) + x.zero;
  }
  if constexpr (D == 2) {
    return j.angle - i.angle + x.zero;
  } else {
    const Eigen::Vector3d a = i.orientation * x.axis, u = i.orientation * x.reference_i,
                          w = j.orientation * x.reference_j;
    const double angle = std::atan2(u.cross(w).dot(a), u.dot(w) - u.dot(a) * w.dot(a)) + x.zero;
    return x.turn_memory + std::remainder(angle - x.turn_memory, 2 * M_PI);
  }
}

template <int D>
double coordinate_rate(const Coordinate<D>& x, const Bodies<D>& bodies) {
  const BodyState<D>&i = bodies[x.body_i], &j = bodies[x.body_j];
  if (x.kind == CoordinateKind::translation) {
    const VectorOf<D> lever_j = j.lever(x.point_j);
    const VectorOf<D> relative = j.velocity_at(lever_j) - i.velocity_at(j.position + lever_j - i.position);
    return (i.orientation * x.axis).dot(relative);
  }
  if constexpr (D == 2) {
    return j.angular_velocity[0] - i.angular_velocity[0];
  } else {
    return (i.orientation * x.axis).dot(j.angular_velocity - i.angular_velocity);
  }
}

template <int D>
CoordinateRow<D> coordinate_row(const Coordinate<D>& x, const Bodies<D>& bodies) {
  const BodyState<D>&i = bodies[x.body_i], &j = bodies[x.body_j];
  CoordinateRow<D> row;
  if (x.kind == CoordinateKind::translation) {
    // The translation is seen from body i: velocity of the point of j against the point of i at the same place.
    const VectorOf<D> axis = i.orientation * x.axis;
    const VectorOf<D> lever_j = j.lever(x.point_j), lever_i = j.position + lever_j - i.position;
    const VectorOf<D> relative = j.velocity_at(lever_j) - i.velocity_at(lever_i);
    row.gradient_j << axis.transpose(), j.orientation.angular_to_body(cross(lever_j, axis)).transpose();
    row.gradient_i << -axis.transpose(), -i.orientation.angular_to_body(cross(lever_i, axis)).transpose();
    row.bias = axis.dot(j.centripetal(lever_j) - i.centripetal(lever_i) - 2 * cross(i.angular_velocity, relative));
    return row;
  }
  row.gradient_i.setZero();
  row.gradient_j.setZero();
  if constexpr (D == 2) {
    row.gradient_j[2] = 1;
    row.gradient_i[2] = -1;
    row.bias = 0;
  } else {
    const Eigen::Vector3d axis = i.orientation * x.axis;
    row.gradient_j.template tail<3>() = j.orientation.angular_to_body(axis).transpose();
    row.gradient_i.template tail<3>() = -x.axis.transpose();
    row.bias = i.angular_velocity.cross(axis).dot(j.angular_velocity - i.angular_velocity);
  }
  return row;
}

}  // namespace carom::inline math
