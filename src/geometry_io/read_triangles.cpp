#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "geometry_io/triangle_soup.h"

namespace carom::inline geometry_io {

namespace {

std::string ending_of(std::string_view name) {
  const std::size_t dot = name.find_last_of('.');
  std::string ending(dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1));
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

}  // namespace

TriangleSoup read_triangles(std::string_view bytes, std::string_view name) {
  const std::string ending = ending_of(name);
  if (bytes.empty()) throw std::invalid_argument("the file is empty; export the part again");
  TriangleSoup soup;
  if (ending == "stl") {
    soup = read_stl(bytes);
  } else if (ending == "obj") {
    soup = read_obj(bytes);
  } else if (ending == "ply") {
    soup = read_ply(bytes);
  } else {
    throw std::invalid_argument(
        fmt::format("`.{}` is no format of triangles that is read; export the part as STL, OBJ or PLY", ending));
  }
  if (soup.triangles.empty())
    throw std::invalid_argument("the file has no triangles; export the part as a surface of triangles");
  return soup;
}

}  // namespace carom::inline geometry_io
