#include "contact_laws/plastic_law.h"

namespace carom::inline contact_laws {

NormalLawDescription describe_walton_braun_law() {
  NormalLawDescription description{
      {.name = "walton-braun",
       .summary = "Linear loading, steeper linear unloading; the restitution asked for comes out.",
       .reference = "Walton, Braun, J. Rheol. 30 (1986) 949–980"}};
  description.formula = "loading K δ, unloading K (δ − δ_p)/e², δ_p = (1 − e²) δ_m";
  description.elastic = "linear";
  description.least_allowed = false;
  description.restitution_out = [](double restitution) { return restitution; };
  description.make = make_plastic;
  return description;
}

}  // namespace carom::inline contact_laws
