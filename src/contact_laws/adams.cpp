#include <algorithm>

#include "contact_laws/viscous_law.h"

namespace carom::inline contact_laws {
namespace {

// F = max(0, K δⁿ + c STEP(δ; 0, 0; d, 1) δ̇), the damping growing by the cubic x²(3 − 2x), x = δ/d, up to full depth.
// The contact lasts until δ = 0: near there the damping has vanished and the force pushes again.
class Adams final : public ViscousLaw {
 public:
  explicit Adams(const NormalLawContext& context)
      : ViscousLaw(context.elastic, ContactEnd::clamped),
        damping_(context.settings.number("damping")),
        depth_(context.settings.number("depth", 1e-4)) {}

  double release_penetration(const NormalContact&) const override { return 0; }
  bool is_memoryless() const override { return true; }

  double clamp_margin(const NormalContact& contact) const override {
    if (contact.penetration <= 0) return 1;
    return 1 + damping(contact).coefficient * contact.rate / elastic().force(contact.penetration);
  }

 private:
  Damping damping(const NormalContact& contact) const override {
    const double x = std::min(1.0, contact.penetration / depth_);
    return {damping_ * x * x * (3 - 2 * x), damping_ * 6 * x * (1 - x) / depth_};
  }
  double damping_, depth_;  // c, N s/m; d, m
};

}  // namespace

NormalLawDescription describe_adams_law() {
  NormalLawDescription description{
      {.name = "adams",
       .summary = "The IMPACT function of Adams: power law with damping that grows with the penetration.",
       .reference = "MSC Software, Adams/Solver: IMPACT function",
       .parameters = {
           {.name = "damping", .unit = "N s/m", .meaning = "c, damping at full depth", .required = true, .minimum = 0},
           {.name = "depth",
            .unit = "m",
            .meaning = "d, penetration from which the damping is full",
            .default_text = "0.1 mm",
            .minimum = 0,
            .minimum_allowed = false}}}};
  description.formula = "F = max(0, K δⁿ + c x²(3 − 2x) δ̇), x = min(1, δ/d)";
  description.elastic = "power";
  description.uses_restitution = false;
  description.make = [](const NormalLawContext& context) -> std::unique_ptr<NormalLaw> {
    return std::make_unique<Adams>(context);
  };
  return description;
}

}  // namespace carom::inline contact_laws
