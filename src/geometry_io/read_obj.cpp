#include <set>

#include <fmt/format.h>

#include "geometry_io/text_words.h"
#include "geometry_io/triangle_soup.h"

namespace carom::inline geometry_io {

namespace {

// Statements that say nothing of triangles.
bool is_beside_the_surface(std::string_view word) {
  static const std::set<std::string_view> known = {
      "vn",    "vt",  "g",      "o",      "s",  "usemtl",   "mtllib",   "l",          "p",        "mg",
      "bevel", "lod", "usemap", "maplib", "vp", "c_interp", "d_interp", "shadow_obj", "trace_obj"};
  return known.contains(word);
}

// "7", "7/1", "7//2", "-1": the number of the corner's point.
int corner_of(std::string_view word, std::size_t points, const TextWords& words) {
  const long number = words.integer(word.substr(0, word.find('/')));
  const long count = static_cast<long>(points);
  const long index = number > 0 ? number - 1 : count + number;
  if (number == 0 || index < 0 || index >= count)
    words.fail(fmt::format("a face names point {}, and {} {} there so far", number, count, count == 1 ? "is" : "are"));
  return static_cast<int>(index);
}

}  // namespace

TriangleSoup read_obj(std::string_view bytes) {
  TextWords words(bytes);
  TriangleSoup soup;
  std::vector<int> corners;
  while (words.next_line()) {
    const std::string_view first = words.word();
    if (first.front() == '#' || is_beside_the_surface(first)) continue;
    if (first == "v") {
      Eigen::Vector3d point;
      for (double& entry : point) entry = words.number(words.word());
      soup.points.push_back(point);
    } else if (first == "f") {
      corners.clear();
      for (std::string_view word = words.word(); !word.empty() && word.front() != '#'; word = words.word()) {
        if (word == "\\") {
          words.next_line();
          continue;
        }
        corners.push_back(corner_of(word, soup.points.size(), words));
      }
      if (corners.size() < 3) words.fail("a face has fewer than three corners");
      cut_polygon(corners, soup.points, soup.triangles);
      if (soup.triangles.size() > most_triangles)
        words.fail(fmt::format("more than {} triangles; reduce the mesh, or export it with a larger chord error",
                               most_triangles));
    } else if (first == "curv" || first == "surf" || first == "cstype" || first == "curv2") {
      words.fail("free-form curves and surfaces are not read; export the part as triangles");
    } else {
      words.fail(fmt::format("found `{}`, expected `v` or `f`; is this an OBJ file?", TextWords::shown(first)));
    }
  }
  return soup;
}

}  // namespace carom::inline geometry_io
