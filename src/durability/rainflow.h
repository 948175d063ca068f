#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// Rainflow counting after ASTM E1049-85, section 5.4.4: a history of any quantity (a contact stress in Pa, a force in
// N) becomes cycles of a range and a mean. Each sample is looked at once; what is kept are the turning points of ranges
// that are still open. The order of the samples matters, their times do not.
namespace carom::inline durability {

struct CountedCycle {
  double range = 0;  // largest less smallest value, positive
  double mean = 0;   // half their sum
  double count = 0;  // 1, or ½ for a range that is never closed
};

// Peaks and valleys of a sampled history, its first and last value among them. Equal neighbours make one point.
class TurningPoints {
 public:
  // The turning point that this sample makes certain, if any: the first sample, later the one before a reversal.
  std::optional<double> push(double sample);
  // The last sample, unless all were equal. The next sample begins a new history.
  std::optional<double> finish();

 private:
  double last_ = 0;
  int direction_ = 0;  // of the last change: 1 up, −1 down, 0 before the first
  bool empty_ = true;
};

// Fed with samples one after another; `sink(const CountedCycle&)` is called for each range that is counted. Nothing is
// allocated besides the stack of open ranges, whose depth is that of the longest row of shrinking ranges.
class RainflowCounter {
 public:
  template <class Sink>
  void push(double sample, Sink&& sink) {
    if (const auto point = turning_points_.push(sample)) add(*point, sink);
  }

  // The end of the history: each range still open is half a cycle. The counter is empty afterwards.
  template <class Sink>
  void finish(Sink&& sink) {
    if (const auto point = turning_points_.finish()) add(*point, sink);
    for (std::size_t k = 1; k < open_.size(); ++k) sink(cycle(open_[k - 1], open_[k], 0.5));
    open_.clear();
  }

 private:
  static CountedCycle cycle(double from, double to, double count);
  // Counts the older of the last two ranges when the newer one covers it.
  std::optional<CountedCycle> close_range();

  template <class Sink>
  void add(double point, Sink& sink) {
    open_.push_back(point);
    while (const auto closed = close_range()) sink(*closed);
  }

  TurningPoints turning_points_;
  std::vector<double> open_;  // begins with the starting point S of the standard
};

// A whole history at once, in the order in which ranges are closed.
std::vector<CountedCycle> count_rainflow(std::span<const double> samples);

// Cycles by range in equal bins: bin k holds ranges from k to k + 1 widths, its lower edge included. The highest bin
// takes its upper edge and all that lies above, so that the number of cycles is kept.
class RangeHistogram {
 public:
  RangeHistogram(double largest_range, std::size_t bins);
  void add(const CountedCycle& cycle);
  double width() const { return width_; }
  // Number of cycles in each bin.
  const std::vector<double>& counts() const { return counts_; }
  // The cycles as a spectrum, each bin at its largest possible range (its upper edge, or what was seen above the last
  // one) and with the mean of its cycles: damage computed from it is not below that of the cycles. Empty bins are left
  // out.
  std::vector<CountedCycle> spectrum() const;

 private:
  double width_;
  double largest_ = 0;
  std::vector<double> counts_;
  std::vector<double> means_;  // Σ count × mean
};

}  // namespace carom::inline durability
