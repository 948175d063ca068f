#pragma once

#include <array>
#include <cmath>

#include <Eigen/Core>

#include "math/space.h"

// Strain and internal forces of a two-node beam element on the group of rigid motions, written once for numbers and for
// numbers with derivatives. See docs/theory/beams.md.
//
// With R = R_aᵀ R_b, θ = log R, the rotation half-way R_m = R_a exp(θ/2) and y = R_mᵀ (x_b − x_a), the logarithm of the
// relative motion is (S⁻¹ y, θ), where S⁻¹ stretches the part of y across θ by the ratio of arc to chord,
//   S⁻¹ y = a y + b θ (θ·y).
// Divided by the length it is the strain of a helix: constant along the element, and unchanged by rigid motions.
namespace carom::helix {

// Functions of s = θ². Up to half a radian by their series, which have no cancellation.
template <class T>
struct Arc {
  T a, b;    // arc over chord (θ/2)/sin(θ/2), and (1 − a)/s
  T a_rate;  // its derivative by s
};
template <class T>
struct Coefficients : Arc<T> {
  T b_rate;
  T inverse;            // (1 − (θ/2) cot(θ/2))/s
  T sine, half, sixth;  // of φ = θ/2: sin φ/φ, (1 − cos φ)/φ², (φ − sin φ)/φ³
};

template <class T, std::size_t N>
T polynomial(const std::array<double, N>& c, const T& x) {
  T sum(c[N - 1]);
  for (std::size_t k = N - 1; k-- > 0;) sum = c[k] + sum * x;
  return sum;
}

inline constexpr double small_square = 0.25;
inline constexpr std::array<double, 8> arc_series = {1.0 / 24,
                                                     7.0 / 5760,
                                                     31.0 / 967680,
                                                     127.0 / 154828800,
                                                     73.0 / 3503554560,
                                                     1414477.0 / 2678117105664000,
                                                     8191.0 / 612141052723200,
                                                     16931177.0 / 49950709902213120000.0};

template <class T>
Arc<T> arc(const T& s) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  constexpr const auto& c = arc_series;
  Arc<T> f;
  if (s < small_square) {
    constexpr std::array<double, 8> slopes = {c[0],     2 * c[1], 3 * c[2], 4 * c[3],
                                              5 * c[4], 6 * c[5], 7 * c[6], 8 * c[7]};
    f.b = -polynomial(c, s);
    f.a = 1.0 - s * f.b;
    f.a_rate = polynomial(slopes, s);
    return f;
  }
  const T h = 0.5 * sqrt(s), sine = sin(h), cosine = cos(h);
  f.a = h / sine;
  f.a_rate = (sine - h * cosine) / (8.0 * h * sine * sine);
  f.b = (1.0 - f.a) / s;
  return f;
}

template <class T>
Coefficients<T> coefficients(const T& s) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  Coefficients<T> f;
  static_cast<Arc<T>&>(f) = arc(s);
  if (s < small_square) {
    constexpr const auto& c = arc_series;
    constexpr std::array<double, 7> second = {-c[1], -2 * c[2], -3 * c[3], -4 * c[4], -5 * c[5], -6 * c[6], -7 * c[7]};
    constexpr std::array<double, 7> cot = {
        1.0 / 12, 1.0 / 720, 1.0 / 30240, 1.0 / 1209600, 1.0 / 47900160, 691.0 / 1307674368000, 1.0 / 74724249600};
    constexpr std::array<double, 7> exp_sixth = {1.0 / 6,        -1.0 / 120,        1.0 / 5040,         -1.0 / 362880,
                                                 1.0 / 39916800, -1.0 / 6227020800, 1.0 / 1307674368000};
    constexpr std::array<double, 7> exp_half = {1.0 / 2,       -1.0 / 24,        1.0 / 720,        -1.0 / 40320,
                                                1.0 / 3628800, -1.0 / 479001600, 1.0 / 87178291200};
    f.b_rate = polynomial(second, s);
    f.inverse = polynomial(cot, s);
    const T quarter = 0.25 * s;
    f.half = polynomial(exp_half, quarter);
    f.sixth = polynomial(exp_sixth, quarter);
    f.sine = 1.0 - quarter * f.sixth;
    return f;
  }
  const T h = 0.5 * sqrt(s), sine = sin(h), cosine = cos(h);
  f.b_rate = -(f.a_rate + f.b) / s;
  f.inverse = (1.0 - h * cosine / sine) / s;
  f.sine = sine / h;
  f.half = (1.0 - cosine) / (h * h);
  f.sixth = (h - sine) / (h * h * h);
  return f;
}

