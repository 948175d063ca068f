#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact_geometry/separation.h"
#include "contact_geometry/shape_description.h"
#include "math/bodies.h"

namespace carom::inline contacts {

// How far the surface of each body has gone, at the most, over all states that were looked at: two surfaces that were a
// distance apart cannot have met before their ways together are as long.
template <int D>
class BodyWays {
 public:
  // Adds the way from the state before; returns the longest of them, m. The first call only takes note of the bodies
  // and their shapes.
  double count(const Bodies<D>& bodies, const std::vector<Shape<D>>& shapes) {
    if (places_.size() != bodies.size()) return begin(bodies, shapes);
    double longest = 0;
    for (std::size_t b = 1; b < bodies.size(); ++b) {
      double way = (bodies[b].position - places_[b]).norm();
      places_[b] = bodies[b].position;
      if (reaches_[b] > 0) {
        const double turned = turn(b, bodies[b]);
        if (turned > 0) way += turned * reaches_[b];
      }
      ways_[b] += way;
      if (!(way <= longest)) longest = way;
    }
    longest_ += longest;
    return longest;
  }
  double of(int body) const { return ways_[body]; }  // m
  // m: the way of a body grows from call to call by no more than this.
  double longest() const { return longest_; }

 private:
  struct Turn {
    Rotation<D> orientation;
    double angle = 0;
  };

  double turn(std::size_t b, const BodyState<D>& body) {
    double turned = 0;
    if constexpr (D == 2) {
      turned = std::abs(body.angle - turns_[b].angle);
    } else {
      turned = (body.orientation.matrix() - turns_[b].orientation.matrix()).norm();
    }
    turns_[b] = {body.orientation, body.angle};
    return turned;
  }

  // A round shape about the mass centre may turn without moving its surface; others move with their farthest point.
  double begin(const Bodies<D>& bodies, const std::vector<Shape<D>>& shapes) {
    places_.resize(bodies.size()), turns_.resize(bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      places_[b] = bodies[b].position;
      turns_[b] = {bodies[b].orientation, bodies[b].angle};
    }
    ways_.assign(bodies.size(), 0.0);
    reaches_.assign(bodies.size(), 0.0);
    for (const Shape<D>& shape : shapes) {
      const bool endless = description_of<D>(shape.kind).endless;
      const double reach = endless ? std::numeric_limits<double>::infinity() : reach_of<D>(shape);
      reaches_[shape.body] = std::max(reaches_[shape.body], reach);
    }
    return 0;
  }

  std::vector<double> ways_, reaches_;  // m
  double longest_ = 0;
  // Where the bodies were seen last.
  std::vector<VectorOf<D>> places_;
  std::vector<Turn> turns_;
};

}  // namespace carom::inline contacts
