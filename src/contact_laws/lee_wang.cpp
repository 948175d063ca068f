#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

// Half of the consistent factor near e = 1: returns about (1 + e)/2.
double lee_wang_factor(double e) {
  return 0.75 * (1 - e);
}

}  // namespace

NormalLawDescription describe_lee_wang_law() {
  NormalLawDescription description{{.name = "lee-wang",
                                    .summary = "Hysteresis damping law that returns about (1 + e)/2, also near e = 1.",
                                    .reference = "Lee, Wang, J. Mech. Transm. Autom. Des. 105 (1983) 534–540"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = 3/4 (1 − e)";
  description.usable_from = 1;
  return hysteresis_member<lee_wang_factor>(description);
}

}  // namespace carom::inline contact_laws
