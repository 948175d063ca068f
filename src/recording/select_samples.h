#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace carom::inline recording {

/// Every so many samples of a part of the run.
struct SampleChoice {
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();  // s, both in
  std::size_t every = 1;
};

/// Samples first, first + stride, … below last.
struct SampleRange {
  std::size_t first = 0, last = 0, stride = 1;

  std::size_t count() const { return last > first ? (last - first - 1) / stride + 1 : 0; }
};

/// Throws ResultError when there are samples, but none in this part.
SampleRange select_samples(const std::vector<double>& times, const SampleChoice& choice);

}  // namespace carom::inline recording
