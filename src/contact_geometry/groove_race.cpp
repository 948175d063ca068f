#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "contact_geometry/pair.h"
#include "contact_geometry/round_contact.h"
#include "contact_geometry/shape_description.h"
#include "contact_geometry/uneven_ball.h"
#include "contact_geometry/uneven_race.h"

// Races of a ball bearing in space: a groove round local z whose section is an arc of `groove_radius`; `radius` is that
// of its bottom. The centres of the arcs lie on a circle, and a ball touches where it is nearest to that: at the
// contact angle that its load gives it. The angle at which it usually runs, half[2], is where the curvatures are taken
// and in the middle of the wall.
namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// The wall goes so far round the centre of its arc, from where balls usually run: the cosine of 120°. Beyond there is
// no race, but the other one.
constexpr double end_of_wall = -0.5;

bool is_outer(const Shape<3>& race) {
  return race.kind == ShapeKind::outer_race;
}

double circle_of_centres(const Shape<3>& race) {
  return is_outer(race) ? race.radius - race.groove_radius : race.radius + race.groove_radius;
}

// In the section, from the centre of the arc to where balls usually run: away from the axis, and along it.
Vector2d usual_direction(const Shape<3>& race) {
  return {(is_outer(race) ? 1 : -1) * std::cos(race.half[2]), std::sin(race.half[2])};
}

// m, of the wall along the way of a ball, where it usually runs; positive.
double radius_along(const Shape<3>& race) {
  const double lean = std::max(std::cos(race.half[2]), 1e-9);
  return (circle_of_centres(race) + race.groove_radius * usual_direction(race).x()) / lean;
}

// A place beside a groove, in the section of its azimuth.
struct InSection {
  double azimuth = 0;  // rad
  double from_axis = 0;
  Vector2d from_arc = Vector2d::Zero();  // m, from the centre of the arc
};

InSection in_section(const Shape<3>& race, const Vector3d& at) {
  const double from_axis = std::hypot(at.x(), at.y());
  return {std::atan2(at.y(), at.x()), from_axis, {from_axis - circle_of_centres(race), at.z()}};
}

Vector3d radial(double azimuth) {
  return {std::cos(azimuth), std::sin(azimuth), 0};
}

PointAtRace<3> point_on_groove(const Shape<3>& race, const BodyState<3>& body, const Vector3d& point) {
  const InSection place = in_section(race, to_shape<3>(race, body, Vector3d(point - centre_of<3>(race, body))));
  const double size = std::max(place.from_arc.norm(), coincident);
  const Vector2d inward = -place.from_arc / size;
  const Vector3d normal = inward.x() * radial(place.azimuth) + inward.y() * Vector3d::UnitZ();
  return {race.groove_radius - size, to_world<3>(race, body, normal)};
}

// Where on an uneven groove a ball is nearest. Its centre moves on arcs of a radius a(u) about the circle, as it rolls
// on the wall: stationary in u are the squares of the distance from the section and of that from its arc.
struct NearestSection {
  double azimuth = 0, radius = 0, slope = 0;  // a and da/du
};

NearestSection nearest_section(const Shape<3>& race, const UnevenRace& uneven, double ball_radius,
                               const InSection& place) {
  constexpr int most_steps = 30;
  constexpr double near = 1e-15;      // rad
  constexpr double least_bend = 0.2;  // of the square of the speed along the way, see touch_uneven_race
  const bool outer = is_outer(race);
  const double sign = outer ? 1 : -1, along = radius_along(race), circle = circle_of_centres(race);
  NearestSection found{.azimuth = place.azimuth};
  for (int k = 0;; ++k) {
    const PathDeviation way = uneven.deviation(found.azimuth, along, ball_radius, outer);
    found.radius = race.groove_radius - ball_radius + sign * way.size, found.slope = sign * way.slope;
    if (k == most_steps) return found;
    const double turn = place.azimuth - found.azimuth, aside = place.from_axis * std::sin(turn);
    const double level = place.from_axis * std::cos(turn), reach = std::hypot(level - circle, place.from_arc.y());
    if (!(reach > coincident)) return found;
    // Derivatives by u of the distances from the section, h = aside, and from the arc, e = reach − a.
    const double reach_slope = (level - circle) / reach * aside;
    const double reach_bend = (aside * aside - (level - circle) * level - reach_slope * reach_slope) / reach;
    const double e = reach - found.radius, e_slope = reach_slope - found.slope;
    const double square = level * level + e_slope * e_slope;
    const double gradient = -aside * level + e * e_slope;
    const double bend = square - aside * aside + e * (reach_bend - sign * way.bend);
    const double step = -gradient / std::max(bend, least_bend * square);
    if (std::abs(step) < near) return found;
    found.azimuth += step;
  }
}

void touch_uneven_groove(const Shape<3>& race, const UnevenRace& uneven, double ball_radius, const InSection& place,
                         ContactPoint<3>& point) {
  const NearestSection nearest = nearest_section(race, uneven, ball_radius, place);
  const double turn = place.azimuth - nearest.azimuth;
  const Vector2d from_arc(place.from_axis * std::cos(turn) - circle_of_centres(race), place.from_arc.y());
  const double size = from_arc.norm();
  const Vector2d towards = size < coincident ? usual_direction(race) : Vector2d(from_arc / size);
  const Vector3d out = radial(nearest.azimuth), aside = Vector3d::UnitZ().cross(out);
  const Vector3d wall = towards.x() * out + towards.y() * Vector3d::UnitZ();
  const double radius = circle_of_centres(race) + nearest.radius * towards.x();
  point.normal = (nearest.slope * aside - radius * wall).normalized();
  const Vector3d away = (size - nearest.radius) * wall + place.from_axis * std::sin(turn) * aside;
  point.gap = point.normal.dot(away);
}

