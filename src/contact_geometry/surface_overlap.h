#pragma once

#include "contact_geometry/mesh_shape.h"
#include "contact_geometry/pressure_field.h"

namespace carom::inline contact_geometry {

// Whether the surface is one convex body, up to hollows that rounding in a file makes: what overlaps with a convex
// partner is then one area.
inline bool is_one_convex_body(const TriangleMesh& mesh) {
  constexpr double rounded_hollow = 1e-3;  // rad
  const auto count = [](auto list) { return static_cast<long>(list.size()); };
  return mesh.hollow() < rounded_hollow && count(mesh.vertices()) - count(mesh.edges()) + count(mesh.faces()) == 2;
}

// Two axes across a direction.
struct PlaneAxes {
  Eigen::Vector3d first, second;
  explicit PlaneAxes(const Eigen::Vector3d& n) : first(n.unitOrthogonal()), second(n.cross(first)) {}
  Eigen::Vector3d coordinates(const Eigen::Vector3d& point, double depth) const {
    return {first.dot(point), second.dot(point), depth};
  }
};

// Fills the sizes of an area into a point.
inline ContactArea area_of(const FieldResult& field) {
  return {field.radius(), field.area, field.peak, field.lever};
}

// Places of a workspace that are made once, before the first step, for all pairs of a thread.
inline constexpr std::size_t most_reserved = 20000;

}  // namespace carom::inline contact_geometry
