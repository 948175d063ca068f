#include "plotting/figure.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>

#include "base/write_file.h"
#include "plotting/canvas.h"
#include "plotting/panel_view.h"
#include "plotting/svg_text.h"

namespace carom::inline plotting {

namespace {

constexpr double points_per_inch = 72;
constexpr int most_pixels = 32767;      // that Cairo draws on a side
constexpr double largest_page = 14400;  // points: 200 inches, the limit of PDF

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

cairo_status_t collect(void* target, const unsigned char* bytes, unsigned int size) {
  static_cast<std::string*>(target)->append(reinterpret_cast<const char*>(bytes), size);
  return CAIRO_STATUS_SUCCESS;
}

void check_figure(const Figure& figure) {
  if (figure.panels.empty()) throw FigureError("the figure has no panels; give it something to show");
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      if (series.x.size() != series.y.size()) {
        throw FigureError("series '" + series.label + "' has " + std::to_string(series.x.size()) + " x values and " +
                          std::to_string(series.y.size()) + " y values");
      }
    }
    for (const DrawnShape& shape : panel.shapes) {
      if (shape.x.size() != shape.y.size()) throw FigureError("a shape has different numbers of x and y values");
    }
  }
}

/// Where everything goes: the page, the grid of panels on it, and what stands above and below.
class Layout {
 public:
  Layout(const Canvas& canvas, const Figure& figure, FigureStyle style)
      : figure_(figure),
        look_(look_of(style)),
        columns_(std::clamp(figure.columns, 1, static_cast<int>(figure.panels.size()))),
        rows_((static_cast<int>(figure.panels.size()) + columns_ - 1) / columns_) {
    const bool letters = look_.letters && figure.panels.size() > 1;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
      const std::string letter = letters && i < 26 ? std::string("(") + static_cast<char>('a' + i) + ")" : "";
      panels_.push_back(std::make_unique<PanelView>(canvas, figure.panels[i], look_, letter));
    }
    const bool paper = style == FigureStyle::paper;
    const double one = paper ? column_width : 560, more = paper ? page_width : 430.0 * columns_;
    width = std::min(figure.width > 0 ? figure.width : columns_ == 1 ? one : more, largest_page);
    title_height_ = figure.title.empty() ? 0 : 2.6 * look_.title_font;
    caption_ = canvas.wrap(figure.caption, look_.font, width - 4 * look_.gap);
    caption_height_ = static_cast<double>(caption_.size()) * 1.4 * look_.font + (caption_.empty() ? 0 : look_.gap);
    choose_height(canvas);
  }

  void draw(const Canvas& canvas) const {
    canvas.text(figure_.title, width / 2, 1.6 * look_.title_font, 1.1 * look_.title_font, Align::center, true, ink,
                width - 4 * look_.gap);
    for (std::size_t i = 0; i < panels_.size(); ++i) panels_[i]->draw(canvas, axes_box(i), top_[row(i)] - look_.gap);
    double line = height - caption_height_ + 0.8 * look_.font - look_.gap / 2;
    for (const std::string& text : caption_) {
      canvas.text(text, 2 * look_.gap, line, look_.font, Align::left, false, {0.35, 0.35, 0.35}, width - 4 * look_.gap);
      line += 1.4 * look_.font;
    }
  }

  double width = 0, height = 0;

 private:
  int column(std::size_t panel) const { return static_cast<int>(panel) % columns_; }
  int row(std::size_t panel) const { return static_cast<int>(panel) / columns_; }

  /// Height of the axes of a row over their width, where the figure's height is free. Equal axes are as high as they
  /// are; other rows do not follow them.
  double natural_aspect(int of_row) const {
    const double usual = rows_ == 1 || columns_ > 1 ? 0.62 : 0.36;
    double aspect = 0;
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      if (row(i) == of_row && panels_[i]->aspect() > 0)
        aspect = std::max(aspect, std::clamp(panels_[i]->aspect(), 0.25, 1.0));
    }
    return aspect > 0 ? aspect : usual;
  }

  void lay_out_panels(const Canvas& canvas) {
    for (std::size_t i = 0; i < panels_.size(); ++i) panels_[i]->lay_out(canvas, axes_width_, axes_height_[row(i)]);
  }

  void choose_height(const Canvas& canvas) {
    axes_width_ = 0.8 * width / columns_;
    const auto set_heights = [&](double given) {
      axes_height_.clear();
      for (int k = 0; k < rows_; ++k) axes_height_.push_back(given > 0 ? given : natural_aspect(k) * axes_width_);
    };
    set_heights(figure_.height > 0 ? 0.7 * figure_.height / rows_ : 0);
    // Margins depend on the ticks and those on the size of the axes; a few rounds settle both.
    for (int round = 0; round < 4; ++round) {
      lay_out_panels(canvas);
      collect_margins();
      double sides = 0, ends = 0;
      for (int i = 0; i < columns_; ++i) sides += left_[i] + right_[i];
      for (int i = 0; i < rows_; ++i) ends += top_[i] + bottom_[i];
      axes_width_ = std::max((width - sides) / columns_, 20.0);
      const double around = ends + title_height_ + caption_height_ + look_.gap;
      if (figure_.height > 0) {
        height = std::min(figure_.height, largest_page);
        set_heights(std::max((height - around) / rows_, 20.0));
      } else {
        set_heights(0);
        height = std::min(std::accumulate(axes_height_.begin(), axes_height_.end(), around), largest_page);
      }
    }
    lay_out_panels(canvas);
  }

  /// Axes line up: a column shares the widest margin of its panels, a row the highest.
  void collect_margins() {
    left_.assign(static_cast<std::size_t>(columns_), 0);
    right_ = left_;
    top_.assign(static_cast<std::size_t>(rows_), 0);
    bottom_ = top_;
    const auto raise = [](double& value, double to) { value = std::max(value, to); };
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      const Margins& margins = panels_[i]->margins();
      raise(left_[column(i)], margins.left + 2 * look_.gap);
      raise(right_[column(i)], margins.right + 2 * look_.gap);
      raise(top_[row(i)], margins.top + look_.gap);
      raise(bottom_[row(i)], margins.bottom + 1.5 * look_.gap);
    }
  }

  Box axes_box(std::size_t panel) const {
    Box box = {left_[0], title_height_ + top_[0], axes_width_, axes_height_[row(panel)]};
    for (int i = 0; i < column(panel); ++i) box.x += axes_width_ + right_[i] + left_[i + 1];
    for (int i = 0; i < row(panel); ++i) box.y += axes_height_[i] + bottom_[i] + top_[i + 1];
    return box;
  }

  const Figure& figure_;
  const Look look_;
  int columns_, rows_;
  std::vector<std::unique_ptr<PanelView>> panels_;
  std::vector<std::string> caption_;
  double title_height_ = 0, caption_height_ = 0, axes_width_ = 0;
  std::vector<double> axes_height_;  // of the rows
  std::vector<double> left_, right_, top_, bottom_;
};

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// A name made of the drawing itself (FNV-1a).
std::string fingerprint(const std::string& text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  char digits[20];
  std::snprintf(digits, sizeof digits, "f%016llx-", static_cast<unsigned long long>(hash));
  return digits;
}

