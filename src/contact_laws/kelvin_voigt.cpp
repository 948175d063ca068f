#include "contact_laws/viscous_law.h"

namespace carom::inline contact_laws {
namespace {

// F = k δ + D δ̇ with D = 2ζ √(k m), or D as given. With the adhesive end the restitution asked for comes out.
class KelvinVoigt final : public ViscousLaw {
 public:
  explicit KelvinVoigt(const NormalLawContext& context) : ViscousLaw(context.elastic, contact_end(context.settings)) {
    assert(context.effective_mass > 0 || context.settings.has("damping"));
    const double derived =
        2 * damping_ratio(context.restitution) * std::sqrt(context.elastic.stiffness() * context.effective_mass);
    damping_ = context.settings.number("damping", derived);
  }

 private:
  Damping damping(const NormalContact&) const override { return {damping_, 0}; }
  double damping_ = 0;  // D, N s/m
};

}  // namespace

NormalLawDescription describe_kelvin_voigt_law() {
  NormalLawDescription description{
      {.name = "kelvin-voigt",
       .summary = "Linear spring and damper; the force jumps at touch and would pull before release.",
       .reference = "Anagnostopoulos, Earthq. Eng. Struct. Dyn. 16 (1988) 443–456",
       .parameters = {{.name = "damping",
                       .unit = "N s/m",
                       .meaning = "D",
                       .default_text = "from the restitution and the masses of the two bodies",
                       .minimum = 0},
                      end_parameter()}}};
  description.formula = "F = K δ + D δ̇, D = 2ζ √(K m), ζ = −ln e/√(π² + ln² e)";
  description.elastic = "linear";
  description.needs_mass = true;
  description.least_allowed = false;
  description.usable_from = 0.8;
  description.restitution_out = clamped_restitution;
  description.make = [](const NormalLawContext& context) -> std::unique_ptr<NormalLaw> {
    return std::make_unique<KelvinVoigt>(context);
  };
  return description;
}

}  // namespace carom::inline contact_laws
