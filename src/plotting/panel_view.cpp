#include "plotting/panel_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::inline plotting {

namespace {

constexpr double few_points = 500;   // that are drawn in full size
constexpr double pixel_width = 0.5;  // points: one pixel of a PNG file

bool drawable_value(double value, bool logarithmic) {
  return std::abs(value) <= 1e300 && (!logarithmic || value >= 1e-300);
}

/// The smallest range that holds what was included; not ordered if that was nothing.
struct Extent {
  Range range = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

  void include(double value) {
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
};

Range padded(Range range, double share, bool logarithmic) {
  if (logarithmic) {
    const double factor = std::pow(range.high / range.low, share);
    return {range.low / factor, range.high * factor};
  }
  const double room = share * (range.high - range.low);
  return {range.low - room, range.high + room};
}

/// Colours and styles as drawn. Once the palette is used up, lines become dashed to stay apart; where colour may be
/// lost, each of its entries has strokes and a form of its own.
std::vector<LegendEntry> make_entries(const Panel& panel, bool gray_safe) {
  std::vector<LegendEntry> entries;
  int next = 0;
  for (const Series& series : panel.series) {
    LegendEntry entry{series.label, ink, series.style};
    if (series.color == color_muted) {
      entry.color = muted;
    } else if (series.color != color_ink) {
      const int color = series.color >= 0 ? series.color : next++;
      entry.color = palette_color(color);
      if (color / palette_size % 2 == 1 && entry.style == Series::Style::line) entry.style = Series::Style::dashed;
      if (gray_safe) entry.strokes = entry.form = color;
    }
    if (entry.style == Series::Style::dashed && entry.strokes == 0) entry.strokes = 1;
    entries.push_back(entry);
  }
  return entries;
}

constexpr double line_distance = 1.25;  // of lines of a label, in heights of its type

// Lines of a label that fit, broken between words or before a component: none of it is cut.
std::vector<std::string> label_lines(const Canvas& canvas, const std::string& label, double size, double room) {
  std::vector<std::string> lines;
  for (const std::string& line : canvas.wrap(label, size, room)) {
    const std::size_t point = line.rfind('.');
    const bool fits = canvas.text_width(line, size) <= room || point == std::string::npos || point == 0;
    lines.push_back(fits ? line : line.substr(0, point));
    if (!fits) lines.push_back(line.substr(point));
  }
  return lines;
}

bool is_class(const ColorMap::Cell& cell, std::size_t index) {
  return cell.value == static_cast<double>(index);
}

std::vector<LegendEntry> labelled(std::vector<LegendEntry> entries, const ColorMap& map) {
  std::erase_if(entries, [](const LegendEntry& entry) { return entry.label.empty(); });
  for (std::size_t k = 0; k < map.classes.size(); ++k) {
    if (std::any_of(map.cells.begin(), map.cells.end(), [&](const auto& cell) { return is_class(cell, k); }))
      entries.push_back(
          {.label = map.classes[k], .color = class_color(k), .style = Series::Style::points, .filled = true});
  }
  return entries;
}

}  // namespace

double Axis::fraction(double value) const {
  if (!drawable_value(value, logarithmic)) return std::numeric_limits<double>::quiet_NaN();
  if (logarithmic) return std::log(value / range.low) / std::log(range.high / range.low);
  return (value - range.low) / (range.high - range.low);
}

PanelView::PanelView(const Canvas& canvas, const Panel& panel, const Look& look, const std::string& letter)
    : panel_(panel),
      look_(look),
      title_(letter.empty() || panel.title.empty() ? letter + panel.title : letter + " " + panel.title),
      entries_(make_entries(panel, look.gray_safe)),
      legend_(canvas, look, labelled(entries_, panel.map)),
      bar_(look, panel.map) {
  x_.logarithmic = panel.log_x && !panel.equal_axes;
  y_.logarithmic = panel.log_y && !panel.equal_axes;
  find_ranges();
}

void PanelView::find_ranges() {
  Extent x, y;
  bool only_lines = true;
  const auto include = [&](double px, double py) {
    if (!drawable_value(px, x_.logarithmic) || !drawable_value(py, y_.logarithmic)) return;
    x.include(px);
    y.include(py);
  };
  for (const Series& series : panel_.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) include(series.x[i], series.y[i]);
    only_lines = only_lines && series.style != Series::Style::points;
  }
  for (const DrawnShape& shape : panel_.shapes) {
    only_lines = false;
    const double reach = shape.kind == DrawnShape::Kind::circle && shape.marker_size <= 0 ? shape.radius : 0;
    for (std::size_t i = 0; i < shape.x.size(); ++i) {
      include(shape.x[i] - reach, shape.y[i] - reach);
      include(shape.x[i] + reach, shape.y[i] + reach);
    }
  }
  for (const ColorMap::Cell& cell : panel_.map.cells) {
    include(cell.left, cell.low);
    include(cell.right, cell.high);
  }
  const bool filled = !panel_.map.cells.empty();
  const double x_room = panel_.equal_axes ? 0.05 : only_lines || filled ? 0 : 0.03, y_room = filled ? 0 : 0.05;
  x_data_ = padded(drawable(x.range, x_.logarithmic), x_room, x_.logarithmic);
  y_data_ = padded(drawable(y.range, y_.logarithmic), y_room, y_.logarithmic);
}

