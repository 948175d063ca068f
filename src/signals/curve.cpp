#include "signals/curve.h"

#include <algorithm>
#include <cmath>

namespace carom::inline signals {
namespace {

// Lagrange's polynomial through all samples given.
double interpolate(std::span<const double> t, std::span<const double> x, double at) {
  double sum = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    double weight = 1;
    for (std::size_t j = 0; j < t.size(); ++j) {
      if (j != k) weight *= (at - t[j]) / (t[k] - t[j]);
    }
    sum += weight * x[k];
  }
  return sum;
}

std::size_t extreme_place(std::span<const double> x, bool largest) {
  const auto found = largest ? std::max_element(x.begin(), x.end()) : std::min_element(x.begin(), x.end());
  return static_cast<std::size_t>(found - x.begin());
}

}  // namespace

CurvePoint extreme_sample(std::span<const double> t, std::span<const double> x, bool largest) {
  const std::size_t k = extreme_place(x, largest);
  return {t[k], x[k]};
}

CurvePoint extreme_of(std::span<const double> t, std::span<const double> x, bool largest) {
  const std::size_t k = extreme_place(x, largest);
  if (k == 0 || k + 1 == x.size()) return {t[k], x[k]};
  // Divided differences of the parabola about sample k.
  const double before = (x[k] - x[k - 1]) / (t[k] - t[k - 1]), after = (x[k + 1] - x[k]) / (t[k + 1] - t[k]);
  const double curvature = (after - before) / (t[k + 1] - t[k - 1]);
  if (curvature == 0) return {t[k], x[k]};
  const double slope = before + curvature * (t[k] - t[k - 1]);
  const double shift = -slope / (2 * curvature);
  return {t[k] + shift, x[k] + shift * (slope + shift * curvature)};
}

std::vector<double> upward_crossings(std::span<const double> t, std::span<const double> x) {
  std::vector<double> result;
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    if (!(x[k] < 0 && x[k + 1] >= 0)) continue;
    const std::size_t count = std::min<std::size_t>(4, x.size());
    const std::size_t first = std::min(k == 0 ? 0 : k - 1, x.size() - count);
    double low = t[k], high = t[k + 1];
    while (true) {
      const double middle = low + (high - low) / 2;
      if (middle <= low || middle >= high) break;
      (interpolate(t.subspan(first, count), x.subspan(first, count), middle) < 0 ? low : high) = middle;
    }
    result.push_back(high);
  }
  return result;
}

double value_at(std::span<const double> t, std::span<const double> x, double at) {
  const auto after = static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), at) - t.begin());
  if (after == t.size()) return x.back();
  if (after == 0 || t[after] == at) return x[after];
  const double share = (at - t[after - 1]) / (t[after] - t[after - 1]);
  const auto [low, high] = std::minmax(x[after - 1], x[after]);
  return std::clamp(x[after - 1] + share * (x[after] - x[after - 1]), low, high);
}

double integral_of(std::span<const double> t, std::span<const double> x, double begin, double end) {
  double sum = 0;
  for (std::size_t k = 0; k + 1 < t.size(); ++k) {
    const double from = std::max(begin, t[k]), to = std::min(end, t[k + 1]);
    if (!(from < to)) continue;
    const double piece =
        (to - from) *
        (value_at(t.subspan(k, 2), x.subspan(k, 2), from) + value_at(t.subspan(k, 2), x.subspan(k, 2), to)) / 2;
    if (std::isfinite(piece)) sum += piece;
  }
  return sum;
}

}  // namespace carom::inline signals
