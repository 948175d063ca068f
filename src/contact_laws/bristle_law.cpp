#include "contact_laws/bristle_law.h"

#include <cmath>

namespace carom::inline contact_laws {

BristleLaw::BristleLaw(const Settings& settings, bool is_elasto_plastic)
    : kinetic_(settings.number("coefficient")),
      static_(settings.number("static_coefficient", kinetic_)),
      stiffness_(settings.number("bristle_stiffness", 1e5)),
      // Half of critical damping for a body pressed by its own weight.
      damping_(settings.number("bristle_damping", std::sqrt(stiffness_ / 9.81))),
      viscous_(settings.number("viscous", 0)),
      stribeck_(settings.number("stribeck_speed", 1e-2)) {
  elastic_share_ = is_elasto_plastic ? settings.number("elastic_share", 0.7) : -1;
}

double BristleLaw::level(double velocity) const {
  const double ratio = velocity / stribeck_;
  return kinetic_ + (static_ - kinetic_) * std::exp(-ratio * ratio);
}

Friction BristleLaw::evaluate(double slip_speed, double) const {
  const double g = level(slip_speed);
  return {g + viscous_ * slip_speed, -2 * slip_speed / (stribeck_ * stribeck_) * (g - kinetic_) + viscous_};
}

double BristleLaw::plastic_share(double deflection, double steady) const {
  if (elastic_share_ < 0) return 1;
  const double share = std::abs(deflection) / steady;
  if (share <= elastic_share_) return 0;
  if (share >= 1) return 1;
  return 0.5 + 0.5 * std::sin(M_PI * (share - (1 + elastic_share_) / 2) / (1 - elastic_share_));
}

BristleForce BristleLaw::bristle(double deflection, double velocity, double) const {
  const double steady = level(velocity) / stiffness_;
  if (steady <= 0) return {viscous_ * velocity, 0};
  const bool is_unloading = deflection * velocity < 0;
  const double share = is_unloading && elastic_share_ >= 0 ? 0 : plastic_share(deflection, steady);
  const double rate = velocity - share * std::abs(velocity) * deflection / steady;
  const double damped = rate * velocity > 0 ? damping_ * rate : 0;
  return {stiffness_ * deflection + damped + viscous_ * velocity, rate};
}

std::vector<ParameterDescription> bristle_parameters() {
  return {coefficient_parameter(),
          static_coefficient_parameter(),
          {.name = "bristle_stiffness",
           .unit = "1/m",
           .meaning = "σ₀, per newton of normal force; the bristle bends by coefficient/σ₀ before it slips",
           .default_text = "1e5 1/m",
           .minimum = 0,
           .minimum_allowed = false},
          {.name = "bristle_damping",
           .unit = "s/m",
           .meaning = "σ₁, per newton of normal force",
           .default_text = "half of critical damping under the own weight",
           .minimum = 0},
          speed_parameter("stribeck_speed", "v_St, of the fall to the kinetic coefficient", "1e-2 m/s"),
          viscous_parameter()};
}

}  // namespace carom::inline contact_laws
