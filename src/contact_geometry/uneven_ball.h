#pragma once

#include <vector>

#include "contact_geometry/shape.h"
#include "contact_geometry/uneven_race.h"
#include "model/settings.h"

// A ball of a bearing of which something has broken out. A spall lies across its track, from pole to pole about its
// local z axis, between two edges; in the plane it is an arc. Only races of bearings see it.
namespace carom::inline contact_geometry {

class UnevenBall : public ShapeData {
 public:
  explicit UnevenBall(std::vector<Spall> spalls) : spalls_(std::move(spalls)) {}
  const std::vector<Spall>& spalls() const { return spalls_; }

 private:
  std::vector<Spall> spalls_;
};

// Null: the ball is round.
template <int D>
const UnevenBall* uneven_ball(const Shape<D>& ball) {
  return static_cast<const UnevenBall*>(ball.data.get());
}
template <int D>
bool is_uneven_ball(const Shape<D>& shape) {
  return shape.kind == ShapeKind::sphere && shape.data != nullptr;
}

// A point against a race whose material it may be in.
template <int D>
struct PointAtRace {
  double gap = 0;  // m
  VectorOf<D> normal = VectorOf<D>::UnitX();
};
template <int D>
using PointOnRace = PointAtRace<D> (*)(const Shape<D>& race, const BodyState<D>& body, const VectorOf<D>& point);

// `contact` is that of the round ball. Where the race meets a spall, one of its edges bears instead, or its ground.
template <int D>
void touch_with_uneven_ball(const Shape<D>& race, const Shape<D>& ball, const BodyState<D>& body_a,
                            const BodyState<D>& body_b, PointOnRace<D> point_on_race, ContactPoint<D>& contact);

// `spalls` = [angle, extent, depth, angle, …], angles about local z from local x. Without any the ball stays round.
template <int D>
void take_uneven_ball(const Settings& keys, Shape<D>& ball);

// What the search for contacts asks: m, of what moves when it turns; 1/m, by which a gap bends at edges.
template <int D>
double turning_radius_of_ball(const Shape<D>& ball) {
  return ball.data ? ball.radius : 0;
}
template <int D>
double sharpness_of_edges(const Shape<D>& ball) {
  return is_uneven_ball(ball) ? ball.half[0] : 0;
}

}  // namespace carom::inline contact_geometry
