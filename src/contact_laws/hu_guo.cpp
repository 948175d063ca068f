#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

// The energy balance of Flores et al. on Hertz' phase curve.
double hu_guo_factor(double e) {
  return 3 * (1 - e) / (2 * e);
}

}  // namespace

NormalLawDescription describe_hu_guo_law() {
  NormalLawDescription description{{.name = "hu-guo",
                                    .summary = "Hysteresis damping law with the right limit at e = 1.",
                                    .reference = "Hu, Guo, Multibody Syst. Dyn. 35 (2015) 131–151"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = 3(1 − e)/(2e)";
  description.least_allowed = false;
  return hysteresis_member<hu_guo_factor>(description);
}

}  // namespace carom::inline contact_laws
