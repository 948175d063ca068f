#include "contact_laws/elastic_catalogue.h"
#include "contact_laws/friction_law.h"
#include "contact_laws/normal_law.h"
#include "model_io/sections.h"

namespace carom {
namespace {

using Kind = ParameterKind;

template <class Catalogue>
std::vector<std::string> type_names(const Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const auto& type : catalogue) names.push_back(type.name);
  return names;
}

const ParameterDescription contact_row = {.name = "contact",
                                          .kind = Kind::contact,
                                          .meaning = "how the surfaces behave: NAME of a [contact.NAME]",
                                          .default_text = "the law `exact`"};

}  // namespace

SectionDescription contact_section() {
  return {.name = "contact",
          .form = SectionForm::named_tables,
          .summary = "How surfaces that touch behave; further keys come from the law and the elastic shape.",
          .parameters = {{.name = "law",
                          .kind = Kind::choice,
                          .meaning = "of the normal force",
                          .default_text = default_normal_law,
                          .choices = type_names(normal_law_catalogue())},
                         {.name = "elastic",
                          .kind = Kind::choice,
                          .meaning = "shape of the conservative part of the force",
                          .default_text = "that of the law",
                          .choices = type_names(elastic_catalogue())},
                         {.name = "restitution",
                          .meaning = "coefficient of restitution; the law narrows the range",
                          .default_text = "that of the materials",
                          .minimum = 0,
                          .maximum = 1},
                         {.name = "rolling_resistance",
                          .unit = "m",
                          .meaning = "torque against rolling per normal force",
                          .default_text = "0",
                          .minimum = 0},
                         {.name = "spinning_resistance",
                          .unit = "m",
                          .meaning = "torque against spinning about the normal per normal force",
                          .default_text = "0",
                          .minimum = 0},
                         {.name = "coupled_spinning",
                          .kind = Kind::boolean,
                          .meaning = "sliding and spinning share one bound (Coulomb–Contensou); non-smooth method only",
                          .default_text = "false"},
                         {.name = "tangential_restitution",
                          .meaning = "of the slip that friction can hold; non-smooth method only",
                          .default_text = "0",
                          .minimum = -1,
                          .maximum = 1},
                         {.name = "restitution_law",
                          .kind = Kind::choice,
                          .meaning = "what restitution is of: `newton` of the normal velocity, `poisson` of the normal "
                                     "impulse, `energetic` (Stronge) of the work of the normal impulse; they differ "
                                     "where friction stops or reverses slip; non-smooth method only",
                          .default_text = "newton",
                          .choices = {"newton", "poisson", "energetic"}},
                         {.name = "minimum_speed",
                          .unit = "m/s",
                          .meaning = "slowest impact that the law sees as it is",
                          .default_text = "1e-6 m/s; of contacts that begin slower than their load presses, by it",
                          .minimum = 0,
                          .minimum_allowed = false},
                         {.name = "slow_contact",
                          .kind = Kind::choice,
                          .meaning = "what becomes of slower impacts: `floor` takes `minimum_speed` for their speed, "
                                     "`elastic` leaves out the damping",
                          .default_text = "floor",
                          .choices = {"floor", "elastic"}}},
          .nested = {"friction"}};
}

SectionDescription friction_section() {
  return {.name = "contact.friction",
          .summary =
              "Friction of a contact; further keys come from the law. `friction = 0.1` is short for the law "
              "`tanh` with that coefficient. Without a coefficient it comes from the materials.",
          .parameters = {{.name = "law",
                          .kind = Kind::choice,
                          .meaning = "of the friction force",
                          .default_text = "tanh",
                          .choices = type_names(friction_law_catalogue())}}};
}

SectionDescription pair_section() {
  return {.name = "pair",
          .form = SectionForm::list,
          .summary = "Two bodies that may touch.",
          .parameters = {
              {.name = "name", .kind = Kind::text, .meaning = "unique; without any of . : * ? /", .required = true},
              {.name = "bodies",
               .kind = Kind::bodies,
               .meaning = "which may touch; a pattern such as \"ball*\" stands for all moving bodies that it fits",
               .required = true},
              {.name = "shapes",
               .kind = Kind::shapes,
               .meaning = "names of their geometry; \"*\" stands for every shape",
               .default_text = "all that can touch"},
              {.name = "materials", .kind = Kind::materials, .meaning = "of the two", .default_text = "of the shapes"},
              contact_row,
              {.name = "allow_initial_penetration",
               .kind = Kind::boolean,
               .meaning = "whether they may overlap at the start",
               .default_text = "false"}}};
}

SectionDescription clearance_section() {
  const auto length = [](const std::string& name, const std::string& meaning) -> ParameterDescription {
    return {.name = name, .unit = "m", .meaning = meaning, .minimum = 0, .minimum_allowed = false};
  };
  return {.name = "joint.clearance",
          .summary =
              "The play of a real joint, below its [[joint]]: the joint becomes a contact of a journal in its "
              "bearing, or of a block in its guide.",
          .parameters = {length("diametric", "clearance: bearing less journal, in diameter; of a slide, in width"),
                         length("radial", "half of it, instead"),
                         length("bearing_diameter", "inner diameter of the bearing; of a slide, width of the guide"),
                         length("bearing_radius", "half of it, instead"),
                         length("bearing_height",
                                "of a slide in space: height of its guide, along y of the joint; default: as wide"),
                         length("length",
                                "of the bearing along its axis, of a slide's block along the guide; needed unless the "
                                "contact is that of a disc or a ball"),
                         {.name = "bearing",
                          .kind = Kind::choice,
                          .meaning = "which body of the joint carries the bearing or guide",
                          .default_text = "first",
                          .choices = {"first", "second"}},
                         {.name = "materials", .kind = Kind::materials, .meaning = "of the first body and the second"},
                         contact_row}};
}

}  // namespace carom
