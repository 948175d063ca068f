#include "contact_laws/bristle_law.h"

namespace carom::inline contact_laws {

FrictionLawDescription describe_lugre_friction() {
  FrictionLawDescription description{
      {.name = "lugre",
       .summary = "Bristle with stiction and the Stribeck fall; drifts slowly under a load that swings.",
       .reference = "Canudas de Wit, Olsson, Åström, Lischinsky, IEEE Trans. Autom. Control 40 (1995) 419–425",
       .parameters = bristle_parameters()}};
  description.formula = "σ₀ z + σ₁ ż + c v, ż = v − |v| z/z_ss, z_ss = (μ_k + (μ_s − μ_k) exp(−(v/v_St)²))/σ₀";
  description.make = [](const Settings& settings) -> std::unique_ptr<FrictionLaw> {
    return std::make_unique<BristleLaw>(settings, false);
  };
  return description;
}

}  // namespace carom::inline contact_laws
