#include <algorithm>

#include "contact_laws/friction_law.h"

namespace carom {

// One function per file of this room.
FrictionLawDescription describe_coulomb();
FrictionLawDescription describe_frictionless();
FrictionLawDescription describe_ramp();
FrictionLawDescription describe_tanh();
FrictionLawDescription describe_threlfall();

const std::vector<FrictionLawDescription>& friction_law_catalogue() {
  static const std::vector<FrictionLawDescription> catalogue = {
      describe_coulomb(), describe_frictionless(), describe_ramp(), describe_tanh(), describe_threlfall(),
  };
  return catalogue;
}

const FrictionLawDescription* find_friction_law(const std::string& name) {
  const auto& catalogue = friction_law_catalogue();
  const auto found =
      std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& entry) { return entry.name == name; });
  return found == catalogue.end() ? nullptr : &*found;
}

ParameterDescription coefficient_parameter() {
  return {.name = "coefficient", .meaning = "friction coefficient", .required = true, .minimum = 0};
}

ParameterDescription speed_parameter(const std::string& name, const std::string& meaning,
                                     const std::string& default_text) {
  return {.name = name,
          .unit = "m/s",
          .meaning = meaning,
          .default_text = default_text,
          .minimum = 0,
          .minimum_allowed = false};
}

}  // namespace carom
