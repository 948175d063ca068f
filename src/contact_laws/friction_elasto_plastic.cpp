#include "contact_laws/bristle_law.h"

namespace carom::inline contact_laws {

FrictionLawDescription describe_elasto_plastic_friction() {
  auto parameters = bristle_parameters();
  parameters.push_back({.name = "elastic_share",
                        .meaning = "z_ba/z_ss, share of the breakaway deflection up to which the bristle is elastic",
                        .default_text = "0.7",
                        .minimum = 0,
                        .maximum = 1,
                        .maximum_allowed = false});
  FrictionLawDescription description{
      {.name = "elasto-plastic",
       .summary = "Bristle with true stiction: elastic and free of drift below breakaway.",
       .reference = "Dupont, Hayward, Armstrong, Altpeter, IEEE Trans. Autom. Control 47 (2002) 787–792",
       .parameters = parameters}};
  description.formula = "σ₀ z + σ₁ ż + c v, ż = v (1 − α(z) sgn(v) z/z_ss), α = 0 up to z_ba and in unloading";
  description.make = [](const Settings& settings) -> std::unique_ptr<FrictionLaw> {
    return std::make_unique<BristleLaw>(settings, true);
  };
  return description;
}

}  // namespace carom::inline contact_laws
