#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact_geometry/shape.h"
#include "math/bodies.h"

namespace carom {

// How far the surface of each body has gone, at the most, over all states that were looked at: two surfaces that were a
// distance apart cannot have met before their ways together are as long.
template <int D>
class BodyWays {
 public:
  // Adds the way from the state before. The first call only takes note of the bodies and their shapes.
  void count(const Bodies<D>& bodies, const std::vector<Shape<D>>& shapes) {
    if (seen_.size() != bodies.size()) return begin(bodies, shapes);
    for (std::size_t b = 1; b < bodies.size(); ++b) {
      double way = (bodies[b].position - seen_[b].position).norm();
      if (reaches_[b] > 0) {
        double turned = 0;
        if constexpr (D == 2) {
          turned = std::abs(bodies[b].angle - seen_[b].angle);
        } else {
          turned = (bodies[b].orientation.matrix() - seen_[b].orientation.matrix()).norm();
        }
        if (turned > 0) way += turned * reaches_[b];
      }
      ways_[b] += way;
      seen_[b].position = bodies[b].position;
      seen_[b].orientation = bodies[b].orientation;
      seen_[b].angle = bodies[b].angle;
    }
  }
  double of(int body) const { return ways_[body]; }  // m

 private:
  // A round shape about the mass centre may turn without moving its surface; others move with their farthest point.
  void begin(const Bodies<D>& bodies, const std::vector<Shape<D>>& shapes) {
    seen_ = bodies;
    ways_.assign(bodies.size(), 0.0);
    reaches_.assign(bodies.size(), 0.0);
    for (const Shape<D>& shape : shapes) {
      const bool round =
          shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::inner_race || shape.kind == ShapeKind::outer_race;
      const double own = round ? 0 : shape.bounding_radius();
      reaches_[shape.body] = std::max(reaches_[shape.body], shape.position.norm() + own);
    }
  }

  std::vector<double> ways_, reaches_;  // m
  Bodies<D> seen_;
};

}  // namespace carom
