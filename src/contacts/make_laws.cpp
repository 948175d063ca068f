#include "contacts/make_laws.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "contact_laws/stiffness.h"

namespace carom::inline contacts {
namespace {

// A law that returns a restitution farther than this from the one asked for is worth a word.
constexpr double noticeable_restitution_error = 0.02;

// Of the width of a cube that is as large as the smaller solid: of the flat patch that has the stiffness that is given.
constexpr double given_patch = 0.1;

double width_of_given(const ContactPlace& place) {
  return given_patch * 2 * place.patch.effective_radius / std::numbers::sqrt3;  // m
}

// Pa: a square patch of that width has the force K δ if the law is linear, and of any other law its force K δⁿ at a
// depth of that width.
double modulus_of_given(const ElasticLaw& elastic, const ContactPlace& place) {
  return elastic.stiffness() * std::pow(width_of_given(place), elastic.exponent() - 2);
}

double restitution_of(const ContactPartners& partners) {
  const double given = coefficient_of_restitution(partners.contact, partners.surfaces);
  return given >= 0 ? given : 1;
}

ElasticLaw make_elastic(const ContactPartners& partners, const ContactPlace& place) {
  const ElasticLaw elastic = elastic_of(partners.contact)
                                 ->make({.composite_modulus = partners.surfaces.modulus(),
                                         .effective_radius = place.patch.effective_radius,
                                         .radial_clearance = place.clearance,
                                         .settings = partners.contact.settings});
  if (!place.over_area || !partners.contact.settings.has("stiffness")) return elastic;
  return ElasticLaw::power(hertz_stiffness(modulus_of_given(elastic, place), place.patch.effective_radius), 1.5);
}

// Whether its stiffness follows from the radii where shapes touch, which differ from place to place.
bool goes_by_point(const ContactPartners& partners, const ContactPlace& place) {
  return place.patch.by_point && elastic_of(partners.contact)->needs_radii &&
         !partners.contact.settings.has("stiffness");
}

std::unique_ptr<FrictionLaw> make_friction(const ContactPartners& partners) {
  const std::string name = friction_law_name(partners.contact, partners.surfaces);
  if (name == "none") return nullptr;
  Settings settings = partners.contact.friction_settings;
  const double coefficient = coefficient_of_friction(partners.contact, partners.surfaces);
  if (!settings.has("coefficient") && coefficient >= 0) settings.set("coefficient", coefficient);
  return find_friction_law(name)->make(settings);
}

}  // namespace

CompliantGroup make_compliant_group(const ContactPartners& partners) {
  const ContactModel& contact = partners.contact;
  return {.friction = make_friction(partners),
          .rolling = Resistance(contact.rolling_resistance),
          .spinning = Resistance(contact.spinning_resistance),
          .minimum_speed = contact.minimum_speed,
          .elastic_when_slow = contact.slow_contact == SlowContact::elastic};
}

CompliantLaw make_compliant_law(const ContactPartners& partners, const ContactPlace& place) {
  const ElasticLaw elastic = make_elastic(partners, place);
  const bool by_point = goes_by_point(partners, place);
  const double mass = 1 / (1 / partners.masses[0] + 1 / partners.masses[1]);
  const NormalLawDescription& type = *find_normal_law(partners.contact.law);
  return {.normal = type.make({elastic, restitution_of(partners), mass, partners.contact.settings}),
          .stiffness = elastic.stiffness(),
          .exponent = elastic.exponent(),
          .mass = mass,
          .axis_ratio = place.patch.axis_ratio,
          .radius = place.over_area || by_point ? place.patch.effective_radius : 0,
          .by_point = by_point,
          .damping_power = partners.contact.settings.has("damping") ? 0
                           : type.needs_mass                        ? 0.5
                                                                    : 1};
}

NonsmoothLaw make_nonsmooth_law(const ContactPartners& partners, const ContactPlace& place) {
  const ContactModel& contact = partners.contact;
  const double stiffness = goes_by_point(partners, place) ? 0 : make_elastic(partners, place).stiffness();
  return {.restitution = restitution_of(partners),
          .restitution_law = contact.restitution_law,
          .tangential_restitution = contact.tangential_restitution,
          .friction = std::max(0.0, coefficient_of_friction(contact, partners.surfaces)),
          .rolling = contact.rolling_resistance,
          .spinning = contact.spinning_resistance,
          .coupled = contact.coupled_spinning,
          .stiffness = stiffness > 0 && std::isfinite(stiffness) ? stiffness : 0,
          .axis_ratio = place.patch.axis_ratio};
}

std::string remark_on_given(const ContactPartners& partners, const ContactPlace& place) {
  if (!place.over_area || !partners.contact.settings.has("stiffness")) return "";
  const std::string& name = partners.contact.name;
  return fmt::format(
      "{}meshes press on solids with flat faces over all of their overlap; the stiffness is that of a flat patch "
      "{:.3g} "
      "m wide, larger ones are stiffer and corners softer. region = \"points\" lets each corner act by the law instead",
      name.empty() ? "" : fmt::format("contact `{}`: ", name), width_of_given(place));
}

std::string remark_on_restitution(const ContactPartners& partners) {
  const NormalLawDescription& type = *find_normal_law(partners.contact.law);
  if (!type.uses_restitution || !type.restitution_out) return "";
  // What damps by a number of its own, or lets go only where the penetration ends, returns something else.
  const Settings& settings = partners.contact.settings;
  if (settings.has("damping") || settings.text("end") == "adhesive") return "";
  const double restitution = restitution_of(partners), out = type.restitution_out(restitution);
  if (!(std::abs(out - restitution) > noticeable_restitution_error)) return "";
  const std::string& name = partners.contact.name;
  return fmt::format(
      "{} `{}` returns a restitution of {:.4g} in a free impact where {:g} is asked for; the law `exact` returns {:g}",
      name.empty() ? "the law" : fmt::format("contact `{}`: the law", name), type.name, out, restitution, restitution);
}

// By impulses friction has one coefficient: what a law has besides it does not act.
std::string remark_on_friction(const ContactPartners& partners) {
  const ContactModel& contact = partners.contact;
  const double coefficient = std::max(0.0, coefficient_of_friction(contact, partners.surfaces));
  const Settings& settings = contact.friction_settings;
  std::string lost;
  const auto add = [&](const std::string& what) { lost += (lost.empty() ? "" : ", ") + what; };
  if (settings.number("static_coefficient", coefficient) != coefficient)
    add(fmt::format("its static coefficient {:g}", settings.number("static_coefficient")));
  if (settings.number("viscous") != 0) add(fmt::format("its viscous part {:g} s/m", settings.number("viscous")));
  if (contact.friction == "lugre" || contact.friction == "elasto-plastic") add("the elasticity of its bristles");
  const FrictionLawDescription* law = find_friction_law(contact.friction);
  if (law && !law->origin.empty()) add("what it makes of slip speed and normal force");
  if (lost.empty()) return "";
  return fmt::format(
      "{}friction law `{}` is replaced by Coulomb's with the coefficient {:g} in the non-smooth method: {} {} not act; "
      "method = \"compliant\" takes the law as it is",
      contact.name.empty() ? "the " : fmt::format("contact `{}`: the ", contact.name), contact.friction, coefficient,
      lost, lost.find(", ") == std::string::npos ? "does" : "do");
}

}  // namespace carom::inline contacts
