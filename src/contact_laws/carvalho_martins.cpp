#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

double carvalho_martins_factor(double e) {
  return 1.5 * (1 - e) * (11 - e) / (1 + 9 * e);
}

}  // namespace

NormalLawDescription describe_carvalho_martins_law() {
  NormalLawDescription description{{.name = "carvalho-martins",
                                    .summary = "Rational fit of the exact factor; restitution within 0.004 above 0.3.",
                                    .reference = "Carvalho, Martins, Mech. Mach. Theory 139 (2019) 174–194"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = 3/2 (1 − e)(11 − e)/(1 + 9e)";
  description.usable_from = 0.3;
  return hysteresis_member<carvalho_martins_factor>(description);
}

}  // namespace carom::inline contact_laws
