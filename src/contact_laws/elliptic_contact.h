#pragma once

#include <optional>

namespace carom::inline contact_laws {

// Principal radii of a surface at the contact point, m: convex positive, concave negative, flat infinite.
struct PrincipalRadii {
  double first = 0, second = 0;
};

// Hertz' point contact of surfaces with any curvatures: the patch is an ellipse of half axes a ≥ b.
struct EllipticContact {
  double axis_ratio = 1;      // b/a
  double curvature = 0;       // A + B, half the sum of the four curvatures, 1/m
  double first_integral = 0;  // K and E of the ellipse, complete elliptic integrals of modulus √(1 − b²/a²)
  double second_integral = 0;

  // K of f_e = K δ^(3/2), N/m^1.5; 4/3 E* √R for a circular patch.
  double stiffness(double composite_modulus) const;
  // Half axes of the patch at a penetration, m.
  double major_half_axis(double penetration) const;
  double minor_half_axis(double penetration) const;
};

// `angle` from the first principal direction of i to the first of j, rad. Empty when the surfaces conform along some
// direction (parallel cylinders, a ball in its own groove): then there is no point contact.
// Hertz 1882; Johnson, Contact Mechanics, Cambridge 1985, section 4.2.
std::optional<EllipticContact> elliptic_contact(const PrincipalRadii& i, const PrincipalRadii& j, double angle);

// The contact whose patch has the ratio b/a of half axes, 0 < b/a ≤ 1, and whose stiffness is K in N/m^1.5: what a
// model that gives those two leaves of the curvatures.
EllipticContact elliptic_contact_of(double stiffness, double axis_ratio, double composite_modulus);

}  // namespace carom::inline contact_laws
