#include "exports/shaded_mesh.h"

#include <array>
#include <cmath>
#include <numbers>

namespace carom::inline exports {
namespace {

const double round_cosine = std::cos(std::numbers::pi / 6);

// Twice the area along the normal (Newell); right for polygons with dents, too.
Eigen::Vector3d area_of(const std::vector<Eigen::Vector3d>& points, const std::vector<int>& polygon) {
  Eigen::Vector3d area = Eigen::Vector3d::Zero();
  const Eigen::Vector3d& origin = points[polygon.front()];
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k)
    area += (points[polygon[k]] - origin).cross(points[polygon[k + 1]] - origin);
  return area;
}

bool is_inside(const Eigen::Vector3d& point, const std::array<Eigen::Vector3d, 3>& triangle,
               const Eigen::Vector3d& normal) {
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d& from = triangle[k];
    if ((triangle[(k + 1) % 3] - from).cross(point - from).dot(normal) < 0) return false;
  }
  return true;
}

// Whether the corner at `k` can be cut off: it is convex, and no other corner lies in its triangle.
bool is_ear(const std::vector<Eigen::Vector3d>& points, const std::vector<int>& rest, std::size_t k,
            const Eigen::Vector3d& normal) {
  const std::size_t count = rest.size(), before = (k + count - 1) % count, after = (k + 1) % count;
  const std::array<Eigen::Vector3d, 3> triangle = {points[rest[before]], points[rest[k]], points[rest[after]]};
  if ((triangle[1] - triangle[0]).cross(triangle[2] - triangle[1]).dot(normal) <= 0) return false;
  for (std::size_t other = 0; other < count; ++other) {
    if (other == before || other == k || other == after) continue;
    const Eigen::Vector3d& point = points[rest[other]];
    // Bridges to holes pass a corner twice.
    if (point == triangle[0] || point == triangle[1] || point == triangle[2]) continue;
    if (is_inside(point, triangle, normal)) return false;
  }
  return true;
}

void append_vector(std::vector<float>& to, const Eigen::Vector3d& vector) {
  for (const double value : vector) to.push_back(static_cast<float>(value));
}

}  // namespace

std::vector<std::array<int, 3>> cut_polygon(const std::vector<Eigen::Vector3d>& points,
                                            const std::vector<int>& polygon) {
  std::vector<std::array<int, 3>> triangles;
  if (polygon.size() < 3) return triangles;
  const Eigen::Vector3d normal = area_of(points, polygon);
  std::vector<int> rest = polygon;
  std::size_t at = 0, tried = 0;
  while (rest.size() > 3) {
    at %= rest.size();
    // A polygon that crosses itself has no ear at some time: what is left is cut as it comes.
    if (tried < rest.size() && !is_ear(points, rest, at, normal)) {
      ++at;
      ++tried;
      continue;
    }
    const std::size_t count = rest.size();
    triangles.push_back({rest[(at + count - 1) % count], rest[at], rest[(at + 1) % count]});
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
    tried = 0;
  }
  triangles.push_back({rest[0], rest[1], rest[2]});
  return triangles;
}

ShadedMesh shaded_mesh(const Solid& solid) {
  ShadedMesh mesh;
  std::vector<Eigen::Vector3d> areas;
  std::vector<std::vector<int>> faces_at(solid.points.size());
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    areas.push_back(area_of(solid.points, solid.faces[f]));
    for (const int corner : solid.faces[f]) faces_at[corner].push_back(static_cast<int>(f));
  }
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    const Eigen::Vector3d own = areas[f].normalized();
    for (const std::array<int, 3>& triangle : cut_polygon(solid.points, solid.faces[f])) {
      for (const int corner : triangle) {
        Eigen::Vector3d normal = Eigen::Vector3d::Zero();
        for (const int face : faces_at[corner])
          if (areas[face].normalized().dot(own) > round_cosine) normal += areas[face];
        if (!(normal.norm() > 0)) normal = own.norm() > 0 ? own : Eigen::Vector3d::UnitZ();
        mesh.triangles.push_back(static_cast<std::uint32_t>(mesh.points.size() / 3));
        append_vector(mesh.points, solid.points[corner]);
        append_vector(mesh.normals, normal.normalized());
      }
    }
  }
  for (const std::vector<int>& line : solid.edges) {
    for (std::size_t k = 0; k < line.size(); ++k) {
      const auto number = static_cast<std::uint32_t>(mesh.line_points.size() / 3);
      append_vector(mesh.line_points, solid.points[line[k]]);
      if (k > 0) mesh.lines.insert(mesh.lines.end(), {number - 1, number});
    }
  }
  return mesh;
}

}  // namespace carom::inline exports
