#include "contact_laws/elastic_catalogue.h"

#include <algorithm>

#include "contact_laws/stiffness.h"

namespace carom::inline contact_laws {
namespace {

ParameterDescription stiffness_parameter(const std::string& unit, bool required) {
  return {.name = "stiffness",
          .unit = unit,
          .meaning = "K",
          .required = required,
          .default_text = required ? "" : "from the materials and the geometry",
          .minimum = 0,
          .minimum_allowed = false};
}

ParameterDescription length_parameter(bool required) {
  return {.name = "length",
          .unit = "m",
          .meaning = "L, length of the line of contact",
          .required = required,
          .minimum = 0,
          .minimum_allowed = false};
}

// Polymers, glass and measured curves; not Hertz' theory unless n = 3/2.
ElasticDescription describe_power() {
  ElasticDescription description{
      {.name = "power",
       .summary = "Empirical power law.",
       .reference = "Hertz, J. reine angew. Math. 92 (1882) 156–171, for n = 3/2",
       .parameters = {{.name = "stiffness",
                       .meaning = "K, a number in N/mⁿ",
                       .required = true,
                       .minimum = 0,
                       .minimum_allowed = false,
                       .unit_depends = true},
                      {.name = "exponent", .meaning = "n", .default_text = "1.5", .minimum = 1, .maximum = 10}}}};
  description.formula = "f_e = K δⁿ";
  description.make = [](const ElasticContext& context) {
    return ElasticLaw::power(context.settings.number("stiffness"), context.settings.number("exponent", 1.5));
  };
  return description;
}

ElasticDescription describe_hertz_shape() {
  ElasticDescription description{{.name = "hertz",
                                  .summary = "Point contact of smooth elastic bodies.",
                                  .reference = "Hertz, J. reine angew. Math. 92 (1882) 156–171",
                                  .parameters = {stiffness_parameter("N/m^1.5", false)}}};
  description.formula = "f_e = K δ^(3/2), K = 4/3 E* √R";
  description.needs_materials = description.needs_radii = true;
  description.make = [](const ElasticContext& context) {
    const double stiffness = context.settings.has("stiffness")
                                 ? context.settings.number("stiffness")
                                 : hertz_stiffness(context.composite_modulus, context.effective_radius);
    return ElasticLaw::power(stiffness, 1.5);
  };
  return description;
}

ElasticDescription describe_linear_shape() {
  ElasticDescription description{{.name = "linear",
                                  .summary = "Linear spring, line contact at low load.",
                                  .reference = "Dubowsky, Freudenstein, J. Eng. Ind. 93 (1971) 305–309",
                                  .parameters = {stiffness_parameter("N/m", true)}}};
  description.formula = "f_e = K δ";
  description.make = [](const ElasticContext& context) {
    return ElasticLaw::power(context.settings.number("stiffness"), 1);
  };
  return description;
}

// K grows with the length of the contact and does not depend on the radii.
ElasticDescription describe_brandlein() {
  ElasticDescription description{
      {.name = "brandlein",
       .summary = "Line contact of a roller.",
       .reference = "Brändlein, Eschmann, Hasbargen, Weigand, Ball and Roller Bearings, Wiley 1999",
       .parameters = {stiffness_parameter("N/m^1.08", true)}}};
  description.formula = "f_e = K δ^1.08";
  description.make = [](const ElasticContext& context) {
    return ElasticLaw::power(context.settings.number("stiffness"), 1.08);
  };
  return description;
}

ElasticDescription describe_liu() {
  ElasticDescription description{{.name = "liu",
                                  .summary = "Cylinder in a cylindrical hole with clearance.",
                                  .reference = "Liu, Zhang, Yang, Mech. Mach. Theory 42 (2007) 183–197",
                                  .parameters = {length_parameter(true)}}};
  description.formula = "f_e = ½π E* L δ √(δ/(2(c + δ)))";
  description.needs_materials = description.needs_clearance = true;
  description.stiffness_suffices = false;
  description.make = [](const ElasticContext& context) {
    return ElasticLaw::liu(context.composite_modulus, context.settings.number("length"), context.radial_clearance);
  };
  return description;
}

// Printed for equal materials as π E L/(4(1 − ν²)); with E* it holds for unequal ones too.
ElasticDescription describe_gear() {
  ElasticDescription description{{.name = "gear",
                                  .summary = "Line contact of spur gear teeth.",
                                  .reference = "Yang, Sun, J. Mech. Transm. Autom. Des. 107 (1985) 529–535",
                                  .parameters = {length_parameter(false), stiffness_parameter("N/m", false)}}};
  description.formula = "f_e = K δ, K = ½π E* L";
  description.needs_materials = true;
  description.make = [](const ElasticContext& context) {
    const double derived = M_PI / 2 * context.composite_modulus * context.settings.number("length");
    return ElasticLaw::power(context.settings.number("stiffness", derived), 1);
  };
  return description;
}

}  // namespace

const std::vector<ElasticDescription>& elastic_catalogue() {
  static const std::vector<ElasticDescription> catalogue = {describe_brandlein(),   describe_gear(),
                                                            describe_hertz_shape(), describe_linear_shape(),
                                                            describe_liu(),         describe_power()};
  return catalogue;
}

const ElasticDescription* find_elastic(const std::string& name) {
  const auto& catalogue = elastic_catalogue();
  const auto found =
      std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& entry) { return entry.name == name; });
  return found == catalogue.end() ? nullptr : &*found;
}

}  // namespace carom::inline contact_laws
