#include <stdexcept>

#include <fmt/format.h>

#include "contact_geometry/outline_shape.h"
#include "outline_io/path_text.h"

namespace carom::inline contact_geometry {

double outline_bounding_radius(const Shape<2>& shape) {
  return outline_of(shape).bounding_radius();
}

double outline_thickness(const Shape<2>& shape) {
  return outline_of(shape).thickness();
}

double outline_sharpness(const Shape<2>& shape) {
  return outline_of(shape).sharpness();
}

ShapeDescription<2> describe_as_outline(std::string name) {
  return {.kind = outline_kind,
          .name = std::move(name),
          .form = ShapeForm::outline,
          .bounding_radius = outline_bounding_radius,
          .thickness = outline_thickness,
          .sharpness = outline_sharpness,
          .surface = outline_surface};
}

ShapeSurface outline_surface(const Shape<2>& shape, int) {
  ShapeSurface surface;
  for (const auto& polygon : outline_of(shape).polygons()) {
    std::vector<int> face;
    for (const Eigen::Vector2d& point : polygon) {
      face.push_back(static_cast<int>(surface.points.size()));
      surface.points.emplace_back(point.x(), point.y(), 0);
    }
    surface.faces.push_back(std::move(face));
  }
  return surface;
}

namespace {

void take_outline(const Settings& keys, Shape<2>& shape) {
  PathLoops loops = read_path(keys.text("path"), keys.number("unit", 1));
  if (!loops.open.empty()) {
    const Eigen::Vector2d end = loops.open[0].back().end();
    throw std::invalid_argument(
        fmt::format("the path is open at ({:.6g}, {:.6g}) m; close it with `Z`", end.x(), end.y()));
  }
  shape.data = std::make_shared<OutlineData>(Outline(std::move(loops.closed), keys.number("edge_radius", 0)));
}

}  // namespace

ShapeDescription<2> describe_outline_shape() {
  ShapeDescription<2> shape = describe_as_outline("outline");
  shape.optional = {"path", "unit", "edge_radius"};
  shape.keys = {{.name = "path",
                 .kind = ParameterKind::text,
                 .meaning = "of an outline: closed lines, arcs and curves as SVG writes them, `M 0 0 L 10 0 A 5 5 0 0 1 "
                            "10 10 Z`; loops within others are holes"},
                {.name = "unit",
                 .unit = "m",
                 .meaning = "of an outline: length of one unit of its path or file, such as \"1 mm\"",
                 .default_text = "1 m",
                 .minimum = 0,
                 .minimum_allowed = false},
                {.name = "edge_radius",
                 .unit = "m",
                 .meaning = "of an outline: with which its corners are rounded; 0: true corners",
                 .default_text = "0",
                 .minimum = 0}};
  shape.take = take_outline;
  return shape;
}

}  // namespace carom::inline contact_geometry
