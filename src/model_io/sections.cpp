#include "model_io/sections.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "model_io/read_grid.h"

namespace carom {
namespace {

using Kind = ParameterKind;

const ParameterDescription name_row = {
    .name = "name", .kind = Kind::text, .meaning = "unique; without any of . : * ? /", .required = true};

SectionDescription model_section() {
  return {
      .name = "model",
      .summary = "The model as a whole.",
      .parameters = {
          {.name = "name", .kind = Kind::text, .meaning = "title of the model"},
          {.name = "plane",
           .kind = Kind::choice,
           .meaning = "makes the model planar: three freedoms a body",
           .default_text = "spatial",
           .choices = {"xy"}},
          {.name = "gravity", .kind = Kind::vector, .unit = "m/s^2", .meaning = "acceleration", .default_text = "0"}}};
}

SectionDescription parameters_section() {
  return {.name = "parameters",
          .summary = "Named quantities of any unit, for use in expressions; may refer to one another in any order.",
          .free_keys = true};
}

SectionDescription material_section() {
  return {
      .name = "material",
      .form = SectionForm::named_tables,
      .summary = "What bodies are made of.",
      .parameters = {
          {.name = "density", .unit = "kg/m^3", .meaning = "mass per volume", .minimum = 0, .minimum_allowed = false},
          {.name = "young", .unit = "Pa", .meaning = "Young's modulus", .minimum = 0, .minimum_allowed = false},
          {.name = "poisson", .meaning = "Poisson's ratio", .minimum = -1, .maximum = 0.5, .minimum_allowed = false},
          {.name = "restitution",
           .meaning = "coefficient of restitution, where the contact gives none",
           .minimum = 0,
           .maximum = 1},
          {.name = "friction", .meaning = "coefficient of friction, where the contact gives none", .minimum = 0},
          {.name = "hardness",
           .unit = "Pa",
           .meaning = "indentation hardness, for wear; 100 HV are 981 MPa",
           .minimum = 0,
           .minimum_allowed = false},
          {.name = "wear_coefficient",
           .meaning = "k of Archard's law V = k F s/H: 1e-8 well lubricated … 1e-2 dry and unlike",
           .minimum = 0,
           .maximum = 1}}};
}

SectionDescription body_section() {
  return {
      .name = "body",
      .form = SectionForm::list,
      .summary = "A rigid body.",
      .parameters =
          {{.name = "name",
            .kind = Kind::text,
            .meaning = "unique; `ground` is reserved; without any of . : * ? /",
            .required = true},
           {.name = "mass", .unit = "kg", .meaning = "mass", .required = true, .minimum = 0, .minimum_allowed = false},
           {.name = "inertia",
            .kind = Kind::inertia,
            .unit = "kg m^2",
            .meaning =
                "about the mass centre, in body axes; planar: one number; spatial: Ixx, Iyy, Izz and, if they are "
                "not zero, the entries Ixy, Ixz, Iyz of the inertia matrix",
            .required = true},
           {.name = "position",
            .kind = Kind::vector,
            .unit = "m",
            .meaning = "of the origin, world axes",
            .default_text = "0"},
           {.name = "orientation",
            .kind = Kind::orientation,
            .unit = "rad",
            .meaning = "planar: angle; spatial: quaternion [w, x, y, z] or { axis = […], angle = … }",
            .default_text = "none"},
           {.name = "center_of_mass",
            .kind = Kind::vector,
            .unit = "m",
            .meaning = "mass centre, body axes",
            .default_text = "the origin"},
           {.name = "velocity",
            .kind = Kind::vector,
            .unit = "m/s",
            .meaning = "of the mass centre, world axes",
            .default_text = "0"},
           {.name = "angular_velocity",
            .kind = Kind::spin,
            .unit = "rad/s",
            .meaning = "planar: one number; spatial: world axes",
            .default_text = "0"}},
      .nested = {"marker", "geometry", "grid", "flexible"}};
}

SectionDescription grid_section() {
  return {.name = "body.grid",
          .summary = fmt::format(
              "Makes many copies of the body above it, on a lattice along the world axes: NAME1, NAME2, … instead of "
              "NAME, at most {}. `position` of the body is the place of the first.",
              most_copies),
          .parameters = {{.name = "count",
                          .kind = Kind::counts,
                          .meaning = "of places along x, y and, in space, z",
                          .required = true,
                          .minimum = 1},
                         {.name = "spacing",
                          .kind = Kind::vector,
                          .unit = "m",
                          .meaning = "of the places along each axis",
                          .required = true},
                         {.name = "total",
                          .kind = Kind::integer,
                          .meaning = "of copies: only the first so many places are taken, x fastest, then y, then z",
                          .default_text = "all",
                          .minimum = 1},
                         {.name = "jitter",
                          .unit = "m",
                          .meaning = "farthest displacement of each coordinate of each copy, pseudo-random and evenly "
                                     "distributed",
                          .default_text = "0",
                          .minimum = 0},
                         {.name = "seed",
                          .kind = Kind::integer,
                          .meaning = "begin of the pseudo-random sequence; the same number gives the same places",
                          .default_text = "12345",
                          .minimum = 0,
                          .maximum = 9007199254740992}}};  // 2^53: whole numbers up to it are exact
}

SectionDescription marker_section() {
  return {.name = "body.marker",
          .form = SectionForm::list,
          .summary = "A named frame on a body or on the ground, referred to as \"body.marker\".",
          .parameters = {
              name_row,
              {.name = "position", .kind = Kind::vector, .unit = "m", .meaning = "body axes", .default_text = "0"},
              {.name = "orientation",
               .kind = Kind::orientation,
               .unit = "rad",
               .meaning = "against the body axes",
               .default_text = "none"}}};
}

SectionDescription geometry_section() {
  std::vector<std::string> names;
  for (const ShapeDescription& shape : shapes()) names.push_back(shape.name);
  return {
      .name = "body.geometry",
      .form = SectionForm::list,
      .summary = "A shape on a body or on the ground, for drawing and for contact.",
      .parameters = {
          {.name = "shape", .kind = Kind::choice, .meaning = "kind of shape", .required = true, .choices = names},
          {.name = "name", .kind = Kind::text, .meaning = "unique on its body, for [[pair]]; without any of . : * ? /"},
          {.name = "material", .kind = Kind::material, .meaning = "what it is made of, for contact"},
          {.name = "radius",
           .unit = "m",
           .meaning = "of sphere, cylinder, capsule, inner_race, and of the holes cavity, bore and outer_race",
           .minimum = 0,
           .minimum_allowed = false},
          {.name = "length",
           .unit = "m",
           .meaning = "of cylinder, capsule and bore, along z; of a capsule in a planar model along x",
           .minimum = 0,
           .minimum_allowed = false},
          {.name = "groove_radius",
           .unit = "m",
           .meaning = "of inner_race and outer_race: of their groove, in the section through the axis of the bearing",
           .minimum = 0,
           .minimum_allowed = false},
          {.name = "width",
           .unit = "m",
           .meaning = "of a slot, between its walls: along y, in space along x",
           .minimum = 0,
           .minimum_allowed = false},
          {.name = "height",
           .unit = "m",
           .meaning = "of a slot in space, between its walls along y",
           .default_text = "the width",
           .minimum = 0,
           .minimum_allowed = false},
          {.name = "size",
           .kind = Kind::numbers,
           .unit = "m",
           .meaning =
               "edges of a box, or axes (diameters) of an ellipsoid, along x, y and z; z may be left out in a planar "
               "model",
           .minimum = 0,
           .minimum_allowed = false},
          {.name = "points",
           .kind = Kind::points,
           .unit = "m",
           .meaning = "of a profile, in order, with the material on the left; closed ones in either sense"},
          {.name = "closed",
           .kind = Kind::boolean,
           .meaning = "whether a profile returns to its first point",
           .default_text = "true"},
          {.name = "position", .kind = Kind::vector, .unit = "m", .meaning = "body axes", .default_text = "0"},
          {.name = "orientation",
           .kind = Kind::orientation,
           .unit = "rad",
           .meaning = "against the body axes",
           .default_text = "none"},
          {.name = "color", .kind = Kind::text, .meaning = "such as \"#4080c0\""}}};
}

SectionDescription motion_section() {
  const std::string unit = "rad or m";
  return {.name = "motion",
          .form = SectionForm::list,
          .summary = "A drive: prescribes a joint coordinate or a coordinate of a body as a function of time.",
          .parameters = {{.name = "name",
                          .kind = Kind::text,
                          .meaning = "unique; without any of . : * ? /",
                          .default_text = "the name of the joint, or body and component"},
                         {.name = "joint", .kind = Kind::joint, .meaning = "the joint, or joint.coordinate"},
                         {.name = "body", .kind = Kind::body, .meaning = "the body, instead of a joint"},
                         {.name = "component",
                          .kind = Kind::choice,
                          .meaning = "of the body's origin; planar also angle",
                          .choices = {"x", "y", "z", "angle"}},
                         {.name = "position",
                          .kind = Kind::function,
                          .unit = "rad or m",
                          .meaning = "the coordinate",
                          .arguments = {"t"}},
                         {.name = "speed",
                          .kind = Kind::function,
                          .unit = "rad/s or m/s",
                          .meaning = "its rate, instead of position",
                          .arguments = {"t"}},
                         {.name = "acceleration",
                          .kind = Kind::function,
                          .unit = "rad/s^2 or m/s^2",
                          .meaning = "its second rate, instead of position",
                          .arguments = {"t"}}}};
}

SectionDescription solver_section() {
  return {
      .name = "solver",
      .summary = "What is computed, and how.",
      .parameters = {{.name = "analysis",
                      .kind = Kind::choice,
                      .meaning = "what is computed",
                      .default_text = "dynamic",
                      .choices = {"dynamic", "kinematic", "static", "linear"}},
                     {.name = "method",
                      .kind = Kind::choice,
                      .meaning = "how contact is treated",
                      .default_text = "compliant",
                      .choices = {"compliant", "nonsmooth"}},
                     {.name = "start", .unit = "s", .meaning = "begin of the time span", .default_text = "0"},
                     {.name = "end", .unit = "s", .meaning = "end of the time span", .default_text = "1"},
                     {.name = "integrator",
                      .kind = Kind::choice,
                      .meaning = "time integration; `auto` chooses by the model and by how it goes",
                      .default_text = "auto",
                      .choices = {"auto", "adams", "bdf", "rk", "generalized-alpha"}},
                     {.name = "tolerance",
                      .meaning = "relative tolerance of the integrator",
                      .default_text = "1e-8",
                      .minimum = 0,
                      .maximum = 1e-2,
                      .minimum_allowed = false},
                     {.name = "step",
                      .unit = "s",
                      .meaning = "fixed step of generalized-alpha and of the non-smooth method",
                      .default_text =
                          "chosen by the tolerance; non-smooth: a thousandth of the time span, 1 ms at most",
                      .minimum = 0,
                      .minimum_allowed = false},
                     {.name = "first_step",
                      .unit = "s",
                      .meaning = "first step of the others",
                      .default_text = "chosen",
                      .minimum = 0,
                      .minimum_allowed = false},
                     {.name = "max_step",
                      .unit = "s",
                      .meaning = "largest step",
                      .default_text = "no bound",
                      .minimum = 0,
                      .minimum_allowed = false},
                     {.name = "rho_infinity",
                      .meaning = "spectral radius at infinite frequency, generalized-alpha; 1: no numerical damping",
                      .default_text = "0.8; non-smooth method with beams: 0",
                      .minimum = 0,
                      .maximum = 1},
                     {.name = "constraints",
                      .kind = Kind::choice,
                      .meaning = "how the constraints are kept",
                      .default_text = "projection",
                      .choices = {"projection", "baumgarte", "index2"}},
                     {.name = "penetration_control",
                      .kind = Kind::choice,
                      .meaning = "how the begin of a contact is met: by root finding, by shorter steps, by linear "
                                 "interpolation (for comparison), not at all",
                      .default_text = "locate",
                      .choices = {"locate", "reject", "interpolate", "off"}},
                     {.name = "penetration_tolerance",
                      .unit = "m",
                      .meaning = "deepest begin of a contact",
                      .default_text = "1e-9 m",
                      .minimum = 0,
                      .minimum_allowed = false},
                     {.name = "smallest_step",
                      .unit = "s",
                      .meaning = "of `penetration_control = \"reject\"`: shorter steps are not tried",
                      .default_text = "as short as penetration_tolerance asks for",
                      .minimum = 0,
                      .minimum_allowed = false},
                     {.name = "scheme",
                      .kind = Kind::choice,
                      .meaning = "of the non-smooth method: the decoupled generalized-α method, or that of Moreau and "
                                 "Jean for comparison",
                      .default_text = "decoupled",
                      .choices = {"decoupled", "moreau-jean"}},
                     {.name = "impacts",
                      .kind = Kind::choice,
                      .meaning = "several at once in the non-smooth method: passed on one after the other, or Newton's "
                                 "law for all together",
                      .default_text = "sequential",
                      .choices = {"sequential", "simultaneous"}},
                     {.name = "contact_solver",
                      .kind = Kind::choice,
                      .meaning = "of the non-smooth method: Newton's iteration, sweeps over the contacts, or by size",
                      .default_text = "auto",
                      .choices = {"auto", "direct", "iterative"}},
                     {.name = "load_steps",
                      .kind = Kind::integer,
                      .meaning = "of a static analysis: equilibria at so many times after the start, evenly up to the "
                                 "end, each from the one before; forces and drives may grow with t",
                      .default_text = "one equilibrium, at the start",
                      .minimum = 1,
                      .maximum = 1000000},
                     {.name = "contact_tolerance",
                      .meaning = "of the sweeps: error of velocities and places, as a part of what the weight does in "
                                 "one step",
                      .default_text = "1",
                      .minimum = 0,
                      .maximum = 100,
                      .minimum_allowed = false}},
      .nested = {"baumgarte"}};
}

SectionDescription baumgarte_section() {
  return {.name = "solver.baumgarte",
          .summary = "Feedback of constraint violations: g̈ + 2α ġ + β² g = 0.",
          .parameters = {{.name = "alpha", .unit = "1/s", .meaning = "α", .default_text = "5", .minimum = 0},
                         {.name = "beta", .unit = "1/s", .meaning = "β", .default_text = "5", .minimum = 0}}};
}

SectionDescription output_section() {
  return {.name = "output",
          .summary = "What is recorded.",
          .parameters = {
              {.name = "every",
               .unit = "s",
               .meaning = "interval of samples",
               .default_text = "a thousandth of the time span",
               .minimum = 0,
               .minimum_allowed = false},
              {.name = "record",
               .kind = Kind::texts,
               .meaning = "patterns of quantities: body:*, joint:pin, motion:*, force:*, contact:*, bearing:*, energy",
               .default_text = "everything"}}};
}

SectionDescription element_section(const std::string& name, const std::string& summary,
                                   const std::vector<std::string>& nested) {
  return {.name = name,
          .form = SectionForm::list,
          .summary = summary,
          .parameters = {name_row, {.name = "type", .kind = Kind::text, .meaning = "which kind", .required = true}},
          .nested = nested};
}

}  // namespace

// In beam_sections.cpp.
SectionDescription section_section();
SectionDescription beam_section();
SectionDescription flexible_section();

// In bearing_sections.cpp.
SectionDescription bearing_section();
SectionDescription cage_section();

// In contact_sections.cpp.
SectionDescription contact_section();
SectionDescription friction_section();
SectionDescription pair_section();
SectionDescription clearance_section();

std::string SectionDescription::heading() const {
  const std::size_t dot = name.find('.');
  if (dot != std::string::npos && section(name.substr(0, dot)).form == SectionForm::named_tables) {
    return "[" + name.substr(0, dot) + ".NAME" + name.substr(dot) + "]";
  }
  if (form == SectionForm::list) return "[[" + name + "]]";
  return form == SectionForm::named_tables ? "[" + name + ".NAME]" : "[" + name + "]";
}

const std::vector<SectionDescription>& sections() {
  static const std::vector<SectionDescription> all = {
      model_section(),
      parameters_section(),
      material_section(),
      body_section(),
      grid_section(),
      marker_section(),
      geometry_section(),
      flexible_section(),
      section_section(),
      beam_section(),
      {.name = "ground", .summary = "The fixed world: markers and geometry only.", .nested = {"marker", "geometry"}},
      element_section("joint", "A constraint between two bodies, or between joint coordinates.", {"clearance"}),
      clearance_section(),
      motion_section(),
      element_section("force", "A force element.", {}),
      contact_section(),
      friction_section(),
      pair_section(),
      bearing_section(),
      cage_section(),
      solver_section(),
      baumgarte_section(),
      output_section()};
  return all;
}

const SectionDescription& section(const std::string& name) {
  const auto found =
      std::find_if(sections().begin(), sections().end(), [&](const auto& entry) { return entry.name == name; });
  assert(found != sections().end());
  return *found;
}

std::vector<ParameterDescription> element_rows(const std::string& section_name, const TypeDescription& type) {
  std::vector<ParameterDescription> rows = section(section_name).parameters;
  rows.insert(rows.end(), type.parameters.begin(), type.parameters.end());
  return rows;
}

const ParameterDescription* find_row(const std::vector<ParameterDescription>& rows, const std::string& name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

std::vector<std::string> row_names(const std::vector<ParameterDescription>& rows) {
  std::vector<std::string> names;
  for (const ParameterDescription& row : rows) names.push_back(row.name);
  return names;
}

const std::vector<ShapeDescription>& shapes() {
  static const std::vector<ShapeDescription> all = {{"sphere", {"radius"}},
                                                    {"box", {"size"}},
                                                    {"ellipsoid", {"size"}},
                                                    {"cylinder", {"radius", "length"}},
                                                    {"capsule", {"radius", "length"}},
                                                    {"plane", {}},
                                                    {"profile", {"points"}, {"closed"}},
                                                    {"cavity", {"radius"}},
                                                    {"slot", {"width"}, {}, true, true, {"height"}},
                                                    {"bore", {"radius", "length"}, {}, false, true},
                                                    {"inner_race", {"radius", "groove_radius"}, {}, true, false},
                                                    {"outer_race", {"radius", "groove_radius"}, {}, true, false}};
  return all;
}

}  // namespace carom
