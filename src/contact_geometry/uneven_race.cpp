#include "contact_geometry/uneven_race.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector2d;

// A function of the angle, with its derivatives.
using Jet2 = PathDeviation;

constexpr double out_of_reach = 0.95;  // of the ball's radius, beside an edge: deeper than any spall

// Of a ball whose centre goes round an edge at the distance of its radius: how far it has sunk, `beyond` (rad) inside
// of the edge.
Jet2 sunk_beyond_edge(double beyond, double race_radius, double ball_radius, bool outer) {
  if (!(beyond > 0)) return {};
  const double sine = std::sin(beyond), cosine = std::cos(beyond), aside = race_radius * sine;
  if (aside > out_of_reach * ball_radius) return {.size = std::numeric_limits<double>::infinity()};
  const double root = std::sqrt(ball_radius * ball_radius - aside * aside);
  const double fall = race_radius * aside * cosine / root;  // −d root/d beyond
  const double fall_rate = race_radius * race_radius * (cosine * cosine - sine * sine) / root + fall * fall / root;
  // Outer: R cos − root − (R − r); inner: R + r − (R cos + root).
  const double sign = outer ? 1 : -1;
  return {sign * (race_radius * cosine - race_radius) - root + ball_radius, -sign * aside + fall,
          -sign * race_radius * cosine + fall_rate};
}

// The smaller of two, rounded where they are nearer than `width`.
Jet2 rounded_least(const Jet2& one, const Jet2& two, double width) {
  const Jet2 &least = one.size <= two.size ? one : two, &other = one.size <= two.size ? two : one;
  const double apart = other.size - least.size;
  if (!(apart < width)) return least;
  const double near = width - apart, slope = other.slope - least.slope, bend = other.bend - least.bend;
  return {least.size - near * near / (4 * width), least.slope + near * slope / (2 * width),
          least.bend + (near * bend - slope * slope) / (2 * width)};
}

// Half its extent as an angle.
double half_angle(const Spall& spall, double race_radius) {
  return spall.extent / (2 * race_radius);
}

Jet2 sunk_in(const Spall& spall, double from_middle, double race_radius, double ball_radius, bool outer) {
  const double half = half_angle(spall, race_radius);
  if (!(std::abs(from_middle) < half)) return {};
  const auto beside = [&](double side) {
    Jet2 sunk = sunk_beyond_edge(half - side * from_middle, race_radius, ball_radius, outer);
    sunk.slope *= -side;
    return sunk;
  };
  const double width = rounded_corner * sinking(spall, race_radius, ball_radius, outer);
  return rounded_least(rounded_least(beside(1), beside(-1), width), {.size = spall.depth}, width);
}

}  // namespace

double sinking(const Spall& spall, double race_radius, double ball_radius, bool outer) {
  return std::min(spall.depth, sunk_beyond_edge(half_angle(spall, race_radius), race_radius, ball_radius, outer).size);
}

PathDeviation UnevenRace::deviation(double angle, double race_radius, double ball_radius, bool outer) const {
  PathDeviation sum;
  for (const Spall& spall : spalls_) {
    const double from_middle = share_ * std::remainder(angle - spall.angle, 2 * M_PI), sign = outer ? 1 : -1;
    const Jet2 sunk = sunk_in(spall, from_middle, race_radius, ball_radius, outer);
    sum.size += sign * sunk.size, sum.slope += share_ * sign * sunk.slope,
        sum.bend += share_ * share_ * sign * sunk.bend;
  }
  for (const Waviness& wave : waves_) {
    const double phase = wave.order * (angle - wave.angle), height = wave.amplitude * std::cos(phase);
    sum.size += height;
    sum.slope -= wave.order * wave.amplitude * std::sin(phase);
    sum.bend -= wave.order * wave.order * height;
  }
  return sum;
}

double UnevenRace::sharpness(double race_radius, double ball_radius, bool outer) const {
  double most = 0;
  for (const Spall& spall : spalls_) {
    const double deep = sinking(spall, race_radius, ball_radius, outer);
    // Beside an edge the way is as steep as the line from the edge to the centre is aslant.
    const double aside = std::min(spall.extent / 2, 1.2 * std::sqrt(2 * ball_radius * deep)) / ball_radius,
                 steep = 1.5 * aside / std::sqrt(std::max(0.1, 1 - aside * aside));
    most = std::max(most, 2 / ball_radius + 2 * steep * steep / (rounded_corner * deep));
  }
  for (const Waviness& wave : waves_)
    most += std::abs(wave.amplitude) * wave.order * wave.order / (race_radius * race_radius * share_ * share_);
  return most;
}

double UnevenRace::farthest(bool outer) const {
  double waves = 0, deepest = 0;
  for (const Waviness& wave : waves_) waves += std::abs(wave.amplitude);
  for (const Spall& spall : spalls_) deepest = std::max(deepest, spall.depth);
  return waves + (outer ? deepest : 0);
}

