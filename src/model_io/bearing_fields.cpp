#include <cmath>

#include "bearings/geometry.h"
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

template <class Choice>
ParameterDescription choice(const std::string& name, const std::string& meaning, const std::string& usual) {
  return {
      .name = name, .kind = Kind::choice, .meaning = meaning, .default_text = usual, .choices = choices_of<Choice>()};
}

// What bearings in space have besides.
std::vector<ParameterDescription> rows_in_space() {
  return {
      choice<BearingType>("type", "in space: what kind of bearing; in the plane all are deep-groove ball bearings",
                          "that of the `designation`, else deep-groove"),
      choice<BearingDetail>("detail",
                            "in space: elements in equilibrium at each instant, which have no states, or bodies of "
                            "their own",
                            "quasi-static"),
      {.name = "designation",
       .kind = Kind::text,
       .meaning =
           "in space: as \"6204\", \"7210C\", \"NU206\", \"30206\" or \"51105\"; gives the dimensions that are not "
           "given here, those inside by an estimate"},
      {.name = "axis",
       .kind = Kind::vector,
       .meaning = "in space: of the bearing, world axes; rows with a contact angle are loaded when the inner ring is "
                  "pushed along it"},
      {.name = "contact_angle",
       .unit = "rad",
       .meaning = "in space: of the touching bearing without load, against the radial plane",
       .default_text =
           "0; 35 deg of four-point, 90 deg of thrust-ball, required of angular-contact, tapered-roller and "
           "spherical-roller bearings",
       .minimum = 0,
       .maximum = M_PI / 2},
      {.name = "rows",
       .kind = Kind::integer,
       .meaning = "in space: how many rows",
       .default_text = "1",
       .minimum = 1,
       .maximum = 100},
      positive("row_distance", "m", "in space: from row to row, along the axis"),
      choice<BearingArrangement>("arrangement",
                                 "in space, of several rows: all loaded along the axis, or the upper half against it "
                                 "(back-to-back: O, lines of contact spread), or the lower half (face-to-face: X)",
                                 "tandem"),
      positive("preload", "N",
               "in space: axial force of every row in the configuration of the file, the shaft standing"),
      positive("preload_displacement", "m",
               "in space, instead: by which the rings of every row have been pushed together along the axis")};
}

std::vector<ParameterDescription> rows_of_rollers() {
  return {
      {.name = "rollers", .kind = Kind::integer, .meaning = "how many, of one row", .minimum = 3, .maximum = 1000},
      positive("roller_diameter", "m", "of a roller, in the middle of its length"),
      positive("roller_length", "m", "of a roller, that carries"),
      choice<RollerProfile>("profile", "of a roller along its length", "logarithmic"),
      {.name = "crowning",
       .unit = "m",
       .meaning = "of `circular`: by how much the radius of a roller is smaller at its ends; of `logarithmic`: A of "
                  "A ln(1/(1 − (2x/L)²))",
       .default_text = "0.00035 diameters of `logarithmic`",
       .minimum = 0},
      choice<BearingRibs>(
          "ribs",
          "of cylindrical rollers: what they hold, nothing (N, NU), the inner ring when it is pushed along "
          "the axis or against it (NJ), or both (NUP)",
          "those of the `designation`, else none"),
      {.name = "rib_clearance",
       .unit = "m",
       .meaning = "by which the inner ring moves along the axis before its ribs press the rollers",
       .default_text = "0",
       .minimum = 0},
      positive("rib_stiffness", "N/m",
               "of one roller between the ribs of both rings; usually E* times an eighth of its "
               "diameter"),
      {.name = "slices",
       .kind = Kind::integer,
       .meaning = "into which a roller is cut",
       .default_text = "31",
       .minimum = 1,
       .maximum = 1000}};
}

std::vector<ParameterDescription> rows_of_losses() {
  return {{.name = "speed",
           .unit = "rad/s",
           .meaning = "in space: of the inner ring against the outer, with which the elements settle; for analyses in "
                      "which nothing turns",
           .default_text = "that of the bodies"},
          {.name = "damping",
           .unit = "N s/m",
           .meaning = "in space: of the rings against each other, in every direction",
           .default_text = "0",
           .minimum = 0},
          {.name = "rotational_damping",
           .unit = "N m s/rad",
           .meaning = "in space: likewise, of their tilting",
           .default_text = "0",
           .minimum = 0},
          choice<BearingFriction>("friction", "in space: torque against the rotation", "none"),
          {.name = "viscosity",
           .unit = "m^2/s",
           .meaning = "of `palmgren`: of the oil at its temperature, kinematic",
           .default_text = "0",
           .minimum = 0},
          {.name = "friction_factors",
           .kind = Kind::numbers,
           .meaning = "of `palmgren`: [f0, f1] or [f0, f1, f2], of the oil, of the load and of the loads of ribs",
           .default_text = "of the type",
           .minimum = 0}};
}

}  // namespace

const std::vector<ParameterDescription>& space_bearing_rows() {
  static const std::vector<ParameterDescription> all = [] {
    std::vector<ParameterDescription> rows = rows_in_space();
    for (auto&& more : {rows_of_rollers(), rows_of_losses()}) rows.insert(rows.end(), more.begin(), more.end());
    return rows;
  }();
  return all;
}

namespace {

std::vector<ParameterDescription> bearing_rows() {
  std::vector<ParameterDescription> rows = {{.name = "name",
                                             .kind = Kind::text,
                                             .meaning = "unique; its balls are the bodies NAME-ball1, NAME-ball2, …; "
                                                        "without any of . : * ? /",
                                             .required = true}};
  auto placement =
      placement_rows("of the two centres, first that of the outer race; in space their z axes are those of the rings");
  for (ParameterDescription& row : placement) {
    if (row.name == "bodies") row.meaning = "that of the outer race and that of the inner race; one may be \"ground\"";
    if (row.name == "at") row.meaning = "the centre of the bearing, world axes, in the configuration of the file";
    if (row.name == "points")
      row.meaning = "the centres of the outer and of the inner race, each in the axes of its body";
  }
  rows.insert(rows.end(), placement.begin(), placement.end());
  const std::vector<ParameterDescription> own = {
      {.name = "balls", .kind = Kind::integer, .meaning = "how many, of one row", .minimum = 3, .maximum = 1000},
      positive("pitch_diameter", "m", "of the circle on which the centres of the balls or rollers go round"),
      positive("ball_diameter", "m", "of a ball"),
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
      {.name = "material", .kind = Kind::material, .meaning = "of races and elements"},
      {.name = "ball_material",
       .kind = Kind::material,
       .meaning = "of the balls or rollers",
       .default_text = "`material`"},
      {.name = "contact",
       .kind = Kind::contact,
       .meaning = "how balls and races behave where they touch: NAME of a [contact.NAME]",
       .default_text = "the law `exact`"},
      positive("ball_mass", "kg", "of one ball or roller; default: from the density of its material"),
      positive("ball_inertia", "kg m^2", "of one ball, or of one roller about its axis; default: that of a full one")};
  rows.insert(rows.end(), own.begin(), own.end());
  rows.insert(rows.end(), space_bearing_rows().begin(), space_bearing_rows().end());
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
    fields.add(field(&BearingModel::first_angle,
                     {.name = "angle",
                      .unit = "rad",
                      .meaning = "at which the first ball starts, from the x axis of the world; in space, of the "
                                 "bearing",
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