/// Cairo draws text as outlines, numbers its surfaces through the life of the program, and gives the same names to the
/// parts of every drawing. The words are added for readers that cannot see the drawing, and for searching; the number
/// is taken out; and the names are made the drawing's own, so that one page can hold several.
std::string finished_svg(std::string svg, const Figure& figure) {
  const std::string mark = "id=\"surface";
  if (const std::size_t place = svg.find(mark); place != std::string::npos) {
    const std::size_t end = svg.find('"', place + mark.size());
    svg.replace(place, end - place, "id=\"figure");
  }
  const std::string name = fingerprint(svg);
  replace_all(svg, " id=\"", " id=\"" + name);
  replace_all(svg, "href=\"#", "href=\"#" + name);
  replace_all(svg, "url(#", "url(#" + name);

  std::string description = figure.caption;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) description += (description.empty() ? "" : "; ") + text;
  };
  for (const Panel& panel : figure.panels) {
    add(panel.title);
    add(panel.x_label);
    add(panel.y_label);
    for (const Series& series : panel.series) add(series.label);
    add(panel.map.label);
    for (const std::string& each : panel.map.classes) add(each);
  }
  const std::size_t start = svg.find('>', svg.find("<svg"));
  if (start == std::string::npos) return svg;
  return svg.insert(start + 1, "\n<!-- " + std::string(written_mark) + " -->\n<title>" + escaped_xml(figure.title) +
                                   "</title>\n<desc>" + escaped_xml(description) + "</desc>");
}

