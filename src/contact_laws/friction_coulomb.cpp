#include "contact_laws/friction_law.h"

namespace carom::inline contact_laws {
namespace {

// μ c_d: nothing up to v₀, a straight rise to v₁, then Coulomb's value. No force in the dead band: nothing sticks.
class Coulomb final : public FrictionLaw {
 public:
  explicit Coulomb(const Settings& settings)
      : coefficient_(settings.number("coefficient")),
        begin_(settings.number("slip_begin", 1e-4)),
        full_(settings.number("slip_full", 1e-3)) {}

  Friction evaluate(double slip_speed, double) const override {
    if (slip_speed <= begin_) return {};
    if (slip_speed >= full_) return {coefficient_, 0};
    const double slope = coefficient_ / (full_ - begin_);
    return {slope * (slip_speed - begin_), slope};
  }

  std::vector<double> breakpoints() const override { return {begin_, full_}; }

 private:
  double coefficient_, begin_, full_;  // μ; v₀, v₁, m/s
};

}  // namespace

FrictionLawDescription describe_coulomb_friction() {
  ParameterDescription begin = speed_parameter("slip_begin", "v₀, below it no friction", "1e-4 m/s");
  begin.minimum_allowed = true;
  FrictionLawDescription description{
      {.name = "coulomb",
       .summary = "Coulomb's law with a dynamic correction factor; below slip_begin nothing holds.",
       .reference = "Flores, Ambrósio, Claro, Lankarani, Proc. IMechE K 220 (2006) 21–34",
       .parameters = {coefficient_parameter(), begin,
                      speed_parameter("slip_full", "v₁ > v₀, above it full friction", "1e-3 m/s")}}};
  description.formula = "μ min(1, max(0, (v − v₀)/(v₁ − v₀)))";
  description.make = make_friction<Coulomb>;
  return description;
}

}  // namespace carom::inline contact_laws
