#include "model/attachment.h"
#include "model_io/field_tables.h"

namespace carom::inline model_io {
namespace {

using Kind = ParameterKind;

ParameterDescription positive(const std::string& name, const std::string& unit, const std::string& meaning,
                              bool required = false) {
  return {.name = name, .unit = unit, .meaning = meaning, .required = required, .minimum = 0, .minimum_allowed = false};
}

Field<BearingModel> of_element(const Field<ElementModel>& field) {
  return {field.row, [=](const BearingModel& bearing, bool planar) { return field.get(bearing.element, planar); },
          [=](BearingModel& bearing, const Value& value, bool planar) { field.set(bearing.element, value, planar); },
          [=](const BearingModel& bearing, bool planar) { return field.given(bearing.element, planar); }};
}

std::vector<ParameterDescription> bearing_rows() {
  std::vector<ParameterDescription> rows = {{.name = "name",
                                             .kind = Kind::text,
                                             .meaning = "unique; its balls are the bodies NAME-ball1, NAME-ball2, …; "
                                                        "without any of . : * ? /",
                                             .required = true}};
  auto placement = placement_rows("of the two centres, first that of the outer race; their axes do not matter");
  for (ParameterDescription& row : placement) {
    if (row.name == "bodies") row.meaning = "that of the outer race and that of the inner race; one may be \"ground\"";
    if (row.name == "at") row.meaning = "the centre of the bearing, world axes, in the configuration of the file";
    if (row.name == "points")
      row.meaning = "the centres of the outer and of the inner race, each in the axes of its body";
  }
  rows.insert(rows.end(), placement.begin(), placement.end());
  const std::vector<ParameterDescription> own = {
      {.name = "balls", .kind = Kind::integer, .meaning = "how many", .required = true, .minimum = 3, .maximum = 1000},
      positive("pitch_diameter", "m", "of the circle on which the centres of the balls go round", true),
      positive("ball_diameter", "m", "of a ball", true),
      {.name = "groove_radius",
       .kind = Kind::numbers,
       .unit = "m",
       .meaning = "of the grooves, in the section through the axis: [inner, outer], or one for both",
       .minimum = 0,
       .minimum_allowed = false},
      {.name = "conformity",
       .kind = Kind::numbers,
       .meaning = "groove radius over ball diameter, usually 0.51 to 0.53: [inner, outer], or one for both; instead of "
                  "`groove_radius`",
       .minimum = 0.5,
       .minimum_allowed = false},
      {.name = "clearance",
       .unit = "m",
       .meaning = "radial, on one side: outer radius − inner radius − ball diameter; negative: preload",
       .default_text = "0"},
      {.name = "diametric_clearance",
       .unit = "m",
       .meaning = "twice the clearance, instead: how far the inner ring can be moved from one side to the other, the "
                  "radial internal clearance of catalogues"},
      {.name = "material", .kind = Kind::material, .meaning = "of races and balls"},
      {.name = "ball_material", .kind = Kind::material, .meaning = "of the balls", .default_text = "`material`"},
      {.name = "contact",
       .kind = Kind::contact,
       .meaning = "how balls and races behave where they touch: NAME of a [contact.NAME]",
       .default_text = "the law `exact`"},
      positive("ball_mass", "kg", "of one ball; default: from the density of its material"),
      positive("ball_inertia", "kg m^2", "of one ball; default: that of a full one")};
  rows.insert(rows.end(), own.begin(), own.end());
  return rows;
}

std::vector<ParameterDescription> cage_rows() {
  return {positive("stiffness", "N/m", "of `springs`"),
          {.name = "damping", .unit = "N s/m", .meaning = "of `springs`", .default_text = "0", .minimum = 0},
          positive("pocket_clearance", "m", "of `rigid`: radius of a pocket less that of a ball"),
          positive("mass", "kg", "of `rigid`"),
          positive("inertia", "kg m^2", "of `rigid`"),
          {.name = "material", .kind = Kind::material, .meaning = "of `rigid`", .default_text = "that of the bearing"},
          {.name = "contact",
           .kind = Kind::contact,
           .meaning = "of balls with pockets, or among each other",
           .default_text = "that of the bearing"}};
}

}  // namespace

const Fields<BearingModel>& bearing_fields() {
  static const Fields<BearingModel> all = [] {
    Fields<BearingModel> fields;
    for (const ParameterDescription& row : bearing_rows())
      fields.add(of_element(kept_in(&ElementModel::settings, row)));
    fields.add(
        field(&BearingModel::first_angle, {.name = "angle",
                                           .unit = "rad",
                                           .meaning = "at which the first ball starts, from the x axis of the world",
                                           .default_text = "{}"}));
    fields.add(field(&BearingModel::rolling_start,
                     {.name = "rolling_start",
                      .meaning = "whether the balls start as they roll between the races; else without spin",
                      .default_text = "{}"}));
    return fields;
  }();
  return all;
}

const Fields<BearingModel>& cage_fields() {
  static const Fields<BearingModel> all = [] {
    Fields<BearingModel> fields = {field(
        &BearingModel::cage_type,
        {.name = "type",
         .meaning = "`springs` between neighbouring balls; `rigid`: a body with a pocket for each ball; `none`: a full "
                    "complement, whose balls may touch their neighbours",
         .default_text = "{}"})};
    for (const ParameterDescription& row : cage_rows()) fields.add(kept_in(&BearingModel::cage_settings, row));
    return fields;
  }();
  return all;
}

}  // namespace carom::inline model_io
