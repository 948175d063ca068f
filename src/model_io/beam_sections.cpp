#include "beams/section.h"
#include "model_io/sections.h"

namespace carom {
namespace {

using Kind = ParameterKind;

// What beams and flexible bodies share.
std::vector<ParameterDescription> flexible_rows() {
  return {
      {.name = "section", .kind = Kind::text, .meaning = "NAME of a [section.NAME]", .required = true},
      {.name = "material",
       .kind = Kind::material,
       .meaning = "what it is made of: `young` and `poisson`, of a [[beam]] also `density`",
       .required = true},
      {.name = "elements",
       .kind = Kind::integer,
       .meaning = "into how many the line is cut",
       .default_text = "8",
       .minimum = 1,
       .maximum = 100000},
      {.name = "shape",
       .kind = Kind::choice,
       .meaning = "of the line: `straight` from point to point, `arc` of a circle through three, `spline` smoothly "
                  "through all",
       .default_text = "straight",
       .choices = {"straight", "arc", "spline"}},
      {.name = "up",
       .kind = Kind::vector,
       .meaning = "direction towards which z of the section points, spatial models",
       .default_text = "z, or y for a line along z; of an arc the normal of its plane"},
      {.name = "twist",
       .unit = "rad",
       .meaning = "by which the section is turned about the line from begin to end, without stress",
       .default_text = "0"},
      {.name = "damping_ratio",
       .meaning = "of the first bending mode with both ends pinned, as a part of the critical one; higher modes are "
                  "damped in proportion to their frequency",
       .default_text = "0",
       .minimum = 0,
       .maximum = 1,
       .maximum_allowed = false},
      {.name = "mass_damping",
       .unit = "1/s",
       .meaning = "Rayleigh's α: force per momentum; it slows rigid motion as well",
       .default_text = "0",
       .minimum = 0},
      {.name = "stiffness_damping",
       .unit = "s",
       .meaning = "Rayleigh's β: stress per strain rate, over stress per strain",
       .default_text = "0",
       .minimum = 0}};
}

}  // namespace

SectionDescription section_section() {
  return {.name = "section",
          .form = SectionForm::named_tables,
          .summary = "Cross-section of beams.",
          .parameters = section_parameters()};
}

SectionDescription beam_section() {
  std::vector<ParameterDescription> rows = {
      {.name = "name",
       .kind = Kind::text,
       .meaning = "unique among beams and bodies; its nodes are the bodies NAME-0, NAME-1, …; without any of . : * ? /",
       .required = true},
      {.name = "points",
       .kind = Kind::points,
       .unit = "m",
       .meaning = "through which the line runs, world axes",
       .required = true}};
  const auto shared = flexible_rows();
  rows.insert(rows.end(), shared.begin(), shared.end());
  rows.push_back({.name = "velocity",
                  .kind = Kind::vector,
                  .unit = "m/s",
                  .meaning = "of its first point, world axes",
                  .default_text = "0"});
  rows.push_back({.name = "angular_velocity",
                  .kind = Kind::spin,
                  .unit = "rad/s",
                  .meaning = "with which it starts to turn as a whole; planar: one number; spatial: world axes",
                  .default_text = "0"});
  return {.name = "beam",
          .form = SectionForm::list,
          .summary = "A flexible beam along a line. Joints, forces and contacts that name it act on its nearest node.",
          .parameters = rows,
          .nested = {"marker", "geometry"}};
}

SectionDescription flexible_section() {
  std::vector<ParameterDescription> rows = flexible_rows();
  rows.push_back({.name = "line",
                  .kind = Kind::points,
                  .unit = "m",
                  .meaning = "points through which the line runs, body axes",
                  .default_text = "between the two joints that are farthest apart"});
  return {.name = "body.flexible",
          .summary = "Makes the body a beam of the same mass: flexible = { section = \"…\", material = \"…\" }.",
          .parameters = rows};
}

}  // namespace carom