void touch_uneven_race(const Shape<2>& race, const UnevenRace& uneven, const Shape<2>& ball, const BodyState<2>& body_a,
                       const BodyState<2>& body_b, bool outer, ContactPoint<2>& point) {
  constexpr int most_steps = 30;
  constexpr double near = 1e-15;      // rad
  constexpr double least_bend = 0.2;  // of the square of the speed along the way, below which a Newton step goes astray
  const Vector2d middle = centre_of<2>(race, body_a), centre = centre_of<2>(ball, body_b),
                 place = to_shape<2>(race, body_a, Vector2d(centre - middle));
  const double round = outer ? race.radius - ball.radius : race.radius + ball.radius;
  double angle = std::atan2(place.y(), place.x());
  Vector2d on_way, along;
  for (int k = 0;; ++k) {
    const PathDeviation way = uneven.deviation(angle, race.radius, ball.radius, outer);
    const Vector2d out(std::cos(angle), std::sin(angle)), aside(-out.y(), out.x());
    const double radius = round + way.size;
    on_way = radius * out;
    along = way.slope * out + radius * aside;
    if (k == most_steps) break;
    const Vector2d bend = (way.bend - radius) * out + 2 * way.slope * aside, away = place - on_way;
    const double square = along.squaredNorm(),
                 step = away.dot(along) / std::max(square - away.dot(bend), least_bend * square);
    if (std::abs(step) < near) break;
    angle += step;
  }
  along.normalize();
  // To the side on which a ball has room.
  const Vector2d normal = outer ? Vector2d(-along.y(), along.x()) : Vector2d(along.y(), -along.x());
  point.gap = normal.dot(place - on_way);
  point.normal = to_world<2>(race, body_a, normal);
  point.point_b = centre - ball.radius * point.normal;
  point.point_a = point.point_b - point.gap * point.normal;
}

template <int D>
void take_unevenness(const Settings& keys, bool outer, double along, double share, Shape<D>& race) {
  const std::vector<double> spalls = keys.numbers("spalls"), waves = keys.numbers("waves");
  for (const auto& [name, list] : {std::pair{"spalls", spalls}, {"waves", waves}}) {
    if (list.size() % 3 != 0)
      throw ShapeError({name, fmt::format("a list of {}", list.size()), "three numbers each", ""});
  }
  if (spalls.empty() && waves.empty()) return;
  if (!(keys.number("ball_radius") > 0))
    throw ShapeError({"ball_radius", "nothing", "the radius of the balls that run on it", "add the key `ball_radius`"});
  std::vector<Spall> broken;
  for (std::size_t k = 0; k + 2 < spalls.size(); k += 3) broken.push_back({spalls[k], spalls[k + 1], spalls[k + 2]});
  std::vector<Waviness> wavy;
  for (std::size_t k = 0; k + 2 < waves.size(); k += 3) wavy.push_back({waves[k], waves[k + 1], waves[k + 2]});
  auto uneven = std::make_shared<UnevenRace>(std::move(broken), std::move(wavy), share);
  race.half[0] = uneven->sharpness(along, keys.number("ball_radius"), outer);
  race.half[1] = uneven->farthest(outer);
  race.data = std::move(uneven);
}

template void take_unevenness<2>(const Settings&, bool, double, double, Shape<2>&);
template void take_unevenness<3>(const Settings&, bool, double, double, Shape<3>&);

std::vector<ParameterDescription> keys_of_uneven_races() {
  const std::string whose = "of inner_race and outer_race: ";
  return {{.name = "spalls",
           .kind = ParameterKind::numbers,
           .meaning = whose + "what has broken out, [angle, extent, depth, …] in rad and m; the extent along the race. "
                              "Of a sphere that runs on such races: likewise, from pole to pole about its z axis"},
          {.name = "waves",
           .kind = ParameterKind::numbers,
           .meaning = whose + "waves round it, [order, amplitude, angle, …] in m and rad; the radius is larger by "
                              "amplitude · cos(order (φ − angle))"},
          {.name = "ball_radius",
           .unit = "m",
           .meaning = whose + "of the balls that run on spalls and waves",
           .minimum = 0,
           .minimum_allowed = false},
          {.name = "contact_angle",
           .unit = "rad",
           .meaning = "of inner_race and outer_race in space: where on its groove balls run, from the bottom, positive "
                      "along z. The stiffness of the contact is that of this place",
           .default_text = "0",
           .minimum = -M_PI / 2,
           .maximum = M_PI / 2}};
}

// Shape::half holds what has been worked out once.
double sharpness_of_race(const Shape<2>& race) {
  return 1 / race.radius + race.half[0];
}

double farthest_of_race(const Shape<2>& race) {
  return race.radius + race.half[1];
}

double turning_radius_of_race(const Shape<2>& race) {
  return is_uneven_race(race) ? farthest_of_race(race) : 0;
}

}  // namespace carom::inline contact_geometry
