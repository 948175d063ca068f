#pragma once

#include <vector>

#include "signals/even_samples.h"
#include "signals/spectrum.h"

// Blows that a machine answers with ringing: how strong the ringing is over time shows how often they come, where the
// spectrum of the ringing itself shows only the tones of the machine.
namespace carom::inline signals {

struct FrequencyBand {
  double low = 0, high = 0;  // Hz
};

/// |z| of the analytic signal z of what a quantity does within a band, at the times of its samples: for
/// (1 + m cos Ω t) cos ω t, with ω ± Ω within the band, 1 + m cos Ω t. By the Fourier transform; the edges of the band
/// are rounded over a tenth of its width at either side, inside. Where the record does not repeat itself, the first and
/// last few periods of the band are not to be trusted.
EvenSamples envelope_of(const EvenSamples& samples, const FrequencyBand& band);

/// The band in which blows stand out most from a steady hum: that with the largest kurtosis ⟨|z|⁴⟩/⟨|z|²⟩² − 2 of the
/// envelope (0: noise, −1: a steady tone; J. Antoni, Mechanical Systems and Signal Processing 21, 2007), of halves,
/// thirds, quarters, sixths, … of the spectrum, none narrower than `least_width`, Hz, without the lowest of each and
/// those that have less than 1e-4 of the power. Without any: all, and a kurtosis of −∞.
struct BandChoice {
  FrequencyBand band = {};
  double kurtosis = 0;
};
BandChoice choose_band(const EvenSamples& samples, double least_width);

/// Its amplitude spectrum: the line of height m at Ω of the example above.
Spectrum envelope_spectrum(const EvenSamples& samples, const FrequencyBand& band, std::size_t most_peaks);

/// Half the rate of the samples, Hz.
double highest_frequency(const EvenSamples& samples);

}  // namespace carom::inline signals
