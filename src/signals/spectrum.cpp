#include "signals/spectrum.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <numeric>

#include <unsupported/Eigen/FFT>

namespace carom::inline signals {
namespace {

constexpr std::size_t fewest_samples = 8;
constexpr double least_share = 0.01;       // of the strongest peak that a labelled one must have
constexpr std::size_t least_distance = 4;  // lines between peaks: as far as the window smears one

// The transform takes time in proportion to the prime factors of the length.
bool is_quick(std::size_t count) {
  for (const std::size_t factor : {2, 3, 5}) {
    while (count % factor == 0) count /= factor;
  }
  return count == 1;
}

struct Samples {
  std::vector<double> times, values;
};

Samples finite_ones(const std::vector<double>& times, const std::vector<double>& values) {
  Samples kept;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(values[i]) || (!kept.times.empty() && times[i] <= kept.times.back())) continue;
    kept.times.push_back(times[i]);
    kept.values.push_back(values[i]);
  }
  return kept;
}

// `count` values at equal steps from the first sample on.
std::vector<double> at_equal_times(const Samples& samples, double step, std::size_t count) {
  std::vector<double> values(count);
  std::size_t before = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double t = samples.times.front() + static_cast<double>(k) * step;
    while (before + 2 < samples.times.size() && samples.times[before + 1] <= t) ++before;
    const double width = samples.times[before + 1] - samples.times[before];
    const double share = std::clamp((t - samples.times[before]) / width, 0.0, 1.0);
    values[k] = (1 - share) * samples.values[before] + share * samples.values[before + 1];
  }
  return values;
}

// A sine between two lines: for a Hann window the ratio of its neighbours reports where, and then how strong it is.
SpectrumPeak refined(const std::vector<double>& amplitudes, std::size_t k, double resolution) {
  const bool above = amplitudes[k + 1] >= amplitudes[k - 1];
  const double ratio = (above ? amplitudes[k + 1] : amplitudes[k - 1]) / amplitudes[k];
  const double shift = std::clamp((2 * ratio - 1) / (ratio + 1), 0.0, 0.5), turn = std::numbers::pi * shift;
  const double loss = shift > 0 ? std::sin(turn) / (turn * (1 - shift * shift)) : 1;
  return {(static_cast<double>(k) + (above ? shift : -shift)) * resolution, amplitudes[k] / loss};
}

std::vector<SpectrumPeak> find_peaks(const std::vector<double>& amplitudes, double resolution, std::size_t most) {
  std::vector<std::size_t> tops;
  for (std::size_t k = 1; k + 1 < amplitudes.size(); ++k) {
    if (amplitudes[k] > amplitudes[k - 1] && amplitudes[k] >= amplitudes[k + 1]) tops.push_back(k);
  }
  std::sort(tops.begin(), tops.end(), [&](auto a, auto b) { return amplitudes[a] > amplitudes[b]; });
  std::vector<std::size_t> kept;
  for (const std::size_t top : tops) {
    if (kept.size() == most || amplitudes[top] < least_share * amplitudes[tops.front()]) break;
    const bool free = std::none_of(kept.begin(), kept.end(), [&](std::size_t other) {
      return std::max(top, other) - std::min(top, other) < least_distance;
    });
    if (free) kept.push_back(top);
  }
  std::sort(kept.begin(), kept.end());
  std::vector<SpectrumPeak> peaks;
  for (const std::size_t top : kept) peaks.push_back(refined(amplitudes, top, resolution));
  return peaks;
}

}  // namespace

Spectrum amplitude_spectrum(const std::vector<double>& times, const std::vector<double>& values,
                            std::size_t most_peaks) {
  const Samples samples = finite_ones(times, values);
  if (samples.times.size() < fewest_samples) return {};
  const double step = (samples.times.back() - samples.times.front()) / static_cast<double>(samples.times.size() - 1);
  std::size_t count = samples.times.size();
  while (!is_quick(count)) --count;
  std::vector<double> wave = at_equal_times(samples, step, count);
  const double mean = std::accumulate(wave.begin(), wave.end(), 0.0) / static_cast<double>(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count);
    wave[k] = (wave[k] - mean) * 0.5 * (1 - std::cos(2 * std::numbers::pi * share));
  }
  Eigen::FFT<double> transform;
  transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  std::vector<std::complex<double>> lines;
  transform.fwd(lines, wave);
  Spectrum spectrum{.resolution = 1 / (static_cast<double>(count) * step), .samples = count};
  // Two for the half that is left out, two for the mean of the window.
  for (const auto& line : lines) spectrum.amplitudes.push_back(4 * std::abs(line) / static_cast<double>(count));
  spectrum.peaks = find_peaks(spectrum.amplitudes, spectrum.resolution, most_peaks);
  return spectrum;
}

double spectral_entropy(const Spectrum& spectrum) {
  double power = 0, sum = 0;
  for (const double a : spectrum.amplitudes) power += a * a;
  if (!(power > 0)) return std::numeric_limits<double>::quiet_NaN();
  for (const double a : spectrum.amplitudes)
    if (const double share = a * a / power; share > 0) sum -= share * std::log(share);
  return sum / std::log(static_cast<double>(spectrum.amplitudes.size()));
}

}  // namespace carom::inline signals