template <class T>
using Vector = Eigen::Matrix<T, 3, 1>;
template <class T>
using Matrix = Eigen::Matrix<T, 3, 3>;

template <class T>
Vector<T> cross(const Vector<T>& a, const Vector<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Rotation vector of a rotation by less than half a turn.
template <class T>
Vector<T> rotation_vector(const Matrix<T>& R) {
  using std::atan2;
  using std::sqrt;
  // Axis · sin θ.
  const Vector<T> w(0.5 * (R(2, 1) - R(1, 2)), 0.5 * (R(0, 2) - R(2, 0)), 0.5 * (R(1, 0) - R(0, 1)));
  const T square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], cosine = 0.5 * (R(0, 0) + R(1, 1) + R(2, 2) - 1.0);
  T scale;
  if (square < 1e-3 && cosine > 0.0) {
    constexpr std::array<double, 6> arcsine = {1.0, 1.0 / 6, 3.0 / 40, 15.0 / 336, 105.0 / 3456, 945.0 / 42240};
    scale = polynomial(arcsine, square);
  } else {
    const T sine = sqrt(square);
    scale = atan2(sine, cosine) / sine;
  }
  return {scale * w[0], scale * w[1], scale * w[2]};
}

// Where the ends are, relative to each other, and how they move. World axes; spins in the axes of the ends.
template <int D, class T>
struct Ends;
template <class T>
struct Ends<2, T> {
  Eigen::Matrix<T, 2, 1> apart, rate;
  T theta;         // rad, from a to b
  T cosine, sine;  // of the direction half-way
  T angular_velocity_a, angular_velocity_b;
};
template <class T>
struct Ends<3, T> {
  Vector<T> apart, rate;
  Matrix<T> end_a, end_b;
  Vector<T> angular_velocity_a, angular_velocity_b;
};

template <int D>
struct Properties {
  using Strains = Eigen::Matrix<double, Space<D>::dofs, 1>;
  double length = 0;                    // m, along the line
  Strains stiffness = Strains::Zero();  // N and N m²
  double damping = 0;                   // s, stress per strain rate over stress per strain
  Strains reference = Strains::Zero();  // strain without stress
};

// Strain, against the reference, and stress, and the internal forces: that on b in world axes, torques in the axes of
// the ends. They are the slopes of the energy by the movements of the ends.
template <int D, class T>
struct Internal {
  Eigen::Matrix<T, Space<D>::dofs, 1> strain, rate, stress;
  Eigen::Matrix<T, D, 1> force;
  Eigen::Matrix<T, Space<D>::rotational_dofs, 1> torque_a, torque_b;
};

