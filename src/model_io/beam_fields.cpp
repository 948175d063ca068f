#include "beams/section.h"
#include "model_io/field_tables.h"

namespace carom::inline model_io {
namespace {

using Kind = ParameterKind;

// What beams and flexible bodies share.
Fields<FlexibleModel> shared_fields() {
  using F = FlexibleModel;
  return {
      field(&F::section, {.name = "section", .meaning = "NAME of a [section.NAME]", .required = true}),
      field(&F::material, {.name = "material",
                           .kind = Kind::material,
                           .meaning = "what it is made of: `young` and `poisson`, of a [[beam]] also `density`",
                           .required = true}),
      field(&F::elements, {.name = "elements",
                           .meaning = "into how many the line is cut",
                           .default_text = "{}",
                           .minimum = 1,
                           .maximum = 100000}),
      field(&F::shape, {.name = "shape",
                        .meaning = "of the line: `straight` from point to point, `arc` of a circle through three, "
                                   "`spline` smoothly through all",
                        .default_text = "{}"}),
      field(&F::up, {.name = "up",
                     .meaning = "direction towards which z of the section points, spatial models",
                     .default_text = "z, or y for a line along z; of an arc the normal of its plane"}),
      field(&F::twist, {.name = "twist",
                        .unit = "rad",
                        .meaning = "by which the section is turned about the line from begin to end, without stress",
                        .default_text = "{}"}),
      field(&F::damping_ratio, {.name = "damping_ratio",
                                .meaning = "of the first bending mode with both ends pinned, as a part of the critical "
                                           "one; higher modes are damped in proportion to their frequency",
                                .default_text = "{}",
                                .minimum = 0,
                                .maximum = 1,
                                .maximum_allowed = false}),
      field(&F::mass_damping, {.name = "mass_damping",
                               .unit = "1/s",
                               .meaning = "Rayleigh's α: force per momentum; it slows rigid motion as well",
                               .default_text = "{}",
                               .minimum = 0}),
      field(&F::stiffness_damping, {.name = "stiffness_damping",
                                    .unit = "s",
                                    .meaning = "Rayleigh's β: stress per strain rate, over stress per strain",
                                    .default_text = "{}",
                                    .minimum = 0})};
}

// A beam is a body that says of itself what makes it flexible.
Field<BodyModel> of_beam(const Field<FlexibleModel>& field) {
  const auto flexible = [](const BodyModel& beam) { return beam.flexible ? *beam.flexible : FlexibleModel{}; };
  return {field.row, [=](const BodyModel& beam, bool planar) { return field.get(flexible(beam), planar); },
          [=](BodyModel& beam, const Value& value, bool planar) {
            FlexibleModel changed = flexible(beam);
            field.set(changed, value, planar);
            beam.flexible = std::make_shared<const FlexibleModel>(std::move(changed));
          },
          [=](const BodyModel& beam, bool planar) { return field.given(flexible(beam), planar); }};
}

}  // namespace

const Fields<FlexibleModel>& flexible_fields() {
  static const Fields<FlexibleModel> all = [] {
    Fields<FlexibleModel> fields = shared_fields();
    fields.add(field(&FlexibleModel::line, {.name = "line",
                                            .unit = "m",
                                            .meaning = "points through which the line runs, body axes",
                                            .default_text = "between the two joints that are farthest apart"}));
    return fields;
  }();
  return all;
}

const Fields<BodyModel>& beam_fields() {
  static const Fields<BodyModel> all = [] {
    Fields<BodyModel> fields = {
        field(&BodyModel::name, {.name = "name",
                                 .meaning = "unique among beams and bodies; its nodes are the bodies NAME-0, NAME-1, "
                                            "…; without any of . : * ? /",
                                 .required = true}),
        of_beam(field(
            &FlexibleModel::line,
            {.name = "points", .unit = "m", .meaning = "through which the line runs, world axes", .required = true}))};
    for (const Field<FlexibleModel>& each : shared_fields()) fields.add(of_beam(each));
    fields.add(velocity_field("of its first point, world axes"));
    fields.add(
        angular_velocity_field("with which it starts to turn as a whole; planar: one number; spatial: world axes"));
    return fields;
  }();
  return all;
}

const Fields<SectionModel>& cross_section_fields() {
  static const Fields<SectionModel> all = [] {
    Fields<SectionModel> fields;
    for (const ParameterDescription& row : section_parameters()) fields.add(kept_in(&SectionModel::settings, row));
    return fields;
  }();
  return all;
}

}  // namespace carom::inline model_io
