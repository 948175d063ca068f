#pragma once

#include <string>
#include <vector>

#include "plotting/canvas.h"
#include "plotting/color_scale.h"
#include "plotting/legend.h"
#include "plotting/ticks.h"

namespace carom::inline plotting {

/// Space around the axes for labels, points.
struct Margins {
  double left = 0, right = 0, top = 0, bottom = 0;
};

/// One axis: the range shown and where its values fall.
struct Axis {
  Range range;
  bool logarithmic = false;
  Ticks ticks = {};

  /// 0 at the lower end, 1 at the upper; not finite where there is nothing to draw.
  double fraction(double value) const;
};

/// Draws one panel. First lay_out for the size that the axes may take, which reports the margins, then draw.
class PanelView {
 public:
  /// `letter` is put before the title, as in "(a)"; empty for none.
  PanelView(const Canvas& canvas, const Panel& panel, const Look& look, const std::string& letter);

  /// Ranges, ticks and legend for axes of this size.
  void lay_out(const Canvas& canvas, double width, double height);

  const Margins& margins() const { return margins_; }

  /// Height over width of the data, for panels with equal axes; 0 for others.
  double aspect() const;

  /// `top` is the height above the axes at which the title begins, shared by the panels of a row.
  void draw(const Canvas& canvas, const Box& axes, double top) const;

 private:
  void find_ranges();
  void make_axes_equal(double width, double height);
  void make_ticks(const Canvas& canvas, double width, double height);
  PagePoint on_page(double x, double y, const Box& axes) const;
  std::vector<PagePoint> on_page(const std::vector<double>& x, const std::vector<double>& y, const Box& axes) const;
  std::vector<PageLine> all_lines(const Box& axes) const;
  void draw_grid(const Canvas& canvas, const Box& axes) const;
  void draw_axes(const Canvas& canvas, const Box& axes) const;
  void draw_labels(const Canvas& canvas, const Box& axes, double top) const;
  void draw_shape(const Canvas& canvas, const DrawnShape& shape, const Box& axes) const;
  void draw_map(const Canvas& canvas, const Box& axes) const;
  bool has_bar() const { return !panel_.map.cells.empty() && panel_.map.classes.empty(); }

  const Panel& panel_;
  const Look& look_;
  std::string title_;
  std::vector<LegendEntry> entries_;  // one for each series, also those without a label
  Legend legend_;
  ColorBar bar_;
  Range x_data_, y_data_;
  Axis x_, y_;
  Margins margins_;
  double tick_width_ = 0;                  // of the widest label of the y axis
  std::vector<std::string> y_label_ = {};  // its lines, as long as the axis
};

}  // namespace carom::inline plotting