enum class Format { svg, pdf, png };

Format format_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".svg") return Format::svg;
  if (extension == ".pdf") return Format::pdf;
  if (extension == ".png") return Format::png;
  throw FigureError("cannot write figure " + path.string() + ": unknown extension '" + extension +
                    "'; use .svg, .pdf or .png");
}

// `scale`: pixels a point.
Surface make_surface(Format format, double width, double height, double scale, std::string& bytes) {
  if (format == Format::svg) {
    Surface surface(cairo_svg_surface_create_for_stream(collect, &bytes, width, height), cairo_surface_destroy);
    cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PT);
    return surface;
  }
  if (format == Format::pdf) {
    return {cairo_pdf_surface_create_for_stream(collect, &bytes, width, height), cairo_surface_destroy};
  }
  const auto pixels = [&](double points) { return static_cast<int>(std::ceil(points * scale - 1e-6)); };
  if (std::max(pixels(width), pixels(height)) > most_pixels)
    throw FigureError("a picture of " + std::to_string(pixels(width)) + " × " + std::to_string(pixels(height)) +
                      " pixels is too large; at most " + std::to_string(most_pixels) +
                      " on a side can be written: give a smaller --dpi or --width");
  return {cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(width), pixels(height)), cairo_surface_destroy};
}

void require(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw FigureError(std::string("cannot draw the figure: ") + cairo_status_to_string(status));
}

std::string draw_figure(const Figure& figure, Format format, FigureStyle style) {
  std::string ignored;
  const Surface measuring = make_surface(Format::svg, 1, 1, 1, ignored);
  const Context measuring_context(cairo_create(measuring.get()), cairo_destroy);
  const Layout layout(Canvas(measuring_context.get()), figure, style);

  std::string bytes;
  const double png_scale = figure.dpi / points_per_inch;
  const Surface surface = make_surface(format, layout.width, layout.height, png_scale, bytes);
  require(cairo_surface_status(surface.get()));
  if (format == Format::pdf) {
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, printable(figure.title).c_str());
    // A constant, so that the same figure gives the same file.
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  }
  {
    const Context context(cairo_create(surface.get()), cairo_destroy);
    if (format == Format::png) cairo_scale(context.get(), png_scale, png_scale);
    const Canvas canvas(context.get());
    canvas.rectangle({0, 0, layout.width + 1, layout.height + 1}, {1, 1, 1}, 1);
    layout.draw(canvas);
    require(cairo_status(context.get()));
  }
  if (format == Format::png) require(cairo_surface_write_to_png_stream(surface.get(), collect, &bytes));
  cairo_surface_finish(surface.get());
  require(cairo_surface_status(surface.get()));
  return format == Format::svg ? finished_svg(std::move(bytes), figure) : bytes;
}

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xff);
  return bytes;
}

/// A chunk of a PNG file: length, name and bytes, and their CRC-32 (PNG specification, annex D).
std::string png_chunk(const std::string& name, const std::string& bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : name + bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? 0xedb88320 ^ crc >> 1 : crc >> 1;
  }
  return big_endian(static_cast<std::uint32_t>(bytes.size())) + name + bytes + big_endian(~crc);
}

/// By which Carom knows the file again, where the format has room for what nobody sees.
std::string marked(std::string bytes, Format format, double dpi) {
  constexpr std::size_t png_header = 33;  // signature and the chunk IHDR
  const std::string mark(written_mark);
  if (format == Format::pdf) return bytes + "% " + mark + "\n";
  if (format == Format::png) {
    const std::string per_metre = big_endian(static_cast<std::uint32_t>(std::lround(dpi / 0.0254)));
    return bytes.insert(png_header, png_chunk("pHYs", per_metre + per_metre + '\1') +
                                        png_chunk("tEXt", std::string("Comment\0", 8) + mark));
  }
  return bytes;  // has it from the start
}

}  // namespace

std::string figure_svg(const Figure& figure, FigureStyle style) {
  check_figure(figure);
  return draw_figure(figure, Format::svg, style);
}

void write_figure(const Figure& figure, const std::filesystem::path& path, FigureStyle style) {
  const Format format = format_of(path);
  check_figure(figure);
  const std::string bytes = marked(draw_figure(figure, format, style), format, figure.dpi);
  write_file(path, bytes);
}

}  // namespace carom::inline plotting
