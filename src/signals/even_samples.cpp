#include "signals/even_samples.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include <unsupported/Eigen/FFT>

namespace carom::inline signals {
namespace {

constexpr std::size_t fewest_samples = 8;

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

// The transform takes time in proportion to the prime factors of the length.
bool is_quick(std::size_t count) {
  for (const std::size_t factor : {2, 3, 5}) {
    while (count % factor == 0) count /= factor;
  }
  return count == 1;
}

}  // namespace

std::size_t quick_length(std::size_t count) {
  while (count > 1 && !is_quick(count)) --count;
  return count;
}

EvenSamples even_samples(const std::vector<double>& times, const std::vector<double>& values) {
  const Samples samples = finite_ones(times, values);
  const std::size_t count = samples.times.size();
  if (count < fewest_samples) return {};
  EvenSamples even{.start = samples.times.front(),
                   .step = (samples.times.back() - samples.times.front()) / static_cast<double>(count - 1)};
  even.values.resize(count);
  std::size_t before = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double t = even.start + static_cast<double>(k) * even.step;
    while (before + 2 < count && samples.times[before + 1] <= t) ++before;
    const double width = samples.times[before + 1] - samples.times[before];
    const double share = std::clamp((t - samples.times[before]) / width, 0.0, 1.0);
    even.values[k] = (1 - share) * samples.values[before] + share * samples.values[before + 1];
  }
  return even;
}

std::vector<double> amplitude_lines(std::vector<double> wave) {
  const std::size_t count = wave.size();
  const double mean = std::accumulate(wave.begin(), wave.end(), 0.0) / static_cast<double>(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count);
    wave[k] = (wave[k] - mean) * 0.5 * (1 - std::cos(2 * std::numbers::pi * share));
  }
  Eigen::FFT<double> transform;
  transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  std::vector<std::complex<double>> lines;
  transform.fwd(lines, wave);
  std::vector<double> amplitudes;
  // Two for the half that is left out, two for the mean of the window.
  for (const auto& line : lines) amplitudes.push_back(4 * std::abs(line) / static_cast<double>(count));
  return amplitudes;
}

}  // namespace carom::inline signals
