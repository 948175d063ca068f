#include <expat.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "outline_io/chain_loops.h"
#include "outline_io/path_text.h"

namespace carom::inline outline_io {

namespace {

using Attributes = std::map<std::string, std::string>;

struct Affine {
  Eigen::Matrix2d linear = Eigen::Matrix2d::Identity();
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();
  Affine then(const Affine& inner) const { return {linear * inner.linear, linear * inner.shift + shift}; }
};

std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> result;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    if (*at == '+') ++at;
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error == std::errc()) {
      result.push_back(value);
      at = next;
    } else {
      ++at;
    }
  }
  return result;
}

// A length with its unit; px of 1/96 inch. `plain`: it has no unit.
double length_in(const std::string& text, bool& plain, double& meters) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return 0;
  const std::string unit(end, text.data() + text.size());
  static const std::map<std::string, double> units = {{"mm", 1e-3},        {"cm", 1e-2},       {"in", 0.0254},
                                                      {"pt", 0.0254 / 72}, {"pc", 0.0254 / 6}, {"px", 0.0254 / 96},
                                                      {"", 0.0254 / 96}};
  const auto found = units.find(unit);
  plain = unit.empty() || unit == "px";
  meters = found == units.end() ? 0 : value * found->second;
  return value;
}

Affine read_transform(const std::string& text) {
  Affine result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('(', at), close = text.find(')', at);
    if (open == std::string::npos || close == std::string::npos || close < open) break;
    std::string name = text.substr(at, open - at);
    std::erase_if(name, [](char c) { return std::isalpha(static_cast<unsigned char>(c)) == 0; });
    const std::vector<double> v = numbers_in(text.substr(open + 1, close - open - 1));
    const auto value = [&](std::size_t k, double fallback) { return k < v.size() ? v[k] : fallback; };
    Affine step;
    if (name == "translate") {
      step.shift = {value(0, 0), value(1, 0)};
    } else if (name == "scale") {
      step.linear = Eigen::Vector2d(value(0, 1), value(1, value(0, 1))).asDiagonal();
    } else if (name == "rotate") {
      step.linear = Eigen::Rotation2Dd(value(0, 0) * M_PI / 180).toRotationMatrix();
      const Eigen::Vector2d about(value(1, 0), value(2, 0));
      step.shift = about - step.linear * about;
    } else if (name == "matrix" && v.size() == 6) {
      step.linear << v[0], v[2], v[1], v[3];
      step.shift = {v[4], v[5]};
    } else if (name == "skewX") {
      step.linear(0, 1) = std::tan(value(0, 0) * M_PI / 180);
    } else if (name == "skewY") {
      step.linear(1, 0) = std::tan(value(0, 0) * M_PI / 180);
    } else {
      throw std::invalid_argument(fmt::format("`{}` is no transform of SVG", text.substr(0, 40)));
    }
    result = result.then(step);
    at = close + 1;
  }
  return result;
}

class SvgReader {
 public:
  explicit SvgReader(std::string id) : id_(std::move(id)) {}

