#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

// The energy lost along Hertz' phase curve in both phases.
double lankarani_nikravesh_factor(double e) {
  return 0.75 * (1 - e * e);
}

}  // namespace

NormalLawDescription describe_lankarani_nikravesh_law() {
  NormalLawDescription description{{.name = "lankarani-nikravesh",
                                    .summary = "The most used hysteresis damping law; for nearly elastic impacts.",
                                    .reference = "Lankarani, Nikravesh, J. Mech. Des. 112 (1990) 369–376"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = 3/4 (1 − e²)";
  description.usable_from = 0.9;
  return hysteresis_member<lankarani_nikravesh_factor>(description);
}

}  // namespace carom::inline contact_laws
