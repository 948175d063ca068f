#include "contact_laws/friction_law.h"

namespace carom::inline contact_laws {
namespace {

class Ramp final : public FrictionLaw {
 public:
  explicit Ramp(const Settings& settings)
      : coefficient_(settings.number("coefficient")), full_(settings.number("slip_full", 1e-3)) {}

  Friction evaluate(double slip_speed, double) const override {
    if (slip_speed >= full_) return {coefficient_, 0};
    return {coefficient_ * slip_speed / full_, coefficient_ / full_};
  }

  std::vector<double> breakpoints() const override { return {full_}; }

 private:
  double coefficient_, full_;  // μ; v₁, m/s
};

}  // namespace

FrictionLawDescription describe_ramp_friction() {
  FrictionLawDescription description{
      {.name = "ramp",
       .summary = "Coulomb's law with a straight rise from zero; what should stick creeps.",
       .reference = "Rooney, Deravi, Mech. Mach. Theory 17 (1982) 207–211",
       .parameters = {coefficient_parameter(),
                      speed_parameter("slip_full", "v₁, above it full friction", "1e-3 m/s")}}};
  description.formula = "μ min(1, v/v₁)";
  description.make = make_friction<Ramp>;
  return description;
}

}  // namespace carom::inline contact_laws
