#include "math/spline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace carom::inline math {

namespace {

// Second derivatives of the natural cubic spline at its knots; the tridiagonal system is diagonally dominant, so it is
// solved without pivoting.
std::vector<double> natural_curvatures(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size();
  std::vector<double> curvature(n, 0.0), upper(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = x[i] - x[i - 1], behind = x[i + 1] - x[i];
    const double load = 6 * ((y[i + 1] - y[i]) / behind - (y[i] - y[i - 1]) / before);
    const double pivot = 2 * (before + behind) - before * upper[i - 1];
    upper[i] = behind / pivot;
    curvature[i] = (load - before * curvature[i - 1]) / pivot;
  }
  for (std::size_t i = n > 1 ? n - 1 : 0; i-- > 1;) curvature[i] -= upper[i] * curvature[i + 1];
  return curvature;
}

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

}  // namespace

std::string table_error(std::span<const double> x, std::span<const double> y) {
  if (x.empty() && y.empty()) return "a table needs one point or more";
  if (x.size() != y.size()) return fmt::format("a table of {} arguments but {} values", x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return fmt::format("point {} is not finite", i + 1);
    if (i > 0 && x[i] <= x[i - 1]) {
      return fmt::format("the arguments of a table must increase: point {} has {} after {}", i + 1, x[i], x[i - 1]);
    }
  }
  return "";
}

Spline::Spline(std::vector<double> knots, int degree)
    : knots_(std::move(knots)), degree_(degree), coefficients_((knots_.size() + 1) * (degree + 1), 0.0) {}

Spline Spline::through(std::vector<double> x, std::span<const double> y, Interpolation interpolation) {
  const std::string error = table_error(x, y);
  if (!error.empty()) throw std::invalid_argument(error);
  const bool cubic = interpolation == Interpolation::cubic;
  const std::vector<double> curvature = cubic ? natural_curvatures(x, y) : std::vector<double>(x.size(), 0.0);
  Spline spline(std::move(x), cubic ? 3 : 1);
  const std::size_t stride = spline.degree_ + 1, last = spline.knots_.size();
  spline.coefficients_[0] = y.front();
  spline.coefficients_[last * stride] = y.back();
  for (std::size_t k = 1; k < last; ++k) {
    const double h = spline.knots_[k] - spline.knots_[k - 1];
    double* const coefficient = &spline.coefficients_[k * stride];
    coefficient[0] = y[k - 1];
    coefficient[1] = (y[k] - y[k - 1]) / h - h * (2 * curvature[k - 1] + curvature[k]) / 6;
    if (!cubic) continue;
    coefficient[2] = curvature[k - 1] / 2;
    coefficient[3] = (curvature[k] - curvature[k - 1]) / (6 * h);
  }
  return spline;
}

Spline Spline::line(double at, double value, double slope) {
  Spline spline({at}, 1);
  spline.coefficients_ = {value, slope, value, slope};
  return spline;
}

std::size_t Spline::piece_at(double x) const {
  // A run that ends with its table must not see the standstill after it.
  if (x == knots_.back() && knots_.size() > 1) return knots_.size() - 1;
  return static_cast<std::size_t>(std::upper_bound(knots_.begin(), knots_.end(), x) - knots_.begin());
}

double Spline::origin(std::size_t piece) const {
  return knots_[piece == 0 ? 0 : piece - 1];
}

Jet Spline::evaluate(std::size_t piece, double x) const {
  const double s = x - origin(piece);
  const double* const coefficient = &coefficients_[piece * (degree_ + 1)];
  double value = 0, first = 0, half_second = 0;
  for (int power = degree_; power >= 0; --power) {
    half_second = half_second * s + first;
    first = first * s + value;
    value = value * s + coefficient[power];
  }
  return {value, first, 2 * half_second};
}

double Spline::value(double x) const {
  const std::size_t piece = piece_at(x);
  const double s = x - origin(piece);
  const double* const coefficient = &coefficients_[piece * (degree_ + 1)];
  double value = 0;
  for (int power = degree_; power >= 0; --power) value = value * s + coefficient[power];
  return value;
}

Jet Spline::derivatives(double x) const {
  return evaluate(piece_at(x), x);
}

Spline Spline::antiderivative(double from, double initial_value) const {
  Spline result(knots_, degree_ + 1);
  const std::size_t stride = degree_ + 1, pieces = knots_.size() + 1;
  for (std::size_t k = 0; k < pieces; ++k) {
    double* const coefficient = &result.coefficients_[k * (stride + 1)];
    for (std::size_t power = 0; power < stride; ++power) {
      coefficient[power + 1] = coefficients_[k * stride + power] / static_cast<double>(power + 1);
    }
    // Continuous, and 0 at the first knot.
    if (k >= 2) coefficient[0] = result.evaluate(k - 1, knots_[k - 1]).value;
  }
  const double shift = initial_value - result.value(from);
  for (std::size_t k = 0; k < pieces; ++k) result.coefficients_[k * (stride + 1)] += shift;
  return result;
}

std::vector<double> Spline::ordinates() const {
  std::vector<double> result;
  for (std::size_t k = 0; k < knots_.size(); ++k) result.push_back(coefficients_[(k + 1) * (degree_ + 1)]);
  return result;
}

std::vector<double> Spline::breakpoints() const {
  std::vector<double> slopes, curvatures;  // on the left and on the right of every knot
  for (std::size_t k = 0; k < knots_.size(); ++k) {
    for (const std::size_t piece : {k, k + 1}) {
      const Jet jet = evaluate(piece, knots_[k]);
      slopes.push_back(jet.first);
      curvatures.push_back(jet.second);
    }
  }
  // Above rounding, below any jump that matters.
  const double slope_noise = 1e-10 * largest(slopes), curvature_noise = 1e-10 * largest(curvatures);
  std::vector<double> result;
  for (std::size_t k = 0; k < knots_.size(); ++k) {
    const bool slope_jumps = std::abs(slopes[2 * k + 1] - slopes[2 * k]) > slope_noise;
    const bool curvature_jumps = std::abs(curvatures[2 * k + 1] - curvatures[2 * k]) > curvature_noise;
    if (slope_jumps || curvature_jumps) result.push_back(knots_[k]);
  }
  return result;
}

}  // namespace carom::inline math
