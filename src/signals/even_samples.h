#pragma once

#include <cstddef>
#include <vector>

// Samples at equal times, as transforms need them.
namespace carom::inline signals {

struct EvenSamples {
  double start = 0, step = 0;       // s
  std::vector<double> values = {};  // at start + k · step; empty: too few samples, or no time between them
};

/// As many values at equal steps, on the straight lines between samples; values that are not finite and times that do
/// not ascend are left out. Fewer than 8 samples: nothing.
EvenSamples even_samples(const std::vector<double>& times, const std::vector<double>& values);

/// The longest length up to `count` whose prime factors are 2, 3 and 5: transforms of others take long.
std::size_t quick_length(std::size_t count);

/// Amplitudes of the lines k / (n step) of n values, k = 0 … n/2, by a Hann window after the mean is taken off: a sine
/// of amplitude a that falls on a line shows as a.
std::vector<double> amplitude_lines(std::vector<double> wave);

}  // namespace carom::inline signals
