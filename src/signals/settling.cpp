#include "signals/settling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::inline signals {
namespace {

constexpr double resolution_of_range = 1e-4;

}  // namespace

std::optional<std::size_t> transient_length(std::span<const double> series, double resolution) {
  const std::size_t count = series.size();
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity(), sum = 0, squares = 0;
  const double origin = count > 0 ? series.back() : 0;  // near all values that matter, so that squares stay exact
  // From the end on, so that sums grow; the last few values are too few to tell.
  for (std::size_t left = 1; left <= count; ++left) {
    const double x = series[count - left] - origin, n = static_cast<double>(left);
    sum += x;
    squares += x * x;
    if (left < 5 && left < count) continue;
    const double variance = std::max(0.0, squares / n - sum * sum / (n * n)) + resolution * resolution;
    if (variance / n <= least) least = variance / n, best = count - left;
  }
  if (2 * best > count) return std::nullopt;
  return best;
}

std::optional<std::size_t> turns_to_settle(const std::vector<double>& times, const std::vector<double>& values,
                                           double start, double period) {
  std::vector<double> means, deviations;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::size_t k = 0;
  for (double turn = 0;; ++turn) {
    const double begin = start + turn * period, end = begin + period, slack = 1e-9 * period;
    if (times.empty() || end > times.back() + slack) break;
    while (k < times.size() && times[k] < begin - slack) ++k;
    double sum = 0, squares = 0, count = 0;
    for (; k < times.size() && times[k] < end - slack; ++k) {
      if (!std::isfinite(values[k])) continue;
      sum += values[k], squares += values[k] * values[k], ++count;
      low = std::min(low, values[k]), high = std::max(high, values[k]);
    }
    if (count == 0) continue;
    means.push_back(sum / count);
    deviations.push_back(std::sqrt(std::max(0.0, squares / count - sum * sum / (count * count))));
  }
  const double resolution = resolution_of_range * (high - low);
  const auto of_means = transient_length(means, resolution), of_deviations = transient_length(deviations, resolution);
  if (means.empty() || !of_means || !of_deviations) return std::nullopt;
  return std::max(*of_means, *of_deviations);
}

}  // namespace carom::inline signals
