#include "contact_laws/plastic_law.h"

namespace carom::inline contact_laws {

NormalLawDescription describe_goldsmith_law() {
  NormalLawDescription description{
      {.name = "goldsmith",
       .summary = "Elastic loading, unloading to a permanent indentation; the restitution asked for comes out.",
       .reference = "Goldsmith, Impact, Arnold 1960; Lankarani, Nikravesh, Nonlinear Dyn. 5 (1994) 193–207"}};
  description.formula = "loading f_e(δ), unloading F_m ((δ − δ_p)/(δ_m − δ_p))ⁿ, δ_p = (1 − e²) δ_m";
  description.least_allowed = false;
  description.restitution_out = [](double restitution) { return restitution; };
  description.make = make_plastic;
  return description;
}

}  // namespace carom::inline contact_laws
