#include "durability/rainflow.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace carom::inline durability {

std::optional<double> TurningPoints::push(double sample) {
  assert(std::isfinite(sample));
  if (empty_) {
    empty_ = false;
    last_ = sample;
    return sample;
  }
  if (sample == last_) return std::nullopt;
  const int direction = sample > last_ ? 1 : -1;
  const double previous = last_;
  const bool reversed = direction == -direction_;
  last_ = sample;
  direction_ = direction;
  if (reversed) return previous;
  return std::nullopt;
}

std::optional<double> TurningPoints::finish() {
  const bool moved = direction_ != 0;
  direction_ = 0;
  empty_ = true;
  if (moved) return last_;
  return std::nullopt;
}

CountedCycle RainflowCounter::cycle(double from, double to, double count) {
  return {.range = std::abs(to - from), .mean = (from + to) / 2, .count = count};
}

std::optional<CountedCycle> RainflowCounter::close_range() {
  const std::size_t size = open_.size();
  if (size < 3) return std::nullopt;
  const double newest = open_[size - 1], middle = open_[size - 2], oldest = open_[size - 3];
  if (std::abs(newest - middle) < std::abs(middle - oldest)) return std::nullopt;
  if (size == 3) {
    // The older range holds the starting point: half a cycle, and the history begins one point later.
    open_.erase(open_.begin());
    return cycle(oldest, middle, 0.5);
  }
  open_.resize(size - 2);
  open_.back() = newest;
  return cycle(oldest, middle, 1);
}

std::vector<CountedCycle> count_rainflow(std::span<const double> samples) {
  std::vector<CountedCycle> cycles;
  const auto sink = [&](const CountedCycle& cycle) { cycles.push_back(cycle); };
  RainflowCounter counter;
  for (const double sample : samples) counter.push(sample, sink);
  counter.finish(sink);
  return cycles;
}

RangeHistogram::RangeHistogram(double largest_range, std::size_t bins)
    : width_(largest_range / static_cast<double>(bins)), counts_(bins), means_(bins) {
  assert(largest_range > 0 && bins > 0);
}

void RangeHistogram::add(const CountedCycle& cycle) {
  const double place = std::min(cycle.range / width_, static_cast<double>(counts_.size() - 1));
  const auto bin = static_cast<std::size_t>(place);
  counts_[bin] += cycle.count;
  means_[bin] += cycle.count * cycle.mean;
  largest_ = std::max(largest_, cycle.range);
}

std::vector<CountedCycle> RangeHistogram::spectrum() const {
  std::vector<CountedCycle> spectrum;
  for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
    if (counts_[bin] == 0) continue;
    const double edge = width_ * static_cast<double>(bin + 1);
    const double range = bin + 1 == counts_.size() ? std::max(edge, largest_) : edge;
    spectrum.push_back({.range = range, .mean = means_[bin] / counts_[bin], .count = counts_[bin]});
  }
  return spectrum;
}

}  // namespace carom::inline durability
