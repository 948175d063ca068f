#include "contact_geometry/outline_shape.h"

#include <fmt/format.h>

namespace carom::inline contact_geometry {

namespace {

double outline_bounding_radius(const Shape<2>& shape) {
  return shape.data ? outline_of(shape).bounding_radius() : 0;
}

double outline_thickness(const Shape<2>& shape) {
  return outline_of(shape).thickness();
}

double outline_sharpness(const Shape<2>& shape) {
  return outline_of(shape).sharpness();
}

MassProperties outline_mass(const Shape<2>& shape) {
  const AreaMoments moments = outline_of(shape).moments();
  MassProperties mass;
  mass.volume = moments.area;
  mass.centre.head<2>() = moments.first / moments.area;
  const double x = mass.centre.x(), y = mass.centre.y(), depth = moments.area / 12;
  const double xx = moments.xx - moments.area * x * x, yy = moments.yy - moments.area * y * y,
               xy = moments.xy - moments.area * x * y;
  mass.inertia << yy + depth, -xy, 0, -xy, xx + depth, 0, 0, 0, xx + yy;
  return mass;
}

std::vector<ShapeRemark> outline_remarks(const Shape<2>& shape) {
  return static_cast<const OutlineData&>(*shape.data).remarks;
}

// Holes are joined to the loop around them by a cut, so that a picture that fills one polygon leaves them open.
ShapeSurface outline_surface(const Shape<2>& shape, int) {
  ShapeSurface surface;
  for (const auto& polygon : filled_polygons(outline_of(shape))) {
    std::vector<int> face;
    for (const Eigen::Vector2d& point : polygon) {
      face.push_back(static_cast<int>(surface.points.size()));
      surface.points.emplace_back(point.x(), point.y(), 0);
    }
    surface.faces.push_back(std::move(face));
  }
  // Loops without the cuts.
  for (const auto& polygon : outline_of(shape).polygons()) {
    std::vector<int> line;
    for (const Eigen::Vector2d& point : polygon) {
      line.push_back(static_cast<int>(surface.points.size()));
      surface.points.emplace_back(point.x(), point.y(), 0);
    }
    line.push_back(line.front());
    surface.lines.push_back(std::move(line));
  }
  return surface;
}

}  // namespace

ShapeError outline_error(const std::string& text) {
  const std::size_t cut = text.rfind("; ");
  return ShapeError({.key = "",
                     .found = text.substr(0, cut),
                     .expected = "a sound outline",
                     .remedy = cut == std::string::npos ? "" : text.substr(cut + 2)});
}

ShapeDescription<2> describe_as_outline(std::string name) {
  return {.kind = outline_kind,
          .name = std::move(name),
          .form = ShapeForm::outline,
          .remarks = outline_remarks,
          .bounding_radius = outline_bounding_radius,
          .thickness = outline_thickness,
          .sharpness = outline_sharpness,
          .mass = outline_mass,
          .surface = outline_surface};
}

}  // namespace carom::inline contact_geometry
