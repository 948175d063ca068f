#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "contact_geometry/made_outlines.h"
#include "outline_io/chain_loops.h"
#include "outline_io/path_text.h"

// Outlines by a path, a drawing or formulas.
namespace carom::inline contact_geometry {

namespace {

constexpr int most_formula_pieces = 4096;

// Lines and loops, in m, before they are mirrored, repeated and joined.
struct Drawing {
  std::vector<OutlineLoop> closed, open;
  std::vector<ShapeRemark> remarks;
};

// Pieces of the fifth degree with the derivatives of the formulas at their ends, halved until they fit between.
class FormulaCurve {
 public:
  FormulaCurve(Function x, Function y) : x_(std::move(x)), y_(std::move(y)) {}

  OutlineLoop pieces(double from, double to) {
    std::vector<double> cuts = {from};
    for (const Function* law : {&x_, &y_}) {
      for (const double at : law->breakpoints()) {
        if (at > from && at < to) cuts.push_back(at);
      }
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.push_back(to);
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
      constexpr int first = 8;
      for (int part = 0; part < first; ++part) {
        const double span = (cuts[k + 1] - cuts[k]) / first;
        if (span > 0) add(cuts[k] + part * span, cuts[k] + (part + 1) * span, 0);
      }
    }
    return std::move(loop_);
  }

 private:
  CurvePoint at(double s, double span) const {
    const Jet x = x_.derivatives(s), y = y_.derivatives(s);
    CurvePoint point{
        {x.value, y.value}, {span * x.first, span * y.first}, {span * span * x.second, span * span * y.second}};
    if (!point.position.allFinite() || !point.first.allFinite() || !point.second.allFinite())
      refuse_outline(fmt::format("formulas that are not finite at s = {:.6g}; change `range`", s));
    return point;
  }
  void add(double from, double to, int depth) {
    const double span = to - from;
    const CurvePiece piece = CurvePiece::quintic(at(from, span), at(to, span));
    double off = 0;
    for (const double part : {0.25, 0.5, 0.75}) {
      off = std::max(off, (piece.at(part).position - at(from + part * span, span).position).norm());
    }
    const double size = piece.c[0].norm() + piece.end().norm();
    if (off > 1e-11 * size && depth < 10 && static_cast<int>(loop_.size()) < most_formula_pieces) {
      add(from, (from + to) / 2, depth + 1);
      add((from + to) / 2, to, depth + 1);
    } else {
      loop_.push_back(piece);
    }
  }

