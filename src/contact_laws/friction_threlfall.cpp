#include <cmath>

#include "contact_laws/friction_law.h"

namespace carom::inline contact_laws {
namespace {

// As published, μ(1 − exp(−3v/v_r)) reaches 95 % at v_r and then jumps to μ. Renormalised, the default here, the rise
// is divided by 1 − exp(−3): continuous, with a breakpoint at v_r.
class Threlfall final : public FrictionLaw {
 public:
  explicit Threlfall(const Settings& settings)
      : coefficient_(settings.number("coefficient")), full_(settings.number("slip_full", 1e-3)) {
    rise_ = settings.boolean("renormalised", true) ? coefficient_ / -std::expm1(-3.0) : coefficient_;
  }

  Friction evaluate(double slip_speed, double) const override {
    if (slip_speed > full_) return {coefficient_, 0};
    const double decay = std::expm1(-3 * slip_speed / full_);
    return {-rise_ * decay, 3 * rise_ / full_ * (1 + decay)};
  }

  std::vector<double> breakpoints() const override { return {full_}; }

 private:
  double coefficient_, full_, rise_ = 0;  // μ; v_r, m/s
};

}  // namespace

FrictionLawDescription describe_threlfall_friction() {
  FrictionLawDescription description{
      {.name = "threlfall",
       .summary = "Coulomb's law with an exponential rise; what should stick creeps.",
       .reference = "Threlfall, Mech. Mach. Theory 13 (1978) 475–483",
       .parameters = {coefficient_parameter(),
                      speed_parameter("slip_full", "v_r, end of the rise", "1e-3 m/s"),
                      {.name = "renormalised",
                       .kind = ParameterKind::boolean,
                       .meaning = "divide the rise by 1 − exp(−3), without which the law jumps by 5 % at v_r",
                       .default_text = "true"}}}};
  description.formula = "μ (1 − exp(−3v/v_r))/(1 − exp(−3)) up to v_r, then μ";
  description.make = make_friction<Threlfall>;
  return description;
}

}  // namespace carom::inline contact_laws
