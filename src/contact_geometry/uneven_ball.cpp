#include "contact_geometry/uneven_ball.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

// What may bear a ball: an edge or the ground of a spall.
template <int D>
struct Bearer {
  double gap = 0;
  VectorOf<D> normal, point;  // of the ball, world
};

// The one with the smaller gap, mixed with the other where they are nearer than `width`.
template <int D>
Bearer<D> least_of(const Bearer<D>& one, const Bearer<D>& two, double width) {
  const Bearer<D>&least = one.gap <= two.gap ? one : two, &other = one.gap <= two.gap ? two : one;
  const double apart = other.gap - least.gap;
  if (!(apart < width)) return least;
  const double near = width - apart, share = near / (2 * width);
  return {least.gap - near * near / (4 * width), (least.normal + share * (other.normal - least.normal)).normalized(),
          least.point + share * (other.point - least.point)};
}

double half_of_spall(const Spall& spall, double ball_radius) {
  return spall.extent / (2 * ball_radius);
}

// m, how far a ball sinks at the most: until both edges stand on a flat race, or the ground does.
double sunk_at_most(const Spall& spall, double ball_radius) {
  return std::min(spall.depth, ball_radius * (1 - std::cos(half_of_spall(spall, ball_radius))));
}

// Of the ball, in its axes: on the edge at the angle, so far towards a pole as the direction is.
template <int D>
VectorOf<D> on_edge(double radius, double angle, const VectorOf<D>& direction) {
  VectorOf<D> edge = VectorOf<D>::Zero();
  edge[0] = std::cos(angle), edge[1] = std::sin(angle);
  if constexpr (D == 2) {
    return radius * edge;
  } else {
    const double along = direction.dot(edge);
    return radius * (along * edge + direction.z() * Eigen::Vector3d::UnitZ()).normalized();
  }
}

}  // namespace

template <int D>
void touch_with_uneven_ball(const Shape<D>& race, const Shape<D>& ball, const BodyState<D>& body_a,
                            const BodyState<D>& body_b, PointOnRace<D> point_on_race, ContactPoint<D>& contact) {
  if (!std::isfinite(contact.gap)) return;
  const VectorOf<D> centre = centre_of<D>(ball, body_b),
                    direction = to_shape<D>(ball, body_b, VectorOf<D>(-contact.normal));
  const double angle = std::atan2(direction[1], direction[0]);
  for (const Spall& spall : uneven_ball(ball)->spalls()) {
    const double half = half_of_spall(spall, ball.radius);
    if (!(std::abs(std::remainder(angle - spall.angle, 2 * M_PI)) < half)) continue;
    // What the race has there, beside a round one.
    const double unevenness = contact.gap - point_on_race(race, body_a, contact.point_b).gap;
    const auto edge = [&](double side) {
      const VectorOf<D> place = on_edge<D>(ball.radius, spall.angle + side * half, direction),
                        point = centre + to_world<D>(ball, body_b, place);
      const PointAtRace<D> there = point_on_race(race, body_a, point);
      return Bearer<D>{there.gap + unevenness, there.normal, point};
    };
    const double width = rounded_corner * sunk_at_most(spall, ball.radius);
    const Bearer<D> ground{contact.gap + spall.depth, contact.normal,
                           VectorOf<D>(centre - (ball.radius - spall.depth) * contact.normal)};
    const Bearer<D> bears = least_of<D>(least_of<D>(edge(1), edge(-1), width), ground, width);
    contact.gap = bears.gap;
    contact.normal = bears.normal;
    contact.point_b = bears.point;
    contact.point_a = bears.point - bears.gap * bears.normal;
    return;
  }
}

template <int D>
void take_uneven_ball(const Settings& keys, Shape<D>& ball) {
  const std::vector<double> numbers = keys.numbers("spalls");
  if (numbers.size() % 3 != 0)
    throw ShapeError({"spalls", fmt::format("a list of {}", numbers.size()), "three numbers each", ""});
  if (numbers.empty()) return;
  std::vector<Spall> spalls;
  for (std::size_t k = 0; k + 2 < numbers.size(); k += 3)
    spalls.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
  double most = 0;
  for (const Spall& spall : spalls) {
    // The slope of the gap along the way, at an edge on a race not smaller than two balls.
    const double steep = 1.5 * half_of_spall(spall, ball.radius);
    most = std::max(most, 2 / ball.radius + 2 * steep * steep / (rounded_corner * sunk_at_most(spall, ball.radius)));
  }
  ball.half[0] = most;
  ball.data = std::make_shared<UnevenBall>(std::move(spalls));
}

template void touch_with_uneven_ball<2>(const Shape<2>&, const Shape<2>&, const BodyState<2>&, const BodyState<2>&,
                                        PointOnRace<2>, ContactPoint<2>&);
template void touch_with_uneven_ball<3>(const Shape<3>&, const Shape<3>&, const BodyState<3>&, const BodyState<3>&,
                                        PointOnRace<3>, ContactPoint<3>&);
template void take_uneven_ball<2>(const Settings&, Shape<2>&);
template void take_uneven_ball<3>(const Settings&, Shape<3>&);

}  // namespace carom::inline contact_geometry
