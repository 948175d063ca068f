#include "viewing/cut_planes.h"

#include <array>
#include <cmath>

namespace carom::inline viewing {
namespace {

using Plane = Eigen::Hyperplane<double, 3>;
using Polygon = std::vector<Eigen::Vector3d>;

constexpr double scene_margin = 0.03;  // around the scene, of its diagonal
constexpr double parallel = 0.99;      // cosine from which on planes do not cut each other

// What of a convex polygon is on the outer side of a plane.
Polygon outer_part(const Polygon& polygon, const Plane& plane) {
  Polygon kept;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Eigen::Vector3d& a = polygon[k];
    const Eigen::Vector3d& b = polygon[(k + 1) % polygon.size()];
    const double from = plane.signedDistance(a), to = plane.signedDistance(b);
    if (from >= 0) kept.push_back(a);
    if ((from < 0) != (to < 0)) kept.emplace_back(a + (b - a) * (from / (from - to)));
  }
  return kept;
}

// The six sides of a box, with the inside as their outer side.
std::array<Plane, 6> sides_of(const Eigen::AlignedBox3d& box) {
  std::array<Plane, 6> sides;
  for (int axis = 0; axis < 3; ++axis) {
    const Eigen::Vector3d way = Eigen::Vector3d::Unit(axis);
    sides[static_cast<std::size_t>(2 * axis)] = Plane(way, box.min());
    sides[static_cast<std::size_t>(2 * axis + 1)] = Plane(-way, box.max());
  }
  return sides;
}

}  // namespace

void cut_planes(const Model& model, const Eigen::AlignedBox3d& box, std::vector<DrawnPart>& parts) {
  if (model.planar) return;
  const std::vector<Geometry>& shapes = model.ground.geometry;
  std::vector<std::size_t> places;
  std::vector<Plane> planes;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    if (shapes[k].shape != "plane") continue;
    places.push_back(k);
    planes.emplace_back(shapes[k].orientation * Eigen::Vector3d::UnitZ(), shapes[k].position);
  }
  Eigen::AlignedBox3d bounds = box;
  for (const Plane& plane : planes) bounds.extend(plane.projection(box.center()));
  const Eigen::Vector3d air = Eigen::Vector3d::Constant(scene_margin * box.diagonal().norm());
  bounds = {bounds.min() - air, bounds.max() + air};
  const double reach = 2 * bounds.diagonal().norm();
  for (std::size_t k = 0; k < planes.size(); ++k) {
    const Eigen::Matrix3d axes = shapes[places[k]].orientation.toRotationMatrix();
    const Eigen::Vector3d middle = planes[k].projection(box.center());
    Polygon polygon;
    for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
      polygon.emplace_back(middle + reach * (x * axes.col(0) + y * axes.col(1)));
    for (const Plane& side : sides_of(bounds)) polygon = outer_part(polygon, side);
    for (const Plane& other : planes) {
      const bool cuts = &other != &planes[k] && std::abs(other.normal().dot(planes[k].normal())) < parallel;
      if (cuts) polygon = outer_part(polygon, other);
    }
    if (polygon.size() < 3) continue;  // nothing of it is near the scene; the uncut one says where it is
    Solid& solid = parts[places[k]].solid;
    std::vector<int> face(polygon.size());
    for (std::size_t i = 0; i < face.size(); ++i) face[i] = static_cast<int>(i);
    std::vector<int> edge = face;
    edge.push_back(0);
    solid = {.points = std::move(polygon), .faces = {std::move(face)}, .edges = {std::move(edge)}, .hollow = true};
  }
}

}  // namespace carom::inline viewing
