#include "plotting/color_scale.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::inline plotting {

namespace {

constexpr double bar_share = 1.1;  // width of the bar, in heights of its type

/// Drawable ends of the scale, also where all values are equal.
Range range_of(const ColorMap& map) {
  return drawable({map.low, map.high}, map.logarithmic);
}

}  // namespace

Rgb scale_color(double part) {
  static constexpr std::array<int, 11> colors = {0x440154, 0x482576, 0x414487, 0x35608D, 0x2A788E, 0x21908C,
                                                 0x22A884, 0x43BF71, 0x7AD151, 0xBBDF27, 0xFDE725};
  const double place = std::clamp(part, 0.0, 1.0) * static_cast<double>(colors.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), colors.size() - 2);
  const double share = place - static_cast<double>(below);
  const auto mixed = [&](int shift) {
    const int a = colors[below] >> shift & 0xFF, b = colors[below + 1] >> shift & 0xFF;
    return ((1 - share) * a + share * b) / 255;
  };
  return {mixed(16), mixed(8), mixed(0)};
}

Rgb class_color(std::size_t index) {
  // The first class is the one that was not decided.
  return index == 0 ? Rgb{0.80, 0.80, 0.80} : scale_color(index == 1 ? 0.15 : index == 2 ? 0.55 : 0.95);
}

double scale_part(const ColorMap& map, double value) {
  const Range range = range_of(map);
  if (map.logarithmic) return std::log(value / range.low) / std::log(range.high / range.low);
  return (value - range.low) / (range.high - range.low);
}

void ColorBar::lay_out(const Canvas& canvas, double height) {
  const int wanted = std::clamp(static_cast<int>(height / (3.6 * look_.font)), 1, 12);
  ticks_ = map_.logarithmic ? log_ticks(range_of(map_), wanted) : linear_ticks(range_of(map_), wanted);
  tick_width_ = 0;
  for (const std::string& label : ticks_.labels)
    tick_width_ = std::max(tick_width_, canvas.text_width(label, look_.font));
  width_ = 2 * look_.gap + bar_share * look_.font + look_.tick + look_.gap + tick_width_ + look_.gap +
           (map_.label.empty() ? 0 : 1.45 * look_.label_font);
}

void ColorBar::draw(const Canvas& canvas, const Box& axes) const {
  const Box bar = {axes.right() + 2 * look_.gap, axes.y, bar_share * look_.font, axes.height};
  constexpr int steps = 128;
  for (int k = 0; k < steps; ++k) {
    const double top = bar.bottom() - bar.height * (k + 1) / steps;
    // Each strip reaches under the next, so that no seam shows.
    canvas.rectangle({bar.x, top, bar.width, bar.height / steps + (k > 0 ? 0.5 : 0)}, scale_color((k + 0.5) / steps),
                     1);
  }
  canvas.frame(bar, look_.axis, ink);
  for (std::size_t k = 0; k < ticks_.major.size(); ++k) {
    const double place = bar.bottom() - scale_part(map_, ticks_.major[k]) * bar.height;
    canvas.line(bar.right(), place, bar.right() + look_.tick, place, look_.axis, ink);
    canvas.text(ticks_.labels[k], bar.right() + look_.tick + look_.gap, place + 0.36 * look_.font, look_.font,
                Align::left);
  }
  canvas.text(ticks_.factor, bar.x, bar.y - look_.gap, look_.font, Align::left);
  canvas.vertical_text(map_.label, bar.right() + look_.tick + look_.gap + tick_width_ + look_.gap + look_.label_font,
                       axes.y + axes.height / 2, look_.label_font, axes.height + look_.label_font);
}

}  // namespace carom::inline plotting
