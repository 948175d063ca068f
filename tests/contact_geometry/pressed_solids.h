#pragma once

#include "contact_geometry/pressed_patch.h"
#include "pressed.h"

// Built-in solids pressed over areas, for tests.
namespace carom::inline contact_geometry {
std::vector<PairDescription<3>> describe_solid_areas(int across);
}

namespace carom {

inline Shape<3> solid(ShapeKind kind, double radius, double length = 0,
                      const Eigen::Vector3d& half = Eigen::Vector3d::Zero()) {
  Shape<3> shape;
  shape.kind = kind, shape.radius = radius, shape.length = length, shape.half = half;
  shape.body = 1;
  return shape;
}

// In the order of their pair, with so many cells along each side of a patch: 12, 16 or 32.
struct PressedSolids : Pressed {
  std::vector<PairDescription<3>> pairs;

  PressedSolids(Shape<3> first, Shape<3> second, int across = 16) : pairs(describe_solid_areas(across)) {
    a = std::move(first), b = std::move(second);
    b.body = 2;
    const auto found = std::find_if(pairs.begin(), pairs.end(),
                                    [&](const auto& each) { return each.a == a.kind && each.b == b.kind; });
    EXPECT_NE(found, pairs.end());
    pair = &*found;
    memory.assign(pair->memory(a, b), 0.0);
  }
  PressedSolids(const PressedSolids&) = delete;
};

inline double hertz_force(double radius, double depth) {
  return 4.0 / 3 * std::sqrt(radius) * std::pow(depth, 1.5);
}

}  // namespace carom
