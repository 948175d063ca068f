#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace carom::inline plotting {

/// A figure cannot be drawn or written. The message names the file, the cause and a remedy.
class FigureError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Colours are entries 0, 1, 2 … of a palette that colour-blind readers can tell apart (taken modulo its length), or:
inline constexpr int color_next = -1;   // the panel's next unused entry; of shapes, the ink
inline constexpr int color_none = -2;   // not drawn
inline constexpr int color_ink = -3;    // the colour of the axes
inline constexpr int color_muted = -4;  // a grey for ground, guides and ghosts
/// Of shapes also this number plus 0xRRGGBB: that very colour.
inline constexpr int color_rgb = 1 << 24;

/// A curve or a cloud of points. Where x or y is not finite (or not positive on a log axis) the line is broken.
struct Series {
  enum class Style { line, points, dashed };

  std::string label = {};  // empty: not in the legend
  std::vector<double> x = {}, y = {};
  Style style = Style::line;
  int color = color_next;
};

/// A drawing in data coordinates, behind the series: parts of a mechanism, regions, guide lines.
struct DrawnShape {
  enum class Kind { polyline, polygon, circle };

  Kind kind = Kind::polyline;
  std::vector<double> x = {}, y = {};  // vertices; of a circle, its one centre
  double radius = 0;                   // circle: in units of the x axis, or, if marker_size > 0, ignored
  double marker_size = 0;              // circle: diameter in points, whatever the scale of the axes (a pin, a joint)
  int stroke = color_ink;
  double stroke_width = 1;  // points
  bool dashed = false;
  int fill = color_none;
  double opacity = 1;  // of stroke and fill together, 0 … 1
  double shade = 0;    // of stroke and fill: −1 black, 0 the colour itself, 1 white
};

/// Rectangles filled by value, with a bar that reports the colours; or, of values 0, 1, 2 … that stand for classes,
/// with the names of those that are there.
struct ColorMap {
  struct Cell {
    double left = 0, right = 0, low = 0, high = 0, value = 0;
  };

  std::vector<Cell> cells = {};
  std::string label = {};    // of the bar
  double low = 0, high = 1;  // ends of the scale
  bool logarithmic = false;
  std::vector<std::string> classes = {};
};

/// One pair of axes. Labels are UTF-8 and bring their own units: "time / s", "position [m]".
struct Panel {
  std::string title = {}, x_label = {}, y_label = {};
  std::vector<Series> series = {};
  bool equal_axes = false;  // one unit is as long on x as on y
  bool log_x = false, log_y = false;
  std::vector<DrawnShape> shapes = {};
  ColorMap map = {};  // behind everything; without cells, none
};

struct Figure {
  std::string title = {}, caption = {};
  std::vector<Panel> panels = {};  // row by row
  int columns = 1;
  double width = 0, height = 0;  // points (1/72 inch); 0: chosen from the number of panels
  double dpi = 144;              // of PNG: pixels an inch
};

/// Widths of a column and of the type area of a journal, points: 85 mm and 170 mm.
inline constexpr double points_per_metre = 72 / 0.0254;
inline constexpr double column_width = 0.085 * points_per_metre, page_width = 0.170 * points_per_metre;

/// screen: generous, for reading on a display; paper: widths, type and lines of a journal, and curves that can be
/// reported apart without colours.
enum class FigureStyle { screen, paper };

/// The text of an SVG file. Its bytes depend on the figure only.
std::string figure_svg(const Figure& figure, FigureStyle style = FigureStyle::screen);

/// Draws into a .svg, .pdf or .png file (PNG at `dpi`, which it carries), chosen by the extension. The bytes of an SVG
/// file depend on the figure only. Throws FigureError for another extension, an empty figure, series whose x and y
/// differ in length, or a path that cannot be written.
void write_figure(const Figure& figure, const std::filesystem::path& path, FigureStyle style = FigureStyle::screen);

}  // namespace carom::inline plotting
