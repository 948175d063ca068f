#pragma once

#include <cmath>

#include <Eigen/Core>

namespace carom::inline math {

// A number with its derivatives by N variables: forward differentiation, exact to rounding.
template <int N>
struct Dual {
  double value = 0;
  Eigen::Matrix<double, N, 1> slope = Eigen::Matrix<double, N, 1>::Zero();

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT(google-explicit-constructor): a number is one without slope
  Dual(double value_at, const Eigen::Matrix<double, N, 1>& slope_at) : value(value_at), slope(slope_at) {}
  // The variable number k.
  static Dual variable(double value, int k) { return {value, Eigen::Matrix<double, N, 1>::Unit(k)}; }

  Dual& operator+=(const Dual& b) { return value += b.value, slope += b.slope, *this; }
  Dual& operator-=(const Dual& b) { return value -= b.value, slope -= b.slope, *this; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }

  friend Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.value * b.slope + b.value * a.slope};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value / b.value;
    return {quotient, (a.slope - quotient * b.slope) / b.value};
  }
  friend Dual operator*(double a, const Dual& b) { return {a * b.value, a * b.slope}; }
  friend Dual operator+(double a, const Dual& b) { return {a + b.value, b.slope}; }
  friend Dual operator-(double a, const Dual& b) { return {a - b.value, -b.slope}; }
  friend bool operator<(const Dual& a, double b) { return a.value < b; }
  friend bool operator>(const Dual& a, double b) { return a.value > b; }

  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return {root, a.slope / (2 * root)};
  }
  friend Dual sin(const Dual& a) { return {std::sin(a.value), std::cos(a.value) * a.slope}; }
  friend Dual cos(const Dual& a) { return {std::cos(a.value), -std::sin(a.value) * a.slope}; }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double square = x.value * x.value + y.value * y.value;
    return {std::atan2(y.value, x.value), (x.value * y.slope - y.value * x.slope) / square};
  }
};

}  // namespace carom::inline math

template <int N>
struct Eigen::NumTraits<carom::Dual<N>> : Eigen::NumTraits<double> {
  using Real = carom::Dual<N>;
  using NonInteger = carom::Dual<N>;
  using Nested = carom::Dual<N>;
  using Literal = double;
  // NOLINTBEGIN(readability-identifier-naming): names that Eigen asks for
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N,
    AddCost = N,
    MulCost = 3 * N
  };
  // NOLINTEND(readability-identifier-naming)
};
