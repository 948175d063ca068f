#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

double herbert_mcwhannell_factor(double e) {
  return 6 * (1 - e) / ((2 * e - 1) * (2 * e - 1) + 3);
}

}  // namespace

NormalLawDescription describe_herbert_mcwhannell_law() {
  NormalLawDescription description{{.name = "herbert-mcwhannell",
                                    .summary = "Hysteresis damping law of an impact pair.",
                                    .reference = "Herbert, McWhannell, J. Eng. Ind. 99 (1977) 513–518"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = 6(1 − e)/((2e − 1)² + 3)";
  description.usable_from = 0.8;
  return hysteresis_member<herbert_mcwhannell_factor>(description);
}

}  // namespace carom::inline contact_laws
