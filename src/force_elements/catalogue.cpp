#include "force_elements/force_element.h"

namespace carom::inline force_elements {

// One function per file of this room.
ForceElementDescription describe_brake();
ForceElementDescription describe_bushing();
ForceElementDescription describe_clutch();
ForceElementDescription describe_dc_motor();
ForceElementDescription describe_force();
ForceElementDescription describe_gas_spring();
ForceElementDescription describe_hydraulic_cylinder();
ForceElementDescription describe_ligament();
ForceElementDescription describe_pneumatic_cylinder();
ForceElementDescription describe_spring();
ForceElementDescription describe_synchronous_motor();
ForceElementDescription describe_torque();
ForceElementDescription describe_torque_speed_motor();
ForceElementDescription describe_torsion_spring();

namespace {

Catalogue<ForceElementDescription>& catalogue() {
  static Catalogue<ForceElementDescription> all(
      {describe_brake(), describe_bushing(), describe_clutch(), describe_dc_motor(), describe_force(),
       describe_gas_spring(), describe_hydraulic_cylinder(), describe_ligament(), describe_pneumatic_cylinder(),
       describe_spring(), describe_synchronous_motor(), describe_torque(), describe_torque_speed_motor(),
       describe_torsion_spring()});
  return all;
}

}  // namespace

const Catalogue<ForceElementDescription>& force_element_catalogue() {
  return catalogue();
}

bool add_force_element(ForceElementDescription description) {
  return catalogue().add(std::move(description));
}

const ForceElementDescription* find_force_element(const std::string& type) {
  return catalogue().find(type);
}

std::vector<ParameterDescription> two_end_parameters() {
  return {
      {.name = "bodies", .kind = ParameterKind::bodies, .meaning = "the two bodies, or one and \"ground\""},
      {.name = "ends",
       .kind = ParameterKind::points,
       .unit = "m",
       .meaning = "the two end points, world axes, in the configuration of the file"},
      {.name = "points",
       .kind = ParameterKind::points,
       .unit = "m",
       .meaning = "the end points in the axes of each body"},
      {.name = "markers",
       .kind = ParameterKind::markers,
       .meaning = "a marker on each body, instead of bodies and points"},
  };
}

std::vector<ParameterDescription> single_end_parameters() {
  return {
      {.name = "body", .kind = ParameterKind::body, .meaning = "the body it acts on"},
      {.name = "point",
       .kind = ParameterKind::vector,
       .unit = "m",
       .meaning = "where, in body axes",
       .default_text = "the mass centre"},
      {.name = "at",
       .kind = ParameterKind::vector,
       .unit = "m",
       .meaning = "where, world axes, in the configuration of the file"},
      {.name = "marker", .kind = ParameterKind::marker, .meaning = "where: body.marker, instead of body and point"}};
}

std::vector<ParameterDescription> given_load_parameters(const std::string& name, const std::string& unit,
                                                        const std::string& meaning) {
  return {{.name = name,
           .kind = ParameterKind::functions,
           .unit = unit,
           .meaning = meaning,
           .required = true,
           .arguments = {"t"}},
          {.name = "axes",
           .kind = ParameterKind::choice,
           .meaning = "axes of the components",
           .default_text = "world",
           .choices = {"world", "body"}}};
}

}  // namespace carom::inline force_elements
