#include "contact_laws/viscous_law.h"

namespace carom::inline contact_laws {
namespace {

// F = f_e(δ) + A f_e′(δ) δ̇, the quasi-static viscoelastic contact. Restitution falls with the fifth root of the speed:
// e = 1 − C x + 3/5 (C x)² …, x = A (K/m)^(2/5) v₀^(1/5), C = 1.730173 for n = 3/2 and the adhesive end.
class KuwabaraKono final : public ViscousLaw {
 public:
  explicit KuwabaraKono(const NormalLawContext& context)
      : ViscousLaw(context.elastic, contact_end(context.settings)),
        relaxation_(context.settings.number("relaxation_time")) {}

 private:
  Damping damping(const NormalContact& contact) const override {
    if (contact.penetration <= 0) return {elastic().exponent() == 1 ? relaxation_ * elastic().stiffness() : 0, 0};
    return {relaxation_ * elastic().evaluate(contact.penetration).slope,
            relaxation_ * elastic().curvature(contact.penetration)};
  }
  double relaxation_;  // A, s
};

}  // namespace

NormalLawDescription describe_kuwabara_kono_law() {
  NormalLawDescription description{
      {.name = "kuwabara-kono",
       .summary = "Viscoelastic spheres; restitution falls slowly with speed.",
       .reference = "Kuwabara, Kono, Jpn. J. Appl. Phys. 26 (1987) 1230–1233",
       .parameters = {
           {.name = "relaxation_time", .unit = "s", .meaning = "A, of the material", .required = true, .minimum = 0},
           end_parameter()}}};
  description.formula = "F = K (δ^(3/2) + 3/2 A √δ δ̇)";
  description.uses_restitution = false;
  description.make = [](const NormalLawContext& context) -> std::unique_ptr<NormalLaw> {
    return std::make_unique<KuwabaraKono>(context);
  };
  return description;
}

}  // namespace carom::inline contact_laws