double PanelView::aspect() const {
  return panel_.equal_axes ? (y_data_.high - y_data_.low) / (x_data_.high - x_data_.low) : 0;
}

void PanelView::make_axes_equal(double width, double height) {
  const auto widen = [](Range range, double span) {
    const double middle = (range.low + range.high) / 2;
    return Range{middle - span / 2, middle + span / 2};
  };
  const double unit = std::max((x_data_.high - x_data_.low) / width, (y_data_.high - y_data_.low) / height);
  x_.range = widen(x_data_, unit * width);
  y_.range = widen(y_data_, unit * height);
}

void PanelView::make_ticks(const Canvas& canvas, double width, double height) {
  const auto make = [](const Axis& axis, double count) {
    const int wanted = std::clamp(static_cast<int>(count), 1, 12);
    return axis.logarithmic ? log_ticks(axis.range, wanted) : linear_ticks(axis.range, wanted);
  };
  y_.ticks = make(y_, height / (3.6 * look_.font));
  // Labels of the x axis must not touch: ask for fewer until they fit.
  for (double count = std::floor(width / (5.5 * look_.font)); count >= 1; --count) {
    x_.ticks = make(x_, count);
    double needed = 0;
    for (const std::string& label : x_.ticks.labels) needed += canvas.text_width(label, look_.font) + 1.2 * look_.font;
    if (needed < width) break;
  }
}

void PanelView::lay_out(const Canvas& canvas, double width, double height) {
  x_.range = x_data_;
  y_.range = y_data_;
  if (panel_.equal_axes) make_axes_equal(width, height);
  make_ticks(canvas, width, height);
  legend_.place(width, height, all_lines({0, 0, width, height}));

  tick_width_ = 0;
  for (const std::string& label : y_.ticks.labels) {
    tick_width_ = std::max(tick_width_, canvas.text_width(label, look_.font));
  }
  const double outside = look_.box ? 0 : look_.tick;
  y_label_ = label_lines(canvas, panel_.y_label, look_.label_font, height + look_.label_font);
  margins_.left = outside + look_.gap + tick_width_;
  if (!y_label_.empty())
    margins_.left += look_.gap + (0.2 + line_distance * static_cast<double>(y_label_.size())) * look_.label_font;
  const bool x_line = !panel_.x_label.empty() || !x_.ticks.factor.empty();
  margins_.bottom = outside + look_.gap + look_.font + (x_line ? look_.gap + 1.2 * look_.label_font : 0);
  margins_.top = look_.gap;
  if (!title_.empty()) margins_.top += 1.5 * look_.title_font;
  if (has_bar()) bar_.lay_out(canvas, height);
  if (!y_.ticks.factor.empty() || (has_bar() && bar_.has_factor())) margins_.top += 1.4 * look_.font;
  margins_.top += legend_.height_above();
  const bool label_at_end = !x_.ticks.major.empty() && x_.fraction(x_.ticks.major.back()) > 0.9;
  margins_.right = has_bar()      ? bar_.width()
                   : label_at_end ? canvas.text_width(x_.ticks.labels.back(), look_.font) / 2
                                  : look_.gap;
}

PagePoint PanelView::on_page(double x, double y, const Box& axes) const {
  return {axes.x + x_.fraction(x) * axes.width, axes.bottom() - y_.fraction(y) * axes.height};
}

std::vector<PagePoint> PanelView::on_page(const std::vector<double>& x, const std::vector<double>& y,
                                          const Box& axes) const {
  std::vector<PagePoint> points(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) points[i] = on_page(x[i], y[i], axes);
  return points;
}

