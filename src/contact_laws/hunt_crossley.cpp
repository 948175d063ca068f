#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

// The energy lost along Hertz' phase curve with 1 − e² ≈ 2(1 − e).
double hunt_crossley_factor(double e) {
  return 1.5 * (1 - e);
}

}  // namespace

NormalLawDescription describe_hunt_crossley_law() {
  NormalLawDescription description{{.name = "hunt-crossley",
                                    .summary = "First hysteresis damping law; for nearly elastic impacts.",
                                    .reference = "Hunt, Crossley, J. Appl. Mech. 42 (1975) 440–445"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = 3/2 (1 − e)";
  description.usable_from = 0.9;
  return hysteresis_member<hunt_crossley_factor>(description);
}

}  // namespace carom::inline contact_laws
