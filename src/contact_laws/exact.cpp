#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

double exact_factor(double e) {
  return exact_hysteresis(e);
}

}  // namespace

NormalLawDescription describe_exact_law() {
  NormalLawDescription description{
      {.name = "exact",
       .summary = "The factor that returns the restitution asked for, solved to full accuracy.",
       .reference = "Carvalho, Martins, Mech. Mach. Theory 139 (2019) 174–194"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = root of ln((1 + h)/(1 − h e)) = h (1 + e)";
  description.least_allowed = false;
  return hysteresis_member<exact_factor>(description);
}

}  // namespace carom::inline contact_laws
