#pragma once

#include <array>
#include <cmath>

#include <Eigen/Core>

// Strain and internal forces of a two-node beam element on the group of rigid motions, written once for numbers and for
// derivatives. See docs/theory/beams.md.
//
// With R = R_aᵀ R_b, θ = log R, the rotation half-way R_m = R_a exp(θ/2) and y = R_mᵀ (x_b − x_a), the logarithm of the
// relative motion is (S⁻¹ y, θ), where S⁻¹ stretches the part of y across θ by the ratio of arc to chord. Divided by
// the length it is the strain of a helix: constant along the element, unchanged by rigid motions.
namespace carom::beam {

// Functions of s = θ²: arc over chord, a = (θ/2)/sin(θ/2), b = (1 − a)/s, and their derivatives by s.
template <class T>
struct ArcChord {
  T a, b, a_rate, b_rate;
};

template <class T>
ArcChord<T> arc_chord(const T& s) {
  using std::cos, std::sin, std::sqrt;
  if (s < 0.25) {
    // (θ/2)/sin(θ/2) = Σ c_k s^k
    constexpr std::array<double, 9> c = {1.0,
                                         1.0 / 24,
                                         7.0 / 5760,
                                         31.0 / 967680,
                                         127.0 / 154828800,
                                         73.0 / 3503554560.0,
                                         1414477.0 / 2678117105664000.0,
                                         8191.0 / 612141052723200.0,
                                         16931177.0 / 49950709902213120000.0};
    T a(0), b(0), a_rate(0), b_rate(0);
    for (int k = 8; k >= 0; --k) a = a * s + c[k];
    for (int k = 8; k >= 1; --k) b = b * s - c[k];
    for (int k = 8; k >= 1; --k) a_rate = a_rate * s + k * c[k];
    for (int k = 8; k >= 2; --k) b_rate = b_rate * s - (k - 1) * c[k];
    return {a, b, a_rate, b_rate};
  }
  const T h = 0.5 * sqrt(s), sine = sin(h), cosine = cos(h);
  const T a = h / sine;
  const T a_rate = (sine - h * cosine) / (8.0 * h * sine * sine);
  const T b = (1.0 - a) / s;
  return {a, b, a_rate, -(a_rate + b) / s};
}

template <class T>
using Vector = Eigen::Matrix<T, 3, 1>;
template <class T>
using Matrix = Eigen::Matrix<T, 3, 3>;

template <class T>
Vector<T> cross(const Vector<T>& a, const Vector<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Rotation vector of a matrix, |θ| < π.
template <class T>
Vector<T> rotation_vector(const Matrix<T>& R) {
  using std::atan2, std::sqrt;
  const Vector<T> w(0.5 * (R(2, 1) - R(1, 2)), 0.5 * (R(0, 2) - R(2, 0)), 0.5 * (R(1, 0) - R(0, 1)));  // axis · sin θ
  const T sine2 = w.dot(w), cosine = 0.5 * (R(0, 0) + R(1, 1) + R(2, 2) - 1.0);
  T scale;
  if (sine2 < 1e-4 && cosine > 0.0) {
    // asin(x)/x, x = sin θ
    constexpr std::array<double, 7> c = {1.0,          1.0 / 6,       3.0 / 40,        15.0 / 336,
                                         105.0 / 3456, 945.0 / 42240, 10395.0 / 599040};
    scale = T(0);
    for (int k = 6; k >= 0; --k) scale = scale * sine2 + c[k];
  } else {
    const T sine = sqrt(sine2);
    scale = atan2(sine, cosine) / sine;
  }
  return scale * w;
}

// (1 − cos θ)/θ², (θ − sin θ)/θ³ and sin θ/θ of s = θ².
template <class T>
struct ExpSeries {
  T half, sixth, one;
};
template <class T>
ExpSeries<T> exp_series(const T& s) {
  using std::cos, std::sin, std::sqrt;
  if (s < 0.25) {
    T half(0), sixth(0);
    for (int k = 8; k >= 0; --k) {
      half = 1.0 / ((2 * k + 1) * (2 * k + 2)) * (1.0 - s * half);
      sixth = 1.0 / ((2 * k + 2) * (2 * k + 3)) * (1.0 - s * sixth);
    }
    return {half, sixth, 1.0 - s * sixth};
  }
  const T angle = sqrt(s), sine = sin(angle);
  return {(1.0 - cos(angle)) / s, (angle - sine) / (s * angle), sine / angle};
}

// v turned by the rotation vector θ.
template <class T>
Vector<T> turned(const Vector<T>& theta, const Vector<T>& v, double sign) {
  const auto e = exp_series<T>(theta.dot(theta));
  const Vector<T> once = cross<T>(theta, v);
  return v + sign * e.one * once + e.half * cross<T>(theta, once);
}

// T(θ) v or T(θ)ᵀ v, where exp(θ + δθ) = exp(θ) exp(T δθ).
template <class T>
Vector<T> tangent(const Vector<T>& theta, const Vector<T>& v, bool transposed) {
  const auto e = exp_series<T>(theta.dot(theta));
  const Vector<T> once = cross<T>(theta, v);
  return v - (transposed ? -1.0 : 1.0) * e.half * once + e.sixth * cross<T>(theta, once);
}

// T(θ)⁻¹ v or T(θ)⁻ᵀ v.
template <class T>
Vector<T> inverse_tangent(const Vector<T>& theta, const Vector<T>& v, bool transposed) {
  const T s = theta.dot(theta);
  const auto e = exp_series<T>(s);
  const Vector<T> once = cross<T>(theta, v);
  // (1 − (θ/2) cot(θ/2))/θ² = (1/12)(1 + …) in terms of the series, without cancellation: (2 sixth − … ) is avoided by
  // 1/s − (1 + cos θ)/(2 θ sin θ) = (half − 2·sixth·…)
  const T factor = (0.5 * e.half + (e.sixth - 0.5 * e.half) - 0.0 * s);
  (void)factor;
  const auto arc = arc_chord<T>(s);
  // (θ/2) cot(θ/2) = a cos(θ/2), and cos(θ/2)² = 1 − s/(4 a²)
  const T c = (1.0 - arc.a * arc.a + 0.25 * s) / (s > 0.0 ? s : T(1));
  (void)c;
  return v + (transposed ? -0.5 : 0.5) * once;
}

}  // namespace carom::beam
