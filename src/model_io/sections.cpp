#include "model_io/sections.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "model/catalogue.h"
#include "model_io/field_tables.h"
#include "model_io/read_grid.h"
#include "model_io/read_race_faults.h"

namespace carom::inline model_io {
namespace {

using Form = SectionForm;

std::vector<SectionDescription> sections_of_bodies() {
  return {
      {.name = "model", .summary = "The model as a whole.", .parameters = model_fields().rows()},
      {.name = "parameters",
       .summary =
           "Named quantities of any unit, for use in expressions; may refer to one another in any order. One that "
           "events set is { value = …, variable = true }.",
       .free_keys = true},
      {.name = "material",
       .form = Form::named_tables,
       .summary = "What bodies are made of.",
       .parameters = material_fields().rows()},
      {.name = "body",
       .form = Form::list,
       .summary = "A rigid body.",
       .parameters = body_fields().rows(),
       .nested = {"marker", "geometry", "grid", "flexible"}},
      {.name = "body.grid",
       .summary = fmt::format(
           "Makes many copies of the body above it, on a lattice along the world axes or as the links of a chain: "
           "NAME1, NAME2, … instead of NAME, at most {}. `position` of the body is the place of the first, in a chain "
           "the place in each link, from its middle.",
           most_copies),
       .parameters = grid_fields().rows()},
      {.name = "body.marker",
       .form = Form::list,
       .summary = "A named frame on a body or on the ground, referred to as \"body.marker\".",
       .parameters = marker_fields().rows()},
      {.name = "body.geometry",
       .form = Form::list,
       .summary = "A shape on a body or on the ground, for drawing and for contact.",
       .parameters = geometry_fields().rows()},
      {.name = "body.flexible",
       .summary = "Makes the body a beam of the same mass: flexible = { section = \"…\", material = \"…\" }.",
       .parameters = flexible_fields().rows()},
      {.name = "section",
       .form = Form::named_tables,
       .summary = "Cross-section of beams.",
       .parameters = cross_section_fields().rows()},
      {.name = "beam",
       .form = Form::list,
       .summary = "A flexible beam along a line. Joints, forces and contacts that name it act on its nearest node.",
       .parameters = beam_fields().rows(),
       .nested = {"marker", "geometry"}},
      {.name = "ground", .summary = "The fixed world: markers and geometry only.", .nested = {"marker", "geometry"}}};
}

std::vector<SectionDescription> sections_of_connections() {
  return {
      {.name = "joint",
       .form = Form::list,
       .summary = "A constraint between two bodies, or between joint coordinates.",
       .parameters = element_fields().rows(),
       .nested = {"clearance"}},
      {.name = "joint.clearance",
       .summary = "The clearance of a real joint, below its [[joint]]: the joint becomes a contact of a journal in its "
                  "bearing, or of a block in its guide.",
       .parameters = clearance_fields().rows()},
      {.name = "motion",
       .form = Form::list,
       .summary = "A drive: prescribes a joint coordinate or a coordinate of a body as a function of time.",
       .parameters = motion_fields().rows()},
      {.name = "force", .form = Form::list, .summary = "A force element.", .parameters = element_fields().rows()},
      {.name = "signal",
       .form = Form::list,
       .summary = "A number that changes with the motion: a quantity of the model, an expression, or the output of a "
                  "block of a control. Functions of forces, drives and other signals use it by its name.",
       .parameters = signal_fields().rows()},
      {.name = "event",
       .form = Form::list,
       .summary = "Something that happens on the way, at an instant that is found exactly: a condition crosses zero, a "
                  "contact starts or ends, a time has come; and what follows from it. Events of one instant happen in "
                  "the order of the file.",
       .parameters = event_fields().rows()},
      {.name = "contact",
       .form = Form::named_tables,
       .summary = "How surfaces that touch behave; further keys come from the law and the elastic shape.",
       .parameters = contact_fields().rows(),
       .nested = {"friction"}},
      {.name = "contact.friction",
       .summary = "Friction of a contact; further keys come from the law. `friction = 0.1` is short for the law "
                  "`tanh` with that coefficient. Without a coefficient it comes from the materials.",
       .parameters = friction_fields().rows()},
      {.name = "pair", .form = Form::list, .summary = "Two bodies that may touch.", .parameters = pair_fields().rows()},
      {.name = "bearing",
       .form = Form::list,
       .summary = "A rolling bearing: in the plane a ball bearing of races on two bodies, balls and cage; in space any "
                  "kind, as a force.",
       .parameters = bearing_fields().rows(),
       .nested = {"cage", "spall", "waviness"}},
      {.name = "bearing.cage",
       .summary = "The cage of a bearing, below its [[bearing]].",
       .parameters = cage_fields().rows()},
      {.name = "bearing.spall",
       .form = Form::list,
       .summary = "A fault: a piece that has broken out of a race over its whole width, or out of a ball, below its "
                  "[[bearing]].",
       .parameters = spall_fields().rows()},
      {.name = "bearing.waviness",
       .form = Form::list,
       .summary = "Waves round a race, as grinding leaves them, below its [[bearing]]. Several add up.",
       .parameters = waviness_fields().rows()}};
}

std::vector<SectionDescription> sections_of_the_run() {
  return {{.name = "solver",
           .summary = "What is computed, and how.",
           .parameters = solver_fields().rows(),
           .nested = {"baumgarte"}},
          {.name = "solver.baumgarte",
           .summary = "Feedback of constraint violations: g̈ + 2α ġ + β² g = 0.",
           .parameters = baumgarte_fields().rows()},
          {.name = "output", .summary = "What is recorded.", .parameters = output_fields().rows()}};
}

}  // namespace

std::string SectionDescription::heading() const {
  const std::size_t dot = name.find('.');
  if (dot != std::string::npos && section(name.substr(0, dot)).form == SectionForm::named_tables) {
    return "[" + name.substr(0, dot) + ".NAME" + name.substr(dot) + "]";
  }
  if (form == SectionForm::list) return "[[" + name + "]]";
  return form == SectionForm::named_tables ? "[" + name + ".NAME]" : "[" + name + "]";
}

const std::vector<SectionDescription>& sections() {
  static UpToDate<std::vector<SectionDescription>> all;
  return all.get([] {
    std::vector<SectionDescription> joined = sections_of_bodies();
    for (const auto& more : {sections_of_connections(), sections_of_the_run()})
      joined.insert(joined.end(), more.begin(), more.end());
    return joined;
  });
}

const SectionDescription& section(const std::string& name) {
  const auto found =
      std::find_if(sections().begin(), sections().end(), [&](const auto& entry) { return entry.name == name; });
  assert(found != sections().end());
  return *found;
}

}  // namespace carom::inline model_io
