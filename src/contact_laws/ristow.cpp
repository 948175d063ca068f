#include "contact_laws/viscous_law.h"

namespace carom::inline contact_laws {
namespace {

// F = f_e(δ) + D δ̇ with D as given: restitution grows with speed. Without D, it follows the speed of each episode,
// D = 2ζ m v₀/δ_H: the damping of the linear spring that holds the same energy at the same depth.
class Ristow final : public ViscousLaw {
 public:
  explicit Ristow(const NormalLawContext& context)
      : ViscousLaw(context.elastic, contact_end(context.settings)), is_constant_(context.settings.has("damping")) {
    assert(context.effective_mass > 0 || is_constant_);
    if (is_constant_)
      damping_ = context.settings.number("damping");
    else
      // δ_H = δ_H(1 m/s) v₀^(2/(n+1)).
      damping_ = 2 * damping_ratio(context.restitution) * context.effective_mass /
                 elastic_penetration(context.elastic, context.effective_mass, 1);
    speed_exponent_ = (context.elastic.exponent() - 1) / (context.elastic.exponent() + 1);
  }

 private:
  Damping damping(const NormalContact& contact) const override {
    return {is_constant_ ? damping_ : damping_ * std::pow(contact.impact_speed, speed_exponent_), 0};
  }
  bool is_constant_;
  double damping_ = 0, speed_exponent_ = 0;  // D, N s/m, for v₀ = 1 m/s unless constant
};

}  // namespace

NormalLawDescription describe_ristow_law() {
  NormalLawDescription description{
      {.name = "ristow",
       .summary = "Elastic force and a constant damper; the force jumps at touch and would pull before release.",
       .reference = "Ristow, J. Phys. I France 2 (1992) 649–662",
       .parameters = {{.name = "damping",
                       .unit = "N s/m",
                       .meaning = "D",
                       .default_text = "from the restitution, the masses and the speed of the impact, approximately",
                       .minimum = 0},
                      end_parameter()}}};
  description.formula = "F = K δ^(3/2) + D δ̇, or D = 2ζ m v₀/δ_H, ζ = −ln e/√(π² + ln² e)";
  description.needs_mass = true;
  description.least_allowed = false;
  description.usable_from = 0.8;
  description.make = [](const NormalLawContext& context) -> std::unique_ptr<NormalLaw> {
    return std::make_unique<Ristow>(context);
  };
  return description;
}

}  // namespace carom::inline contact_laws
