#include "signals/bearing_frequencies.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include <fmt/format.h>

namespace carom::inline signals {

DefectFrequencies defect_frequencies(const RollingDimensions& geometry, double inner_speed, double outer_speed) {
  const double ratio = geometry.element_diameter / geometry.pitch_diameter,
               gamma = ratio * std::cos(geometry.contact_angle), relative = std::abs(inner_speed - outer_speed);
  return {.shaft = relative,
          .cage = std::abs(inner_speed * (1 - gamma) + outer_speed * (1 + gamma)) / 2,
          .outer = geometry.elements * relative * (1 - gamma) / 2,
          .inner = geometry.elements * relative * (1 + gamma) / 2,
          .element = relative * (1 - gamma * gamma) / (2 * ratio)};
}

std::vector<MarkedFrequency> marks_of(const DefectFrequencies& frequencies, double inner_speed, double outer_speed) {
  return {{"BPFO", frequencies.outer, std::abs(outer_speed)},
          {"BPFI", frequencies.inner, std::abs(inner_speed)},
          {"2 BSF", 2 * frequencies.element, frequencies.cage},
          {"FTF", frequencies.cage, 0},
          {"shaft", frequencies.shaft, 0}};
}

LineName name_line(double frequency, const std::vector<MarkedFrequency>& marks, double tolerance, int most_orders,
                   int most_bands) {
  LineName best;
  auto worth = std::make_tuple(0, 0.0);
  for (std::size_t k = 0; k < marks.size(); ++k) {
    const MarkedFrequency& mark = marks[k];
    const int bands = mark.side_bands > 0 ? most_bands : 0;
    if (!(mark.frequency > 0)) continue;
    for (int order = 1; order <= most_orders; ++order) {
      for (int band = -bands; band <= bands; ++band) {
        const double there = order * mark.frequency + band * mark.side_bands;
        const double off = std::abs(frequency - there);
        // Of many high ones some lie near anything by chance.
        const auto candidate = std::make_tuple(order + 2 * std::abs(band), off);
        if (!(off <= tolerance) || (best.mark >= 0 && !(candidate < worth))) continue;
        best = {static_cast<int>(k), order, band, there};
        worth = candidate;
      }
    }
  }
  return best;
}

std::string text_of(const LineName& line, const std::vector<MarkedFrequency>& marks) {
  if (line.mark < 0) return "";
  const std::string& name = marks[line.mark].name;
  const bool counted = !name.empty() && name.front() >= '0' && name.front() <= '9';
  std::string text = line.order == 1 ? name : fmt::format("{}{}{}", line.order, counted ? " × " : " ", name);
  if (line.band != 0)
    text += fmt::format(" {} {}{}", line.band > 0 ? "+" : "−",
                        std::abs(line.band) == 1 ? "" : fmt::format("{} × ", std::abs(line.band)),
                        fmt::format("{:.5g} Hz", marks[line.mark].side_bands));
  return text;
}

}  // namespace carom::inline signals
