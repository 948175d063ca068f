#include "carom/catalogue.h"

#include "base/version.h"
#include "contact_laws/elastic_catalogue.h"
#include "contact_laws/friction_law.h"
#include "contact_laws/normal_law.h"
#include "control/block.h"
#include "force_elements/force_element.h"
#include "joints/joint.h"
#include "model/drive.h"
#include "model_io/schema.h"
#include "model_io/sections.h"
#include "model_io/solver_tables.h"

namespace carom::v1 {
namespace {

// Long: one case per kind.
std::string name_of(carom::ParameterKind kind) {
  switch (kind) {
    case carom::ParameterKind::number:
      return "number";
    case carom::ParameterKind::integer:
      return "integer";
    case carom::ParameterKind::boolean:
      return "boolean";
    case carom::ParameterKind::text:
      return "text";
    case carom::ParameterKind::choice:
      return "choice";
    case carom::ParameterKind::vector:
      return "vector";
    case carom::ParameterKind::numbers:
      return "numbers";
    case carom::ParameterKind::counts:
      return "counts";
    case carom::ParameterKind::points:
      return "points";
    case carom::ParameterKind::function:
      return "function";
    case carom::ParameterKind::functions:
      return "functions";
    case carom::ParameterKind::file:
      return "file";
    case carom::ParameterKind::body:
      return "body";
    case carom::ParameterKind::bodies:
      return "bodies";
    case carom::ParameterKind::joint:
      return "joint";
    case carom::ParameterKind::joints:
      return "joints";
    case carom::ParameterKind::marker:
      return "marker";
    case carom::ParameterKind::markers:
      return "markers";
    case carom::ParameterKind::texts:
      return "texts";
    case carom::ParameterKind::material:
      return "material";
    case carom::ParameterKind::materials:
      return "materials";
    case carom::ParameterKind::shapes:
      return "shapes";
    case carom::ParameterKind::contact:
      return "contact";
    case carom::ParameterKind::orientation:
      return "orientation";
    case carom::ParameterKind::angular_velocity:
      return "spin";
    case carom::ParameterKind::inertia:
      return "inertia";
  }
  return "";
}

std::vector<Parameter> translate(const std::vector<carom::ParameterDescription>& rows) {
  std::vector<Parameter> result;
  for (const carom::ParameterDescription& row : rows) {
    result.push_back({row.name, name_of(row.kind), row.unit, row.meaning, row.required, row.default_text, row.minimum,
                      row.maximum, row.choices, row.arguments});
  }
  return result;
}

Type translate(const carom::TypeDescription& type) {
  return {type.name, type.summary, type.reference, type.planar, type.spatial, translate(type.parameters),
          {},        type.origin};
}

template <class Catalogue>
std::vector<Type> translate_all(const Catalogue& catalogue) {
  std::vector<Type> result;
  for (const carom::TypeDescription& type : catalogue) result.push_back(translate(type));
  return result;
}

}  // namespace

std::vector<Type> joint_types() {
  std::vector<Type> result;
  for (const carom::JointDescription& joint : carom::joint_catalogue()) {
    result.push_back(translate(joint));
    result.back().coordinates = joint.coordinates;
  }
  return result;
}

std::vector<Type> force_types() {
  return translate_all(carom::force_element_catalogue());
}

std::vector<Type> block_types() {
  return translate_all(carom::block_catalogue());
}

std::vector<Type> contact_law_types() {
  return translate_all(carom::normal_law_catalogue());
}
std::vector<Type> elastic_shape_types() {
  return translate_all(carom::elastic_catalogue());
}
std::vector<Type> friction_law_types() {
  return translate_all(carom::friction_law_catalogue());
}

namespace {

std::vector<Type> types_of(const char* key) {
  std::vector<Type> result;
  for (const carom::TypeDescription* type : carom::solver_choice(key).types) result.push_back(translate(*type));
  return result;
}

}  // namespace

std::vector<Type> integrator_types() {
  return types_of("integrator");
}
std::vector<Type> scheme_types() {
  return types_of("scheme");
}
std::vector<Type> contact_solver_types() {
  return types_of("contact_solver");
}
std::vector<Type> drive_types() {
  return translate_all(carom::drive_catalogue());
}

std::vector<SectionType> model_sections() {
  std::vector<SectionType> result;
  for (const carom::SectionDescription& section : carom::sections()) {
    result.push_back({section.heading(), section.summary, translate(section.parameters)});
  }
  return result;
}

std::string json_schema() {
  return carom::json_schema();
}
std::string reference_page() {
  return carom::reference_page();
}
std::string version() {
  return carom_version;
}

}  // namespace carom::v1