std::vector<PageLine> PanelView::all_lines(const Box& axes) const {
  std::vector<PageLine> lines;
  for (const Series& series : panel_.series) {
    const std::vector<PagePoint> points = on_page(series.x, series.y, axes);
    if (series.style == Series::Style::points) {
      for (const PagePoint& point : decimate_points(points, 2)) lines.push_back({point});
    } else {
      for (PageLine& line : decimate_line(points, pixel_width)) lines.push_back(std::move(line));
    }
  }
  for (const DrawnShape& shape : panel_.shapes) lines.push_back(on_page(shape.x, shape.y, axes));
  for (const ColorMap::Cell& cell : panel_.map.cells)
    lines.push_back({on_page(cell.left, cell.low, axes), on_page(cell.right, cell.high, axes)});
  return lines;
}

void PanelView::draw_grid(const Canvas& canvas, const Box& axes) const {
  const auto draw = [&](const std::vector<double>& xs, const std::vector<double>& ys, double width, Rgb color) {
    for (const double x : xs) {
      const double place = axes.x + x_.fraction(x) * axes.width;
      canvas.line(place, axes.y, place, axes.bottom(), width, color);
    }
    for (const double y : ys) {
      const double place = axes.bottom() - y_.fraction(y) * axes.height;
      canvas.line(axes.x, place, axes.right(), place, width, color);
    }
  };
  draw(x_.ticks.minor, y_.ticks.minor, 0.4, minor_grid);
  draw(x_.ticks.major, y_.ticks.major, 0.5, grid);
}

void PanelView::draw_axes(const Canvas& canvas, const Box& axes) const {
  const double inward = look_.box ? -1 : 1;
  const auto draw_ticks = [&](double length, const std::vector<double>& xs, const std::vector<double>& ys) {
    for (const double x : xs) {
      const double place = axes.x + x_.fraction(x) * axes.width;
      canvas.line(place, axes.bottom(), place, axes.bottom() + inward * length, look_.axis, ink);
      if (look_.box) canvas.line(place, axes.y, place, axes.y + length, look_.axis, ink);
    }
    for (const double y : ys) {
      const double place = axes.bottom() - y_.fraction(y) * axes.height;
      canvas.line(axes.x, place, axes.x - inward * length, place, look_.axis, ink);
      if (look_.box) canvas.line(axes.right(), place, axes.right() - length, place, look_.axis, ink);
    }
  };
  draw_ticks(look_.tick, x_.ticks.major, y_.ticks.major);
  draw_ticks(look_.tick / 2, x_.ticks.minor, y_.ticks.minor);
  if (look_.box) {
    canvas.frame(axes, look_.axis, ink);
  } else {
    canvas.line(axes.x, axes.y, axes.x, axes.bottom() + look_.axis / 2, look_.axis, ink);
    canvas.line(axes.x, axes.bottom(), axes.right(), axes.bottom(), look_.axis, ink);
  }
}

void PanelView::draw_labels(const Canvas& canvas, const Box& axes, double top) const {
  const double outside = look_.box ? 0 : look_.tick;
  const double x_line = axes.bottom() + outside + look_.gap + 0.8 * look_.font;
  for (std::size_t i = 0; i < x_.ticks.major.size(); ++i) {
    const double place = axes.x + x_.fraction(x_.ticks.major[i]) * axes.width;
    canvas.text(x_.ticks.labels[i], place, x_line, look_.font, Align::center);
  }
  const double y_end = axes.x - outside - look_.gap;
  for (std::size_t i = 0; i < y_.ticks.major.size(); ++i) {
    const double place = axes.bottom() - y_.fraction(y_.ticks.major[i]) * axes.height;
    canvas.text(y_.ticks.labels[i], y_end, place + 0.36 * look_.font, look_.font, Align::right);
  }
  const double label_line = x_line + look_.gap + 1.1 * look_.label_font;
  const double factor_width = canvas.text_width(x_.ticks.factor, look_.font);
  const double label_room = axes.width - 2 * (factor_width > 0 ? factor_width + look_.gap : 0);
  canvas.text(panel_.x_label, axes.x + axes.width / 2, label_line, look_.label_font, Align::center, false, ink,
              std::max(label_room, axes.width / 3));
  canvas.text(x_.ticks.factor, axes.right(), label_line, look_.font, Align::right);
  double place = y_end - tick_width_ - look_.gap - 0.45 * look_.label_font;
  for (auto line = y_label_.rbegin(); line != y_label_.rend(); ++line, place -= line_distance * look_.label_font)
    canvas.vertical_text(*line, place, axes.y + axes.height / 2, look_.label_font, axes.height + look_.label_font);
  canvas.text(y_.ticks.factor, axes.x, axes.y - legend_.height_above() - look_.gap, look_.font, Align::left);
  canvas.text(title_, axes.x, axes.y - top + look_.title_font, look_.title_font, Align::left, true, ink,
              axes.width + margins_.right);
}

