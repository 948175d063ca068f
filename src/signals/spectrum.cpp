#include "signals/spectrum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "signals/even_samples.h"

namespace carom::inline signals {
namespace {

constexpr double least_share = 0.01;       // of the strongest peak that a labelled one must have
constexpr std::size_t least_distance = 4;  // lines between peaks: as far as the window smears one

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
  EvenSamples even = even_samples(times, values);
  if (even.values.empty()) return {};
  return spectrum_of(std::move(even), most_peaks);
}

Spectrum spectrum_of(EvenSamples even, std::size_t most_peaks) {
  const std::size_t count = quick_length(even.values.size());
  even.values.resize(count);
  Spectrum spectrum{.resolution = 1 / (static_cast<double>(count) * even.step), .samples = count};
  spectrum.amplitudes = amplitude_lines(std::move(even.values));
  spectrum.peaks = find_peaks(spectrum.amplitudes, spectrum.resolution, most_peaks);
  return spectrum;
}

SpectrumPeak peak_near(const Spectrum& spectrum, double frequency, double reach) {
  constexpr double standing_out = 3;
  constexpr std::size_t around = 60;  // lines on either side
  const std::vector<double>& lines = spectrum.amplitudes;
  std::size_t top = 0;
  for (std::size_t k = 1; k + 1 < lines.size(); ++k) {
    const bool near = std::abs(static_cast<double>(k) * spectrum.resolution - frequency) <= reach;
    if (near && lines[k] > lines[k - 1] && lines[k] >= lines[k + 1] && (top == 0 || lines[k] > lines[top])) top = k;
  }
  if (top == 0) return {};
  std::vector<double> others(lines.begin() + static_cast<std::ptrdiff_t>(top - std::min(top, around)),
                             lines.begin() + static_cast<std::ptrdiff_t>(std::min(top + around, lines.size())));
  const auto middle = others.begin() + static_cast<std::ptrdiff_t>(others.size() / 2);
  std::nth_element(others.begin(), middle, others.end());
  return lines[top] > standing_out * *middle ? refined(lines, top, spectrum.resolution) : SpectrumPeak{};
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
