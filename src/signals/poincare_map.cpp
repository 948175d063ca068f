#include "signals/poincare_map.h"

#include <algorithm>
#include <cmath>

namespace carom::inline signals {
namespace {

// Between samples i and i + 1. Nothing where a number is missing.
void add_between(const std::vector<double>& times, const std::vector<double>& xs, const std::vector<double>& ys,
                 std::size_t i, double share, std::vector<MapPoint>& points) {
  // Rounding does not lead beyond the samples.
  const auto at = [&](const std::vector<double>& numbers) {
    const auto [low, high] = std::minmax(numbers[i], numbers[i + 1]);
    return std::clamp((1 - share) * numbers[i] + share * numbers[i + 1], low, high);
  };
  const MapPoint point{at(times), at(xs), at(ys)};
  if (std::isfinite(point.x) && std::isfinite(point.y)) points.push_back(point);
}

}  // namespace

std::vector<MapPoint> stroboscopic_map(const std::vector<double>& times, const std::vector<double>& xs,
                                       const std::vector<double>& ys, const Strobe& strobe) {
  std::vector<MapPoint> points;
  if (times.size() < 2) return points;
  std::size_t i = 0;
  // Counted, so that rounding does not add up; the last flash may miss the end by rounding only.
  const double end = times.back() + 1e-9 * strobe.period;
  for (double k = std::max(0.0, std::ceil((times.front() - strobe.first) / strobe.period));; ++k) {
    const double t = strobe.first + k * strobe.period;
    if (t > end) return points;
    while (i + 2 < times.size() && times[i + 1] <= t) ++i;
    const double width = times[i + 1] - times[i];
    add_between(times, xs, ys, i, width > 0 ? std::min((t - times[i]) / width, 1.0) : 0, points);
  }
}

std::vector<MapPoint> instant_map(const std::vector<double>& times, const std::vector<double>& xs,
                                  const std::vector<double>& ys, const std::vector<double>& instants) {
  std::vector<MapPoint> points;
  for (const double t : instants) {
    const auto after = std::lower_bound(times.begin(), times.end(), t);
    if (after == times.end() || times.size() < 2 || t < times.front()) continue;
    const auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, after - times.begin())) - 1;
    const double width = times[i + 1] - times[i];
    add_between(times, xs, ys, i, width > 0 ? (t - times[i]) / width : 0, points);
  }
  return points;
}

std::vector<MapPoint> section_map(const std::vector<double>& times, const std::vector<double>& xs,
                                  const std::vector<double>& ys, const Section& section) {
  std::vector<MapPoint> points;
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    const double before = section.values[i] - section.level, after = section.values[i + 1] - section.level;
    const bool rises = before < 0 && after >= 0, falls = before > 0 && after <= 0;
    if ((rises && section.way != Crossing::falling) || (falls && section.way != Crossing::rising)) {
      add_between(times, xs, ys, i, before / (before - after), points);
    }
  }
  return points;
}

}  // namespace carom::inline signals
