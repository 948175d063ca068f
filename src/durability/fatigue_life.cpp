#include "durability/fatigue_life.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "signals/power_mean.h"

namespace carom::inline durability {
namespace {

// Places around the ring for the calibration: the sum over them is exact to rounding for the smooth part of the load
// zone and to 1e-9 at its ends.
constexpr int places_of_calibration = 1440;

double track_length(const BallBearing& bearing, Raceway raceway) {
  const double diameter = bearing.ball_diameter * std::cos(bearing.contact_angle);
  return M_PI * (bearing.pitch_diameter + (raceway == Raceway::inner ? -diameter : diameter));
}

// Balls that pass a point of the raceway while the inner ring turns once.
double passes_per_revolution(const BallBearing& bearing, Raceway raceway) {
  const double ratio = diameter_ratio(bearing);
  return bearing.balls * (raceway == Raceway::inner ? 1 + ratio : 1 - ratio) / 2;
}

EllipticContact contact_of(const BallBearing& bearing, Raceway raceway) {
  const auto contact = raceway_contact(bearing, raceway);
  assert(contact);
  return *contact;
}

}  // namespace

StressedTrack stressed_track(const HertzPatch& patch, double length, RollingDirection direction) {
  const StressPeak shear = orthogonal_shear(patch, direction);
  const bool minor = direction == RollingDirection::along_minor;
  assert(std::isfinite(patch.major_half_axis));
  return {.shear = shear.value,
          .depth = shear.depth,
          .half_width = minor ? patch.major_half_axis : patch.minor_half_axis,
          .length = length};
}

double track_risk(const StressedTrack& track, const TrackExponents& exponents) {
  if (!(track.shear > 0)) return 0;
  return std::pow(track.shear, exponents.stress_exponent) * track.half_width * track.length *
         std::pow(track.depth, 1 - exponents.depth_exponent);
}

TrackLife::TrackLife(const StressedTrack& reference, double reference_passes, const TrackExponents& exponents)
    : exponents_(exponents), reference_risk_(track_risk(reference, exponents)), reference_passes_(reference_passes) {
  assert(reference_risk_ > 0 && reference_passes > 0);
}

double TrackLife::passes(const StressedTrack& track) const {
  const double risk = track_risk(track, exponents_);
  if (!(risk > 0)) return std::numeric_limits<double>::infinity();
  return reference_passes_ * std::pow(reference_risk_ / risk, 1 / exponents_.weibull_slope);
}

double TrackLife::damage(std::span<const TrackLoad> history) const {
  double sum = 0;
  for (const TrackLoad& load : history) sum += load.passes / passes(load.track);
  return sum;
}

double combined_damage(std::span<const double> damages, double weibull_slope) {
  double sum = 0;
  for (const double damage : damages) sum += std::pow(damage, weibull_slope);
  return std::pow(sum, 1 / weibull_slope);
}

double survival_probability(double damage, double weibull_slope) {
  return std::pow(0.9, std::pow(damage, weibull_slope));
}

BearingFatigue::BearingFatigue(const BallBearing& bearing, double composite_modulus, double dynamic_rating)
    : bearing_(bearing),
      modulus_(composite_modulus),
      inner_(contact_of(bearing, Raceway::inner)),
      outer_(contact_of(bearing, Raceway::outer)),
      // Any reference of the right size will do at first: damage is inversely proportional to its passes.
      life_(stressed_track(point_contact_patch(inner_, dynamic_rating / bearing.balls, composite_modulus),
                           track_length(bearing, Raceway::inner)),
            1) {
  const auto loads = radial_load_distribution(dynamic_rating / bearing.rows, bearing.balls, bearing.contact_angle, 0.5,
                                              places_of_calibration);
  const double revolutions = life(loads);
  life_ = TrackLife(stressed_track(point_contact_patch(inner_, dynamic_rating / bearing.balls, composite_modulus),
                                   track_length(bearing, Raceway::inner)),
                    1e6 / revolutions);
}

double BearingFatigue::damage_per_revolution(Raceway raceway, std::span<const double> ball_loads) const {
  const EllipticContact& contact = raceway == Raceway::inner ? inner_ : outer_;
  const auto places = static_cast<double>(ball_loads.size());
  const double passes = passes_per_revolution(bearing_, raceway), length = track_length(bearing_, raceway);
  const double slope = life_.exponents().weibull_slope;
  double sum = 0;
  for (const double load : ball_loads) {
    const HertzPatch patch = point_contact_patch(contact, load, modulus_);
    if (raceway == Raceway::inner) {
      // Every point of the turning ring meets all loads in turn.
      sum += passes / places / life_.passes(stressed_track(patch, length));
    } else {
      // An arc of the ring at rest meets its own load alone.
      sum += std::pow(passes / life_.passes(stressed_track(patch, length / places)), slope);
    }
  }
  if (raceway == Raceway::outer) sum = std::pow(sum, 1 / slope);
  return sum * std::pow(bearing_.rows, 1 / slope);
}

double BearingFatigue::life(Raceway raceway, std::span<const double> ball_loads) const {
  return 1 / damage_per_revolution(raceway, ball_loads);
}

double BearingFatigue::life(std::span<const double> ball_loads) const {
  const std::array damages = {damage_per_revolution(Raceway::inner, ball_loads),
                              damage_per_revolution(Raceway::outer, ball_loads)};
  return 1 / combined_damage(damages, life_.exponents().weibull_slope);
}

std::vector<double> radial_load_distribution(double radial_load, int balls, double contact_angle, double load_zone,
                                             int places) {
  assert(balls > 0 && places > 0 && load_zone > 0);
  std::vector<double> loads(static_cast<std::size_t>(places));
  double carried = 0;
  for (int k = 0; k < places; ++k) {
    const double angle = 2 * M_PI * k / places;
    const double share = std::pow(std::max(0.0, 1 - (1 - std::cos(angle)) / (2 * load_zone)), 1.5);
    loads[static_cast<std::size_t>(k)] = share;
    carried += share * std::cos(angle) / places;
  }
  // F_r = Z Q_max J_r cos α with Sjövall's integral J_r, here the mean of share × cos ψ.
  const double largest = radial_load / (balls * carried * std::cos(contact_angle));
  for (double& load : loads) load *= largest;
  return loads;
}

double WoehlerLine::cycles(double range) const {
  if (!(range > endurance_limit)) return std::numeric_limits<double>::infinity();
  return reference_cycles * std::pow(reference_range / range, exponent);
}

double miner_damage(std::span<const CountedCycle> cycles, const WoehlerLine& line) {
  double sum = 0;
  for (const CountedCycle& cycle : cycles) sum += cycle.count / line.cycles(cycle.range);
  return sum;
}

double equivalent_range(std::span<const CountedCycle> cycles, double exponent) {
  return power_mean(cycles, exponent, &CountedCycle::range, &CountedCycle::count);
}

}  // namespace carom::inline durability
