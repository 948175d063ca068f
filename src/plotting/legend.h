#pragma once

#include <string>
#include <vector>

#include "plotting/canvas.h"

namespace carom::inline plotting {

struct LegendEntry {
  std::string label;
  Rgb color;
  Series::Style style;
  int strokes = 0, form = 0;  // of a line, of a point
  bool filled = false;        // an area
};

/// Draws the short piece of line or the point that stands for a series.
void draw_swatch(const Canvas& canvas, const Look& look, const LegendEntry& entry, double x, double y, double width);

/// The names of the series of one panel: inside the axes where it hides least of the drawing, or, where every place
/// hides too much, in rows above them.
class Legend {
 public:
  Legend(const Canvas& canvas, const Look& look, std::vector<LegendEntry> entries);

  bool empty() const { return entries_.empty(); }

  /// Chooses the place for axes of the given size whose upper left corner is at (0, 0) and the lines drawn in them.
  void place(double width, double height, const std::vector<PageLine>& lines);

  /// Height needed above the axes; 0 if the legend is inside.
  double height_above() const { return above_ ? static_cast<double>(rows_.size()) * row_height_ : 0; }

  void draw(const Canvas& canvas, const Box& axes) const;

 private:
  void flow(double width);

  const Look& look_;
  std::vector<LegendEntry> entries_;
  std::vector<double> widths_;  // of the labels
  double swatch_ = 0, row_height_ = 0, box_width_ = 0, box_height_ = 0;
  bool above_ = false;
  PagePoint corner_ = {};                       // inside: of the box, from the corner of the axes
  std::vector<std::vector<std::size_t>> rows_;  // above: the entries of each row
};

}  // namespace carom::inline plotting
