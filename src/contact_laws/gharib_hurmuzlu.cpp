#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

// Not elastic at e = 1, where it returns 0.594.
double gharib_hurmuzlu_factor(double e) {
  return 1 / e;
}

}  // namespace

NormalLawDescription describe_gharib_hurmuzlu_law() {
  NormalLawDescription description{{.name = "gharib-hurmuzlu",
                                    .summary = "Hysteresis damping law for low restitution only.",
                                    .reference = "Gharib, Hurmuzlu, J. Appl. Mech. 79 (2012) 064506"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = 1/e";
  description.least_allowed = false;
  description.usable_to = 0.25;
  return hysteresis_member<gharib_hurmuzlu_factor>(description);
}

}  // namespace carom::inline contact_laws
