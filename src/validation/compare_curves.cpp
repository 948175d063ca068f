#include "validation/compare_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "signals/curve.h"

namespace carom::inline validation {
namespace {

// Instants that differ less are one: times of samples carry rounding errors.
double tolerance_of(std::span<const double> t) {
  return t.size() < 2 ? 0 : 1e-6 * (t.back() - t.front()) / static_cast<double>(t.size() - 1);
}

// The samples in a span, its ends included.
std::span<const double> inside(std::span<const double> t, TimeSpan span) {
  const double tolerance = tolerance_of(t);
  const auto first = std::lower_bound(t.begin(), t.end(), span.begin - tolerance);
  const auto last = std::upper_bound(first, t.end(), span.end + tolerance);
  return {first, last};
}

}  // namespace

TimeSpan common_span(std::span<const double> a, std::span<const double> b) {
  return {std::max(a.front(), b.front()), std::min(a.back(), b.back())};
}

bool same_times(std::span<const double> a, std::span<const double> b, TimeSpan span) {
  const auto first = inside(a, span), second = inside(b, span);
  const double tolerance = tolerance_of(a);
  return std::equal(first.begin(), first.end(), second.begin(), second.end(),
                    [&](double s, double t) { return std::abs(s - t) <= tolerance; });
}

CurveDifference compare_curves(const Curve& a, const Curve& b, TimeSpan span) {
  const auto shared = inside(a.t, span);
  const auto first = static_cast<std::size_t>(shared.data() - a.t.data());
  CurveDifference result;
  std::vector<double> times, squares;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t k = first; k < first + shared.size(); ++k) {
    const double difference = std::abs(value_at(b.t, b.x, a.t[k]) - a.x[k]);
    if (!std::isfinite(difference)) continue;
    low = std::min(low, a.x[k]), high = std::max(high, a.x[k]);
    if (times.empty() || difference > result.largest) result.largest = difference, result.time = a.t[k];
    times.push_back(a.t[k]);
    squares.push_back(difference * difference);
  }
  result.samples = times.size();
  if (times.empty()) return result;
  result.range = high - low;
  const double duration = times.back() - times.front();
  result.rms = duration > 0 ? std::sqrt(integral_of(times, squares, times.front(), times.back()) / duration)
                            : std::sqrt(squares.front());
  return result;
}

double sum_of_increments(const Curve& curve, TimeSpan span) {
  const double tolerance = tolerance_of(curve.t);
  double sum = 0;
  for (std::size_t k = 0; k < curve.t.size(); ++k) {
    const bool counts = curve.t[k] > span.begin + tolerance && curve.t[k] <= span.end + tolerance;
    if (counts && std::isfinite(curve.x[k])) sum += curve.x[k];
  }
  return sum;
}

}  // namespace carom::inline validation
