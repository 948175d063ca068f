#pragma once

#include <string>
#include <vector>

#include "bearings/contact_figures.h"
#include "durability/bearing_life.h"
#include "recording/result_reader.h"

// Basic reference rating life of a rolling bearing in space, from the loads of its elements: ISO/TS 16281:2008 (now ISO
// 16281), which takes in whatever shapes the distribution of loads: clearance, preload, misalignment, speed.
//
// Valid where ISO 281 is: hardened steel, good lubrication, clean; for loads within the elastic.
namespace carom::inline durability {

// What one row bears: the load of an element on the inner (0) and on the outer race (1) that 90 % of such races bear
// for a million revolutions, N.
//   Balls:    Q_ci = C/(0.407 Z cos α) (1 + t^(10/3))^0.3,  Q_ce = C/(0.389 Z cos α) (1 + t^(−10/3))^0.3,
//             t = 1.044 ((1 − γ)/(1 + γ))^1.72 (r_i (2r_e − D_w)/(r_e (2r_i − D_w)))^0.41;
//             of thrust bearings C/(Z sin α) and 1 instead of 1.044.
//   Rollers:  Q_ci = C/(0.83 · 0.378 Z cos α) (1 + t^(9/2))^(2/9),  Q_ce with 0.364 and t^(−9/2),
//             t = 1.038 ((1 − γ)/(1 + γ))^(143/108); a slice bears n^(−7/9) of it.
struct RowRating {
  double dynamic = 0;  // C of ISO 281, N: radial, or axial of thrust bearings
  std::array<double, 2> element{};
};
RowRating row_rating(const RollingGeometry& geometry);

// C of ISO 281 for all rows together, N: i^0.7 rows of balls, i^(7/9) of rollers.
double dynamic_rating(const RollingGeometry& geometry);

// C₀ of ISO 76 for all rows together, N: of balls ⅕ i Z cos α Q₀, of thrust ball bearings Z Q₀ axially, with the ball
// load Q₀ that makes 4200 MPa; of rollers 44 (1 − D_w cos α/D_pw) i Z L D_w cos α in mm.
double static_rating(const RollingGeometry& geometry);

struct ReferenceLife {
  double revolutions = 0;    // L10r, infinite without a load
  double max_pressure = 0;   // Pa, the largest of all contacts
  double static_safety = 0;  // (p_permissible/p_max)^3 of balls with 4200 MPa, ^2 of rollers with 4000 MPa; infinite
};

// Of one place of the inner ring, which turns against the load; the outer ring stands against it.
//   Balls:   L = ((Q_ci/Q_ei)^(−10/3) + (Q_ce/Q_ee)^(−10/3))^(−9/10), Q_ei = (Σ Q³/Z)^(1/3), Q_ee = (Σ Q^(10/3)/Z)^0.3.
//   Rollers: over the slices k, with the stress riser 1 − 0.01/ln(1.985 |2k − n − 1|/(2n − 2)) at the ends,
//            L = (Σ (q_ci/q_ei)^(−9/2) + (q_ce/q_ee)^(−9/2))^(−8/9), with exponents 4 inside and 4.5 outside.
// Rows add up as L^(−10/9) or L^(−9/8). In revolutions.
ReferenceLife reference_life(const QuasiStaticBearing& bearing, const RingPlace& place, const RingSpeeds& speeds);

struct RecordedLife {
  RollingGeometry geometry;
  double rating = 0;       // N
  double revolutions = 0;  // L10r under all places of the run, weighted by the way turned, else by time
  double speed = 0;        // rad/s, mean; 0: it stands
  double max_pressure = 0, static_safety = 0;  // the worst ones
  std::size_t samples = 0;
};

// Of the bearing NAME of a recorded run, whose bearing:NAME.dx … tilt_y, spin and outer_speed have been recorded; from
// and to in s. Throws InputError if it is none in space, ResultError where its quantities are missing.
RecordedLife recorded_life(const ResultReader& result, const Model& model, const std::string& name, double from,
                           double to);

}  // namespace carom::inline durability
