#pragma once

#include <cmath>

#include <Eigen/Core>
#include <Eigen/Geometry>

// Elements are written once, for a space of D = 2 or 3 dimensions. What differs between the plane and space is gathered
// here.
//
// Conventions: positions and velocities of the mass centre in world axes; an angular velocity in space is the angular
// velocity in body axes, so that the inertia is constant; in the plane it is the rate of the angle, which keeps count
// of full turns.
namespace carom::inline math {

template <int D>
struct Space {
  static_assert(D == 2 || D == 3);
  static constexpr int rotational_dofs = D == 2 ? 1 : 3;  // rotational degrees of freedom of a body
  static constexpr int dofs = D + rotational_dofs;        // entries of v per body
  static constexpr int coordinates =
      D == 2 ? 3 : 7;  // entries of q per body: position, then angle or quaternion (w, x, y, z)
  using Vector = Eigen::Matrix<double, D, 1>;
  using Angular = Eigen::Matrix<double, rotational_dofs, 1>;
  using Dofs = Eigen::Matrix<double, dofs, 1>;
};

template <int D>
using VectorOf = typename Space<D>::Vector;
template <int D>
using AngularOf = typename Space<D>::Angular;

// Cross products with the plane's angular velocity as a vector of one entry.
inline AngularOf<2> cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return AngularOf<2>(a.x() * b.y() - a.y() * b.x());
}
inline Eigen::Vector2d cross(const AngularOf<2>& angular_velocity, const Eigen::Vector2d& a) {
  return {-angular_velocity[0] * a.y(), angular_velocity[0] * a.x()};
}
inline Eigen::Vector3d cross(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return a.cross(b);
}

// Orientation of a body: turns body axes into world axes.
template <int D>
class Rotation;

template <>
class Rotation<2> {
 public:
  Rotation() = default;
  explicit Rotation(double angle) : cosine_(std::cos(angle)), sine_(std::sin(angle)) {}
  Eigen::Vector2d operator*(const Eigen::Vector2d& a) const {
    return {cosine_ * a.x() - sine_ * a.y(), sine_ * a.x() + cosine_ * a.y()};
  }
  Eigen::Vector2d back(const Eigen::Vector2d& a) const {
    return {cosine_ * a.x() + sine_ * a.y(), cosine_ * a.y() - sine_ * a.x()};
  }
  double cosine() const { return cosine_; }
  double sine() const { return sine_; }
  static AngularOf<2> angular_to_world(const AngularOf<2>& angular_velocity) { return angular_velocity; }
  static AngularOf<2> angular_to_body(const AngularOf<2>& angular_velocity) { return angular_velocity; }

 private:
  double cosine_ = 1, sine_ = 0;
};

template <>
class Rotation<3> {
 public:
  Rotation() = default;
  explicit Rotation(const Eigen::Matrix3d& matrix) : matrix_(matrix) {}
  Eigen::Vector3d operator*(const Eigen::Vector3d& a) const { return matrix_ * a; }
  Eigen::Vector3d back(const Eigen::Vector3d& a) const { return matrix_.transpose() * a; }
  Eigen::Vector3d angular_to_world(const Eigen::Vector3d& angular_velocity) const { return matrix_ * angular_velocity; }
  Eigen::Vector3d angular_to_body(const Eigen::Vector3d& angular_velocity) const {
    return matrix_.transpose() * angular_velocity;
  }
  const Eigen::Matrix3d& matrix() const { return matrix_; }

 private:
  Eigen::Matrix3d matrix_ = Eigen::Matrix3d::Identity();
};

// Rotation matrix of a quaternion (w, x, y, z) of any length > 0: the length drops out, so drift of the norm is
// harmless.
inline Eigen::Matrix3d rotation_matrix(const double* quaternion) {
  const double w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
  const double s = 2 / (w * w + x * x + y * y + z * z);
  Eigen::Matrix3d matrix;
  matrix << 1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),  //
      s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x),        //
      s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y);
  return matrix;
}

// exp of a rotation vector (rad) as a quaternion.
inline Eigen::Quaterniond rotation_from_vector(const Eigen::Vector3d& turn) {
  const double half = 0.5 * turn.norm();
  const double scale = half < 1e-4 ? 0.5 * (1 - half * half / 6) : 0.5 * std::sin(half) / half;
  return {std::cos(half), scale * turn.x(), scale * turn.y(), scale * turn.z()};
}

// The angle by which `turn` rotates about the unit vector `axis` (its twist), in (−π, π].
inline double twist_angle(const Eigen::Quaterniond& turn, const Eigen::Vector3d& axis) {
  return std::remainder(2 * std::atan2(turn.vec().dot(axis), turn.w()), 2 * M_PI);
}

// An orthonormal triad whose third column is `axis`; deterministic, smooth almost everywhere.
inline Eigen::Matrix3d triad_about(const Eigen::Vector3d& axis) {
  const Eigen::Vector3d z = axis.normalized();
  Eigen::Index smallest = 0;
  z.cwiseAbs().minCoeff(&smallest);
  const Eigen::Vector3d x = Eigen::Vector3d::Unit(smallest).cross(z).normalized();
  Eigen::Matrix3d triad;
  triad << x, z.cross(x), z;
  return triad;
}

}  // namespace carom::inline math
