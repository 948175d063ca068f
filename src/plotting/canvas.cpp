#include "plotting/canvas.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "base/installed_file.h"

namespace carom::inline plotting {

namespace {

/// Length of the valid UTF-8 character at `place`, or 0.
std::size_t character_length(const std::string& text, std::size_t place) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned char first = byte(place);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(place + i) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte(place + 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second >= 0xA0;
  const bool beyond = first == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

void remove_last_character(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

}  // namespace

Look look_of(FigureStyle style) {
  if (style == FigureStyle::paper) {
    return {.font = 7,
            .label_font = 8,
            .title_font = 8,
            .line = 0.9,
            .marker = 2.4,
            .axis = 0.5,
            .tick = 3,
            .gap = 3,
            .box = true,
            .letters = true,
            .gray_safe = true};
  }
  return {.font = 9.5,
          .label_font = 10.5,
          .title_font = 11.5,
          .line = 1.4,
          .marker = 4,
          .axis = 0.8,
          .tick = 4,
          .gap = 5,
          .box = false,
          .letters = false,
          .gray_safe = false};
}

Rgb palette_color(int index) {
  // After Okabe and Ito (2008), without their yellow, which is lost on white paper.
  static constexpr std::array<Rgb, palette_size> colors = {{{0.000, 0.447, 0.698},
                                                            {0.835, 0.369, 0.000},
                                                            {0.000, 0.620, 0.451},
                                                            {0.800, 0.475, 0.655},
                                                            {0.902, 0.624, 0.000},
                                                            {0.337, 0.706, 0.914},
                                                            {0.400, 0.220, 0.550},
                                                            {0.300, 0.300, 0.300}}};
  return colors[static_cast<std::size_t>(index % palette_size)];
}

Rgb rgb_of(int color) {
  const auto part = [&](int shift) { return ((color >> shift) & 0xff) / 255.0; };
  return {part(16), part(8), part(0)};
}

Rgb shape_color(int color, double shade) {
  const Rgb plain = color >= color_rgb     ? rgb_of(color - color_rgb)
                    : color >= 0           ? palette_color(color)
                    : color == color_muted ? muted
                                           : ink;
  const auto mixed = [&](double part) {
    return shade < 0 ? part * (1 + std::max(shade, -1.0)) : part + (1 - part) * std::min(shade, 1.0);
  };
  return {mixed(plain.red), mixed(plain.green), mixed(plain.blue)};
}

std::string printable(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    if (length == 0) {
      result += "\uFFFD";
    } else if (static_cast<unsigned char>(text[i]) < 0x20 || text[i] == 0x7F) {
      result += ' ';
    } else {
      result += text.substr(i, length);
    }
    i += std::max<std::size_t>(length, 1);
  }
  return result;
}

namespace {

// An installation that was moved to a machine without fonts brings its own; cairo asks Fontconfig once, before the
// first text.
void find_fonts() {
  static const bool done = [] {
    std::error_code error;
    if (std::getenv("FONTCONFIG_FILE") || std::filesystem::exists("/etc/fonts/fonts.conf", error)) return true;
    if (const auto own = installed_file("share/carom/fonts/fonts.conf")) setenv("FONTCONFIG_FILE", own->c_str(), 0);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace

Canvas::Canvas(cairo_t* context) : context_(context) {
  find_fonts();
  // No hinting: text has the same width in every format and at every size.
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(context_, options);
  cairo_font_options_destroy(options);
  cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
}

void Canvas::select_font(double size, bool bold) const {
  cairo_select_font_face(context_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context_, size);
}

double Canvas::text_width(const std::string& text, double size, bool bold) const {
  if (text.empty()) return 0;
  select_font(size, bold);
  cairo_text_extents_t extents;
  cairo_text_extents(context_, printable(text).c_str(), &extents);
  return extents.x_advance;
}

void Canvas::text(const std::string& text, double x, double y, double size, Align align, bool bold, Rgb color,
                  double room) const {
  std::string shown = printable(text);
  if (shown.empty()) return;
  constexpr double smallest = 0.75;
  double width = text_width(shown, size, bold);
  if (width > room) size *= std::max(smallest, room / width);
  if ((width = text_width(shown, size, bold)) > room * 1.001) {
    while (!shown.empty() && text_width(shown + "…", size, bold) > room) remove_last_character(shown);
    shown += "…";
    width = text_width(shown, size, bold);
  }
  cairo_set_source_rgb(context_, color.red, color.green, color.blue);
  cairo_move_to(context_, align == Align::left ? x : align == Align::center ? x - width / 2 : x - width, y);
  cairo_show_text(context_, shown.c_str());
  cairo_new_path(context_);
}

void Canvas::vertical_text(const std::string& shown, double x, double y, double size, double room) const {
  cairo_save(context_);
  cairo_translate(context_, x, y);
  cairo_rotate(context_, -1.5707963267948966);
  text(shown, 0, 0, size, Align::center, false, ink, room);
  cairo_restore(context_);
}

std::vector<std::string> Canvas::wrap(const std::string& text, double size, double width) const {
  std::vector<std::string> lines;
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) {
    const std::string longer = line.empty() ? word : fmt::format("{} {}", line, word);
    if (!line.empty() && text_width(longer, size) > width) {
      lines.push_back(line);
      line = word;
    } else {
      line = longer;
    }
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

void Canvas::line(double x1, double y1, double x2, double y2, double width, Rgb color) const {
  cairo_set_source_rgb(context_, color.red, color.green, color.blue);
  cairo_set_line_width(context_, width);
  cairo_set_line_cap(context_, CAIRO_LINE_CAP_BUTT);
  cairo_move_to(context_, x1, y1);
  cairo_line_to(context_, x2, y2);
  cairo_stroke(context_);
}

void Canvas::rectangle(const Box& box, Rgb color, double opacity) const {
  cairo_set_source_rgba(context_, color.red, color.green, color.blue, opacity);
  cairo_rectangle(context_, box.x, box.y, box.width, box.height);
  cairo_fill(context_);
}

void Canvas::frame(const Box& box, double width, Rgb color) const {
  cairo_set_source_rgb(context_, color.red, color.green, color.blue);
  cairo_set_line_width(context_, width);
  cairo_rectangle(context_, box.x, box.y, box.width, box.height);
  cairo_stroke(context_);
}

void Canvas::dot(double x, double y, double diameter, Rgb color, double opacity) const {
  cairo_set_source_rgba(context_, color.red, color.green, color.blue, opacity);
  cairo_set_line_width(context_, diameter);
  cairo_set_line_cap(context_, CAIRO_LINE_CAP_ROUND);
  // A round cap on a line without length is the shortest dot there is in SVG and PDF.
  cairo_move_to(context_, x, y);
  cairo_line_to(context_, x, y);
  cairo_stroke(context_);
}

void Canvas::polyline(const PageLine& points, double width, Rgb color, int strokes) const {
  if (points.empty()) return;
  if (points.size() == 1) return dot(points[0].x, points[0].y, 2 * width, color);
  // Strokes and gaps in widths of the line.
  static const std::array<std::vector<double>, stroke_count> patterns = {
      {{}, {4, 2.4}, {1, 1.8}, {6, 1.8, 1, 1.8}, {8, 2.4}, {6, 1.8, 1, 1.8, 1, 1.8}}};
  std::vector<double> dashes = patterns[static_cast<std::size_t>(strokes % stroke_count)];
  for (double& length : dashes) length *= width;
  cairo_set_source_rgb(context_, color.red, color.green, color.blue);
  cairo_set_line_width(context_, width);
  cairo_set_line_cap(context_, dashes.empty() ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
  cairo_set_dash(context_, dashes.data(), static_cast<int>(dashes.size()), 0);
  cairo_move_to(context_, points[0].x, points[0].y);
  for (const PagePoint& point : points) cairo_line_to(context_, point.x, point.y);
  cairo_stroke(context_);
  cairo_set_dash(context_, nullptr, 0, 0);
}

void Canvas::marker(double x, double y, double diameter, Rgb color, int form) const {
  if (form % form_count == 0) return dot(x, y, diameter, color);
  // Corners of a square, a triangle and a diamond as large as the disc.
  const double r = 0.62 * diameter;
  static const std::array<std::vector<PagePoint>, form_count> corners = {
      {{},
       {{-0.75, -0.75}, {0.75, -0.75}, {0.75, 0.75}, {-0.75, 0.75}},
       {{0, -1.1}, {1, 0.75}, {-1, 0.75}},
       {{0, -1.15}, {1, 0}, {0, 1.15}, {-1, 0}}}};
  cairo_set_source_rgb(context_, color.red, color.green, color.blue);
  for (const PagePoint& corner : corners[static_cast<std::size_t>(form % form_count)])
    cairo_line_to(context_, x + r * corner.x, y + r * corner.y);
  cairo_close_path(context_);
  cairo_fill(context_);
}

void Canvas::clip(const Box& box) const {
  cairo_save(context_);
  cairo_rectangle(context_, box.x, box.y, box.width, box.height);
  cairo_clip(context_);
}

void Canvas::unclip() const {
  cairo_restore(context_);
}

}  // namespace carom::inline plotting
