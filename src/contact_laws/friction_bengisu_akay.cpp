#include <cmath>

#include "contact_laws/friction_law.h"

namespace carom::inline contact_laws {
namespace {

// A parabola up to the static peak at v_s, an exponential fall to the kinetic value after it; breakpoint at v_s.
class BengisuAkay final : public FrictionLaw {
 public:
  explicit BengisuAkay(const Settings& settings)
      : kinetic_(settings.number("coefficient")),
        static_(settings.number("static_coefficient", kinetic_)),
        peak_(settings.number("slip_scale", 1e-3)),
        decay_(settings.number("decay", 100)) {}

  Friction evaluate(double slip_speed, double) const override {
    if (slip_speed < peak_) {
      const double x = 1 - slip_speed / peak_;
      return {static_ * (1 - x * x), 2 * static_ * x / peak_};
    }
    const double rest = (static_ - kinetic_) * std::exp(-decay_ * (slip_speed - peak_));
    return {kinetic_ + rest, -decay_ * rest};
  }

  std::vector<double> breakpoints() const override { return {peak_}; }

 private:
  double kinetic_, static_, peak_, decay_;  // μ_k, μ_s; v_s, m/s; ξ, s/m
};

}  // namespace

FrictionLawDescription describe_bengisu_akay_friction() {
  FrictionLawDescription description{
      {.name = "bengisu-akay",
       .summary = "Static peak at a small slip speed, then a fall to the kinetic coefficient.",
       .reference = "Bengisu, Akay, J. Sound Vib. 171 (1994) 557–570",
       .parameters = {
           coefficient_parameter(),
           static_coefficient_parameter(),
           speed_parameter("slip_scale", "v_s, slip speed of the peak", "1e-3 m/s"),
           {.name = "decay", .unit = "s/m", .meaning = "ξ, of the fall", .default_text = "100 s/m", .minimum = 0}}}};
  description.formula = "μ_s (1 − (1 − v/v_s)²) up to v_s, then μ_k + (μ_s − μ_k) exp(−ξ (v − v_s))";
  description.make = make_friction<BengisuAkay>;
  return description;
}

}  // namespace carom::inline contact_laws
