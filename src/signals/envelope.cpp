#include "signals/envelope.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <numeric>

#include <unsupported/Eigen/FFT>

namespace carom::inline signals {
namespace {

using Lines = std::vector<std::complex<double>>;

constexpr double rounded_share = 0.1;     // of the width of a band, at either edge
constexpr std::size_t fewest_lines = 32;  // of a band whose kurtosis is worth anything
constexpr double least_power = 1e-4;      // of all, in a band: less may be rounding, which has the sharpest peaks

// Lines k = 0 … n/2 of the values less their mean, n a length that is quick to transform.
Lines lines_of(const EvenSamples& samples, std::size_t count) {
  std::vector<double> wave(samples.values.begin(), samples.values.begin() + static_cast<std::ptrdiff_t>(count));
  const double mean = std::accumulate(wave.begin(), wave.end(), 0.0) / static_cast<double>(count);
  for (double& value : wave) value -= mean;
  Eigen::FFT<double> transform;
  transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  Lines lines;
  transform.fwd(lines, wave);
  return lines;
}

// 1 within the band, falling to 0 at its edges as half a cosine.
double weight(double place /* 0 … 1 */) {
  const double in = std::min(place, 1 - place) / rounded_share;
  return in >= 1 ? 1 : in <= 0 ? 0 : 0.5 * (1 - std::cos(std::numbers::pi * in));
}

struct LineRange {
  std::size_t first = 0, last = 0;  // past the last
};

LineRange range_of(const FrequencyBand& band, double resolution, std::size_t count) {
  const auto line = [&](double frequency) {
    return static_cast<std::size_t>(std::clamp(std::ceil(frequency / resolution), 0.0, static_cast<double>(count)));
  };
  return {std::max<std::size_t>(1, line(band.low)),
          line(std::nextafter(band.high, std::numeric_limits<double>::max()))};
}

double power_of(const Lines& lines) {
  return std::accumulate(lines.begin(), lines.end(), 0.0, [](double sum, auto line) { return sum + std::norm(line); });
}

double kurtosis_of(const Lines& lines, const LineRange& range, double least) {
  const std::size_t count = range.last - range.first;
  Lines band(count);
  for (std::size_t k = 0; k < count; ++k)
    band[k] = lines[range.first + k] * weight((static_cast<double>(k) + 0.5) / static_cast<double>(count));
  if (!(power_of(band) > least)) return -std::numeric_limits<double>::infinity();
  Eigen::FFT<double> transform;
  Lines wave;
  transform.inv(wave, band);  // as many values as the band is wide, moved down to zero, which |z| does not feel
  double square = 0, fourth = 0;
  for (const auto& z : wave) square += std::norm(z), fourth += std::norm(z) * std::norm(z);
  return static_cast<double>(count) * fourth / (square * square) - 2;
}

}  // namespace

double highest_frequency(const EvenSamples& samples) {
  return 0.5 / samples.step;
}

EvenSamples envelope_of(const EvenSamples& samples, const FrequencyBand& band) {
  const std::size_t count = quick_length(samples.values.size());
  const double resolution = 1 / (static_cast<double>(count) * samples.step);
  Lines lines = lines_of(samples, count), analytic(count, 0.0);
  const LineRange range = range_of(band, resolution, lines.size());
  const double width = band.high - band.low;
  for (std::size_t k = range.first; k < range.last; ++k)
    analytic[k] = 2.0 * weight((static_cast<double>(k) * resolution - band.low) / width) * lines[k];
  Eigen::FFT<double> transform;
  Lines wave;
  transform.inv(wave, analytic);
  EvenSamples envelope{.start = samples.start, .step = samples.step};
  for (const auto& z : wave) envelope.values.push_back(std::abs(z));
  return envelope;
}

BandChoice choose_band(const EvenSamples& samples, double least_width) {
  const std::size_t count = quick_length(samples.values.size());
  const Lines lines = lines_of(samples, count);
  const double highest = highest_frequency(samples), least = least_power * power_of(lines);
  BandChoice best{.band = {0, highest}, .kurtosis = -std::numeric_limits<double>::infinity()};
  for (std::size_t level = 2; level <= lines.size(); level *= 2) {
    for (const std::size_t parts : {level, 3 * level / 2}) {
      const std::size_t each = quick_length(lines.size() / parts);
      if (each < fewest_lines || highest / static_cast<double>(parts) < least_width) continue;
      for (std::size_t part = 1; part < parts; ++part) {
        const std::size_t first = part * lines.size() / parts;
        const double kurtosis = kurtosis_of(lines, {first, first + each}, least);
        if (!(kurtosis > best.kurtosis)) continue;
        const double share = static_cast<double>(parts);
        best = {{highest * static_cast<double>(part) / share, highest * static_cast<double>(part + 1) / share},
                kurtosis};
      }
    }
  }
  return best;
}

Spectrum envelope_spectrum(const EvenSamples& samples, const FrequencyBand& band, std::size_t most_peaks) {
  return spectrum_of(envelope_of(samples, band), most_peaks);
}

}  // namespace carom::inline signals
