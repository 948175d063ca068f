#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

// d ≈ 1 − e²: h/(1 − e) tends to 2 at e = 1 instead of 3/2.
double gonthier_approximate_factor(double e) {
  return (1 - e * e) / e;
}

}  // namespace

NormalLawDescription describe_gonthier_approximate_law() {
  NormalLawDescription description{
      {.name = "gonthier-approximate",
       .summary = "Explicit approximation d ≈ 1 − e² of `gonthier`; restitution within 0.032.",
       .reference = "Gonthier, McPhee, Lange, Piedbœuf, Multibody Syst. Dyn. 11 (2004) 209–233"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = (1 − e²)/e";
  description.least_allowed = false;
  return hysteresis_member<gonthier_approximate_factor>(description);
}

}  // namespace carom::inline contact_laws
