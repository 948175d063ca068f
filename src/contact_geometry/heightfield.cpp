#include <array>
#include <cctype>

#include <fmt/format.h>

#include "contact_geometry/mesh_shape.h"
#include "geometry_io/height_grid.h"

// A relief: the solid below heights over a rectangle, which come from a table, a grey-scale picture or a formula. It is
// a mesh from then on.
namespace carom::inline contact_geometry {

namespace {

constexpr double usual_cells = 64, most_cells = 1500;  // along the longer side, of a formula

[[noreturn]] void refuse_heights(const std::string& key, const std::string& found, const std::string& expected,
                                 const std::string& remedy = "") {
  throw ShapeError({.key = key, .found = found, .expected = expected, .remedy = remedy});
}

HeightGrid grid_of_formula(const Settings& keys, double width, double length) {
  const Function relief = keys.function("relief");
  const double spacing = keys.number("spacing", std::max(width, length) / usual_cells);
  if (std::max(width, length) / spacing > most_cells)
    refuse_heights("spacing", fmt::format("{:.3g} m over {:.3g} m", spacing, std::max(width, length)),
                   fmt::format("at most {} cells along a side", most_cells), "make `spacing` larger");
  HeightGrid grid{1 + std::max(1, static_cast<int>(std::lround(width / spacing))),
                  1 + std::max(1, static_cast<int>(std::lround(length / spacing))),
                  {}};
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns; ++column) {
      const std::array<double, 2> at = {width * (static_cast<double>(column) / (grid.columns - 1) - 0.5),
                                        length * (static_cast<double>(row) / (grid.rows - 1) - 0.5)};
      const double height = relief.value(at);
      if (!std::isfinite(height))
        refuse_heights("relief", fmt::format("no finite height at x = {:.6g} m, y = {:.6g} m", at[0], at[1]),
                       "a height at every point of the rectangle");
      grid.heights.push_back(height);
    }
  }
  return grid;
}

bool is_picture(const std::string& name) {
  std::string ending = name.size() > 4 ? name.substr(name.size() - 4) : "";
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending == ".png";
}

HeightGrid grid_of_file(const Settings& keys) {
  const ModelFile file = keys.file("file");
  try {
    if (!is_picture(file.name)) {
      HeightGrid grid = read_height_table(file.content());
      for (double& height : grid.heights) height *= keys.number("unit", 1);
      return grid;
    }
    HeightGrid grid = read_height_picture(file.content());
    const double white = keys.number("white");
    for (double& height : grid.heights) height *= white;
    return grid;
  } catch (const std::invalid_argument& failure) {
    refuse_heights("file", fmt::format("\"{}\": {}", file.name, failure.what()),
                   "a table of heights, or a grey-scale picture in PNG");
  }
}

void take_heightfield(const Settings& keys, Shape<3>& shape) {
  const auto size = keys.numbers("size");
  if (size.size() != 3) refuse_heights("size", fmt::format("{} numbers", size.size()), "width, length and depth");
  const bool by_file = keys.has("file"), by_formula = keys.has("relief");
  if (by_file == by_formula)
    refuse_heights("", by_file ? "both `file` and `relief`" : "neither `file` nor `relief`",
                   "heights from a file or from a formula, one of the two");
  if (by_file && is_picture(keys.file("file").name) && !keys.has("white"))
    refuse_heights("white", "nothing", "how high white is above black", "add the key `white`");
  const HeightGrid grid = by_file ? grid_of_file(keys) : grid_of_formula(keys, size[0], size[1]);
  shape.data = std::make_shared<MeshData>(close_surface(solid_below(grid, size[0], size[1], size[2])), 1);
}

}  // namespace

ShapeDescription<3> describe_heightfield() {
  return {
      .kind = heightfield_kind,
      .name = "heightfield",
      .required = {"size"},
      .optional = {"file", "relief", "unit", "white", "spacing"},
      .keys = {{.name = "relief",
                .kind = ParameterKind::function,
                .unit = "m",
                .meaning = "of a heightfield: its height over x and y, from its middle",
                .arguments = {"x", "y"},
                .argument_units = {"m", "m"}},
               {.name = "white", .unit = "m", .meaning = "of a heightfield from a picture: height of white over black"},
               {.name = "spacing",
                .unit = "m",
                .meaning = "of a heightfield by formula: between the points where it is evaluated",
                .default_text = "1/64 of the longer side",
                .minimum = 0,
                .minimum_allowed = false}},
      .form = ShapeForm::outline,
      .take = take_heightfield,
      .bounding_radius = mesh_bounding_radius,
      .thickness = mesh_thickness,
      .sharpness = mesh_sharpness,
      .mass = mesh_mass,
      .surface = mesh_surface};
}

}  // namespace carom::inline contact_geometry
