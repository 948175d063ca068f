#pragma once

#include <cstddef>
#include <vector>

#include "signals/even_samples.h"

// How a spectrum changes with time: the picture of a machine that runs up.
namespace carom::inline signals {

struct Waterfall {
  double resolution = 0;           // Hz, between lines
  std::vector<double> times = {};  // s, of the middles of the windows
  // Of each window the amplitudes of k · resolution, k = 0, 1, …; unit of the quantity.
  std::vector<std::vector<double>> amplitudes = {};
};

/// Amplitude spectra (Hann window, without the mean) of pieces of `window` seconds, at most `most` of them, evenly from
/// the first to the last; without gaps where that many suffice, otherwise as far apart as they must be. A tone of
/// amplitude a whose frequency rises by c Hz/s shows as a, less a loss of order (c window²)². Needs 8 samples in a
/// window and no longer window than the record; otherwise nothing.
Waterfall waterfall_of(const EvenSamples& samples, double window, std::size_t most);

}  // namespace carom::inline signals
