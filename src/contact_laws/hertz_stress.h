#pragma once

#include "contact_laws/elliptic_contact.h"

// Stresses under the patch of a frictionless Hertz contact. z is the depth below the surface of the body looked at, x
// runs along the long half axis a of the patch, y along the short one b; stresses are in Pa, tension positive, shear
// stresses positive. A line contact is the same patch with an infinite a.
//
// Valid for smooth elastic bodies whose patch is small against their radii and thickness. A ball in a tight groove,
// where a is a good part of the groove's radius, or p₀ beyond about 1.6 times the yield stress, is outside. H. Hertz
// 1882; H. R. Thomas, V. A. Hoersch, Univ. Illinois Eng. Exp. Station Bull. 212 (1930); K. L. Johnson, Contact
// Mechanics, Cambridge 1985, sections 3.4 and 4.2; G. Lundberg, A. Palmgren, Acta Polytechnica 7 (1947).
namespace carom::inline contact_laws {

// p = p₀ √(1 − x²/a² − y²/b²). All zero without a force.
struct HertzPatch {
  double major_half_axis = 0;  // a, m; infinite for a line contact
  double minor_half_axis = 0;  // b ≤ a, m
  double max_pressure = 0;     // p₀, Pa, positive
  double mean_pressure = 0;    // force over area, Pa: ⅔ p₀ of an ellipse, ¼π p₀ of a strip
};

// Force in N, composite modulus E* of both bodies in Pa (contact_laws/stiffness.h). p₀ = 3F/(2π a b).
HertzPatch point_contact_patch(const EllipticContact& contact, double force, double composite_modulus);

// Parallel cylinders: b² = 4 F′R/(π E*), p₀ = 2F′/(π b), with the force per length F′ in N/m and 1/R = 1/R_i + 1/R_j.
HertzPatch line_contact_patch(double effective_radius, double force_per_length, double composite_modulus);

// The force, N, under which the point contact reaches p₀: the inverse of point_contact_patch. It grows with p₀³.
double force_at_pressure(const EllipticContact& contact, double max_pressure, double composite_modulus);

// Principal stresses on the line below the centre of the patch.
struct AxisStress {
  double along_major = 0;  // σ_x
  double along_minor = 0;  // σ_y
  double normal = 0;       // σ_z

  // Half the largest difference of two principal stresses.
  double max_shear() const;
  // ⅓ √((σ_x − σ_y)² + (σ_y − σ_z)² + (σ_z − σ_x)²); von Mises' stress is 3/√2 times it.
  double octahedral_shear() const;
};

// With A = √(a² + z²), B = √(b² + z²), I_a = ⅔ R_D(z², B², A²), I_b = ⅔ R_D(z², A², B²) and Carlson's R_D:
//   σ_x = −p₀ a b [2ν/(A B) + (1 − 2ν)/(A (A + B)) − z (I_a + ν I_b)],
//   σ_y = −p₀ a b [2ν/(A B) + (1 − 2ν)/(B (A + B)) − z (I_b + ν I_a)],
//   σ_z = −p₀ a b/(A B).
// Thomas and Hoersch's solution, in a form that keeps its digits from the circle to the line. `poisson` is that of the
// body looked at, 0 ≤ ν ≤ ½; depth ≥ 0 in m.
AxisStress axis_stress(const HertzPatch& patch, double poisson, double depth);

struct StressPeak {
  double value = 0;  // Pa
  double depth = 0;  // m
};

// The largest stresses on the axis, which for the ν of metals are the largest in the body. Under a slender patch and
// below about ν = 0.24 the largest shear stress lies between σ_x and σ_z and near the surface, at it for ν = 0.
struct StressMaxima {
  double normal = 0;  // σ_z at the surface, −p₀
  StressPeak shear;   // 0.310 p₀ at 0.481 a for a circle and ν = 0.3; 0.300 p₀ at 0.786 b for a line
  StressPeak octahedral;
};
StressMaxima stress_maxima(const HertzPatch& patch, double poisson);

// The way the load travels over the surface: along the short axis for a ball in its groove.
enum class RollingDirection { along_minor, along_major };

// Amplitude τ₀ of the shear stress on planes parallel to the surface, which swings from −τ₀ to τ₀ while the load
// passes, and its depth z₀. With the half axes ρ along and α across the rolling direction and t ≥ 1 from (t² − 1)(2t −
// 1) = (ρ/α)²:  τ₀ = p₀ √(2t − 1)/(2t (t + 1)),  z₀ = ρ/((t + 1) √(2t − 1)). Independent of ν. ¼ p₀ at ½ b for a line,
// 0.2139 p₀ at 0.351 a for a circle.
StressPeak orthogonal_shear(const HertzPatch& patch, RollingDirection direction = RollingDirection::along_minor);

}  // namespace carom::inline contact_laws
