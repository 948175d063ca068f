#include <algorithm>

#include "force_elements/force_element.h"

namespace carom {

// One function per file of this room.
ForceElementDescription describe_bushing();
ForceElementDescription describe_force();
ForceElementDescription describe_ligament();
ForceElementDescription describe_spring();
ForceElementDescription describe_torque();
ForceElementDescription describe_torsion_spring();

const std::vector<ForceElementDescription>& force_element_catalogue() {
  static const std::vector<ForceElementDescription> catalogue = {describe_bushing(),  describe_force(),
                                                                 describe_ligament(), describe_spring(),
                                                                 describe_torque(),   describe_torsion_spring()};
  return catalogue;
}

const ForceElementDescription* find_force_element(const std::string& type) {
  const auto& catalogue = force_element_catalogue();
  const auto found =
      std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& entry) { return entry.name == type; });
  return found == catalogue.end() ? nullptr : &*found;
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

}  // namespace carom
