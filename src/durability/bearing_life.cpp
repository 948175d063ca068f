#include "durability/bearing_life.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "contact_laws/hertz_stress.h"
#include "signals/power_mean.h"

namespace carom::inline durability {
namespace {

constexpr double millimetres = 1000;

double groove_radius(const BallBearing& bearing, Raceway raceway) {
  return raceway == Raceway::inner ? bearing.inner_groove_radius : bearing.outer_groove_radius;
}

// 2r/(2r − D_w): how tightly the groove holds the ball.
double osculation(double groove_radius, double ball_diameter) {
  assert(2 * groove_radius > ball_diameter);
  return 2 * groove_radius / (2 * groove_radius - ball_diameter);
}

}  // namespace

double diameter_ratio(const BallBearing& bearing) {
  return bearing.ball_diameter * std::cos(bearing.contact_angle) / bearing.pitch_diameter;
}

std::optional<EllipticContact> raceway_contact(const BallBearing& bearing, Raceway raceway) {
  const double ball = bearing.ball_diameter / 2, ratio = diameter_ratio(bearing);
  const double sign = raceway == Raceway::inner ? 1 : -1;
  // 1/ρ = ± 2/D_w · γ/(1 ∓ γ): convex inside, concave outside.
  const double along = sign * ball * (1 - sign * ratio) / ratio;
  return elliptic_contact({ball, ball}, {-groove_radius(bearing, raceway), along}, 0);
}

double geometry_factor(const BallBearing& bearing) {
  const double ratio = diameter_ratio(bearing);
  const double diameter = bearing.ball_diameter, tightest = 0.52 * diameter;
  const double inner = osculation(std::max(tightest, bearing.inner_groove_radius), diameter);
  const double outer = osculation(std::max(tightest, bearing.outer_groove_radius), diameter);
  const double rings = 1.04 * std::pow((1 - ratio) / (1 + ratio), 1.72) * std::pow(inner / outer, 0.41);
  return 0.41 * 98.0665 * bearing.reduction_factor * std::pow(1 + std::pow(rings, 10.0 / 3), -0.3) *
         std::pow(ratio, 0.3) * std::pow(1 - ratio, 1.39) / std::cbrt(1 + ratio) * std::pow(inner, 0.41);
}

double dynamic_load_rating(const BallBearing& bearing) {
  const double diameter = bearing.ball_diameter * millimetres;
  const double size = diameter <= 25.4 ? std::pow(diameter, 1.8) : 3.647 * std::pow(diameter, 1.4);
  return bearing.manufacture_factor * geometry_factor(bearing) *
         std::pow(bearing.rows * std::cos(bearing.contact_angle), 0.7) * std::pow(bearing.balls, 2.0 / 3) * size;
}

double static_load_rating(const BallBearing& bearing, double max_pressure, double composite_modulus) {
  double ball_load = std::numeric_limits<double>::infinity();
  for (const Raceway raceway : {Raceway::inner, Raceway::outer}) {
    const auto contact = raceway_contact(bearing, raceway);
    assert(contact);
    ball_load = std::min(ball_load, force_at_pressure(*contact, max_pressure, composite_modulus));
  }
  return ball_load * bearing.rows * bearing.balls * std::cos(bearing.contact_angle) / 5;
}

double element_load_rating(const BallBearing& bearing, Raceway raceway) {
  const double ratio = diameter_ratio(bearing), signed_ratio = raceway == Raceway::inner ? ratio : -ratio;
  const double tightness = osculation(groove_radius(bearing, raceway), bearing.ball_diameter);
  return 98.1 * std::pow(tightness, 0.41) * std::pow(1 - signed_ratio, 1.39) / std::cbrt(1 + signed_ratio) *
         std::pow(ratio / std::cos(bearing.contact_angle), 0.3) * std::pow(bearing.ball_diameter * millimetres, 1.8) /
         std::cbrt(bearing.balls);
}

double basic_rating_life(double dynamic_rating, double equivalent_load, double exponent) {
  if (!(equivalent_load > 0)) return std::numeric_limits<double>::infinity();
  return 1e6 * std::pow(dynamic_rating / equivalent_load, exponent);
}

double life_in_hours(double revolutions, double angular_speed) {
  return revolutions * 2 * M_PI / std::abs(angular_speed) / 3600;
}

double equivalent_dynamic_load(double radial, double axial, const AxialFactors& factors) {
  if (axial <= factors.limit * radial) return radial;
  return std::max(radial, factors.radial * radial + factors.axial * axial);
}

double mean_equivalent_load(std::span<const LoadPart> spectrum, double exponent) {
  return power_mean(spectrum, exponent, &LoadPart::load, &LoadPart::revolutions);
}

double reliability_factor(double reliability) {
  assert(reliability > 0 && reliability < 1);
  return 0.95 * std::pow(std::log(reliability) / std::log(0.9), 2.0 / 3) + 0.05;
}

}  // namespace carom::inline durability