  DrawnCurves read(const std::string& text) {
    XML_Parser parser = XML_ParserCreate(nullptr);
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, on_start, on_end);
    const bool sound = XML_Parse(parser, text.data(), static_cast<int>(text.size()), 1) == XML_STATUS_OK;
    const std::string error = sound ? "" : XML_ErrorString(XML_GetErrorCode(parser));
    const auto line = XML_GetCurrentLineNumber(parser);
    XML_ParserFree(parser);
    if (!failure_.empty()) throw std::invalid_argument(failure_);
    if (!sound) throw std::invalid_argument(fmt::format("line {} of the SVG file is no XML: {}", line, error));
    if (!is_svg_) throw std::invalid_argument("the file is no SVG: it has no element `svg`");
    if (!id_.empty() && !found_)
      throw std::invalid_argument(fmt::format("the SVG file has no element with the id `{}`", id_));
    return std::move(curves_);
  }

 private:
  struct Level {
    Affine transform;
    bool drawn = false, hidden = false;
  };

  static void on_start(void* self, const XML_Char* name, const XML_Char** attributes) {
    auto& reader = *static_cast<SvgReader*>(self);
    if (!reader.failure_.empty()) return;
    Attributes given;
    for (; *attributes; attributes += 2) given[attributes[0]] = attributes[1];
    try {
      reader.begin(name, given);
    } catch (const std::exception& error) {
      reader.failure_ = error.what();
    }
  }
  static void on_end(void* self, const XML_Char*) {
    auto& levels = static_cast<SvgReader*>(self)->levels_;
    if (!levels.empty()) levels.pop_back();
  }

  void begin(std::string name, const Attributes& given) {
    if (const std::size_t colon = name.rfind(':'); colon != std::string::npos) name = name.substr(colon + 1);
    const auto text = [&](const char* key) {
      const auto found = given.find(key);
      return found == given.end() ? std::string() : found->second;
    };
    if (levels_.size() > 200) throw std::invalid_argument("the SVG file is nested too deeply");
    Level level = levels_.empty() ? Level{root_transform(), id_.empty(), false} : levels_.back();
    if (name == "svg" && levels_.empty()) {
      is_svg_ = true;
      measure(text("width"), text("viewBox"));
    }
    if (const std::string own = text("transform"); !own.empty())
      level.transform = level.transform.then(read_transform(own));
    if (!id_.empty() && text("id") == id_) level.drawn = found_ = true;
    const bool no_display = text("display") == "none" || text("style").find("display:none") != std::string::npos;
    static const std::vector<std::string> unseen = {"defs",    "clipPath", "mask",    "marker",
                                                    "pattern", "symbol",   "metadata"};
    if (no_display || std::find(unseen.begin(), unseen.end(), name) != unseen.end()) level.hidden = true;
    levels_.push_back(level);
    if (level.drawn && !level.hidden) draw(name, text, level.transform);
  }

  static Affine root_transform() {
    Affine up;
    up.linear(1, 1) = -1;
    return up;
  }

  void measure(const std::string& width, const std::string& box) {
    const std::vector<double> view = numbers_in(box);
    bool plain = true;
    double meters = 0;
    const double value = width.empty() ? 0 : length_in(width, plain, meters);
    if (view.size() == 4 && view[2] > 0 && value > 0 && meters > 0 && !plain) {
      curves_.unit = meters / view[2];
    } else if (view.size() != 4 && value > 0 && !plain) {
      curves_.unit = 0.0254 / 96;
    }
  }

  template <typename Text>
  void draw(const std::string& name, const Text& text, const Affine& transform) {
    const auto number = [&](const char* key) {
      const std::vector<double> found = numbers_in(text(key));
      return found.empty() ? 0.0 : found[0];
    };
    const auto add = [&](OutlineLoop loop, bool closed) {
      for (CurvePiece& piece : loop) piece = piece.mapped(transform.linear, transform.shift);
      (closed ? curves_.closed : curves_.open).push_back(std::move(loop));
    };
    if (name == "path") {
      PathLoops loops = read_path(text("d"), 1);
      for (OutlineLoop& loop : loops.closed) add(std::move(loop), true);
      for (OutlineLoop& loop : loops.open) add(std::move(loop), false);
    } else if (name == "polygon" || name == "polyline") {
      add_polygon_of(numbers_in(text("points")), name == "polygon", add);
    } else if (name == "line") {
      add({CurvePiece::line({number("x1"), number("y1")}, {number("x2"), number("y2")})}, false);
    } else if (name == "circle" || name == "ellipse") {
      CurvePiece piece = CurvePiece::arc({number("cx"), number("cy")}, 1, 0, 2 * M_PI);
      piece.c[1].x() = name == "circle" ? number("r") : number("rx");
      piece.c[2].y() = name == "circle" ? number("r") : number("ry");
      if (piece.c[1].x() > 0 && piece.c[2].y() > 0) add({piece}, true);
    } else if (name == "rect") {
      add_rectangle(number("x"), number("y"), number("width"), number("height"),
                    text("rx").empty() ? number("ry") : number("rx"), text("ry").empty() ? number("rx") : number("ry"),
                    add);
    } else if (name == "text" || name == "image" || name == "use") {
      if (std::find(curves_.left_out.begin(), curves_.left_out.end(), name) == curves_.left_out.end())
        curves_.left_out.push_back(name);
    }
  }

  template <typename Add>
  static void add_polygon_of(const std::vector<double>& v, bool closed, const Add& add) {
    OutlineLoop loop;
    for (std::size_t k = 0; k + 3 < v.size(); k += 2)
      loop.push_back(CurvePiece::line({v[k], v[k + 1]}, {v[k + 2], v[k + 3]}));
    if (loop.empty()) return;
    const bool meets = (loop.back().end() - loop.front().start()).norm() == 0;
    if (closed && !meets) loop.push_back(CurvePiece::line(loop.back().end(), loop.front().start()));
    add(std::move(loop), closed || meets);
  }

  template <typename Add>
  static void add_rectangle(double x, double y, double w, double h, double rx, double ry, const Add& add) {
    if (!(w > 0 && h > 0)) return;
    rx = std::clamp(rx, 0.0, w / 2), ry = std::clamp(ry, 0.0, h / 2);
    std::string path = fmt::format("M {} {} H {}", x + rx, y, x + w - rx);
    const auto corner = [&](double to_x, double to_y) {
      if (rx > 0 && ry > 0) path += fmt::format(" A {} {} 0 0 1 {} {}", rx, ry, to_x, to_y);
    };
    corner(x + w, y + ry);
    path += fmt::format(" V {}", y + h - ry);
    corner(x + w - rx, y + h);
    path += fmt::format(" H {}", x + rx);
    corner(x, y + h - ry);
    path += fmt::format(" V {}", y + ry);
    corner(x + rx, y);
    PathLoops loops = read_path(path + " Z", 1);
    for (OutlineLoop& loop : loops.closed) {
      std::erase_if(loop, [](const CurvePiece& piece) { return piece.is_line() && piece.c[1].norm() == 0; });
      add(loop, true);
    }
  }

  std::string id_, failure_;
  bool is_svg_ = false, found_ = false;
  std::vector<Level> levels_;
  DrawnCurves curves_;
};

}  // namespace

DrawnCurves read_svg(const std::string& text, const std::string& id) {
  return SvgReader(id).read(text);
}

}  // namespace carom::inline outline_io
