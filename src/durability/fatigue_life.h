#pragma once

#include <span>
#include <vector>

#include "contact_laws/hertz_stress.h"
#include "durability/bearing_life.h"
#include "durability/rainflow.h"

// Life of rolling tracks from the stresses that really act, and damage of a counted stress spectrum.
//
// Lundberg and Palmgren: a track survives N passes with the probability S,
//   ln(1/S) ~ N^e τ₀^c V/z₀^h,   V = a z₀ l,
// with the orthogonal shear stress τ₀, its depth z₀, the half axis a across the rolling direction and the length l of
// the track. The factor of proportion belongs to the steel and comes from a reference: a track whose life is known. G.
// Lundberg, A. Palmgren, Acta Polytechnica 7 (1947) and 96 (1952). Valid for well lubricated tracks of hardened steel
// that fail below the surface; no endurance limit, no residual stress, no dirt, no friction.
namespace carom::inline durability {

// Exponents of Lundberg and Palmgren for point contact. Line contact uses the Weibull slope 9/8.
struct TrackExponents {
  double weibull_slope = 10.0 / 9;    // e
  double stress_exponent = 31.0 / 3;  // c
  double depth_exponent = 7.0 / 3;    // h
};

struct StressedTrack {
  double shear = 0;       // τ₀, Pa
  double depth = 0;       // z₀, m
  double half_width = 0;  // a, across the rolling direction, m; for a line contact half the length of the roller
  double length = 0;      // l, m
};

// A patch of a point contact that runs along a track of this length, m.
StressedTrack stressed_track(const HertzPatch& patch, double length,
                             RollingDirection direction = RollingDirection::along_minor);

// τ₀^c a l/z₀^(h − 1), in SI: proportional to ln(1/S) at equal N. Zero without a stress.
double track_risk(const StressedTrack& track, const TrackExponents& exponents = {});

// So many passes of a load over a track.
struct TrackLoad {
  StressedTrack track;
  double passes = 0;
};

// Lives of tracks of one steel, measured by a reference track of which 90 % survive `reference_passes`.
class TrackLife {
 public:
  TrackLife(const StressedTrack& reference, double reference_passes, const TrackExponents& exponents = {});

  const TrackExponents& exponents() const { return exponents_; }
  // Passes that 90 % survive, N₁₀ = N_ref (risk_ref/risk)^(1/e); infinite without a stress.
  double passes(const StressedTrack& track) const;
  // Σ n_k/N₁₀,k over the loads that pass the same track: 1 when 10 % have failed (Palmgren's and Miner's sum).
  double damage(std::span<const TrackLoad> history) const;

 private:
  TrackExponents exponents_;
  double reference_risk_, reference_passes_;
};

// Tracks that must all survive, such as both raceways, or the arcs of a ring that stands still: D = (Σ D_k^e)^(1/e).
double combined_damage(std::span<const double> damages, double weibull_slope = 10.0 / 9);

// Probability to survive a damage, S = 0.9^(D^e).
double survival_probability(double damage, double weibull_slope = 10.0 / 9);

// The raceways of a ball bearing, inner ring turning against the load, outer one standing. Calibrated so that the
// radial load C, spread over the balls as elastic rings without clearance do it, Q(ψ) = Q_max cos^(3/2) ψ over half of
// the ring with Q_max = C/(0.2288 i Z cos α), gives a life of one million revolutions, as ISO 281 says of its rating.
class BearingFatigue {
 public:
  // E* of ball and rings in Pa; `dynamic_rating` C in N, from the catalogue or from dynamic_load_rating.
  BearingFatigue(const BallBearing& bearing, double composite_modulus, double dynamic_rating);

  // L₁₀ in revolutions of the inner ring under ball loads in N given at equal angles all around the ring (zero where a
  // ball carries nothing): the load that a ball has when it passes there. Every row is loaded alike.
  double life(std::span<const double> ball_loads) const;
  // The same for a single raceway, the other one being indestructible.
  double life(Raceway raceway, std::span<const double> ball_loads) const;
  // The steel that the calibration found.
  const TrackLife& tracks() const { return life_; }

 private:
  double damage_per_revolution(Raceway raceway, std::span<const double> ball_loads) const;

  BallBearing bearing_;
  double modulus_;
  EllipticContact inner_, outer_;
  TrackLife life_;
};

// Q(ψ) = Q_max max(0, 1 − (1 − cos ψ)/(2 ε))^(3/2) at `places` equal angles, N, for a radial load per row and balls per
// row: Stribeck's and Sjövall's distribution. ε = ½ without clearance, less with it, more with preload.
std::vector<double> radial_load_distribution(double radial_load, int balls, double contact_angle, double load_zone,
                                             int places);

// A power law between range and number of cycles (Wöhler's line), N = N_ref (S_ref/S)^m; ranges up to the endurance
// limit do no damage. For the Hertz pressure of a ball that passes, m = 9 corresponds to the life exponent 3.
struct WoehlerLine {
  double reference_range = 0;  // S_ref, in the unit of the counted quantity
  double reference_cycles = 0;
  double exponent = 0;
  double endurance_limit = 0;

  double cycles(double range) const;
};

// Palmgren's and Miner's sum Σ count/N(range); 1 at the end of the life. Means do not enter.
double miner_damage(std::span<const CountedCycle> cycles, const WoehlerLine& line);

// The constant range with the same damage in the same number of cycles, (Σ count range^m/Σ count)^(1/m).
double equivalent_range(std::span<const CountedCycle> cycles, double exponent);

}  // namespace carom::inline durability
