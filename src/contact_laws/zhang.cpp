#include <cmath>

#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

double zhang_factor(double e) {
  return 3 * (1 - e) / (2 * e * (0.6181 * std::exp(-3.52 * e) + 0.899 * std::exp(0.09025 * e)));
}

}  // namespace

NormalLawDescription describe_zhang_law() {
  NormalLawDescription description{
      {.name = "zhang",
       .summary = "Fit of the exact factor; restitution within 0.0011 over the whole range.",
       .reference = "Zhang et al., Mech. Mach. Theory 153 (2020) 103946"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = 3(1 − e)/(2e (0.6181 exp(−3.52e) + 0.899 exp(0.09025e)))";
  description.least_allowed = false;
  return hysteresis_member<zhang_factor>(description);
}

}  // namespace carom::inline contact_laws
