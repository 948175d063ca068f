#include "plotting/film.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/write_file.h"
#include "plotting/canvas.h"
#include "plotting/svg_text.h"

namespace carom::inline plotting {
namespace {

// Coordinates to a tenth of a point: nobody sees more, and the file is small.
std::string number(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string color_text(int color, double shade) {
  const Rgb rgb = shape_color(color, shade);
  const auto byte = [](double part) { return static_cast<int>(std::lround(255 * part)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(rgb.red), byte(rgb.green), byte(rgb.blue));
}

/// From data to the page.
class FilmScale {
 public:
  explicit FilmScale(const FilmView& view) {
    const double wide = std::max(view.x_high - view.x_low, 1e-300), high = std::max(view.y_high - view.y_low, 1e-300);
    x_ = view.width / wide, y_ = view.height / high;
    if (view.equal_axes) x_ = y_ = std::min(x_, y_);
    left_ = view.left + view.width / 2 - x_ * (view.x_low + view.x_high) / 2;
    top_ = view.top + view.height / 2 + y_ * (view.y_low + view.y_high) / 2;
  }
  double x(double value) const { return left_ + x_ * value; }
  double y(double value) const { return top_ - y_ * value; }
  double length(double value) const { return x_ * value; }

 private:
  double x_ = 1, y_ = 1, left_ = 0, top_ = 0;
};

std::string path_of(const DrawnShape& shape, const FilmScale& scale) {
  std::string path;
  std::string last;
  for (std::size_t k = 0; k < shape.x.size(); ++k) {
    if (!std::isfinite(shape.x[k]) || !std::isfinite(shape.y[k])) continue;
    std::string point = number(scale.x(shape.x[k])) + " " + number(scale.y(shape.y[k]));
    if (point == last) continue;
    path += (path.empty() ? "M" : "L") + point;
    last = std::move(point);
  }
  return shape.kind == DrawnShape::Kind::polygon ? path + "z" : path;
}

std::string shape_svg(const DrawnShape& shape, const FilmScale& scale) {
  if (shape.x.empty() || (shape.stroke == color_none && shape.fill == color_none)) return "";
  std::string style = shape.fill == color_none ? "" : fmt::format(" fill=\"{}\"", color_text(shape.fill, shape.shade));
  if (shape.stroke != color_none)
    style +=
        fmt::format(" stroke=\"{}\" stroke-width=\"{:g}\"", color_text(shape.stroke, shape.shade), shape.stroke_width);
  if (shape.opacity < 1) style += fmt::format(" opacity=\"{:g}\"", shape.opacity);
  if (shape.dashed) style += " stroke-dasharray=\"4 3\"";
  if (shape.kind != DrawnShape::Kind::circle) return fmt::format("<path d=\"{}\"{}/>", path_of(shape, scale), style);
  const double radius = shape.marker_size > 0 ? shape.marker_size / 2 : scale.length(shape.radius);
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>", number(scale.x(shape.x[0])),
                     number(scale.y(shape.y[0])), number(radius), style);
}

std::string shapes_svg(const std::vector<DrawnShape>& shapes, const FilmScale& scale) {
  std::string svg;
  for (const DrawnShape& shape : shapes) svg += shape_svg(shape, scale);
  return svg;
}

std::string text_svg(const std::string& text, double x, double y, const char* style) {
  return text.empty() ? ""
                      : fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", number(x), number(y), style,
                                    escaped_xml(text));
}

}  // namespace

std::string film_svg(const Film& film) {
  const std::size_t count = film.views.empty() ? 0 : film.views.front().frames.size();
  if (count == 0) throw FigureError("the film has no pictures; give it something to show");
  for (const FilmView& view : film.views) {
    if (view.frames.size() != count) throw FigureError("the views of the film have different numbers of pictures");
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
      "role=\"img\">\n<!-- {2} -->\n<title>{3}</title>\n<desc>{4}</desc>\n",
      film.width, film.height, written_mark, escaped_xml(film.title), escaped_xml(film.description));
  // A picture is seen for its share of the round; delays below zero start each at its own place in it.
  svg += fmt::format(
      "<style>.f{{visibility:hidden;animation:f {:g}s linear infinite}}@keyframes f{{0%{{visibility:visible}}{:.4f}%"
      "{{visibility:hidden}}100%{{visibility:hidden}}}}@media (prefers-reduced-motion:reduce){{.f{{animation:none}}"
      ".f.first{{visibility:visible}}}}text{{font-family:sans-serif;fill:#262626}}.t{{font-size:13px;font-weight:bold}}"
      ".n{{font-size:12px}}</style>\n",
      film.seconds, 100.0 / static_cast<double>(count));
  svg += fmt::format(
      "<rect width=\"{:g}\" height=\"{:g}\" rx=\"6\" fill=\"#fff\"/>\n<g fill=\"none\" stroke-linejoin=\"round\" "
      "stroke-linecap=\"round\">\n",
      film.width, film.height);
  std::vector<FilmScale> scales;
  for (std::size_t v = 0; v < film.views.size(); ++v) {
    const FilmView& view = film.views[v];
    scales.emplace_back(view);
    svg += fmt::format("<clipPath id=\"c{}\"><rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\"/></clipPath>\n",
                       v, view.left, view.top, view.width, view.height);
    svg += text_svg(view.title, view.left, view.top - 7, "t");
    if (view.boxed)
      svg +=
          fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"none\" stroke=\"#d0d0d0\"/>\n",
                      view.left, view.top, view.width, view.height);
    svg += fmt::format("<g clip-path=\"url(#c{})\">{}</g>\n", v, shapes_svg(view.still, scales.back()));
  }
  svg += text_svg(film.note, film.width - 12, film.height - 10, "n\" text-anchor=\"end");
  for (std::size_t k = 0; k < count; ++k) {
    const double delay = film.seconds * (static_cast<double>(k) / static_cast<double>(count) - 1);
    svg += fmt::format("<g class=\"f{}\" style=\"animation-delay:{:.5g}s\">", k == 0 ? " first" : "", delay);
    for (std::size_t v = 0; v < film.views.size(); ++v)
      svg += fmt::format("<g clip-path=\"url(#c{})\">{}</g>", v, shapes_svg(film.views[v].frames[k], scales[v]));
    if (k < film.texts.size()) svg += text_svg(film.texts[k], 12, film.height - 10, "n");
    svg += "</g>\n";
  }
  return svg + "</g>\n</svg>\n";
}

}  // namespace carom::inline plotting
