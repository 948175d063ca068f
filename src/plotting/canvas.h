#pragma once

#include <cairo.h>

#include <string>
#include <vector>

#include "plotting/decimate.h"
#include "plotting/figure.h"

namespace carom::inline plotting {

/// Sizes and weights that make a figure one for the screen or one for paper. All in points.
struct Look {
  double font;        // tick labels, legend, caption
  double label_font;  // axis labels
  double title_font;  // figure and panel titles
  double line;        // series
  double marker;      // diameter of points
  double axis;        // axis lines and ticks
  double tick;        // length of a major tick
  double gap;         // the unit of all spacing
  bool box;           // axes on four sides with ticks inside, instead of two sides with ticks outside
  bool letters;       // panels are numbered (a), (b) …
  bool gray_safe;     // curves differ in their strokes and points in their form, not in colour alone
};
Look look_of(FigureStyle style);

struct Rgb {
  double red, green, blue;
};
constexpr Rgb ink = {0.15, 0.15, 0.15};
constexpr Rgb muted = {0.62, 0.62, 0.62};
constexpr Rgb grid = {0.88, 0.88, 0.88};
constexpr Rgb minor_grid = {0.95, 0.95, 0.95};

constexpr int stroke_count = 6, form_count = 4;
constexpr int palette_size = 8;
Rgb palette_color(int index);
Rgb rgb_of(int color);  // 0xRRGGBB
/// Of a shape: an entry of the palette, the ink or the grey, made darker or lighter.
Rgb shape_color(int color, double shade);

struct Box {
  double x = 0, y = 0, width = 0, height = 0;  // points; y grows downwards

  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

enum class Align { left, center, right };

/// Drawing on a Cairo context in points: what the figure needs and no more.
class Canvas {
 public:
  explicit Canvas(cairo_t* context);

  double text_width(const std::string& text, double size, bool bold = false) const;

  /// Text on a baseline at (x, y). If it is wider than `room` it is set smaller and in the end cut.
  void text(const std::string& text, double x, double y, double size, Align align, bool bold = false, Rgb color = ink,
            double room = 1e9) const;

  /// The same, turned to read upwards and centred at (x, y).
  void vertical_text(const std::string& text, double x, double y, double size, double room) const;

  /// Splits a text into lines no wider than `width`.
  std::vector<std::string> wrap(const std::string& text, double size, double width) const;

  void line(double x1, double y1, double x2, double y2, double width, Rgb color) const;
  void rectangle(const Box& box, Rgb color, double opacity) const;
  void frame(const Box& box, double width, Rgb color) const;
  void dot(double x, double y, double diameter, Rgb color, double opacity = 1) const;
  /// Strokes of a line: 0 is unbroken, 1 dashed; there are `stroke_count` of them. Forms of a point: 0 is round.
  void polyline(const PageLine& points, double width, Rgb color, int strokes) const;
  void marker(double x, double y, double diameter, Rgb color, int form) const;
  void clip(const Box& box) const;
  void unclip() const;
  cairo_t* context() const { return context_; }

 private:
  void select_font(double size, bool bold) const;

  cairo_t* context_;
};

/// Valid UTF-8 without control characters; what is not becomes "�" or a space.
std::string printable(const std::string& text);

}  // namespace carom::inline plotting
