#include <cmath>

#include "contact_laws/friction_law.h"

namespace carom::inline contact_laws {
namespace {

// [μ_k + (μ_s − μ_k) exp(−(v/v_St)²)] tanh(v/v_s) + c v. The viscous part is taken per newton of normal force, so that
// it vanishes with the contact.
class Stribeck final : public FrictionLaw {
 public:
  explicit Stribeck(const Settings& settings)
      : kinetic_(settings.number("coefficient")),
        static_(settings.number("static_coefficient", kinetic_)),
        scale_(settings.number("slip_scale", 1e-3)),
        stribeck_(settings.number("stribeck_speed", 1e-2)),
        viscous_(settings.number("viscous", 0)) {}

  Friction evaluate(double slip_speed, double) const override {
    const double ratio = slip_speed / stribeck_, fall = (static_ - kinetic_) * std::exp(-ratio * ratio);
    const double share = std::tanh(slip_speed / scale_), level = kinetic_ + fall;
    return {level * share + viscous_ * slip_speed,
            level * (1 - share * share) / scale_ - 2 * ratio / stribeck_ * fall * share + viscous_};
  }

 private:
  double kinetic_, static_, scale_, stribeck_, viscous_;  // μ_k, μ_s; v_s, v_St, m/s; c, s/m
};

}  // namespace

FrictionLawDescription describe_stribeck_friction() {
  FrictionLawDescription description{
      {.name = "stribeck",
       .summary = "Smooth law with a static peak, the Stribeck fall and a viscous part; what should stick creeps.",
       .reference = "Stribeck, Z. VDI 46 (1902); Armstrong-Hélouvry, Dupont, Canudas de Wit, Automatica 30 (1994) "
                    "1083–1138",
       .parameters = {coefficient_parameter(), static_coefficient_parameter(),
                      speed_parameter("slip_scale", "v_s, of the rise from zero", "1e-3 m/s"),
                      speed_parameter("stribeck_speed", "v_St, of the fall to the kinetic coefficient", "1e-2 m/s"),
                      viscous_parameter()}}};
  description.formula = "(μ_k + (μ_s − μ_k) exp(−(v/v_St)²)) tanh(v/v_s) + c v";
  description.make = make_friction<Stribeck>;
  return description;
}

}  // namespace carom::inline contact_laws