  Function x_, y_;
  OutlineLoop loop_;
};

void scale_lines(std::vector<OutlineLoop>& lines, double unit) {
  for (OutlineLoop& line : lines) {
    for (CurvePiece& piece : line) piece = piece.mapped(unit * Eigen::Matrix2d::Identity(), Eigen::Vector2d::Zero());
  }
}

Drawing drawing_of_file(const Settings& keys) {
  const ModelFile file = keys.file("file");
  std::string ending = file.name.substr(std::min(file.name.size(), file.name.rfind('.')));
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  const bool svg = ending == ".svg", dxf = ending == ".dxf";
  if (!svg && !dxf) {
    throw ShapeError({"file", fmt::format("\"{}\"", file.name), "a drawing that ends in .svg or .dxf",
                      "export the outline as one of them"});
  }
  const std::string text(file.content());
  DrawnCurves curves;
  try {
    curves = svg ? read_svg(text, keys.text("id")) : read_dxf(text, keys.text("layer"));
  } catch (const std::invalid_argument& error) {
    throw ShapeError(
        {"file", error.what(), svg ? "an SVG drawing" : "a DXF drawing", fmt::format("check \"{}\"", file.name)});
  }
  Drawing drawing{std::move(curves.closed), std::move(curves.open), {}};
  if (drawing.closed.empty() && drawing.open.empty())
    throw ShapeError({"file", "a drawing without lines", "lines, arcs or curves",
                      svg && keys.has("id") ? "check `id`" : "check `layer`, and that blocks are exploded"});
  if (!keys.has("unit") && !(curves.unit > 0)) {
    throw ShapeError({"unit", "nothing, and the drawing does not say its unit", "the length of one unit of the drawing",
                      "add `unit`, such as \"1 mm\""});
  }
  const double unit = keys.number("unit", curves.unit);
  if (keys.has("unit") && curves.unit > 0 && std::abs(unit - curves.unit) > 1e-9 * unit) {
    drawing.remarks.push_back({"unit", fmt::format("{:.6g} m, while the drawing says {:.6g} m", unit, curves.unit),
                               "one and the same", "`unit` was taken"});
  }
  scale_lines(drawing.closed, unit), scale_lines(drawing.open, unit);
  for (const std::string& kind : curves.left_out)
    drawing.remarks.push_back({"file", fmt::format("`{}` in the drawing", kind), "lines, arcs and curves",
                               "it was left out; explode blocks, and turn texts into paths"});
  return drawing;
}

Drawing read_drawing(const Settings& keys) {
  const bool formula = keys.has("x") || keys.has("y");
  const int ways = (keys.has("path") ? 1 : 0) + (keys.has("file") ? 1 : 0) + (formula ? 1 : 0);
  if (ways != 1) {
    throw ShapeError({"", ways == 0 ? "an outline without lines" : "an outline in several ways",
                      "one of `path`, `file`, or `x` and `y`", ways == 0 ? "add one of them" : "keep one of them"});
  }
  if (keys.has("path")) {
    PathLoops loops = read_path(keys.text("path"), keys.number("unit", 1));
    return {std::move(loops.closed), std::move(loops.open), {}};
  }
  if (!formula) return drawing_of_file(keys);
  const std::vector<double> range = keys.numbers("range");
  if (!keys.has("x") || !keys.has("y"))
    throw ShapeError({keys.has("x") ? "y" : "x", "nothing", "both `x` and `y` of an outline by formulas", "add it"});
  if (range.size() != 2 || !(range[1] > range[0]))
    throw ShapeError({"range", "no range of `s`", "two numbers that grow", "such as [0, \"=2*pi\"]"});
  Drawing drawing;
  drawing.open.push_back(FormulaCurve(keys.function("x"), keys.function("y")).pieces(range[0], range[1]));
  return drawing;
}

// Copies of what is there; open lines are joined afterwards.
void copy_lines(const Settings& keys, std::vector<OutlineLoop>& lines) {
  const auto add_copy = [&lines](const std::vector<OutlineLoop>& from, const Eigen::Matrix2d& linear,
                                 const Eigen::Vector2d& shift) {
    for (OutlineLoop line : from) {
      for (CurvePiece& piece : line) piece = piece.mapped(linear, shift);
      lines.push_back(std::move(line));
    }
  };
  if (const std::string axis = keys.text("mirror"); axis == "x" || axis == "y") {
    Eigen::Matrix2d mirror = Eigen::Matrix2d::Identity();
    axis == "x" ? mirror(1, 1) = -1 : mirror(0, 0) = -1;
    add_copy(std::vector<OutlineLoop>(lines), mirror, Eigen::Vector2d::Zero());
  }
  const int count = static_cast<int>(keys.number("repeat", 1));
  const std::vector<OutlineLoop> one = lines;
  const Eigen::Vector2d about = keys.vector("repeat_about").head<2>();
  for (int k = 1; k < count; ++k) {
    const Eigen::Matrix2d turn = Eigen::Rotation2Dd(2 * M_PI * k / count).toRotationMatrix();
    add_copy(one, turn, about - turn * about);
  }
}

void take_outline(const Settings& keys, Shape<2>& shape) {
  Drawing drawing = read_drawing(keys);
  copy_lines(keys, drawing.closed);
  copy_lines(keys, drawing.open);
  double size = 0;
  for (const OutlineLoop& line : drawing.open) {
    for (const CurvePiece& piece : line) size = std::max(size, piece.start().norm());
  }
  for (OutlineLoop& loop : chain_loops(std::move(drawing.open), 1e-6 * size)) drawing.closed.push_back(std::move(loop));
  auto data = std::make_shared<OutlineData>(Outline(std::move(drawing.closed), keys.number("edge_radius", 0)));
  data->remarks = std::move(drawing.remarks);
  shape.data = std::move(data);
}

ParameterDescription text_key(std::string name, std::string meaning) {
  return {.name = std::move(name), .kind = ParameterKind::text, .meaning = std::move(meaning)};
}

ParameterDescription formula_key(std::string name) {
  return {.name = std::move(name),
          .kind = ParameterKind::function,
          .unit = "m",
          .meaning = "of an outline by formulas: place over the parameter `s`, which goes through `range`",
          .arguments = {"s"},
          .argument_units = {""}};
}

}  // namespace

ShapeDescription<2> describe_outline_shape() {
  ShapeDescription<2> shape = describe_as_outline("outline");
  shape.optional = {"path", "file",  "x",      "y",      "range",        "unit",
                    "id",   "layer", "mirror", "repeat", "repeat_about", "edge_radius"};
  shape.keys = {
      text_key("path",
               "of an outline: closed lines, arcs and curves as SVG writes them, `M 0 0 L 10 0 A 5 5 0 0 1 10 10 "
               "Z`, y upwards; loops within others are holes"),
      {.name = "file", .kind = ParameterKind::file, .meaning = "that the shape is read from, beside the model"},
      formula_key("x"),
      formula_key("y"),
      {.name = "range", .kind = ParameterKind::numbers, .meaning = "of the parameter `s` of an outline by formulas"},
      {.name = "unit",
       .unit = "m",
       .meaning = "length of one unit of the path, drawing or mesh, such as \"1 mm\"",
       .default_text = "1 m for a path, or as the drawing says",
       .minimum = 0,
       .minimum_allowed = false},
      text_key("id", "of the element or group of an SVG drawing that is the outline"),
      text_key("layer", "of a DXF drawing that holds the outline"),
      {.name = "mirror",
       .kind = ParameterKind::choice,
       .meaning = "of an outline: adds its image in this axis",
       .choices = {"x", "y"}},
      {.name = "repeat",
       .kind = ParameterKind::integer,
       .meaning = "of an outline: how often its lines are there about `repeat_about`, evenly turned",
       .default_text = "1",
       .minimum = 1,
       .maximum = 10000},
      {.name = "repeat_about",
       .kind = ParameterKind::vector,
       .unit = "m",
       .meaning = "of an outline: centre of `repeat`",
       .default_text = "the origin"},
      {.name = "edge_radius",
       .unit = "m",
       .meaning = "of an outline: with which its corners are rounded; 0: true corners",
       .default_text = "0",
       .minimum = 0}};
  shape.take = take_guarded<take_outline>;
  return shape;
}

}  // namespace carom::inline contact_geometry
