#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "geometry_io/text_words.h"
#include "geometry_io/triangle_soup.h"

namespace carom::inline geometry_io {

namespace {

constexpr std::size_t stl_header = 84, stl_facet = 50;

std::uint32_t little_number(const char* from) {
  std::uint32_t value = 0;
  for (int k = 3; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(from[k]);
  return value;
}

void refuse_too_many_facets(std::size_t count) {
  if (count > most_triangles)
    throw std::invalid_argument(
        fmt::format("{} triangles, at most {} are read; reduce the mesh, or export it with a larger chord error", count,
                    most_triangles));
}

TriangleSoup read_binary_stl(std::string_view bytes) {
  const std::size_t count = little_number(bytes.data() + 80);
  refuse_too_many_facets(count);
  TriangleSoup soup;
  soup.points.reserve(3 * count);
  soup.triangles.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const char* facet = bytes.data() + stl_header + k * stl_facet + 12;
    for (int corner = 0; corner < 3; ++corner) {
      Eigen::Vector3d point;
      for (int axis = 0; axis < 3; ++axis, facet += 4) point[axis] = std::bit_cast<float>(little_number(facet));
      if (!point.allFinite())
        throw std::invalid_argument(
            fmt::format("triangle {} has a corner that is not a finite number; export the part again", k + 1));
      soup.points.push_back(point);
    }
    const int first = static_cast<int>(3 * k);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  return soup;
}

Eigen::Vector3d read_vertex(TextWords& words) {
  Eigen::Vector3d point;
  for (double& entry : point) entry = words.number(words.word_anywhere());
  return point;
}

void expect_word(TextWords& words, std::string_view expected) {
  const std::string_view found = words.word_anywhere();
  if (found.empty()) words.fail(fmt::format("the file ends where `{}` is expected: it is cut off", expected));
  if (found != expected) words.fail(fmt::format("found `{}`, expected `{}`", TextWords::shown(found), expected));
}

TriangleSoup read_ascii_stl(std::string_view bytes) {
  TextWords words(bytes);
  TriangleSoup soup;
  bool inside = false;
  while (words.next_line()) {
    const std::string_view first = words.word();
    if (first == "solid") {
      if (inside) words.fail("a `solid` begins inside another; `endsolid` is missing before it");
      inside = true;
    } else if (first == "endsolid") {
      inside = false;
    } else if (first == "facet") {
      expect_word(words, "normal");
      for (int k = 0; k < 3; ++k) words.word();  // it follows from the corners
      expect_word(words, "outer"), expect_word(words, "loop");
      refuse_too_many_facets(soup.triangles.size() + 1);
      const int start = static_cast<int>(soup.points.size());
      for (int k = 0; k < 3; ++k) {
        expect_word(words, "vertex");
        soup.points.push_back(read_vertex(words));
      }
      expect_word(words, "endloop"), expect_word(words, "endfacet");
      soup.triangles.push_back({start, start + 1, start + 2});
    } else {
      words.fail(fmt::format("found `{}`, expected `facet` or `endsolid`", TextWords::shown(first)));
    }
  }
  if (inside) throw std::invalid_argument("the file ends without `endsolid`: it is cut off; export the part again");
  return soup;
}

}  // namespace

// A binary file may begin with the word of the other format, but its size is that of its number of triangles.
TriangleSoup read_stl(std::string_view bytes) {
  const bool has_header = bytes.size() >= stl_header;
  const std::size_t count = has_header ? little_number(bytes.data() + 80) : 0;
  if (has_header && bytes.size() == stl_header + count * stl_facet) return read_binary_stl(bytes);
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && bytes.substr(start, 5) == "solid" &&
      bytes.find('\0') == std::string_view::npos)
    return read_ascii_stl(bytes);
  if (has_header && bytes.size() > stl_header + count * stl_facet) return read_binary_stl(bytes);
  throw std::invalid_argument(
      has_header ? fmt::format("{} triangles are announced and {} are there: the file is cut off, or it is not an STL "
                               "file; export the part again",
                               count, (bytes.size() - stl_header) / stl_facet)
                 : std::string("this is no STL file; export the part again"));
}

}  // namespace carom::inline geometry_io
