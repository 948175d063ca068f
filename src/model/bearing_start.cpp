#include "model/bearing_start.h"

#include <algorithm>
#include <cmath>

namespace carom::inline model {
namespace {

Eigen::Vector2d across(const Eigen::Vector2d& v) {
  return {-v.y(), v.x()};
}

// Of a race, where it is nearest to the ball.
Eigen::Vector2d surface_velocity(const RollingState& race, const Eigen::Vector2d& ball, double radius) {
  return race.velocity + race.angular_velocity * radius * across((ball - race.position).normalized());
}

// The even ring of balls lies between both races all around if its centre divides the way from the one to the other.
Eigen::Vector2d centre_of_balls(const BearingModel& bearing, const RaceStates& races) {
  return races.inner.position + bearing.inner_share * (races.outer.position - races.inner.position);
}

// How far along a direction the circle of this radius about `centre` is.
double reach(const Eigen::Vector2d& centre, const Eigen::Vector2d& direction, double radius) {
  const double along = centre.dot(direction), aside = centre.squaredNorm() - along * along;
  return along + std::sqrt(std::max(0.0, radius * radius - aside));
}

}  // namespace

double angle_of_ball(const BearingModel& bearing, int index) {
  return bearing.first_angle + 2 * M_PI * index / static_cast<double>(bearing.balls.size());
}

RollingState start_of_ball(const BearingModel& bearing, const RaceStates& races, int index) {
  const double angle = angle_of_ball(bearing, index), radius = bearing.ball_radius;
  const Eigen::Vector2d outward(std::cos(angle), std::sin(angle));
  const Eigen::Vector2d centre = centre_of_balls(bearing, races);
  const double at_inner = reach(races.inner.position - centre, outward, bearing.inner_radius + radius);
  const double at_outer = reach(races.outer.position - centre, outward, bearing.outer_radius - radius);
  RollingState ball;
  ball.position = centre + (at_inner + bearing.inner_share * (at_outer - at_inner)) * outward;
  ball.velocity = (races.outer.velocity + races.inner.velocity) / 2;
  if (!bearing.rolling_start) return ball;
  const Eigen::Vector2d outer = surface_velocity(races.outer, ball.position, bearing.outer_radius),
                        inner = surface_velocity(races.inner, ball.position, bearing.inner_radius);
  ball.velocity = (outer + inner) / 2;
  ball.angular_velocity = across(outward).dot(outer - inner) / (2 * radius);
  return ball;
}

RollingState start_of_cage(const BearingModel& bearing, const RaceStates& races) {
  RollingState cage;
  cage.position = centre_of_balls(bearing, races);
  cage.velocity = (races.outer.velocity + races.inner.velocity) / 2;
  if (!bearing.rolling_start) return cage;
  cage.angular_velocity =
      (races.inner.angular_velocity * bearing.inner_radius + races.outer.angular_velocity * bearing.outer_radius) /
      (bearing.inner_radius + bearing.outer_radius);
  return cage;
}

}  // namespace carom::inline model
