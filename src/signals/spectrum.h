#pragma once

#include <cstddef>
#include <vector>

#include "signals/even_samples.h"

namespace carom::inline signals {

struct SpectrumPeak {
  double frequency = 0, amplitude = 0;  // Hz, unit of the quantity
};

/// How strongly a quantity swings at which frequency.
struct Spectrum {
  double resolution = 0;                 // Hz, between lines
  std::vector<double> amplitudes = {};   // of k · resolution, k = 0, 1, … ; unit of the quantity
  std::vector<SpectrumPeak> peaks = {};  // the strongest lines, by frequency; between lines where they lie there
  std::size_t samples = 0;               // that entered
};

/// Amplitude spectrum by a Hann window and the fast Fourier transform (Harris, Proc. IEEE 66, 1978). A sine of
/// amplitude a shows as a line of height a; its peak is reported exactly wherever it lies between the lines, if no
/// other is within four of them. The mean is taken off first. Samples at unequal times are interpolated linearly onto
/// equal ones; values that are not finite are left out. Fewer than 8 samples or no time between them: nothing.
Spectrum amplitude_spectrum(const std::vector<double>& times, const std::vector<double>& values,
                            std::size_t most_peaks = 5);

/// The same of samples at equal times, at least 8.
Spectrum spectrum_of(EvenSamples even, std::size_t most_peaks = 5);

/// The strongest line within `reach` of a frequency, both Hz, as exactly as a peak; amplitude 0 where there is none
/// that is higher than its neighbours and three times the median of the lines around.
SpectrumPeak peak_near(const Spectrum& spectrum, double frequency, double reach);

/// Shannon's entropy of the shares of the power in the lines, over that of an even spectrum: near 0 for a few tones,
/// near 1 for noise (G. E. Powell and I. C. Percival, J. Phys. A 12, 1979). NaN without power.
double spectral_entropy(const Spectrum& spectrum);

}  // namespace carom::inline signals
