#pragma once

#include <memory>
#include <vector>

#include "contact_geometry/shape.h"
#include "model/description.h"
#include "model/settings.h"

// A race of a bearing that is not round any more. It is described by the way of a ball's centre that rolls
// on it: a ball feels of a hole what its own roundness lets it (docs/theory/bearings.md).
namespace carom::inline contact_geometry {

// A piece that has broken out of a race, over its whole width.
struct Spall {
  double angle = 0;   // rad, of its middle, from the x axis of the shape
  double extent = 0;  // m, along the race, from edge to edge
  double depth = 0;   // m
};

// The radius of the race is larger by amplitude · cos(order (φ − angle)).
struct Waviness {
  double order = 0;                 // waves round the race
  double amplitude = 0, angle = 0;  // m, rad
};

// How far the centre of a ball goes from the circle that it describes on a round race, outwards positive, m, with its
// first and second derivative by the angle. Once differentiable with a continuous slope.
struct PathDeviation {
  double size = 0, slope = 0, bend = 0;
};

// Of the depth of the way at the deepest place: over so much of it a corner of the way is rounded, as a patch that has
// some width rounds it.
inline constexpr double rounded_corner = 0.1;

class UnevenRace : public ShapeData {
 public:
  // `share`: of an angle about the axis that a ball sees as one about the centre of curvature of its way. Less than one
  // in a groove that it touches aside of the bottom: there the race is a cone, unrolled.
  UnevenRace(std::vector<Spall> spalls, std::vector<Waviness> waves, double share = 1)
      : spalls_(std::move(spalls)), waves_(std::move(waves)), share_(share) {}

  PathDeviation deviation(double angle, double race_radius, double ball_radius, bool outer) const;
  // 1/m, by how much the way of the ball's centre is curved more than the circle at the most.
  double sharpness(double race_radius, double ball_radius, bool outer) const;
  double farthest(bool outer) const;  // m, by which the race reaches beyond its radius at the most

 private:
  std::vector<Spall> spalls_;
  std::vector<Waviness> waves_;
  double share_ = 1;
};

// m, how far a ball sinks into a spall: until it touches both edges, or the ground.
double sinking(const Spall& spall, double race_radius, double ball_radius, bool outer);

// Null: the race is round.
template <int D>
const UnevenRace* uneven_race(const Shape<D>& race) {
  return static_cast<const UnevenRace*>(race.data.get());
}
template <int D>
bool is_uneven_race(const Shape<D>& shape) {
  return (shape.kind == ShapeKind::inner_race || shape.kind == ShapeKind::outer_race) && shape.data != nullptr;
}

// The ball against the race: gap and normal of the way of its centre at the place that is nearest.
void touch_uneven_race(const Shape<2>& race, const UnevenRace& uneven, const Shape<2>& ball, const BodyState<2>& body_a,
                       const BodyState<2>& body_b, bool outer, ContactPoint<2>& point);

// `spalls` = [angle, extent, depth, angle, …], `waves` = [order, amplitude, angle, …], `ball_radius` of those that run
// on it. Without any of them it stays round.
// `share`: see UnevenRace; `along`: m, radius of the race along the way of its balls.
template <int D>
void take_unevenness(const Settings& keys, bool outer, double along, double share, Shape<D>& race);

// What the search for contacts asks of a race, round or not: 1/m, of the surface on which the centres of balls move; m,
// of its farthest place; m, of what moves when it turns.
double sharpness_of_race(const Shape<2>& race);
double farthest_of_race(const Shape<2>& race);
double turning_radius_of_race(const Shape<2>& race);

std::vector<ParameterDescription> keys_of_uneven_races();  // of both races and of balls

}  // namespace carom::inline contact_geometry
