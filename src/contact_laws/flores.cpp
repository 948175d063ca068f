#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

// Elliptic phase curve with ∫ x^(3/2) √(1 − x²) ≈ 1/4, which makes it 1.6 instead of 1.5 near e = 1.
double flores_factor(double e) {
  return 8 * (1 - e) / (5 * e);
}

}  // namespace

NormalLawDescription describe_flores_law() {
  NormalLawDescription description{
      {.name = "flores",
       .summary = "Hysteresis damping law for soft materials, over the whole range; restitution within 0.045.",
       .reference = "Flores, Machado, Silva, Martins, Multibody Syst. Dyn. 25 (2011) 357–375"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = 8(1 − e)/(5e)";
  description.least_allowed = false;
  return hysteresis_member<flores_factor>(description);
}

}  // namespace carom::inline contact_laws
