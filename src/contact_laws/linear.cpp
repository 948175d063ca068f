#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

// No loss at all.
double linear_factor(double) {
  return 0;
}

}  // namespace

NormalLawDescription describe_linear_law() {
  NormalLawDescription description{{.name = "linear",
                                    .summary = "Linear spring without loss.",
                                    .reference = "Dubowsky, Freudenstein, J. Eng. Ind. 93 (1971) 305–309"}};
  description.formula = "F = f_e(δ), by default K δ";
  description.elastic = "linear";
  description.uses_restitution = false;
  description.usable_from = 1;
  return hysteresis_member<linear_factor>(description);
}

}  // namespace carom::inline contact_laws
