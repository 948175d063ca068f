#include "contact_laws/stiffness.h"

#include <cmath>

namespace carom::inline contact_laws {
namespace {

double compliance(double young, double poisson) {
  return young == 0 || std::isinf(young) ? 0 : (1 - poisson * poisson) / young;
}

}  // namespace

double composite_modulus(double young_i, double poisson_i, double young_j, double poisson_j) {
  return 1 / (compliance(young_i, poisson_i) + compliance(young_j, poisson_j));
}

double effective_radius(double radius_i, double radius_j) {
  return 1 / (1 / radius_i + 1 / radius_j);
}

bool is_conforming(double radius_i, double radius_j) {
  return !(1 / radius_i + 1 / radius_j > 0);
}

double hertz_stiffness(double composite_modulus, double effective_radius) {
  return 4.0 / 3 * composite_modulus * std::sqrt(effective_radius);
}

}  // namespace carom::inline contact_laws
