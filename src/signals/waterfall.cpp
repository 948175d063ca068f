#include "signals/waterfall.h"

#include <algorithm>
#include <cmath>

namespace carom::inline signals {
namespace {

constexpr double fewest_in_window = 8;
constexpr double overlap = 0.75;  // of windows that follow each other, at the most

}  // namespace

Waterfall waterfall_of(const EvenSamples& samples, double window, std::size_t most) {
  const double asked = std::floor(window / samples.step * (1 + 1e-12));
  if (samples.values.empty() || !(asked >= fewest_in_window) || asked > static_cast<double>(samples.values.size()) ||
      most == 0)
    return {};
  const std::size_t count = quick_length(static_cast<std::size_t>(asked)), room = samples.values.size() - count;
  const auto densest =
      1 + static_cast<std::size_t>(std::ceil(static_cast<double>(room) / (static_cast<double>(count) * (1 - overlap))));
  const std::size_t pieces = room == 0 ? 1 : std::clamp<std::size_t>(densest, 2, std::max<std::size_t>(2, most));
  Waterfall waterfall{.resolution = 1 / (static_cast<double>(count) * samples.step)};
  for (std::size_t k = 0; k < pieces; ++k) {
    const std::size_t first = pieces == 1 ? 0 : k * room / (pieces - 1);
    const auto begin = samples.values.begin() + static_cast<std::ptrdiff_t>(first);
    waterfall.times.push_back(samples.start +
                              samples.step * (static_cast<double>(first) + static_cast<double>(count) / 2));
    waterfall.amplitudes.push_back(amplitude_lines({begin, begin + static_cast<std::ptrdiff_t>(count)}));
  }
  return waterfall;
}

}  // namespace carom::inline signals
