#include "outline_io/dxf_spline.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace carom::inline outline_io {

namespace {

using Homogeneous = Eigen::Vector3d;  // w x, w y, w

// The polar form of the span [knots[k], knots[k + 1]]: one value for each argument of the polynomial.
Homogeneous blossom(const DxfSpline& spline, const std::vector<Homogeneous>& control, std::size_t k,
                    const std::vector<double>& at) {
  const auto p = static_cast<std::size_t>(spline.degree);
  std::vector<Homogeneous> d(control.begin() + static_cast<std::ptrdiff_t>(k - p),
                             control.begin() + static_cast<std::ptrdiff_t>(k + 1));
  for (std::size_t r = 1; r <= p; ++r) {
    for (std::size_t j = p; j >= r; --j) {
      const double low = spline.knots[j + k - p], high = spline.knots[j + 1 + k - r];
      const double part = (at[r - 1] - low) / (high - low);
      d[j] = (1 - part) * d[j - 1] + part * d[j];
    }
  }
  return d[p];
}

// Coefficients of powers of u from 0 to 1 over the span.
std::vector<Homogeneous> powers_of_span(const DxfSpline& spline, const std::vector<Homogeneous>& control,
                                        std::size_t k) {
  const int p = spline.degree;
  std::vector<Homogeneous> bezier;
  for (int j = 0; j <= p; ++j) {
    std::vector<double> at(static_cast<std::size_t>(p), spline.knots[k]);
    for (int i = 0; i < j; ++i) at[static_cast<std::size_t>(i)] = spline.knots[k + 1];
    bezier.push_back(blossom(spline, control, k, at));
  }
  // Differences of the control points, times binomial coefficients.
  std::vector<Homogeneous> result;
  double binomial = 1;
  for (int j = 0; j <= p; ++j) {
    result.push_back(binomial * bezier[0]);
    for (int i = 0; i + 1 < static_cast<int>(bezier.size()); ++i)
      bezier[static_cast<std::size_t>(i)] =
          bezier[static_cast<std::size_t>(i + 1)] - bezier[static_cast<std::size_t>(i)];
    if (!bezier.empty()) bezier.pop_back();
    binomial = binomial * (p - j) / (j + 1);
  }
  return result;
}

CurvePoint rational_at(const std::vector<Homogeneous>& c, double u) {
  Homogeneous value = Homogeneous::Zero(), first = value, half = value;
  for (std::size_t k = c.size(); k-- > 0;) {
    half = u * half + first;
    first = u * first + value;
    value = u * value + c[k];
  }
  const Homogeneous second = 2 * half;
  const double w = value.z();
  const Eigen::Vector2d position = value.head<2>() / w;
  const Eigen::Vector2d slope = (first.head<2>() - first.z() * position) / w;
  const Eigen::Vector2d bend = (second.head<2>() - 2 * first.z() * slope - second.z() * position) / w;
  return {position, slope, bend};
}

void check_spline(const DxfSpline& spline) {
  const std::size_t n = spline.control.size();
  if (spline.degree < 1 || spline.degree > CurvePiece::degree)
    throw std::invalid_argument(fmt::format("degree {}; expected 1 to {}", spline.degree, CurvePiece::degree));
  const auto p = static_cast<std::size_t>(spline.degree);
  if (n < p + 1 || spline.knots.size() != n + p + 1)
    throw std::invalid_argument(
        fmt::format("{} control points and {} knots do not make a spline of degree {}", n, spline.knots.size(), p));
  if (!spline.weights.empty() && spline.weights.size() != n)
    throw std::invalid_argument("as many weights as control points are needed");
  for (const double weight : spline.weights) {
    if (!(weight > 0)) throw std::invalid_argument("weights must be positive");
  }
  for (std::size_t k = 1; k < spline.knots.size(); ++k) {
    if (spline.knots[k] < spline.knots[k - 1]) throw std::invalid_argument("knots must not fall");
  }
}

}  // namespace

OutlineLoop pieces_of_spline(const DxfSpline& spline) {
  if (spline.control.empty() && spline.fit.size() >= 2)
    throw std::invalid_argument("it has points to go through, and no control points; export it with control points");
  check_spline(spline);
  std::vector<Homogeneous> control;
  bool rational = false;
  for (std::size_t k = 0; k < spline.control.size(); ++k) {
    const double w = spline.weights.empty() ? 1 : spline.weights[k] / spline.weights[0];
    rational = rational || std::abs(w - 1) > 1e-12;
    control.emplace_back(w * spline.control[k].x(), w * spline.control[k].y(), w);
  }
  OutlineLoop loop;
  for (std::size_t k = static_cast<std::size_t>(spline.degree); k < spline.control.size(); ++k) {
    if (!(spline.knots[k + 1] > spline.knots[k])) continue;
    const std::vector<Homogeneous> powers = powers_of_span(spline, control, k);
    if (!rational) {
      CurvePiece piece;
      for (std::size_t j = 0; j < powers.size(); ++j) piece.c[j] = powers[j].head<2>();
      loop.push_back(piece);
      continue;
    }
    constexpr int parts = 32;
    const auto at = [&](int j) {
      CurvePoint point = rational_at(powers, static_cast<double>(j) / parts);
      point.first /= parts, point.second /= parts * parts;
      return point;
    };
    for (int j = 0; j < parts; ++j) loop.push_back(CurvePiece::quintic(at(j), at(j + 1)));
  }
  if (loop.empty()) throw std::invalid_argument("all its knots are equal");
  return loop;
}

}  // namespace carom::inline outline_io
