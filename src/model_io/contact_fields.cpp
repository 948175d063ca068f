#include <limits>

#include "model/catalogue.h"
#include "model_io/contact_tables.h"
#include "model_io/field_tables.h"
#include "model_io/sections.h"

namespace carom::inline model_io {
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

// "*" stands for every shape, which the struct says by an empty name.
Field<PairModel> shapes_field() {
  return field_by<PairModel>(
      {.name = "shapes",
       .kind = Kind::shapes,
       .meaning = "names of their geometry; \"*\" stands for every shape",
       .default_text = "all that can touch"},
      [](const PairModel& pair, bool) {
        std::vector<std::string> names;
        for (const std::string& shape : pair.shapes) names.push_back(shape.empty() ? "*" : shape);
        return names;
      },
      [](PairModel& pair, const Value& value, bool planar) {
        Held<std::array<std::string, 2>>::set(pair.shapes, value, planar);
        for (std::string& shape : pair.shapes) {
          if (shape == "*") shape.clear();
        }
      });
}

Field<ClearanceModel> length_field(double ClearanceModel::*member, const std::string& name,
                                   const std::string& meaning) {
  return field(member, {.name = name, .unit = "m", .meaning = meaning, .minimum = 0, .minimum_allowed = false});
}

// A key that says the double of a member.
Field<ClearanceModel> twice(double ClearanceModel::*member, const std::string& name, const std::string& meaning) {
  Field<ClearanceModel> result = length_field(member, name, meaning);
  result.get = [member](const ClearanceModel& held, bool) { return 2 * held.*member; };
  result.set = [member](ClearanceModel& held, const Value& value, bool) { held.*member = std::get<double>(value) / 2; };
  return another_way(result);
}

// Rows of a law or a shape, unless they are there already.
void add_keys(Fields<ContactModel>& fields, Settings ContactModel::*settings,
              const std::vector<ParameterDescription>& rows) {
  for (const ParameterDescription& row : rows) {
    if (!find_row(fields.rows(), row.name)) fields.add(kept_in(settings, row));
  }
}

// The range of the restitution is that of every law, unless it is left to the law.
Fields<ContactModel> shared_contact_fields(bool bounded) {
  using C = ContactModel;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {
      field(&C::law, {.name = "law",
                      .meaning = "of the normal force",
                      .default_text = "{}",
                      .choices = type_names(normal_law_catalogue()),
                      .extendable = true}),
      field(&C::elastic, {.name = "elastic",
                          .meaning = "shape of the conservative part of the force",
                          .default_text = "that of the law",
                          .choices = type_names(elastic_catalogue())}),
      field(&C::restitution, {.name = "restitution",
                              .meaning = "coefficient of restitution; the law narrows the range",
                              .default_text = "that of the materials",
                              .minimum = bounded ? 0 : -infinity,
                              .maximum = bounded ? 1 : infinity}),
      field(&C::rolling_resistance, {.name = "rolling_resistance",
                                     .unit = "m",
                                     .meaning = "torque against rolling per normal force",
                                     .default_text = "{}",
                                     .minimum = 0}),
      field(&C::spinning_resistance, {.name = "spinning_resistance",
                                      .unit = "m",
                                      .meaning = "torque against spinning about the normal per normal force",
                                      .default_text = "{}",
                                      .minimum = 0}),
      field(&C::coupled_spinning,
            {.name = "coupled_spinning",
             .meaning = "sliding and spinning share one bound (Coulomb–Contensou); non-smooth method only",
             .default_text = "{}"}),
      field(&C::tangential_restitution, {.name = "tangential_restitution",
                                         .meaning = "of the slip that friction can hold; non-smooth method only",
                                         .default_text = "{}",
                                         .minimum = -1,
                                         .maximum = 1}),
      field(&C::restitution_law, {.name = "restitution_law",
                                  .meaning = "what restitution is of: `newton` of the normal velocity, `poisson` of "
                                             "the normal impulse, `energetic` (Stronge) of the work of the normal "
                                             "impulse; they differ where friction stops or reverses slip; non-smooth "
                                             "method only",
                                  .default_text = "{}"}),
      field(&C::minimum_speed,
            {.name = "minimum_speed",
             .unit = "m/s",
             .meaning = "slowest impact that the law sees as it is",
             .default_text = "1e-6 m/s; of contacts that begin slower than their load presses, by it",
             .minimum = 0,
             .minimum_allowed = false}),
      field(&C::slow_contact, {.name = "slow_contact",
                               .meaning = "what becomes of slower impacts: `floor` takes `minimum_speed` for their "
                                          "speed, `elastic` leaves out the damping",
                               .default_text = "{}"}),
      field(&C::region, {.name = "region",
                         .meaning = "where solids press on each other: `area`, by a pressure over the overlap, or "
                                    "`points`, each by the law; `auto`: over the overlap for meshes on each other, "
                                    "boxes, hulls and, by their materials, planes; compliant method only",
                         .default_text = "{}"})};
}

}  // namespace

