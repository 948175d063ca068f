#include "contact_laws/viscous_law.h"

namespace carom::inline contact_laws {
namespace {

// F = f_e(δ) (1 + 3/2 α δ̇): hysteresis damping with a constant χ = 3/2 α K and no memory of v₀, so h = 3/2 α v₀ and
// e ≈ 1 − α v₀. The choice for contacts that last.
class MarhefkaOrin final : public ViscousLaw {
 public:
  explicit MarhefkaOrin(const NormalLawContext& context)
      : ViscousLaw(context.elastic, ContactEnd::clamped), share_(1.5 * context.settings.number("damping")) {}

  double release_penetration(const NormalContact&) const override { return 0; }
  bool is_memoryless() const override { return true; }
  double clamp_margin(const NormalContact& contact) const override { return 1 + share_ * contact.rate; }

 private:
  Damping damping(const NormalContact& contact) const override {
    const ElasticForce force = elastic().evaluate(contact.penetration);
    return {share_ * force.force, share_ * force.slope};
  }
  double share_;  // 3/2 α, s/m
};

}  // namespace

NormalLawDescription describe_marhefka_orin_law() {
  NormalLawDescription description{
      {.name = "marhefka-orin",
       .summary =
           "Hysteresis damping that forgets the impact; restitution 1 − α v₀ at low speed. For lasting contacts.",
       .reference = "Marhefka, Orin, IEEE Trans. Syst. Man Cybern. A 29 (1999) 566–572",
       .parameters = {{.name = "damping",
                       .unit = "s/m",
                       .meaning = "α, loss of restitution with speed",
                       .required = true,
                       .minimum = 0}}}};
  description.formula = "F = f_e (1 + 3/2 α δ̇)";
  description.uses_restitution = false;
  description.make = [](const NormalLawContext& context) -> std::unique_ptr<NormalLaw> {
    return std::make_unique<MarhefkaOrin>(context);
  };
  return description;
}

}  // namespace carom::inline contact_laws
