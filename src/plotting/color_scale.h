#pragma once

#include "plotting/canvas.h"
#include "plotting/ticks.h"

namespace carom::inline plotting {

/// A sequential scale from dark (0) to bright (1) whose steps look equal, also without colours and to colour-blind
/// readers: viridis, by S. van der Walt and N. Smith (2015).
Rgb scale_color(double part);

/// The colour of a class of a map.
Rgb class_color(std::size_t index);

/// Where a value lies between the ends of the scale, 0 … 1.
double scale_part(const ColorMap& map, double value);

/// The bar beside a map: ticks, their labels and the name of what is shown.
class ColorBar {
 public:
  ColorBar(const Look& look, const ColorMap& map) : look_(look), map_(map) {}

  void lay_out(const Canvas& canvas, double height);
  double width() const { return width_; }  // with labels
  bool has_factor() const { return !ticks_.factor.empty(); }
  void draw(const Canvas& canvas, const Box& axes) const;

 private:
  const Look& look_;
  const ColorMap& map_;
  Ticks ticks_;
  double width_ = 0, tick_width_ = 0;
};

}  // namespace carom::inline plotting
