#pragma once

#include <cmath>

#include <Eigen/Core>
#include <Eigen/Geometry>

// Elements are written once, for a space of D = 2 or 3 dimensions. What differs between the plane and space is gathered
// here.
//
// Conventions: positions and velocities of the mass centre in world axes; a spin in space is the angular velocity in
// body axes, so that the inertia is constant; in the plane it is the rate of the angle, which keeps count of full
// turns.
namespace carom {

template <int D>
struct Space {
  static_assert(D == 2 || D == 3);
  static constexpr int spins = D == 2 ? 1 : 3;  // rotational freedoms of a body
  static constexpr int freedoms = D + spins;    // entries of v per body
  static constexpr int coordinates =
      D == 2 ? 3 : 7;  // entries of q per body: position, then angle or quaternion (w, x, y, z)
  using Vector = Eigen::Matrix<double, D, 1>;
  using Spin = Eigen::Matrix<double, spins, 1>;
  using Freedoms = Eigen::Matrix<double, freedoms, 1>;
};

template <int D>
using VectorOf = typename Space<D>::Vector;
template <int D>
using SpinOf = typename Space<D>::Spin;

// Cross products with the plane's spin as a vector of one entry.
inline SpinOf<2> cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return SpinOf<2>(a.x() * b.y() - a.y() * b.x());
}
inline Eigen::Vector2d cross(const SpinOf<2>& spin, const Eigen::Vector2d& a) {
  return {-spin[0] * a.y(), spin[0] * a.x()};
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
  static SpinOf<2> spin_to_world(const SpinOf<2>& spin) { return spin; }
  static SpinOf<2> spin_to_body(const SpinOf<2>& spin) { return spin; }

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
  Eigen::Vector3d spin_to_world(const Eigen::Vector3d& spin) const { return matrix_ * spin; }
  Eigen::Vector3d spin_to_body(const Eigen::Vector3d& spin) const { return matrix_.transpose() * spin; }
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

}  // namespace carom
