#pragma once

#include <gtest/gtest.h>

#include "../support/meshes.h"
#include "contact_geometry/area_pairs.h"
#include "contact_geometry/mesh_shape.h"

// Meshes pressed on something over areas, for tests.
namespace carom {

inline Shape<3> mesh_shape(TriangleSoup soup) {
  Shape<3> shape;
  shape.kind = mesh_kind;
  shape.body = 1;
  shape.data = std::make_shared<MeshData>(close_surface(std::move(soup)), 1.0);
  return shape;
}

struct Pressed {
  Shape<3> a, b;
  BodyState<3> body_a, body_b;
  const PairDescription<3>* pair = nullptr;
  std::vector<double> memory;

  Pressed() = default;
  Pressed(Shape<3> first, Shape<3> second)
      : a(std::move(first)), b(std::move(second)), pair(find_area_pair<3>(a.kind, b.kind)) {
    memory.assign(pair->memory(a, b), 0.0);
  }
  std::vector<ContactPoint<3>> points() {
    std::vector<ContactPoint<3>> list(pair->points(a, b));
    pair->evaluate(a, b, body_a, body_b, list.data(), memory.data());
    std::erase_if(list, [](const auto& each) { return !std::isfinite(each.gap); });
    return list;
  }
  ContactPoint<3> point() {
    const auto list = points();
    EXPECT_EQ(list.size(), 1U);
    return list.at(0);
  }
};

// With E* = 1.
inline double force_of(const ContactPoint<3>& point) {
  return point.gap < 0 ? 4.0 / 3 * std::sqrt(point.area.radius) * std::pow(-point.gap, 1.5) : 0;
}
inline double energy_of(const ContactPoint<3>& point) {
  return point.gap < 0 ? 0.4 * force_of(point) * -point.gap : 0;
}

inline Shape<3> ground_plane() {
  Shape<3> plane;
  plane.kind = ShapeKind::plane;
  return plane;
}

inline Rotation<3> turned(const Eigen::Vector3d& axis, double angle) {
  return Rotation<3>(Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix());
}

}  // namespace carom
