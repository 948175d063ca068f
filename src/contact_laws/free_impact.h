#pragma once

#include "contact_laws/elastic_law.h"

// The impact of two free bodies under F = f_e(δ) (1 + h δ̇/v₀), solved exactly: with u = δ̇/v₀ the equation m δ̈ = −F
// separates into U(δ) = m v₀² [W(1) − W(u)], W(u) = [u − ln(1 + h u)/h] / h.
namespace carom::inline contact_laws {

// Restitution −δ̇⁺/δ̇⁻ that comes out: the root e ≠ 0 of ln((1 + h)/(1 − h e)) = h (1 + e), in closed form
// e = [1 + W₀(−(1 + h) exp(−(1 + h)))]/h with Lambert's W₀. The same for every elastic law, mass and speed.
// Full accuracy for all h ≥ 0: 1 − ⅔h + 4/9 h² near zero, 1/h at infinity.
double output_restitution(double h);

// Its inverse: the h that returns exactly the restitution 0 < e ≤ 1 asked for.
double exact_hysteresis(double restitution);

struct FreeImpact {
  double restitution = 0;
  double max_penetration = 0;   // m
  double max_force = 0;         // N, reached before the largest penetration when h > 0
  double compression_time = 0;  // s
  double duration = 0;          // s
};

// `elastic` must be a power law; mass m_i m_j/(m_i + m_j) in kg, approach speed v₀ > 0 in m/s.
FreeImpact free_impact(double h, const ElasticLaw& elastic, double mass, double impact_speed);

// The undamped impact: largest penetration δ_H = [(n + 1) m v₀²/(2K)]^(1/(n+1)), m.
double elastic_penetration(const ElasticLaw& elastic, double mass, double impact_speed);

}  // namespace carom::inline contact_laws
