#include "contact_geometry/pair.h"
#include "contact_geometry/round_contact.h"
#include "contact_geometry/uneven_ball.h"
#include "contact_geometry/uneven_race.h"

// A ball on the races of a bearing that moves in its plane. The grooves do not enter the gap here: a ball of the plane
// runs on their bottoms, or on what spalls and waves have made of them. They enter the patch through their principal
// radii. In space the centre of a groove is a circle about the axis (groove_race.cpp).
namespace carom::inline contact_geometry {

namespace {

PointAtRace<2> point_on_race(const Shape<2>& race, const BodyState<2>& body, const Eigen::Vector2d& point) {
  const Eigen::Vector2d out = point - centre_of<2>(race, body);
  const double distance = out.norm(), sign = race.kind == ShapeKind::outer_race ? -1 : 1;
  return {sign * (distance - race.radius), sign / distance * out};
}

void on_inner(const Shape<2>& race, const Shape<2>& ball, const BodyState<2>& body_a, const BodyState<2>& body_b,
              ContactPoint<2>* points, double*) {
  if (const UnevenRace* uneven = uneven_race(race)) {
    touch_uneven_race(race, *uneven, ball, body_a, body_b, false, points[0]);
  } else {
    spheres_touch<2>(centre_of<2>(race, body_a), race.radius, centre_of<2>(ball, body_b), ball.radius, points[0]);
  }
  if (ball.data) touch_with_uneven_ball<2>(race, ball, body_a, body_b, point_on_race, points[0]);
}

void in_outer(const Shape<2>& race, const Shape<2>& ball, const BodyState<2>& body_a, const BodyState<2>& body_b,
              ContactPoint<2>* points, double*) {
  if (const UnevenRace* uneven = uneven_race(race)) {
    touch_uneven_race(race, *uneven, ball, body_a, body_b, true, points[0]);
  } else {
    journal_in_bearing<2>(centre_of<2>(race, body_a), race.radius, centre_of<2>(ball, body_b), ball.radius, points[0]);
  }
  if (ball.data) touch_with_uneven_ball<2>(race, ball, body_a, body_b, point_on_race, points[0]);
}

std::array<SurfaceRadii, 2> inner_radii(const Shape<2>& race, const Shape<2>& ball) {
  return {{{race.radius, -race.groove_radius}, {ball.radius, ball.radius}}};
}

std::array<SurfaceRadii, 2> outer_radii(const Shape<2>& race, const Shape<2>& ball) {
  return {{{-race.radius, -race.groove_radius}, {ball.radius, ball.radius}}};
}

double room(const Shape<2>& race, const Shape<2>& ball) {
  return race.radius - ball.radius;
}

}  // namespace

PairDescription<2> describe_inner_race_sphere() {
  return {.a = ShapeKind::inner_race,
          .b = ShapeKind::sphere,
          .name = "inner_race_sphere",
          .summary = "the points on the line of centres: a ball on the inner race of a bearing",
          .points = fixed_count<2, 1>,
          .memory = fixed_count<2, 0>,
          .evaluate = on_inner,
          .effective_radius = no_effective_radius<2>,
          .radii = inner_radii};
}

PairDescription<2> describe_outer_race_sphere() {
  return {.a = ShapeKind::outer_race,
          .b = ShapeKind::sphere,
          .name = "outer_race_sphere",
          .summary =
              "the points on the line of centres, where the wall is nearest: a ball in the outer race of a "
              "bearing",
          .points = fixed_count<2, 1>,
          .memory = fixed_count<2, 0>,
          .evaluate = in_outer,
          .effective_radius = no_effective_radius<2>,
          .radii = outer_radii,
          .clearance = room};
}

}  // namespace carom::inline contact_geometry
