#include "bearings/balls_as_bodies.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bearings/quasi_static.h"
#include "contact_laws/elliptic_contact.h"

namespace carom::inline bearings {
namespace {

using Eigen::Vector3d;

bool has_two_lines(const RollingGeometry& geometry) {
  return geometry.type == BearingType::four_point;
}

// Both races share the clearance. The arc of a groove with a contact angle is centred aside, so that a ball just
// touches it there.
GrooveArc groove_arc(const RollingGeometry& geometry, const BearingRow& row, double direction, bool outer,
                     double pushed) {
  const double sign = outer ? -1 : 1, groove = geometry.groove_radius[outer ? 1 : 0];
  const double aside = groove - geometry.element_diameter / 2, angle = geometry.contact_angle;
  return {.circle = geometry.pitch_diameter / 2 + sign * (aside * std::cos(angle) - geometry.clearance / 2),
          .along = row.position + direction * (sign * aside * std::sin(angle) + (outer ? 0 : pushed)),
          .groove_radius = groove,
          .contact_angle = -sign * direction * angle,
          .outer = outer};
}

Vector3d velocity_at(const RingState& ring, const Vector3d& point) {
  return ring.velocity + ring.angular_velocity.cross(point - ring.centre);
}

// Both contacts press with the same force, F = K δ^1.5, each with the curvatures of its race at the usual angle.
double outer_share_of(const RollingGeometry& geometry) {
  const double radius = geometry.element_diameter / 2;
  const double along = geometry.pitch_diameter / 2 / std::max(std::cos(geometry.contact_angle), 1e-9);
  const auto softness = [&](double race, double groove) {
    const auto ellipse = elliptic_contact({race, -groove}, {radius, radius}, 0);
    return ellipse ? std::pow(ellipse->stiffness(1), -2.0 / 3) : 1;
  };
  const double inner = softness(along - radius, geometry.groove_radius[0]),
               outer = softness(-along - radius, geometry.groove_radius[1]);
  return outer / (inner + outer);
}

// The centre of the arc in the direction `out`, as far as that is across the axis of the ring.
Vector3d centre_of_arc(const GrooveArc& arc, const RingState& ring, const Vector3d& out) {
  const Vector3d axis = ring.axes.col(2), radial = (out - out.dot(axis) * axis).normalized();
  return ring.centre + arc.circle * radial + arc.along * axis;
}

}  // namespace

std::vector<ContactLine> contact_lines(const RollingGeometry& geometry) {
  const double pushed =
      geometry.preload > 0 ? QuasiStaticBearing(geometry).preload_displacement() : geometry.preload_displacement;
  std::vector<ContactLine> lines;
  for (std::size_t row = 0; row < geometry.rows.size(); ++row) {
    const BearingRow& each = geometry.rows[row];
    const auto add = [&](double direction) {
      lines.push_back({static_cast<int>(row), groove_arc(geometry, each, direction, true, pushed),
                       groove_arc(geometry, each, direction, false, pushed)});
    };
    add(each.direction);
    if (has_two_lines(geometry)) add(-each.direction);
  }
  return lines;
}

BallsBetweenRings::BallsBetweenRings(const RollingGeometry& geometry, bool rolling)
    : geometry_(geometry), lines_(contact_lines(geometry)), outer_share_(outer_share_of(geometry)), rolling_(rolling) {}

double azimuth_of(const RollingGeometry& geometry, int index) {
  return geometry.first_angle + 2 * M_PI * (index % geometry.elements) / geometry.elements;
}

BallsBetweenRings::Seat BallsBetweenRings::seat_on(const ContactLine& line, const RingStates& rings,
                                                   double azimuth) const {
  const Vector3d out = std::cos(azimuth) * rings.outer.axes.col(0) + std::sin(azimuth) * rings.outer.axes.col(1);
  const Vector3d outer = centre_of_arc(line.outer, rings.outer, out),
                 between = centre_of_arc(line.inner, rings.inner, out) - outer;
  const double apart = between.norm(), touching = geometry_.groove_centre_distance();
  const Vector3d axis = rings.outer.axes.col(2);
  const Vector3d unloaded = std::cos(line.outer.contact_angle) * out + std::sin(line.outer.contact_angle) * axis;
  // Between rings that leave it much room a ball has no line of contact but the usual one.
  const double aligned = between.dot(unloaded) / apart;
  const bool held = aligned > 0.5 || (apart > touching && aligned > -0.5);
  const Vector3d normal = held ? Vector3d(between / apart) : unloaded;
  const double reach = line.outer.groove_radius - geometry_.element_diameter / 2,
               overlap = between.dot(normal) - touching;
  return {outer + (reach + overlap / 2) * normal, normal, overlap, outer, outer + between};
}

// m, by how much it would have to be deeper in the outer wall, less in the inner one.
double BallsBetweenRings::lack_of_balance(const Seat& seat, const Vector3d& centre) const {
  if (!(seat.overlap > 0)) return 0;
  const double radius = geometry_.element_diameter / 2;
  const double in_outer = (centre - seat.outer).norm() - (geometry_.groove_radius[1] - radius),
               in_inner = (centre - seat.inner).norm() - (geometry_.groove_radius[0] - radius);
  return outer_share_ * in_inner - (1 - outer_share_) * in_outer;
}

double BallsBetweenRings::tightest(const RingStates& rings) const {
  double most = -std::numeric_limits<double>::infinity();
  for (const ContactLine& line : lines_) {
    for (int k = 0; k < geometry_.elements; ++k) {
      const double overlap = seat_on(line, rings, azimuth_of(geometry_, k)).overlap;
      if (-overlap > geometry_.element_diameter / 8) return std::numeric_limits<double>::infinity();
      most = std::max(most, overlap);
    }
  }
  return most;
}

PartState BallsBetweenRings::ball(const RingStates& rings, int index) const {
  const int row = index / geometry_.elements;
  const double azimuth = azimuth_of(geometry_, index);
  std::vector<Seat> seats;
  Vector3d centre = Vector3d::Zero(), normal = Vector3d::Zero();
  for (const ContactLine& line : lines_) {
    if (line.row != row) continue;
    seats.push_back(seat_on(line, rings, azimuth));
    centre += seats.back().centre, normal += seats.back().normal;
  }
  const auto count = static_cast<double>(seats.size());
  centre /= count, normal /= count;
  // On two lines a ball moves between both.
  for (int step = 0; step < 2; ++step) {
    double lack = 0;
    for (const Seat& seat : seats) lack += lack_of_balance(seat, centre) / count;
    centre += lack / normal.squaredNorm() * normal;
  }
  normal.normalize();
  PartState ball{.position = centre, .velocity = (rings.outer.velocity + rings.inner.velocity) / 2};
  const double radius = geometry_.element_diameter / 2;
  const Vector3d outer = velocity_at(rings.outer, centre + radius * normal),
                 inner = velocity_at(rings.inner, centre - radius * normal);
  const Vector3d along = rings.outer.axes.col(2).cross(centre - rings.outer.centre).normalized();
  Eigen::Matrix3d axes;
  axes.col(0) = normal;
  axes.col(2) = normal.cross(along).normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  ball.orientation = Eigen::Quaterniond(axes);
  if (!rolling_) return ball;
  ball.velocity = (outer + inner) / 2;
  ball.angular_velocity = normal.cross(outer - inner) / (2 * radius);
  return ball;
}

PartState BallsBetweenRings::cage(const RingStates& rings, int row) const {
  const BearingRow& place = geometry_.rows[row];
  const Vector3d axis = rings.outer.axes.col(2);
  PartState cage{.position = (rings.outer.centre + rings.inner.centre) / 2 + place.position * axis,
                 .velocity = (rings.outer.velocity + rings.inner.velocity) / 2,
                 .orientation = Eigen::Quaterniond(rings.outer.axes)};
  if (!rolling_) return cage;
  const double radius = geometry_.pitch_diameter / 2,
               reach = geometry_.element_diameter / 2 * std::cos(geometry_.contact_angle);
  cage.angular_velocity = (rings.outer.angular_velocity.dot(axis) * (radius + reach) +
                           rings.inner.angular_velocity.dot(axis) * (radius - reach)) /
                          (2 * radius) * axis;
  return cage;
}

}  // namespace carom::inline bearings
