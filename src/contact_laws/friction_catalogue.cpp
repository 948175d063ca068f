#include "contact_laws/friction_law.h"

namespace carom::inline contact_laws {

// One function per law; the ending keeps them apart from namesakes in other rooms.
FrictionLawDescription describe_bengisu_akay_friction();
FrictionLawDescription describe_coulomb_friction();
FrictionLawDescription describe_elasto_plastic_friction();
FrictionLawDescription describe_no_friction();
FrictionLawDescription describe_lugre_friction();
FrictionLawDescription describe_ramp_friction();
FrictionLawDescription describe_stribeck_friction();
FrictionLawDescription describe_tanh_friction();
FrictionLawDescription describe_threlfall_friction();

namespace {

Catalogue<FrictionLawDescription>& friction_catalogue() {
  static Catalogue<FrictionLawDescription> all({
      describe_bengisu_akay_friction(),
      describe_coulomb_friction(),
      describe_elasto_plastic_friction(),
      describe_lugre_friction(),
      describe_no_friction(),
      describe_ramp_friction(),
      describe_stribeck_friction(),
      describe_tanh_friction(),
      describe_threlfall_friction(),
  });
  return all;
}

}  // namespace

const Catalogue<FrictionLawDescription>& friction_law_catalogue() {
  return friction_catalogue();
}

bool add_friction_law(FrictionLawDescription description) {
  return friction_catalogue().add(std::move(description));
}

const FrictionLawDescription* find_friction_law(const std::string& name) {
  return friction_catalogue().find(name);
}

ParameterDescription coefficient_parameter() {
  return {.name = "coefficient", .meaning = "friction coefficient", .required = true, .minimum = 0};
}

ParameterDescription static_coefficient_parameter() {
  return {.name = "static_coefficient",
          .meaning = "coefficient that must be overcome from standstill",
          .default_text = "coefficient",
          .minimum = 0};
}

ParameterDescription viscous_parameter() {
  return {.name = "viscous",
          .unit = "s/m",
          .meaning = "c, viscous friction per newton of normal force",
          .default_text = "0",
          .minimum = 0};
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

}  // namespace carom::inline contact_laws