void ball_in_groove(const Shape<3>& race, const Shape<3>& ball, const BodyState<3>& body_a, const BodyState<3>& body_b,
                    ContactPoint<3>* points, double*) {
  ContactPoint<3>& point = points[0];
  const Vector3d centre = centre_of<3>(ball, body_b),
                 at = to_shape<3>(race, body_a, Vector3d(centre - centre_of<3>(race, body_a)));
  const double from_axis = std::hypot(at.x(), at.y());
  point.gap = std::numeric_limits<double>::infinity();
  if (!(from_axis > 0)) return;
  const Vector2d from_arc(from_axis - circle_of_centres(race), at.z());
  const double size = from_arc.norm();
  if (usual_direction(race).dot(from_arc) < end_of_wall * size) return;
  if (const UnevenRace* uneven = uneven_race(race)) {
    touch_uneven_groove(race, *uneven, ball.radius, in_section(race, at), point);
  } else {
    const Vector2d inward = size < coincident ? Vector2d(-usual_direction(race)) : Vector2d(-from_arc / size);
    point.gap = race.groove_radius - ball.radius - size;
    point.normal << inward.x() / from_axis * at.head<2>(), inward.y();
  }
  point.normal = to_world<3>(race, body_a, point.normal);
  point.point_b = centre - ball.radius * point.normal;
  point.point_a = point.point_b - point.gap * point.normal;
  if (ball.data) touch_with_uneven_ball<3>(race, ball, body_a, body_b, point_on_groove, point);
}

// Of the torus at the usual angle, where the stiffness of the contact is taken.
std::array<SurfaceRadii, 2> radii_in_groove(const Shape<3>& race, const Shape<3>& ball) {
  const double along = (is_outer(race) ? -1 : 1) * radius_along(race);
  return {{{along, -race.groove_radius}, {ball.radius, ball.radius}}};
}

double reach_of_groove(const Shape<3>& race) {
  return std::max(race.radius, circle_of_centres(race)) + race.half[1] + race.groove_radius;
}

double turning_radius_of_groove(const Shape<3>& race) {
  return reach_of_groove(race);
}

// The distance from the circle of centres bends along it, by one over the distance from the axis at the most.
double sharpness_of_groove(const Shape<3>& race) {
  return 1 / (circle_of_centres(race) - race.groove_radius / 2) + race.half[0];
}

// 60° to both sides of where balls usually run, as far as shoulders go.
ShapeSurface groove_surface(const Shape<3>& race, int sides) {
  constexpr int across = 8;
  constexpr double shoulder = M_PI / 3;
  const double sign = is_outer(race) ? 1 : -1;
  ShapeSurface surface;
  const int around = std::max(sides, 24);
  for (int i = 0; i < around; ++i) {
    const double turn = 2 * M_PI * i / around;
    for (int j = 0; j <= across; ++j) {
      const double angle = race.half[2] + shoulder * (2.0 * j / across - 1);
      const double radius = circle_of_centres(race) + sign * race.groove_radius * std::cos(angle);
      surface.points.emplace_back(radius * std::cos(turn), radius * std::sin(turn),
                                  race.groove_radius * std::sin(angle));
    }
  }
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const int here = i * (across + 1) + j, next = (i + 1) % around * (across + 1) + j;
      if (is_outer(race)) {
        surface.faces.push_back({here, here + 1, next + 1, next});
      } else {
        surface.faces.push_back({here, next, next + 1, here + 1});
      }
    }
  }
  return surface;
}

void take_groove(const Settings& keys, Shape<3>& race) {
  race.half[2] = keys.number("contact_angle");
  if (!(circle_of_centres(race) > race.groove_radius))
    throw ShapeError({"groove_radius", fmt::format("{:g} m", race.groove_radius),
                      fmt::format("less than half of the radius of the race, {:g} m", race.radius / 2),
                      "it is the radius of the section, somewhat more than that of a ball"});
  take_unevenness<3>(keys, is_outer(race), radius_along(race), std::max(std::cos(race.half[2]), 1e-3), race);
}

ShapeDescription<3> describe_groove_race(ShapeKind kind, const std::string& name) {
  return {.kind = kind,
          .name = name,
          .required = {"radius", "groove_radius"},
          .optional = {"contact_angle", "spalls", "waves", "ball_radius"},
          .form = ShapeForm::hollow,
          .take = take_groove,
          .bounding_radius = reach_of_groove,
          .turning_radius = turning_radius_of_groove,
          .sharpness = sharpness_of_groove,
          .surface = groove_surface};
}

PairDescription<3> describe_groove_and_ball(ShapeKind kind, const std::string& name, const std::string& where) {
  return {.a = kind,
          .b = ShapeKind::sphere,
          .name = name,
          .summary = "where the ball is nearest to the wall of the groove: a ball " + where + " race of a bearing",
          .points = fixed_count<3, 1>,
          .memory = fixed_count<3, 0>,
          .evaluate = ball_in_groove,
          .effective_radius = no_effective_radius<3>,
          .radii = radii_in_groove};
}

}  // namespace

ShapeDescription<3> describe_inner_groove() {
  return describe_groove_race(ShapeKind::inner_race, "inner_race");
}

ShapeDescription<3> describe_outer_groove() {
  return describe_groove_race(ShapeKind::outer_race, "outer_race");
}

PairDescription<3> describe_inner_groove_sphere() {
  return describe_groove_and_ball(ShapeKind::inner_race, "inner_race_sphere", "on the inner");
}

PairDescription<3> describe_outer_groove_sphere() {
  return describe_groove_and_ball(ShapeKind::outer_race, "outer_race_sphere", "in the outer");
}

}  // namespace carom::inline contact_geometry
