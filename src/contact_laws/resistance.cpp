#include "contact_laws/resistance.h"

#include <cmath>

namespace carom {

ResistanceTorque Resistance::evaluate(double spin, double normal_force) const {
  const double share = std::tanh(spin / spin_scale_);
  return {-length_ * normal_force * share, -length_ * normal_force * (1 - share * share) / spin_scale_,
          -length_ * share};
}

std::vector<ParameterDescription> resistance_parameters() {
  return {{.name = "rolling_resistance",
           .unit = "m",
           .meaning = "lever of the torque against rolling",
           .default_text = "0",
           .minimum = 0},
          {.name = "spinning_resistance",
           .unit = "m",
           .meaning = "lever of the torque against spinning about the normal",
           .default_text = "0",
           .minimum = 0},
          {.name = "spin_scale",
           .unit = "rad/s",
           .meaning = "ω_s, angular velocity at which 76 % of the torque is reached",
           .default_text = "0.01 rad/s",
           .minimum = 0,
           .minimum_allowed = false}};
}

Resistance rolling_resistance(const Settings& settings) {
  return {settings.number("rolling_resistance"), settings.number("spin_scale", 0.01)};
}

Resistance spinning_resistance(const Settings& settings) {
  return {settings.number("spinning_resistance"), settings.number("spin_scale", 0.01)};
}

}  // namespace carom
