#pragma once

#include <optional>
#include <span>

#include "contact_laws/elliptic_contact.h"

// Load ratings and rating life of rolling bearings in the practice of ISO 281:2007 (dynamic) and ISO 76:2006 (static).
// Lengths in m, forces in N, angles in rad; the standards' formulas, which are in mm and N, are converted inside.
//
// Valid for bearings of good hardened steel and of usual inner design, well lubricated, clean, aligned, and for loads
// up to about half the dynamic rating. ISO/TR 1281-1 reports where the factors come from.
namespace carom::inline durability {

enum class Raceway { inner, outer };

struct BallBearing {
  int rows = 1;                    // i
  int balls = 0;                   // Z, per row
  double ball_diameter = 0;        // D_w, m
  double pitch_diameter = 0;       // D_pw, of the circle of ball centres, m
  double contact_angle = 0;        // α, rad
  double inner_groove_radius = 0;  // r_i, r_e > D_w/2: of the grooves' cross-section, m
  double outer_groove_radius = 0;
  // b_m of ISO 281, for contemporary steel and manufacture: 1.3 of deep-groove and angular contact ball bearings.
  double manufacture_factor = 1.3;
  // λ of ISO/TR 1281-1, for deviations from the ideal: 0.95 of single-row, 0.90 of double-row deep-groove ball
  // bearings.
  double reduction_factor = 0.95;
};

// γ = D_w cos α/D_pw, 0 < γ < 1.
double diameter_ratio(const BallBearing& bearing);

// The contact of one ball with a raceway: groove radius across, radius ½ D_pw (1/cos α) ∓ ½ D_w along the rolling
// direction. Empty when the groove is not wider than the ball.
std::optional<EllipticContact> raceway_contact(const BallBearing& bearing, Raceway raceway);

// f_c of ISO 281, in N and mm, by the formula behind its table 2 (ISO/TR 1281-1, after Lundberg and Palmgren 1947):
//   f_c = 0.41 · 98.0665 λ [1 + (1.04 ((1 − γ)/(1 + γ))^1.72 (r_i (2r_e − D_w)/(r_e (2r_i − D_w)))^0.41)^(10/3)]^(−0.3)
//         · γ^0.3 (1 − γ)^1.39/(1 + γ)^(1/3) · (2r_i/(2r_i − D_w))^0.41.
// The standard allows no gain from grooves tighter than 0.52 D_w: smaller radii count as that. Its table holds for
// outer radii up to 0.53 D_w but is computed with 0.52 for both, so that a bearing with 0.53 gets 2 % less here.
double geometry_factor(const BallBearing& bearing);

// C_r = b_m f_c (i cos α)^0.7 Z^(2/3) D_w^1.8 up to D_w = 25.4 mm, 3.647 b_m f_c (i cos α)^0.7 Z^(2/3) D_w^1.4 above,
// N: the constant radial load of which 90 % of bearings bear one million revolutions.
double dynamic_load_rating(const BallBearing& bearing);

// C_0r = ⅕ i Z cos α Q₀, N, where Q₀ is the ball load that makes p₀ = 4200 MPa on the raceway that suffers more; ISO 76
// tabulates f₀ = Q₀/(5 D_w²) with E = 207 GPa, ν = 0.3, r_i = 0.52 D_w and r_e = 0.53 D_w. 4600 MPa for self-aligning
// ball bearings. ⅕ stands for the usual clearance; without one it would be 1/4.37.
double static_load_rating(const BallBearing& bearing, double max_pressure = 4.2e9,
                          double composite_modulus = 207e9 / (2 * (1 - 0.3 * 0.3)));

// Lundberg and Palmgren's rating of one ball on one raceway, N: the ball load that 90 % of such raceways bear for one
// million turns against the load, Q_c = 98.1 (2r/(2r − D_w))^0.41 (1 ∓ γ)^1.39/(1 ± γ)^(1/3) (γ/cos α)^0.3 D_w^1.8
// Z^(−1/3) in N and mm; upper signs inner raceway. Without λ and b_m.
double element_load_rating(const BallBearing& bearing, Raceway raceway);

// Exponent p of the life equation: ISO 281, for ball and for roller bearings.
inline constexpr double ball_life_exponent = 3;
inline constexpr double roller_life_exponent = 10.0 / 3;

// L₁₀ = 10⁶ (C/P)^p revolutions, infinite without a load.
double basic_rating_life(double dynamic_rating, double equivalent_load, double exponent = ball_life_exponent);

// Time in hours that a number of revolutions takes at a constant angular speed in rad/s.
double life_in_hours(double revolutions, double angular_speed);

// e, X and Y of the bearing's table.
struct AxialFactors {
  double limit = 0;   // e
  double radial = 1;  // X
  double axial = 0;   // Y
};

// P = F_r while F_a ≤ e F_r, else X F_r + Y F_a, and never less than F_r, N.
double equivalent_dynamic_load(double radial, double axial, const AxialFactors& factors);

// A part of a load spectrum: so many revolutions (or a share of them) under this load, N.
struct LoadPart {
  double load = 0;
  double revolutions = 0;
};

// P = (Σ P_k^p n_k/Σ n_k)^(1/p), N: the constant load with the same life by Palmgren's and Miner's sum. Zero for an
// empty spectrum. Parts given by time must be weighted with their speed.
double mean_equivalent_load(std::span<const LoadPart> spectrum, double exponent = ball_life_exponent);

// a₁ of ISO 281:2007: L_n = a₁ L₁₀ is survived with probability S. The table's three-parameter Weibull distribution,
// a₁ = 0.95 (ln S/ln 0.9)^(2/3) + 0.05, for 0.9 ≤ S ≤ 0.9995.
double reliability_factor(double reliability);

}  // namespace carom::inline durability
