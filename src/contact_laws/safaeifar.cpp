#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

double safaeifar_factor(double e) {
  return 5 * (1 - e) / (4 * e);
}

}  // namespace

NormalLawDescription describe_safaeifar_law() {
  NormalLawDescription description{
      {.name = "safaeifar",
       .summary = "Hysteresis damping law for soft and hard contacts, over the whole range; restitution within 0.04.",
       .reference = "Safaeifar, Farshidianfar, Multibody Syst. Dyn. 50 (2020) 233–257"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = 5(1 − e)/(4e)";
  description.least_allowed = false;
  return hysteresis_member<safaeifar_factor>(description);
}

}  // namespace carom::inline contact_laws
