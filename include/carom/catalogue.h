#pragma once

#include <string>
#include <vector>

#include "carom/export.h"

namespace carom::v1 {

// A key that a section, joint or force element takes.
struct Parameter {
  std::string name;
  std::string kind;  // number, vector, function, choice, …
  std::string unit;  // SI; "" means dimensionless
  std::string meaning;
  bool required = false;
  std::string default_text;
  double minimum = 0, maximum = 0;  // infinite where there is no bound
  std::vector<std::string> choices;
  std::vector<std::string> arguments;  // of a function
};

// A type of joint, force element, contact law, integrator, scheme or contact solver.
struct Type {
  std::string name;
  std::string summary;
  std::string reference;
  bool planar = true, spatial = true;  // may be used in such models
  std::vector<Parameter> parameters;
  std::vector<std::string> coordinates;  // of a joint: what can be driven
  std::string origin;                    // of a part made by a user: its plug-in, or "the program"; empty: built in
};

// A section of the model file.
struct SectionType {
  std::string heading;  // "[[body]]"
  std::string summary;
  std::vector<Parameter> parameters;
};

CAROM_EXPORT std::vector<Type> joint_types();
CAROM_EXPORT std::vector<Type> force_types();
CAROM_EXPORT std::vector<Type> block_types();          // of a control: type = "NAME" of a [[signal]]
CAROM_EXPORT std::vector<Type> contact_law_types();    // of the normal force
CAROM_EXPORT std::vector<Type> elastic_shape_types();  // of its conservative part
CAROM_EXPORT std::vector<Type> friction_law_types();
CAROM_EXPORT std::vector<Type> integrator_types();
CAROM_EXPORT std::vector<Type> scheme_types();  // of the nonsmooth method
CAROM_EXPORT std::vector<Type> contact_solver_types();
CAROM_EXPORT std::vector<Type> drive_types();  // those made by users; none is built in
CAROM_EXPORT std::vector<SectionType> model_sections();

CAROM_EXPORT std::string json_schema();     // of the model file
CAROM_EXPORT std::string reference_page();  // Markdown, all of the above
CAROM_EXPORT std::string version();         // "0.1.0"

}  // namespace carom::v1
