#include "contact_laws/elliptic_contact.h"

#include <cmath>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/tools/roots.hpp>

namespace carom::inline contact_laws {
namespace {

// A/B = (b/a)² (K − E)/(E − (b/a)² K), with the cancelling differences written as Carlson's R_D.
double curvature_ratio(double axis_ratio) {
  const double square = axis_ratio * axis_ratio;
  return boost::math::ellint_rd(0.0, square, 1.0) / boost::math::ellint_rd(0.0, 1.0, square);
}

// The ratio b/a lies between A/B and 1.
double axis_ratio_of(double ratio) {
  if (ratio >= 1 - 1e-12) return 1;
  const auto f = [&](double logarithm) { return std::log(curvature_ratio(std::exp(logarithm)) / ratio); };
  std::uintmax_t iterations = 100;
  const auto root = boost::math::tools::toms748_solve(f, std::log(ratio), 0.0,
                                                      boost::math::tools::eps_tolerance<double>(50), iterations);
  return std::exp((root.first + root.second) / 2);
}

void find_integrals(EllipticContact& contact) {
  const double modulus = std::sqrt((1 - contact.axis_ratio) * (1 + contact.axis_ratio));
  contact.first_integral = boost::math::ellint_1(modulus);
  contact.second_integral = boost::math::ellint_2(modulus);
}

}  // namespace

std::optional<EllipticContact> elliptic_contact(const PrincipalRadii& i, const PrincipalRadii& j, double angle) {
  const double sum_i = 1 / i.first + 1 / i.second, difference_i = 1 / i.first - 1 / i.second;
  const double sum_j = 1 / j.first + 1 / j.second, difference_j = 1 / j.first - 1 / j.second;
  const double difference =
      std::hypot(difference_i + difference_j * std::cos(2 * angle), difference_j * std::sin(2 * angle));
  const double a = (sum_i + sum_j - difference) / 4, b = (sum_i + sum_j + difference) / 4;
  // Parallel cylinders leave rounding errors only.
  if (!(a > 1e-14 * b)) return std::nullopt;
  EllipticContact contact{.axis_ratio = axis_ratio_of(a / b), .curvature = a + b};
  find_integrals(contact);
  return contact;
}

EllipticContact elliptic_contact_of(double stiffness, double axis_ratio, double composite_modulus) {
  EllipticContact contact{.axis_ratio = axis_ratio, .curvature = 1};
  find_integrals(contact);
  contact.curvature = std::pow(contact.stiffness(composite_modulus) / stiffness, 2);
  return contact;
}

double EllipticContact::minor_half_axis(double penetration) const {
  return penetration > 0 ? std::sqrt(penetration * second_integral / (curvature * first_integral)) : 0;
}

double EllipticContact::major_half_axis(double penetration) const {
  return minor_half_axis(penetration) / axis_ratio;
}

// F = ⅔ π p₀ a b with p₀ = E* (A + B) b/E and δ = (A + B) b² K/E.
double EllipticContact::stiffness(double composite_modulus) const {
  return 2 * M_PI * composite_modulus / (3 * axis_ratio * first_integral) *
         std::sqrt(second_integral / (curvature * first_integral));
}

}  // namespace carom::inline contact_laws
