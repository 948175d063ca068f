#include "bindings.h"
#include "carom/catalogue.h"

namespace carom::python {

void bind_catalogues(py::module_& module) {
  py::class_<v1::Parameter>(module, "Parameter", "A key that a section or a type takes.")
      .def_readonly("name", &v1::Parameter::name)
      .def_readonly("kind", &v1::Parameter::kind, "number, vector, function, choice, …")
      .def_readonly("unit", &v1::Parameter::unit, "SI; empty: dimensionless")
      .def_readonly("meaning", &v1::Parameter::meaning)
      .def_readonly("required", &v1::Parameter::required)
      .def_readonly("default", &v1::Parameter::default_text)
      .def_readonly("minimum", &v1::Parameter::minimum)
      .def_readonly("maximum", &v1::Parameter::maximum)
      .def_readonly("choices", &v1::Parameter::choices)
      .def_readonly("arguments", &v1::Parameter::arguments, "of a function")
      .def("__repr__", [](const v1::Parameter& each) { return "<carom.Parameter " + each.name + ">"; });
  py::class_<v1::Type>(module, "Type", "A type of joint, force element, block, law, integrator, scheme or solver.")
      .def_readonly("name", &v1::Type::name)
      .def_readonly("summary", &v1::Type::summary)
      .def_readonly("reference", &v1::Type::reference)
      .def_readonly("planar", &v1::Type::planar)
      .def_readonly("spatial", &v1::Type::spatial)
      .def_readonly("parameters", &v1::Type::parameters)
      .def_readonly("coordinates", &v1::Type::coordinates, "of a joint: what can be driven")
      .def_readonly("origin", &v1::Type::origin, "of a part made by a user; empty: built in")
      .def("__repr__", [](const v1::Type& each) { return "<carom.Type " + each.name + ">"; });
  py::class_<v1::SectionType>(module, "SectionType", "A section of the model file.")
      .def_readonly("heading", &v1::SectionType::heading)
      .def_readonly("summary", &v1::SectionType::summary)
      .def_readonly("parameters", &v1::SectionType::parameters)
      .def("__repr__", [](const v1::SectionType& each) { return "<carom.SectionType " + each.heading + ">"; });

  module.def("joint_types", &v1::joint_types, "The joints, with their keys.");
  module.def("force_types", &v1::force_types, "The force elements, with their keys.");
  module.def("block_types", &v1::block_types, "The blocks of signals, with their keys.");
  module.def("contact_law_types", &v1::contact_law_types, "The laws of the normal force, with their keys.");
  module.def("elastic_shape_types", &v1::elastic_shape_types, "The elastic parts of contact laws, with their keys.");
  module.def("friction_law_types", &v1::friction_law_types, "The friction laws, with their keys.");
  module.def("integrator_types", &v1::integrator_types, "The integrators of the compliant method, with their keys.");
  module.def("scheme_types", &v1::scheme_types, "The schemes of the nonsmooth method, with their keys.");
  module.def("contact_solver_types", &v1::contact_solver_types, "The solvers of contact problems, with their keys.");
  module.def("drive_types", &v1::drive_types, "The drives made by users.");
  module.def("model_sections", &v1::model_sections, "The sections of the model file, with their keys.");
  module.def("json_schema", &v1::json_schema, "The JSON Schema of the model file.");
  module.def("reference_page", &v1::reference_page, "All keys and types as a page of Markdown.");
  module.def("version", &v1::version, "The version of Carom.");
}

}  // namespace carom::python
