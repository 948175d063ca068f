#include "viewing/solid.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace carom::inline viewing {
namespace {

constexpr double pi = 3.14159265358979323846;

std::vector<int> counted(int first, int count) {
  std::vector<int> list;
  for (int k = 0; k < count; ++k) list.push_back(first + k);
  return list;
}

std::vector<int> closed_line(int first, int count) {
  std::vector<int> line = counted(first, count);
  line.push_back(first);
  return line;
}

void add_ring(Solid& solid, double radius, double z, int sides) {
  for (const Eigen::Vector2d& point : circle_points(radius, sides)) solid.points.emplace_back(point.x(), point.y(), z);
}

// Faces between the ring that begins at `low` and the one above it.
void add_band(Solid& solid, int low, int high, int sides) {
  for (int k = 0; k < sides; ++k) {
    const int next = (k + 1) % sides;
    solid.faces.push_back({low + k, low + next, high + next, high + k});
  }
}

// A body of revolution about z, closed at its poles: rings at the heights z with the radii r.
Solid lathe(const std::vector<double>& r, const std::vector<double>& z, int sides) {
  Solid solid;
  const auto rings = static_cast<int>(r.size());
  for (int k = 0; k < rings; ++k) add_ring(solid, r[k], z[k], sides);
  for (int k = 0; k + 1 < rings; ++k) add_band(solid, k * sides, (k + 1) * sides, sides);
  std::vector<int> lowest = counted(0, sides);
  std::reverse(lowest.begin(), lowest.end());
  solid.faces.push_back(std::move(lowest));
  solid.faces.push_back(counted((rings - 1) * sides, sides));
  return solid;
}

}  // namespace

std::vector<std::vector<int>> crease_lines(const Solid& solid) {
  constexpr double smooth = 0.9;  // cosine of the angle between facets of something round, at the least
  struct Side {
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    bool is_crease = true;  // until a second face shows that it is none
  };
  std::map<std::pair<int, int>, Side> sides;
  for (const std::vector<int>& face : solid.faces) {
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    const auto at = [&](std::size_t k) { return solid.points[static_cast<std::size_t>(face[k % face.size()])]; };
    for (std::size_t k = 0; k < face.size(); ++k) normal += at(k).cross(at(k + 1));
    normal.normalize();
    for (std::size_t k = 0; k < face.size(); ++k) {
      const auto [a, b] = std::minmax(face[k], face[(k + 1) % face.size()]);
      const auto [side, is_new] = sides.try_emplace({a, b}, Side{normal});
      if (!is_new) side->second.is_crease = side->second.normal.dot(normal) < smooth;
    }
  }
  std::vector<std::vector<int>> lines;
  for (const auto& [ends, side] : sides) {
    if (side.is_crease) lines.push_back({ends.first, ends.second});
  }
  return lines;
}

void place(Solid& solid, const Eigen::Vector3d& origin, const Eigen::Quaterniond& turn) {
  for (Eigen::Vector3d& point : solid.points) point = origin + turn * point;
  solid.center = origin + turn * solid.center;
}

Solid stretched(Solid solid, const Eigen::Vector3d& factors) {
  for (Eigen::Vector3d& point : solid.points) point = point.cwiseProduct(factors);
  solid.ball_radius = 0;
  return solid;
}

void append(Solid& solid, const Solid& other) {
  const auto first = static_cast<int>(solid.points.size());
  const auto add = [&](const std::vector<std::vector<int>>& from, std::vector<std::vector<int>>& to) {
    for (std::vector<int> list : from) {
      for (int& index : list) index += first;
      to.push_back(std::move(list));
    }
  };
  solid.points.insert(solid.points.end(), other.points.begin(), other.points.end());
  add(other.faces, solid.faces);
  add(other.edges, solid.edges);
}

FlatPoints circle_points(double radius, int count, const Eigen::Vector2d& center) {
  FlatPoints points;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * pi * k / count;
    points.emplace_back(center.x() + radius * std::cos(angle), center.y() + radius * std::sin(angle));
  }
  return points;
}

