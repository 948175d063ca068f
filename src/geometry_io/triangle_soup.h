#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

// Triangles as files have them, and the closed surface that is made of them. Lengths are those of the file.
namespace carom::inline geometry_io {

using Triangle = std::array<int, 3>;  // corners, counter-clockwise seen from outside

struct TriangleSoup {
  std::vector<Eigen::Vector3d> points = {};
  std::vector<Triangle> triangles = {};
};

// More would need gigabytes, and hours of contact.
inline constexpr std::size_t most_triangles = 5'000'000;

// Reads STL (binary or ASCII), OBJ or PLY (ASCII or binary in either order); which one it is follows from the end of
// the name and, for STL, from the contents. Polygons are cut into triangles. Throws std::invalid_argument with what is
// wrong, where, and what to do about it. What is asked for of memory never exceeds a few times the size of the text.
TriangleSoup read_triangles(std::string_view bytes, std::string_view name);

// The single formats.
TriangleSoup read_stl(std::string_view bytes);
TriangleSoup read_obj(std::string_view bytes);
TriangleSoup read_ply(std::string_view bytes);

// Cuts a polygon, which need not be convex, into triangles by its ears; it is as flat as it is.
void cut_polygon(const std::vector<int>& corners, const std::vector<Eigen::Vector3d>& points,
                 std::vector<Triangle>& triangles);

// A surface without holes: every edge has two triangles that run through it in opposite directions, none of them is
// without area, and the volume inside is positive.
struct ClosedSurface {
  std::vector<Eigen::Vector3d> points = {};
  std::vector<Triangle> triangles = {};
  double volume = 0;                      // in the cube of the unit of its points
  std::vector<std::string> remarks = {};  // what was changed, and what is to be doubted
};

// Points nearer to each other than the width become one. Triangles keep their places, also those that have a corner
// twice then.
void join_near_points(TriangleSoup& soup, double width);

// Joins equal points, takes out triangles without area and turns surfaces inside out where they are. Throws
// std::invalid_argument where the surface has holes, edges of more than two triangles, or no volume.
ClosedSurface close_surface(TriangleSoup soup);

// Places where the surface goes through itself, at most `most` of them.
std::vector<Eigen::Vector3d> find_self_crossings(const ClosedSurface& surface, std::size_t most);

}  // namespace carom::inline geometry_io
