#include "viewing/curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "plotting/decimate.h"

namespace carom::inline viewing {
namespace {

struct SampleRange {
  std::size_t first = 0, last = 0;  // the last is not included
};

// The samples inside and one more at either end, so that a line leaves the picture at its edge.
SampleRange samples_in(const std::vector<double>& times, TimeSpan span) {
  const auto begin = std::lower_bound(times.begin(), times.end(), span.from);
  const auto end = std::upper_bound(begin, times.end(), span.to);
  SampleRange range{static_cast<std::size_t>(begin - times.begin()), static_cast<std::size_t>(end - times.begin())};
  if (range.first > 0) --range.first;
  if (range.last < times.size()) ++range.last;
  return range;
}

// Adds those of [begin, end) that a picture of the part needs, in their order.
void add_extremes(const std::vector<double>& t, const std::vector<double>& x, const std::vector<double>& y,
                  std::size_t begin, std::size_t end, std::vector<double>& result) {
  std::array<std::size_t, 6> kept = {begin, begin, begin, begin, begin, end - 1};
  for (std::size_t i = begin; i < end; ++i) {
    if (x[i] < x[kept[1]]) kept[1] = i;
    if (x[i] > x[kept[2]]) kept[2] = i;
    if (y[i] < y[kept[3]]) kept[3] = i;
    if (y[i] > y[kept[4]]) kept[4] = i;
  }
  std::sort(kept.begin(), kept.end());
  const auto last = std::unique(kept.begin(), kept.end());
  for (auto i = kept.begin(); i != last; ++i) result.insert(result.end(), {t[*i], x[*i], y[*i]});
}

}  // namespace

std::vector<double> thin_curve(const std::vector<double>& times, const std::vector<double>& values, TimeSpan span,
                               std::size_t columns) {
  const SampleRange range = samples_in(times, span);
  std::vector<PagePoint> points;
  points.reserve(range.last - range.first);
  for (std::size_t i = range.first; i < range.last; ++i) points.push_back({times[i], values[i]});
  const double width = (span.to - span.from) / static_cast<double>(columns);
  std::vector<double> result;
  for (const PageLine& line : decimate_line(points, width > 0 ? width : 1)) {
    if (!result.empty()) result.insert(result.end(), {line.front().x, std::numeric_limits<double>::quiet_NaN()});
    for (const PagePoint& point : line) result.insert(result.end(), {point.x, point.y});
  }
  return result;
}

std::vector<double> thin_phase_curve(const std::vector<double>& times, const std::vector<double>& xs,
                                     const std::vector<double>& ys, TimeSpan span, std::size_t parts) {
  const SampleRange range = samples_in(times, span);
  const std::size_t count = range.last - range.first, length = std::max<std::size_t>(1, (count + parts - 1) / parts);
  std::vector<double> result;
  for (std::size_t begin = range.first; begin < range.last; begin += length) {
    add_extremes(times, xs, ys, begin, std::min(begin + length, range.last), result);
  }
  return result;
}

void keep_above(double level, std::vector<double>& times, std::vector<double>& xs, std::vector<double>& ys) {
  std::size_t kept = 0;
  bool last_above = false;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const bool above = xs[i] > level, next_above = i + 1 < xs.size() && xs[i + 1] > level;
    if (above || last_above || next_above) {
      times[kept] = times[i], xs[kept] = std::max(xs[i], level), ys[kept] = ys[i];
      ++kept;
    }
    last_above = above;
  }
  for (std::vector<double>* list : {&times, &xs, &ys}) list->resize(kept);
}

std::vector<EventMark> event_marks(const Viewed& viewed, TimeSpan span, std::size_t columns) {
  std::vector<EventMark> marks;
  const double width = (span.to - span.from) / static_cast<double>(columns);
  double column = -1;
  for (const EventRecord& event : viewed.samples->events()) {
    if (event.time < span.from || event.time > span.to) continue;
    const double here = width > 0 ? std::floor((event.time - span.from) / width) : 0;
    if (marks.empty() || here != column) {
      marks.push_back(
          {.first = event.time, .last = event.time, .count = 0, .kind = event.kind, .subject = event.subject});
    }
    column = here;
    ++marks.back().count;
    marks.back().last = event.time;
  }
  return marks;
}

}  // namespace carom::inline viewing
