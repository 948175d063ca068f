#pragma once

#include <cmath>
#include <numbers>

#include "base/expression.h"

// Arithmetic on jets: second-order forward differentiation by the chain rule. Each function has a twin for double, in
// <cmath> or here, that gives the same value to the last bit.
namespace carom::inline base {

inline double value_of(double x) {
  return x;
}
inline double value_of(const Jet& x) {
  return x.value;
}

// partial · change, but nothing where nothing changes: the infinite slope of sqrt at 0 does not matter to sqrt(0).
inline double contribution(double partial, double change) {
  return change == 0 ? 0 : partial * change;
}

// f(u) from f, f' and f'' at u.
inline Jet chain(const Jet& u, double f, double slope, double curvature) {
  return {f, contribution(slope, u.first), contribution(curvature, u.first * u.first) + contribution(slope, u.second)};
}

// The partial derivatives of a function of u and v.
struct Partials {
  double u, v, uu, uv, vv;
};

inline Jet chain(const Jet& u, const Jet& v, double f, const Partials& by) {
  return {f, contribution(by.u, u.first) + contribution(by.v, v.first),
          contribution(by.uu, u.first * u.first) + contribution(2 * by.uv, u.first * v.first) +
              contribution(by.vv, v.first * v.first) + contribution(by.u, u.second) + contribution(by.v, v.second)};
}

inline Jet operator-(const Jet& u) {
  return {-u.value, -u.first, -u.second};
}
inline Jet operator+(const Jet& u, const Jet& v) {
  return {u.value + v.value, u.first + v.first, u.second + v.second};
}
inline Jet operator-(const Jet& u, const Jet& v) {
  return {u.value - v.value, u.first - v.first, u.second - v.second};
}
inline Jet operator*(const Jet& u, const Jet& v) {
  return chain(u, v, u.value * v.value, {v.value, u.value, 0, 1, 0});
}
inline Jet operator/(const Jet& u, const Jet& v) {
  const double f = u.value / v.value, inverse = 1 / v.value;
  return chain(u, v, f, {inverse, -f * inverse, 0, -inverse * inverse, 2 * f * inverse * inverse});
}

inline Jet& operator+=(Jet& u, const Jet& v) {
  return u = u + v;
}
inline Jet& operator-=(Jet& u, const Jet& v) {
  return u = u - v;
}

inline Jet sin(const Jet& u) {
  const double f = std::sin(u.value);
  return chain(u, f, std::cos(u.value), -f);
}
inline Jet cos(const Jet& u) {
  const double f = std::cos(u.value);
  return chain(u, f, -std::sin(u.value), -f);
}
inline Jet tan(const Jet& u) {
  const double f = std::tan(u.value), slope = 1 + f * f;
  return chain(u, f, slope, 2 * f * slope);
}
inline Jet asin(const Jet& u) {
  const double x = u.value, slope = 1 / std::sqrt((1 - x) * (1 + x));
  return chain(u, std::asin(x), slope, x * slope * slope * slope);
}
inline Jet acos(const Jet& u) {
  const double x = u.value, slope = -1 / std::sqrt((1 - x) * (1 + x));
  return chain(u, std::acos(x), slope, x * slope * slope * slope);
}
inline Jet atan(const Jet& u) {
  const double slope = 1 / (1 + u.value * u.value);
  return chain(u, std::atan(u.value), slope, -2 * u.value * slope * slope);
}
inline Jet atan2(const Jet& u, const Jet& v) {
  const double y = u.value, x = v.value, square = x * x + y * y, fourth = square * square;
  return chain(u, v, std::atan2(y, x),
               {x / square, -y / square, -2 * x * y / fourth, (y - x) * (y + x) / fourth, 2 * x * y / fourth});
}
inline Jet sinh(const Jet& u) {
  const double f = std::sinh(u.value);
  return chain(u, f, std::cosh(u.value), f);
}
inline Jet cosh(const Jet& u) {
  const double f = std::cosh(u.value);
  return chain(u, f, std::sinh(u.value), f);
}
inline Jet tanh(const Jet& u) {
  const double f = std::tanh(u.value), slope = (1 - f) * (1 + f);
  return chain(u, f, slope, -2 * f * slope);
}
inline Jet exp(const Jet& u) {
  const double f = std::exp(u.value);
  return chain(u, f, f, f);
}
inline Jet log(const Jet& u) {
  const double slope = 1 / u.value;
  return chain(u, std::log(u.value), slope, -slope * slope);
}
inline Jet log10(const Jet& u) {
  const double slope = std::numbers::log10e / u.value;
  return chain(u, std::log10(u.value), slope, -slope / u.value);
}
inline Jet sqrt(const Jet& u) {
  const double f = std::sqrt(u.value), slope = 0.5 / f;
  return chain(u, f, slope, -0.5 * slope / u.value);
}
inline Jet cbrt(const Jet& u) {
  const double f = std::cbrt(u.value), slope = 1 / (3 * f * f);
  return chain(u, f, slope, -2 * slope / (3 * u.value));
}
inline Jet hypot(const Jet& u, const Jet& v) {
  const double f = std::hypot(u.value, v.value), a = u.value / f, b = v.value / f;
  return chain(u, v, f, {a, b, b * b / f, -a * b / f, a * a / f});
}

inline double sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : x;  // keeps NaN
}
inline Jet sign(const Jet& u) {
  return {sign(u.value), 0, 0};
}
inline Jet abs(const Jet& u) {
  return chain(u, std::abs(u.value), sign(u.value), 0);
}
inline Jet floor(const Jet& u) {
  return {std::floor(u.value), 0, 0};
}
inline Jet ceil(const Jet& u) {
  return {std::ceil(u.value), 0, 0};
}

// The remainder with the sign of the divisor, so that mod(t, T) is periodic for negative t too.
inline double mod(double a, double b) {
  const double remainder = std::fmod(a, b);
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}
inline Jet mod(const Jet& u, const Jet& v) {
  const double f = mod(u.value, v.value);
  return chain(u, v, f, {1, -std::round((u.value - f) / v.value), 0, 0, 0});
}

// x^p · coefficient, where a vanished coefficient wins over an infinite power: x² has curvature 2 at 0.
inline double scaled_power(double coefficient, double x, double p) {
  return coefficient == 0 ? 0 : coefficient * std::pow(x, p);
}
inline Jet pow(const Jet& u, const Jet& v) {
  const double x = u.value, p = v.value, f = std::pow(x, p);
  Partials by{scaled_power(p, x, p - 1), 0, scaled_power(p * (p - 1), x, p - 2), 0, 0};
  const bool exponent_varies = v.first != 0 || v.second != 0;
  if (exponent_varies && !(x == 0 && p > 0)) {  // 0^p stays 0 while p changes
    const double logarithm = std::log(x);
    by.v = f * logarithm;
    by.vv = f * logarithm * logarithm;
    by.uv = std::pow(x, p - 1) * (1 + p * logarithm);
  }
  return chain(u, v, f, by);
}

}  // namespace carom::inline base
