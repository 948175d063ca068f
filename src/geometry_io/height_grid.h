#pragma once

#include <string_view>
#include <vector>

#include "geometry_io/triangle_soup.h"

// Heights over a rectangular grid, from tables and grey-scale pictures, and the solid below them.
namespace carom::inline geometry_io {

struct HeightGrid {
  int columns = 0, rows = 0;         // points along x and y, at least two each
  std::vector<double> heights = {};  // row by row, y upwards
  double at(int column, int row) const { return heights[static_cast<std::size_t>(row) * columns + column]; }
};

// Rows of numbers between blanks, commas or semicolons, the first of the largest y, as a picture is seen; `#` starts a
// comment. Throws std::invalid_argument.
HeightGrid read_height_table(std::string_view text);
// A picture in PNG: black is 0, white is 1. Throws std::invalid_argument.
HeightGrid read_height_picture(std::string_view bytes);

// The solid between the heights and a flat ground `depth` below the lowest of them; x from −width / 2 to width / 2, y
// likewise by the length. Every cell is two triangles.
TriangleSoup solid_below(const HeightGrid& grid, double width, double length, double depth);

}  // namespace carom::inline geometry_io
