#include "bindings.h"
#include "carom/catalogue.h"

namespace carom::python {

void bind_catalogues(py::module_& module) {
  py::class_<v1::Parameter>(module, "Parameter", R"(A key that a section or a type takes.

>>> (bodies,) = [each for each in carom.joint_types()[1].parameters if each.name == "bodies"]
>>> bodies.kind, bodies.required
('bodies', False)
)")
      .def_readonly("name", &v1::Parameter::name, "as it stands in the model file")
      .def_readonly("kind", &v1::Parameter::kind, "number, vector, function, choice, …")
      .def_readonly("unit", &v1::Parameter::unit, "SI; empty: dimensionless")
      .def_readonly("meaning", &v1::Parameter::meaning, "what it says")
      .def_readonly("required", &v1::Parameter::required, "a model without it is refused")
      .def_readonly("default", &v1::Parameter::default_text, "as a text; empty: there is none")
      .def_readonly("minimum", &v1::Parameter::minimum, "least value, in the unit")
      .def_readonly("maximum", &v1::Parameter::maximum, "largest value, in the unit")
      .def_readonly("choices", &v1::Parameter::choices, "the words that it may be; empty: it is no choice")
      .def_readonly("arguments", &v1::Parameter::arguments, "of a function")
      .def("__repr__", [](const v1::Parameter& each) { return "<carom.Parameter " + each.name + ">"; });
  py::class_<v1::Type>(module, "Type", R"(A type of joint, force element, block, law, integrator, scheme or solver.

>>> (spring,) = [each for each in carom.force_types() if each.name == "spring"]
>>> [each.name for each in spring.parameters if each.unit == "N/m"]
['stiffness']
)")
      .def_readonly("name", &v1::Type::name, "as in the model file")
      .def_readonly("summary", &v1::Type::summary, "what it is, in a sentence")
      .def_readonly("reference", &v1::Type::reference, "literature")
      .def_readonly("planar", &v1::Type::planar, "may be used in plane models")
      .def_readonly("spatial", &v1::Type::spatial, "may be used in models in space")
      .def_readonly("parameters", &v1::Type::parameters, "its keys")
      .def_readonly("coordinates", &v1::Type::coordinates, "of a joint: what can be driven")
      .def_readonly("origin", &v1::Type::origin, "of a part made by a user; empty: built in")
      .def("__repr__", [](const v1::Type& each) { return "<carom.Type " + each.name + ">"; });
  py::class_<v1::SectionType>(module, "SectionType", R"(A section of the model file.

>>> [each.heading for each in carom.model_sections()][:3]
['[model]', '[parameters]', '[material.NAME]']
)")
      .def_readonly("heading", &v1::SectionType::heading,
                    "[solver]; [[body]] where there may be several; [contact.NAME] where each has a name")
      .def_readonly("summary", &v1::SectionType::summary, "what it is, in a sentence")
      .def_readonly("parameters", &v1::SectionType::parameters, "its keys, without those of its types")
      .def("__repr__", [](const v1::SectionType& each) { return "<carom.SectionType " + each.heading + ">"; });

  module.def("joint_types", &v1::joint_types, R"(The joints, with their keys.

>>> "revolute" in [each.name for each in carom.joint_types()]
True
)");
  module.def("force_types", &v1::force_types, R"(The force elements, with their keys.

>>> "spring" in [each.name for each in carom.force_types()]
True
)");
  module.def("block_types", &v1::block_types, R"(The blocks of signals, with their keys.

>>> "pid" in [each.name for each in carom.block_types()]
True
)");
  module.def("contact_law_types", &v1::contact_law_types, R"(The laws of the normal force, with their keys.

>>> "hunt-crossley" in [each.name for each in carom.contact_law_types()]
True
)");
  module.def("elastic_shape_types", &v1::elastic_shape_types, R"(The elastic parts of contact laws, with their keys.

>>> [each.name for each in carom.elastic_shape_types()][:2]
['brandlein', 'gear']
)");
  module.def("friction_law_types", &v1::friction_law_types, R"(The friction laws, with their keys.

>>> "tanh" in [each.name for each in carom.friction_law_types()]
True
)");
  module.def("integrator_types", &v1::integrator_types, R"(The integrators of the compliant method, with their keys.

>>> len(carom.integrator_types()) > 3
True
)");
  module.def("scheme_types", &v1::scheme_types, R"(The schemes of the nonsmooth method, with their keys.

>>> [each.name for each in carom.scheme_types()]
['decoupled', 'moreau-jean', 'projected-moreau-jean']
)");
  module.def("contact_solver_types", &v1::contact_solver_types, R"(The solvers of contact problems, with their keys.

>>> [each.name for each in carom.contact_solver_types()]
['admm', 'auto', 'direct', 'interior-point', 'iterative']
)");
  module.def("drive_types", &v1::drive_types, R"(The drives made by users.

>>> [each.name for each in carom.drive_types() if not each.origin]
[]
)");
  module.def("model_sections", &v1::model_sections, R"(The sections of the model file, with their keys.

>>> "[[joint]]" in [each.heading for each in carom.model_sections()]
True
)");
  module.def("json_schema", &v1::json_schema, R"(The JSON Schema of the model file.

>>> import json
>>> json.loads(carom.json_schema())["type"]
'object'
)");
  module.def("reference_page", &v1::reference_page, R"(All keys and types as a page of Markdown.

>>> carom.reference_page().splitlines()[0]
'# Reference of the model file'
)");
  module.def("version", &v1::version, R"(The version of Carom.

>>> carom.version() == carom.__version__
True
)");
}

}  // namespace carom::python
