#include "bindings.h"
#include "carom/model.h"
#include "carom/simulate.h"

namespace carom::python {
namespace {

v1::Result simulate(const v1::Model& model, const std::optional<std::filesystem::path>& file, py::object progress) {
  Watch watch(std::move(progress));
  v1::SimulateOptions options;
  options.interrupt = watch.flag();
  options.progress = [&](const v1::Progress& now) { watch.look(now.time, now.start, now.end, now.steps); };
  v1::Result result =
      unlocked([&] { return file ? v1::simulate(model, *file, options) : v1::simulate(model, options); });
  if (watch.has_stopped()) watch.raise(py::cast(result));
  return result;
}

}  // namespace

void bind_models(py::module_& module) {
  py::class_<v1::Model>(module, "ModelText", "A model as the text of a model file.")
      .def_static("load", &v1::Model::load, py::arg("file"))
      .def_static("from_text", &v1::Model::from_text, py::arg("text"), py::arg("folder") = std::filesystem::path())
      .def("text", &v1::Model::text);

  py::class_<v1::RedundantRow>(module, "RedundantRow", R"(A row of a constraint that follows from others.

>>> for name in ("guide", "second guide"):
...     section = model.joint(name, type="prismatic", bodies=["ground", "ball"], at=[0, 0], axis=[0, 1])
>>> [row.joint for row in model.check().redundant]
['second guide', 'second guide']
)")
      .def_readonly("joint", &v1::RedundantRow::joint, "the joint that the row belongs to")
      .def_readonly("row", &v1::RedundantRow::row, "what the row says")
      .def("__repr__", [](const v1::RedundantRow& row) { return "<" + row.joint + ": " + row.row + ">"; });
  py::class_<v1::Structure>(module, "Structure", R"(What the constraints of a model make of its degrees of freedom.

>>> structure = model.check()
>>> structure.assembled, structure.degrees_of_freedom
(True, 3)
)")
      .def_readonly("assembled", &v1::Structure::assembled, "a configuration near that of the model closes all joints")
      .def_readonly("residual", &v1::Structure::residual, "largest violation of the position constraints there")
      .def_readonly("dofs", &v1::Structure::dofs, "degrees of freedom of the bodies without constraints")
      .def_readonly("constraint_rows", &v1::Structure::constraint_rows, "scalar equations of all joints")
      .def_readonly("degrees_of_freedom", &v1::Structure::degrees_of_freedom, "that are left")
      .def_readonly("redundant", &v1::Structure::redundant, "rows that follow from others")
      .def_readonly("warning", &v1::Structure::warning, "given velocities that had to be changed")
      .def("__repr__", [](const v1::Structure& each) {
        return "<carom.Structure: " + std::to_string(each.degrees_of_freedom) + " degrees of freedom, " +
               std::to_string(each.constraint_rows) + " constraint rows>";
      });

  module.def(
      "validate", [](const v1::Model& model) { return unlocked([&] { return v1::validate(model); }); },
      py::arg("model"));
  module.def(
      "check", [](const v1::Model& model) { return unlocked([&] { return v1::check(model); }); }, py::arg("model"));
  module.def("simulate", &simulate, py::arg("model"), py::arg("file") = py::none(), py::arg("progress") = py::none());
}

}  // namespace carom::python
