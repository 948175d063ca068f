#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

// No loss at all.
double hertz_factor(double) {
  return 0;
}

}  // namespace

NormalLawDescription describe_hertz_law() {
  NormalLawDescription description{{.name = "hertz",
                                    .summary = "Elastic contact without loss.",
                                    .reference = "Hertz, J. reine angew. Math. 92 (1882) 156–171"}};
  description.formula = "F = f_e(δ), by default K δ^(3/2)";
  description.uses_restitution = false;
  description.usable_from = 1;
  return hysteresis_member<hertz_factor>(description);
}

}  // namespace carom::inline contact_laws
