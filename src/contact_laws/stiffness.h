#pragma once

namespace carom::inline contact_laws {

// E* = 1 / ((1 − ν_i²)/E_i + (1 − ν_j²)/E_j), Pa. A Young's modulus of infinity, or of 0 for "not given", is a rigid
// partner: its compliance is zero. Two rigid partners give infinity.
double composite_modulus(double young_i, double poisson_i, double young_j, double poisson_j);

// R = 1 / (1/R_i + 1/R_j), m. Radii are positive where convex, negative where concave, infinite where flat.
double effective_radius(double radius_i, double radius_j);

// True when 1/R_i + 1/R_j ≤ 0: the surfaces conform or overclose, and there is no Hertz solution.
bool is_conforming(double radius_i, double radius_j);

// K = 4/3 E* √R, N/m^1.5: Hertz' circular point contact, small patch, elastic, slow.
double hertz_stiffness(double composite_modulus, double effective_radius);

}  // namespace carom::inline contact_laws
