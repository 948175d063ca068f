#include "plotting/decimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_set>

namespace carom::inline plotting {

namespace {

bool is_finite(const PagePoint& point) {
  return std::isfinite(point.x) && std::isfinite(point.y);
}

/// Adds first, lowest, highest and last of points[begin, end), each once.
void add_extremes(const std::vector<PagePoint>& points, std::size_t begin, std::size_t end, PageLine& line) {
  std::size_t low = begin, high = begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (points[i].y < points[low].y) low = i;
    if (points[i].y > points[high].y) high = i;
  }
  std::array<std::size_t, 4> kept = {begin, std::min(low, high), std::max(low, high), end - 1};
  const auto last = std::unique(kept.begin(), kept.end());
  for (auto i = kept.begin(); i != last; ++i) line.push_back(points[*i]);
}

}  // namespace

std::vector<PageLine> decimate_line(const std::vector<PagePoint>& points, double column_width) {
  std::vector<PageLine> lines;
  bool broken = true;
  for (std::size_t begin = 0; begin < points.size();) {
    if (!is_finite(points[begin])) {
      broken = true;
      ++begin;
      continue;
    }
    const double column = std::floor(points[begin].x / column_width);
    std::size_t end = begin + 1;
    while (end < points.size() && is_finite(points[end]) && std::floor(points[end].x / column_width) == column) ++end;
    if (broken) lines.emplace_back();
    broken = false;
    add_extremes(points, begin, end, lines.back());
    begin = end;
  }
  return lines;
}

PageLine decimate_points(const std::vector<PagePoint>& points, double cell_width) {
  PageLine kept;
  std::unordered_set<std::uint64_t> taken;
  for (const PagePoint& point : points) {
    if (!is_finite(point)) continue;
    const auto column = static_cast<std::int32_t>(std::clamp(point.x / cell_width, -1e9, 1e9));
    const auto row = static_cast<std::int32_t>(std::clamp(point.y / cell_width, -1e9, 1e9));
    const std::uint64_t cell =
        (std::uint64_t{static_cast<std::uint32_t>(column)} << 32) | static_cast<std::uint32_t>(row);
    if (taken.insert(cell).second) kept.push_back(point);
  }
  return kept;
}

}  // namespace carom::inline plotting