FlatPoints stadium_points(const Eigen::Vector2d& a, const Eigen::Vector2d& b, double radius, int count) {
  FlatPoints points = circle_points(radius, count, a);
  const FlatPoints other = circle_points(radius, count, b);
  points.insert(points.end(), other.begin(), other.end());
  return hull_points(std::move(points));
}

// Andrew's monotone chain.
FlatPoints hull_points(FlatPoints points) {
  std::sort(points.begin(), points.end(), [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  FlatPoints hull;
  const auto add_half = [&](auto begin, auto end) {
    const std::size_t first = hull.size();
    for (auto p = begin; p != end; ++p) {
      while (hull.size() > first + 1) {
        const Eigen::Vector2d a = hull[hull.size() - 2], b = hull.back();
        if ((b.x() - a.x()) * (p->y() - a.y()) - (b.y() - a.y()) * (p->x() - a.x()) > 0) break;
        hull.pop_back();
      }
      hull.push_back(*p);
    }
    hull.pop_back();  // the first of the other half
  };
  if (points.size() < 3) return points;
  add_half(points.begin(), points.end());
  add_half(points.rbegin(), points.rend());
  return hull;
}

Solid flat_solid(const FlatPoints& outline, bool closed) {
  Solid solid;
  for (const Eigen::Vector2d& point : outline) solid.points.emplace_back(point.x(), point.y(), 0);
  const auto count = static_cast<int>(outline.size());
  if (closed) solid.faces.push_back(counted(0, count));
  solid.edges.push_back(closed ? closed_line(0, count) : counted(0, count));
  return solid;
}

Solid box_solid(const Eigen::Vector3d& size) {
  Solid solid;
  for (const double z : {-0.5, 0.5}) {
    for (const auto& [x, y] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}})
      solid.points.emplace_back(x * size.x(), y * size.y(), z * size.z());
  }
  solid.faces = {{3, 2, 1, 0}, {4, 5, 6, 7}};
  add_band(solid, 0, 4, 4);
  solid.edges = {closed_line(0, 4), closed_line(4, 4), {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  return solid;
}

Solid cylinder_solid(double radius, double length, int sides, bool capped) {
  Solid solid = lathe({radius, radius}, {-length / 2, length / 2}, sides);
  if (!capped) solid.faces.resize(static_cast<std::size_t>(sides));
  solid.edges = {closed_line(0, sides), closed_line(sides, sides)};
  return solid;
}

Solid capsule_solid(double radius, double length, int sides) {
  std::vector<double> r, z;
  const int rings = std::max(sides / 4, 2);  // of half a ball
  for (int half = 0; half < 2; ++half) {
    for (int k = 0; k < rings; ++k) {
      const double angle = half == 0 ? pi / 2 * (1 - (k + 0.2) / (rings - 0.8)) : pi / 2 * k / (rings - 0.8);
      const double side = half == 0 ? -1 : 1;
      r.push_back(radius * std::cos(angle));
      z.push_back(side * (length / 2 + radius * std::sin(angle)));
    }
  }
  Solid solid = lathe(r, z, sides);
  solid.edges = {closed_line((rings - 1) * sides, sides), closed_line(rings * sides, sides)};
  return solid;
}

Solid ball_solid(double radius, int sides) {
  std::vector<double> r, z;
  const int rings = std::max(sides / 2, 4);
  for (int k = 0; k < rings; ++k) {
    const double angle = pi * ((k + 0.5) / rings - 0.5);
    r.push_back(radius * std::cos(angle));
    z.push_back(radius * std::sin(angle));
  }
  Solid solid = lathe(r, z, sides);
  solid.ball_radius = radius;
  return solid;
}

Solid bar_solid(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius, int sides) {
  const Eigen::Vector3d along = to - from;
  Solid solid = cylinder_solid(radius, along.norm(), sides);
  solid.edges.clear();
  place(solid, (from + to) / 2, Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), along));
  return solid;
}

}  // namespace carom::inline viewing
