#include "geometry_io/height_grid.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <png.h>

#include "geometry_io/text_words.h"

namespace carom::inline geometry_io {

namespace {

constexpr std::size_t most_heights = most_triangles / 2;

void refuse_too_many_heights(std::size_t columns, std::size_t rows) {
  if (columns == 0 || rows == 0 || columns > most_heights / rows)
    throw std::invalid_argument(fmt::format("a grid of {} × {} points, at most {} points are read; make it coarser",
                                            columns, rows, most_heights));
  if (columns < 2 || rows < 2)
    throw std::invalid_argument(fmt::format("a grid of {} × {} points, it needs at least 2 × 2", columns, rows));
}

}  // namespace

HeightGrid read_height_table(std::string_view text) {
  std::string plain(text);
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
  TextWords words(plain);
  std::vector<std::vector<double>> rows;
  std::size_t count = 0;
  while (words.next_line()) {
    std::vector<double> row;
    for (std::string_view word = words.word(); !word.empty() && word.front() != '#'; word = words.word())
      row.push_back(words.number(word));
    if (row.empty()) continue;
    if (!rows.empty() && row.size() != rows.front().size())
      words.fail(
          fmt::format("{} heights, and {} in the first row; all rows have as many", row.size(), rows.front().size()));
    count += row.size();
    if (count > most_heights) words.fail(fmt::format("more than {} heights; make the grid coarser", most_heights));
    rows.push_back(std::move(row));
  }
  refuse_too_many_heights(rows.empty() ? 0 : rows.front().size(), rows.size());
  HeightGrid grid{static_cast<int>(rows.front().size()), static_cast<int>(rows.size()), {}};
  for (std::size_t k = rows.size(); k-- > 0;) grid.heights.insert(grid.heights.end(), rows[k].begin(), rows[k].end());
  return grid;
}

HeightGrid read_height_picture(std::string_view bytes) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  const auto fail = [&] {
    const std::string message = image.message;
    png_image_free(&image);
    throw std::invalid_argument(fmt::format("the picture cannot be read: {}; export it as PNG again", message));
  };
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) fail();
  try {
    refuse_too_many_heights(image.width, image.height);
  } catch (const std::invalid_argument&) {
    png_image_free(&image);
    throw;
  }
  // 16 bits a point, in proportion to light; what is written with 8 bits is brought to that scale, undone below.
  const bool fine = (image.format & PNG_FORMAT_FLAG_LINEAR) != 0;
  image.format = fine ? PNG_FORMAT_LINEAR_Y : PNG_FORMAT_GRAY;
  std::vector<png_byte> buffer(PNG_IMAGE_SIZE(image));
  if (png_image_finish_read(&image, nullptr, buffer.data(), 0, nullptr) == 0) fail();
  HeightGrid grid{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  for (int row = grid.rows - 1; row >= 0; --row) {
    for (int column = 0; column < grid.columns; ++column) {
      const std::size_t at = static_cast<std::size_t>(row) * grid.columns + column;
      png_uint_16 value = buffer[fine ? 0 : at];
      if (fine) std::memcpy(&value, buffer.data() + 2 * at, 2);
      grid.heights.push_back(fine ? value / 65535.0 : value / 255.0);
    }
  }
  return grid;
}

TriangleSoup solid_below(const HeightGrid& grid, double width, double length, double depth) {
  TriangleSoup soup;
  const int columns = grid.columns, rows = grid.rows;
  const double ground = *std::min_element(grid.heights.begin(), grid.heights.end()) - depth;
  const auto place = [&](int column, int row, double z) {
    return Eigen::Vector3d(width * (static_cast<double>(column) / (columns - 1) - 0.5),
                           length * (static_cast<double>(row) / (rows - 1) - 0.5), z);
  };
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) soup.points.push_back(place(column, row, grid.at(column, row)));
  }
  for (int row = 0; row + 1 < rows; ++row) {
    for (int column = 0; column + 1 < columns; ++column) {
      const int a = row * columns + column, b = a + 1, c = b + columns, d = a + columns;
      soup.triangles.push_back({a, b, c});
      soup.triangles.push_back({a, c, d});
    }
  }
  // Around the border, counter-clockwise: walls down to the ground, and the ground about its middle.
  std::vector<int> border, below;
  for (int k = 0; k + 1 < columns; ++k) border.push_back(k);
  for (int k = 0; k + 1 < rows; ++k) border.push_back(k * columns + columns - 1);
  for (int k = columns - 1; k > 0; --k) border.push_back((rows - 1) * columns + k);
  for (int k = rows - 1; k > 0; --k) border.push_back(k * columns);
  for (const int top : border) {
    below.push_back(static_cast<int>(soup.points.size()));
    soup.points.push_back(soup.points[top]);
    soup.points.back().z() = ground;
  }
  const int middle = static_cast<int>(soup.points.size());
  soup.points.emplace_back(0, 0, ground);
  for (std::size_t k = 0; k < border.size(); ++k) {
    const std::size_t next = (k + 1) % border.size();
    soup.triangles.push_back({border[k], below[k], below[next]});
    soup.triangles.push_back({border[k], below[next], border[next]});
    soup.triangles.push_back({middle, below[next], below[k]});
  }
  return soup;
}

}  // namespace carom::inline geometry_io
