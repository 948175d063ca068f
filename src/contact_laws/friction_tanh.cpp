#include <cmath>

#include "contact_laws/friction_law.h"

namespace carom::inline contact_laws {
namespace {

class Tanh final : public FrictionLaw {
 public:
  explicit Tanh(const Settings& settings)
      : coefficient_(settings.number("coefficient")), scale_(settings.number("slip_scale", 1e-3)) {}

  Friction evaluate(double slip_speed, double) const override {
    const double share = std::tanh(slip_speed / scale_);
    return {coefficient_ * share, coefficient_ / scale_ * (1 - share * share)};
  }

 private:
  double coefficient_, scale_;  // μ; v_s, m/s
};

}  // namespace

FrictionLawDescription describe_tanh_friction() {
  FrictionLawDescription description{
      {.name = "tanh",
       .summary = "Smooth Coulomb law, well suited to implicit integrators; what should stick creeps.",
       .reference = "Andersson, Söderberg, Björklund, Tribol. Int. 40 (2007) 580–587",
       .parameters = {coefficient_parameter(),
                      speed_parameter("slip_scale", "v_s, 76 % of the friction is reached there", "1e-3 m/s")}}};
  description.formula = "μ tanh(v/v_s)";
  description.make = make_friction<Tanh>;
  return description;
}

}  // namespace carom::inline contact_laws
