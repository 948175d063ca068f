#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/color.h"
#include "contact_geometry/shape_description.h"
#include "contacts/shape_of.h"
#include "documents/document.h"
#include "model_io/field_tables.h"
#include "model_io/self_crossing.h"
#include "model_io/validation.h"

namespace carom::inline model_io {

void Validation::check_markers(const BodyModel& body, const KeyPath& key) {
  TakenNames taken;
  for (std::size_t k = 0; k < body.markers.size(); ++k) {
    const KeyPath path = KeyPath::entry(key / "marker", k, body.markers[k].name);
    check_name(body.markers[k].name, path, "marker of this body", taken);
    check_distance(body.markers[k].position, path / "position");
  }
}

void Validation::check_geometry(const BodyModel& body, const KeyPath& key) {
  TakenNames taken;
  for (std::size_t k = 0; k < body.geometry.size(); ++k) {
    const Geometry& geometry = body.geometry[k];
    const KeyPath path = KeyPath::entry(key / "geometry", k, geometry.name);
    if (!geometry.name.empty() || sources_.given(path / "name")) {
      check_name(geometry.name, path, "shape of this body", taken);
    }
    if (!geometry.material.empty()) check_material_name(geometry.material, path / "material");
    if (!geometry.shape.empty() || !sources_.given(path)) check_fields(geometry_fields(), geometry, path);
    for (const std::string& name : geometry.settings.keys()) {
      if (!find_row(geometry_fields().rows(), name))
        error(path / name, unknown_key(name, row_names(geometry_fields().rows())));
    }
    check_shape(geometry, path);
    check_distance(geometry.position, path / "position");
  }
}

void Validation::check_shape(const Geometry& geometry, const KeyPath& key) {
  const std::size_t edges = geometry.settings.numbers("size").size();
  if (geometry.settings.has("size") && edges != 3 && !(model_.planar && edges == 2)) {
    error(key / "size", {fmt::format("a list of {}", edges), model_.planar ? "2 or 3 edges" : "3 edges", ""});
  }
  if (geometry.settings.has("color") && !parse_color(geometry.settings.text("color"))) {
    error(key / "color", {quoted_text(geometry.settings.text("color")), "a colour such as \"#4080c0\"",
                          "write red, green and blue as two hexadecimal digits each"});
  }
  for (const std::string& name : geometry.settings.keys()) {
    const ParameterDescription* const row = find_row(geometry_fields().rows(), name);
    if (!row || row->unit != "m" || broken(key / name)) continue;
    double largest = std::abs(geometry.settings.number(name));
    for (const double each : geometry.settings.numbers(name)) largest = std::max(largest, std::abs(each));
    if (largest <= farthest || !std::isfinite(largest)) continue;
    error(key / name,
          {number_text(largest) + " m", fmt::format("at most {:g} m", farthest), "check its exponent and its unit"});
  }
  if (geometry.settings.has("points")) check_profile(geometry, key);
  model_.planar ? check_sizes<2>(geometry, key) : check_sizes<3>(geometry, key);
}

template <int D>
void Validation::check_sizes(const Geometry& geometry, const KeyPath& key) {
  const ShapeDescription<D>* const shape = find_shape<D>(geometry.shape);
  if (!shape) {
    if (!find_shape<5 - D>(geometry.shape)) return;  // reported
    std::vector<std::string> names;
    for (const ShapeDescription<D>& each : shape_catalogue<D>()) names.push_back(each.name);
    return error(key / "shape", {quoted_text(geometry.shape), alternatives(names),
                                 fmt::format("a {} needs a {} model", geometry.shape, D == 2 ? "spatial" : "planar")});
  }
  for (const std::string& name : shape->required) {
    if (geometry.settings.has(name) || broken(key / name)) continue;
    error(key / name, {"nothing", "the " + name + " of a " + shape->name, "add the key `" + name + "`"});
  }
  std::vector<std::string> taken = shape->required;
  taken.insert(taken.end(), shape->optional.begin(), shape->optional.end());
  for (const std::string& name : geometry.settings.keys()) {
    if (name == "color" || name == "density" || (D == 2 && name == "thickness") ||
        std::find(taken.begin(), taken.end(), name) != taken.end())
      continue;
    if (!find_row(geometry_fields().rows(), name)) continue;  // reported
    report(Severity::warning, key / name,
           {fmt::format("the {} of a {}", name, shape->name),
            taken.empty() ? fmt::format("a {} without it", shape->name) : alternatives(taken), "it has no effect"});
  }
  check_making(*shape, geometry, key);
}

// Whether the shape can be made of its keys, where nothing is wrong with them one by one.
template <int D>
void Validation::check_making(const ShapeDescription<D>& shape, const Geometry& geometry, const KeyPath& key) {
  if (!shape.take) return;
  for (const std::string& name : shape.required)
    if (!geometry.settings.has(name)) return;
  for (const std::string& name : shape.optional)
    if (broken(key / name)) return;
  const auto place = [&](const ShapeRemark& remark) { return remark.key.empty() ? key : key / remark.key; };
  try {
    const Shape<D> made = sized_shape<D>(geometry, shape.kind);
    if (!shape.remarks) return;
    for (const ShapeRemark& each : shape.remarks(made))
      report(Severity::warning, place(each), {each.found, each.expected, each.remedy});
  } catch (const ShapeError& failure) {
    const ShapeRemark& remark = failure.remark();
    error(place(remark), {remark.found, remark.expected, remark.remedy});
  }
}

void Validation::check_profile(const Geometry& geometry, const KeyPath& key) {
  const KeyPath path = key / "points";
  auto points = geometry.settings.points("points");
  const bool closed = geometry.settings.boolean("closed", true);
  if (closed && points.size() > 1 && points.front() == points.back()) points.pop_back();
  const std::size_t fewest = closed ? 3 : 2;
  if (points.size() < fewest) {
    return error(path, {fmt::format("a list of {}", points.size()), fmt::format("{} corners or more", fewest), ""});
  }
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (points[k].cwiseAbs().maxCoeff() <= farthest) continue;
    return error(path,
                 {fmt::format("point {} at {}", k + 1, number_text(points[k].cwiseAbs().maxCoeff()) + " m"),
                  fmt::format("points within {:g} m of the origin", farthest), "check its exponent and its unit"});
  }
  for (std::size_t k = 0; k + (closed ? 0 : 1) < points.size(); ++k) {
    const std::size_t next = (k + 1) % points.size();
    if (points[k] != points[next]) continue;
    return error(path, {fmt::format("points {} and {} in one place", k + 1, next + 1), "points that differ", ""});
  }
  if (!model_.planar) return;
  const auto crossing = find_self_crossing(points, closed);
  if (!crossing) return;
  const auto edge = [&](std::size_t k) { return fmt::format("{}–{}", k + 1, (k + 1) % points.size() + 1); };
  error(path, {fmt::format("a profile that crosses itself: its edges {} and {} meet", edge(crossing->first),
                           edge(crossing->second)),
               "a curve without crossings", "check the order of the points"});
}

}  // namespace carom::inline model_io