void PanelView::draw_shape(const Canvas& canvas, const DrawnShape& shape, const Box& axes) const {
  cairo_t* const context = canvas.context();
  const auto choose = [&](int color) {
    const Rgb rgb = shape_color(color, shape.shade);
    cairo_set_source_rgba(context, rgb.red, rgb.green, rgb.blue, std::clamp(shape.opacity, 0.0, 1.0));
  };
  const std::vector<PagePoint> points = on_page(shape.x, shape.y, axes);
  const auto good = [](const PagePoint& p) { return std::isfinite(p.x) && std::isfinite(p.y); };
  if (points.empty() || !std::all_of(points.begin(), points.end(), good)) return;
  cairo_new_path(context);
  if (shape.kind == DrawnShape::Kind::circle) {
    const double reach = std::abs(on_page(shape.x[0] + shape.radius, shape.y[0], axes).x - points[0].x);
    cairo_arc(context, points[0].x, points[0].y, shape.marker_size > 0 ? shape.marker_size / 2 : reach, 0, 2 * M_PI);
  } else {
    for (const PagePoint& point : points) cairo_line_to(context, point.x, point.y);
  }
  if (shape.kind != DrawnShape::Kind::polyline) cairo_close_path(context);
  if (shape.fill != color_none) {
    choose(shape.fill);
    cairo_fill_preserve(context);
  }
  if (shape.stroke != color_none && shape.stroke_width > 0) {
    const double dashes[] = {4 * shape.stroke_width, 2.4 * shape.stroke_width};
    if (shape.dashed) cairo_set_dash(context, dashes, 2, 0);
    choose(shape.stroke);
    cairo_set_line_width(context, shape.stroke_width);
    cairo_set_line_cap(context, shape.dashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
    cairo_stroke_preserve(context);
    cairo_set_dash(context, nullptr, 0, 0);
  }
  cairo_new_path(context);
}

void PanelView::draw_map(const Canvas& canvas, const Box& axes) const {
  constexpr double overlap = 0.4;  // points: neighbours leave no seam
  const ColorMap& map = panel_.map;
  for (const ColorMap::Cell& cell : map.cells) {
    const PagePoint low = on_page(cell.left, cell.low, axes), high = on_page(cell.right, cell.high, axes);
    if (!std::isfinite(low.x + low.y + high.x + high.y + cell.value)) continue;
    const Rgb color = map.classes.empty() ? scale_color(scale_part(map, cell.value))
                                          : class_color(static_cast<std::size_t>(cell.value));
    const double right = std::min(high.x + overlap, axes.right()), top = std::max(high.y - overlap, axes.y);
    canvas.rectangle({low.x, top, right - low.x, low.y - top}, color, 1);
  }
}

void PanelView::draw(const Canvas& canvas, const Box& axes, double top) const {
  draw_grid(canvas, axes);
  if (look_.box) draw_axes(canvas, axes);
  // Lines along the border are drawn in full, not cut in half.
  const double edge = look_.marker;
  canvas.clip({axes.x - edge, axes.y - edge, axes.width + 2 * edge, axes.height + 2 * edge});
  draw_map(canvas, axes);
  for (const DrawnShape& shape : panel_.shapes) draw_shape(canvas, shape, axes);
  for (std::size_t i = 0; i < panel_.series.size(); ++i) {
    const Series& series = panel_.series[i];
    if (series.color == color_none) continue;
    const std::vector<PagePoint> points = on_page(series.x, series.y, axes);
    if (series.style == Series::Style::points) {
      // Clouds of many points have small ones, so that their structure shows.
      const double share = std::clamp(std::sqrt(few_points / static_cast<double>(points.size() + 1)), 0.35, 1.0);
      for (const PagePoint& point : decimate_points(points, pixel_width)) {
        canvas.marker(point.x, point.y, share * look_.marker, entries_[i].color, entries_[i].form);
      }
      continue;
    }
    for (const PageLine& line : decimate_line(points, pixel_width)) {
      canvas.polyline(line, look_.line, entries_[i].color, entries_[i].strokes);
    }
  }
  canvas.unclip();
  if (!look_.box) draw_axes(canvas, axes);
  draw_labels(canvas, axes, top);
  legend_.draw(canvas, axes);
  if (has_bar()) bar_.draw(canvas, axes);
}

}  // namespace carom::inline plotting