const Fields<Material>& material_fields() {
  using M = Material;
  static const Fields<M> all = {
      field(
          &M::density,
          {.name = "density", .unit = "kg/m^3", .meaning = "mass per volume", .minimum = 0, .minimum_allowed = false}),
      field(&M::young,
            {.name = "young", .unit = "Pa", .meaning = "Young's modulus", .minimum = 0, .minimum_allowed = false}),
      field(&M::poisson,
            {.name = "poisson", .meaning = "Poisson's ratio", .minimum = -1, .maximum = 0.5, .minimum_allowed = false}),
      field(&M::restitution, {.name = "restitution",
                              .meaning = "coefficient of restitution, where the contact gives none",
                              .minimum = 0,
                              .maximum = 1}),
      field(&M::friction,
            {.name = "friction", .meaning = "coefficient of friction, where the contact gives none", .minimum = 0}),
      field(&M::hardness, {.name = "hardness",
                           .unit = "Pa",
                           .meaning = "indentation hardness, for wear; 100 HV are 981 MPa",
                           .minimum = 0,
                           .minimum_allowed = false}),
      field(&M::wear_coefficient,
            {.name = "wear_coefficient",
             .meaning = "k of Archard's law V = k F s/H: 1e-8 well lubricated … 1e-2 dry and unlike",
             .minimum = 0,
             .maximum = 1})};
  return all;
}

const Fields<ContactModel>& contact_fields() {
  static UpToDate<Fields<ContactModel>> all;
  return all.get([] { return shared_contact_fields(true); });
}

Fields<ContactModel> contact_fields(const ContactTypes& types) {
  static UpToDate<Fields<ContactModel>> shared;
  Fields<ContactModel> fields = shared.get([] { return shared_contact_fields(false); });
  if (types.law) add_keys(fields, &ContactModel::settings, types.law->parameters);
  if (types.elastic) add_keys(fields, &ContactModel::settings, types.elastic->parameters);
  return fields;
}

const Fields<ContactModel>& friction_fields() {
  static UpToDate<Fields<ContactModel>> all;
  return all.get([]() -> Fields<ContactModel> {
    return {field(&ContactModel::friction, {.name = "law",
                                            .meaning = "of the friction force",
                                            .default_text = default_friction_law,
                                            .choices = type_names(friction_law_catalogue()),
                                            .extendable = true})};
  });
}

Fields<ContactModel> friction_fields(const FrictionLawDescription& law) {
  Fields<ContactModel> fields = friction_fields();
  add_keys(fields, &ContactModel::friction_settings, law.parameters);
  return fields;
}

const Fields<PairModel>& pair_fields() {
  using P = PairModel;
  static const Fields<P> all = {
      field(&P::name, {.name = "name", .meaning = "unique; without any of . : * ? /", .required = true}),
      field(&P::bodies,
            {.name = "bodies",
             .meaning = "which may touch; a pattern such as \"ball*\" stands for all moving bodies that it fits",
             .required = true}),
      shapes_field(),
      field(&P::materials,
            {.name = "materials", .kind = Kind::materials, .meaning = "of the two", .default_text = "of the shapes"}),
      field(&P::contact, contact_row),
      field(&P::allow_initial_penetration, {.name = "allow_initial_penetration",
                                            .meaning = "whether they may overlap at the start",
                                            .default_text = "{}"})};
  return all;
}

const Fields<ClearanceModel>& clearance_fields() {
  using C = ClearanceModel;
  static const Fields<C> all = {
      twice(&C::radial, "diametric", "clearance: bearing less journal, in diameter; of a slide, in width"),
      always(length_field(&C::radial, "radial", "half of it, instead")),
      twice(&C::bearing_radius, "bearing_diameter", "inner diameter of the bearing; of a slide, width of the guide"),
      always(length_field(&C::bearing_radius, "bearing_radius", "half of it, instead")),
      length_field(&C::bearing_height, "bearing_height",
                   "of a slide in space: height of its guide, along y of the joint; default: as wide"),
      length_field(&C::length, "length",
                   "of the bearing along its axis, of a slide's block along the guide; needed unless the "
                   "contact is that of a disc or a ball"),
      field_by<C>(
          {.name = "bearing",
           .kind = Kind::choice,
           .meaning = "which body of the joint carries the bearing or guide",
           .default_text = "{}",
           .choices = {"first", "second"}},
          [](const C& held, bool) { return std::string(held.bearing_second ? "second" : "first"); },
          [](C& held, const Value& value, bool) { held.bearing_second = std::get<std::string>(value) == "second"; }),
      field(&C::materials,
            {.name = "materials", .kind = Kind::materials, .meaning = "of the first body and the second"}),
      field(&C::contact, contact_row)};
  return all;
}

}  // namespace carom::inline model_io
