#include "contact_laws/viscous_law.h"

namespace carom::inline contact_laws {
namespace {

// F = K δⁿ + α √(m K) δ^((n−1)/2) δ̇: a change of variables makes it a linear oscillator, so the restitution depends on
// neither speed nor stiffness: α = 2ζ √((n + 1)/2), which is √5 ζ for n = 3/2. Written with f_e/δ in place of K δⁿ⁻¹.
// ∂F/∂δ is unbounded at δ = 0 for n > 1.
class Tsuji final : public ViscousLaw {
 public:
  explicit Tsuji(const NormalLawContext& context) : ViscousLaw(context.elastic, contact_end(context.settings)) {
    assert(context.effective_mass > 0);
    const double derived = 2 * damping_ratio(context.restitution) * std::sqrt((context.elastic.exponent() + 1) / 2);
    root_ = context.settings.number("damping", derived) * std::sqrt(context.effective_mass);
  }

 private:
  Damping damping(const NormalContact& contact) const override {
    const double penetration = contact.penetration;
    if (penetration <= 0) return {elastic().exponent() == 1 ? root_ * std::sqrt(elastic().stiffness()) : 0, 0};
    const ElasticForce force = elastic().evaluate(penetration);
    const double coefficient = root_ * std::sqrt(force.force / penetration);
    return {coefficient, coefficient / 2 * (force.slope / force.force - 1 / penetration)};
  }
  double root_ = 0;  // α √m
};

}  // namespace

NormalLawDescription describe_tsuji_law() {
  NormalLawDescription description{
      {.name = "tsuji",
       .summary = "Damping whose restitution depends on neither speed nor stiffness; would pull before release.",
       .reference = "Tsuji, Tanaka, Ishida, Powder Technol. 71 (1992) 239–250; Antypov, Elliott, EPL 94 (2011) 50004",
       .parameters = {{.name = "damping", .meaning = "α", .default_text = "from the restitution", .minimum = 0},
                      end_parameter()}}};
  description.formula = "F = K δ^(3/2) + α √(m K) δ^(1/4) δ̇, α = √5 ζ, ζ = −ln e/√(π² + ln² e)";
  description.needs_mass = true;
  description.least_allowed = false;
  description.usable_from = 0.8;
  description.restitution_out = clamped_restitution;
  description.make = [](const NormalLawContext& context) -> std::unique_ptr<NormalLaw> {
    return std::make_unique<Tsuji>(context);
  };
  return description;
}

}  // namespace carom::inline contact_laws
