#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

// h = d/e with (1 + d/e)/(1 − d) = exp(d (1 + 1/e)): the exact equation in another variable.
double gonthier_factor(double e) {
  return exact_hysteresis(e);
}

}  // namespace

NormalLawDescription describe_gonthier_law() {
  NormalLawDescription description{
      {.name = "gonthier",
       .summary = "Exact integration of the impact, solved numerically; the same as `exact`.",
       .reference = "Gonthier, McPhee, Lange, Piedbœuf, Multibody Syst. Dyn. 11 (2004) 209–233"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = d/e, (1 + d/e)/(1 − d) = exp(d (1 + 1/e))";
  description.least_allowed = false;
  return hysteresis_member<gonthier_factor>(description);
}

}  // namespace carom::inline contact_laws