template <class T>
Internal<3, T> evaluate(const Ends<3, T>& at, const Properties<3>& beam) {
  const Matrix<T> R = at.end_a.transpose() * at.end_b;
  const Vector<T> theta = rotation_vector<T>(R), phi = T(0.5) * theta;
  const auto f = coefficients<T>(theta.dot(theta));
  const auto turn = [&](const Vector<T>& u, double sign) -> Vector<T> {  // exp(± φ) u
    const Vector<T> once = cross<T>(phi, u);
    return u + T(sign * f.sine) * once + f.half * cross<T>(phi, once);
  };
  const auto inverse_tangent = [&](const Vector<T>& u, double sign) -> Vector<T> {  // T(θ)⁻¹ u, T(θ)⁻ᵀ u
    const Vector<T> once = cross<T>(theta, u);
    return u + T(0.5 * sign) * once + f.inverse * cross<T>(theta, once);
  };
  const auto half_tangent = [&](const Vector<T>& u, double sign) -> Vector<T> {  // T(φ)ᵀ u, T(φ) u
    const Vector<T> once = cross<T>(phi, u);
    return u + T(sign * f.half) * once + f.sixth * cross<T>(phi, once);
  };
  const Vector<T> y = turn(at.end_a.transpose() * at.apart, -1);
  const T along = theta.dot(y);
  const Vector<T> theta_rate = inverse_tangent(at.angular_velocity_b, 1) - inverse_tangent(at.angular_velocity_a, -1);
  const Vector<T> angular_velocity =
      turn(at.angular_velocity_a, -1) + T(0.5) * half_tangent(theta_rate, -1);  // half-way
  const Vector<T> y_rate = turn(at.end_a.transpose() * at.rate, -1) + cross<T>(y, angular_velocity);
  const T stretch = T(2) * theta.dot(theta_rate);

  Internal<3, T> out;
  const T inverse_length(1 / beam.length);
  out.strain << f.a * y + f.b * along * theta, theta;
  out.rate << f.a * y_rate + f.a_rate * stretch * y +
                  (f.b_rate * stretch * along + f.b * (theta_rate.dot(y) + theta.dot(y_rate))) * theta +
                  f.b * along * theta_rate,
      theta_rate;
  for (int k = 0; k < Space<3>::dofs; ++k) {
    out.strain[k] = inverse_length * out.strain[k] - T(beam.reference[k]);
    out.rate[k] = inverse_length * out.rate[k];
    out.stress[k] = beam.stiffness[k] * (out.strain[k] + beam.damping * out.rate[k]);
  }
  const Vector<T> n = out.stress.template head<3>(), m = out.stress.template tail<3>();
  const T across = n.dot(theta);
  const Vector<T> pull = f.a * n + f.b * across * theta;  // conjugate to y
  const Vector<T> by_arc =
      T(2) * (f.a_rate * n.dot(y) + f.b_rate * across * along) * theta + f.b * (along * n + across * y);
  const Vector<T> swing = cross<T>(pull, y);  // conjugate to the rotation half-way
  const Vector<T> moment = m + by_arc + T(0.5) * half_tangent(swing, 1);
  out.force = at.end_a * turn(pull, 1);
  out.torque_b = inverse_tangent(moment, -1);
  out.torque_a = turn(swing, 1) - inverse_tangent(moment, 1);
  return out;
}

template <class T>
Internal<2, T> evaluate(const Ends<2, T>& at, const Properties<2>& beam) {
  const T &theta = at.theta, &c = at.cosine, &s = at.sine;
  const T theta_rate = at.angular_velocity_b - at.angular_velocity_a,
          angular_velocity = T(0.5) * (at.angular_velocity_a + at.angular_velocity_b);
  const auto f = arc<T>(theta * theta);
  const auto back = [&](const Eigen::Matrix<T, 2, 1>& u) {
    return Eigen::Matrix<T, 2, 1>(c * u[0] + s * u[1], c * u[1] - s * u[0]);
  };
  const Eigen::Matrix<T, 2, 1> y = back(at.apart), turned = back(at.rate);
  const Eigen::Matrix<T, 2, 1> y_rate(turned[0] + angular_velocity * y[1], turned[1] - angular_velocity * y[0]);
  const T bend = T(2) * f.a_rate * theta;

  Internal<2, T> out;
  const T inverse_length(1 / beam.length);
  out.strain << f.a * y, theta;
  out.rate << f.a * y_rate + bend * theta_rate * y, theta_rate;
  for (int k = 0; k < Space<2>::dofs; ++k) {
    out.strain[k] = inverse_length * out.strain[k] - T(beam.reference[k]);
    out.rate[k] = inverse_length * out.rate[k];
    out.stress[k] = beam.stiffness[k] * (out.strain[k] + beam.damping * out.rate[k]);
  }
  const Eigen::Matrix<T, 2, 1> pull = f.a * out.stress.template head<2>();
  const T swing = T(0.5) * (pull[0] * y[1] - pull[1] * y[0]);
  const T moment = out.stress[2] + bend * (out.stress[0] * y[0] + out.stress[1] * y[1]);
  out.force << c * pull[0] - s * pull[1], s * pull[0] + c * pull[1];
  out.torque_a[0] = swing - moment;
  out.torque_b[0] = swing + moment;
  return out;
}

}  // namespace carom::helix
