#include "base/problem.h"
#include "bindings.h"
#include "carom/simulate.h"
#include "facade/translate.h"

namespace carom::python {
namespace {

PyObject *error_class = nullptr, *input_error_class = nullptr, *result_error_class = nullptr,
         *computation_error_class = nullptr;

PyObject* new_class(py::module_& module, const char* name, const char* text, const py::object& bases) {
  PyObject* made = PyErr_NewExceptionWithDoc(("carom." + std::string(name)).c_str(), text, bases.ptr(), nullptr);
  module.add_object(name, py::reinterpret_borrow<py::object>(made));
  return made;
}

void set_input_error(const char* text, std::vector<v1::Problem> problems) {
  const py::object error = py::reinterpret_borrow<py::object>(input_error_class)(text);
  error.attr("problems") = py::cast(std::move(problems));
  PyErr_SetObject(input_error_class, error.ptr());
}

void set_computation_error(const v1::ComputationError& failed) {
  const py::object error = py::reinterpret_borrow<py::object>(computation_error_class)(failed.what());
  error.attr("result") = py::cast(failed.result());
  PyErr_SetObject(computation_error_class, error.ptr());
}

void translate_errors(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const v1::InputError& error) {
    set_input_error(error.what(), error.problems());
  } catch (const InputError& error) {
    const v1::InputError shown(v1::translate(error.problems()));
    set_input_error(shown.what(), shown.problems());
  } catch (const v1::ComputationError& error) {
    set_computation_error(error);
  } catch (const ComputationError& error) {
    PyErr_SetString(computation_error_class, error.what());
  } catch (const v1::ResultError& error) {
    PyErr_SetString(result_error_class, error.what());
  } catch (const ResultError& error) {
    PyErr_SetString(result_error_class, error.what());
  } catch (const v1::Error& error) {
    PyErr_SetString(error_class, error.what());
  }
}

}  // namespace

void Watch::raise(const py::object& result) {
  if (!result.is_none()) py::setattr(raised_, "result", result);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised_.ptr())), raised_.ptr());
  throw py::error_already_set();
}

void bind_errors(py::module_& module) {
  error_class = new_class(module, "Error", R"(What every exception of Carom derives from.

>>> try:
...     carom.open_result("missing.h5")
... except carom.Error as error:
...     print(type(error).__name__)
ResultError
)",
                          py::reinterpret_borrow<py::object>(PyExc_Exception));
  const auto error = py::reinterpret_borrow<py::object>(error_class);
  input_error_class =
      new_class(module, "InputError",
                R"(The model, a study or an argument cannot be used. `problems` holds every problem that was found.

>>> model.body("ball", mass="1 m")
<carom.Section body.ball>
>>> try:
...     model.run()
... except carom.InputError as error:
...     print([problem.key for problem in error.problems])
['body.ball.mass']
)",
                py::make_tuple(error, py::reinterpret_borrow<py::object>(PyExc_ValueError)));
  result_error_class =
      new_class(module, "ResultError",
                R"(A result file cannot be written or read, or does not hold the quantity that was asked for.

>>> try:
...     result["body:ball.height"]
... except carom.ResultError as error:
...     print("did you mean" in str(error))
True
)",
                py::make_tuple(error, py::reinterpret_borrow<py::object>(PyExc_LookupError)));
  computation_error_class =
      new_class(module, "ComputationError",
                R"(The computation failed on the way. `result`, where there is one, holds what was computed until then.

>>> @carom.force("out_of_order")
... def out_of_order(t, position, velocity, axes, angular_velocity):
...     return (0.0, 0.0, 0.0) if t < 0.2 else None
>>> f = model.force("f", type="out_of_order", bodies=["ground", "ball"], ends=[[0, 0], [0, 1]])
>>> try:
...     model.run()
... except carom.ComputationError as error:
...     print(f"{error.result.summary.status} at {error.result.time[-1]:.1f} s")
failed at 0.2 s
)",
                py::make_tuple(error, py::reinterpret_borrow<py::object>(PyExc_ArithmeticError)));
  py::setattr(py::reinterpret_borrow<py::object>(input_error_class), "problems", py::tuple());
  py::setattr(py::reinterpret_borrow<py::object>(computation_error_class), "result", py::none());
  py::register_exception_translator(translate_errors);

  py::class_<v1::Problem>(
      module, "Problem",
      R"(One thing wrong with a model: where it stands, what was found, what was expected, and how to put it right.

>>> (problem,) = carom.Model.from_text("[model]\nplain = 'xy'\n").validate()[-1:]
>>> problem.key, problem.warning
('model.plain', False)
)")
      .def_readonly("warning", &v1::Problem::warning, "the model can be used all the same")
      .def_readonly("file", &v1::Problem::file, "of a model that was loaded; empty: it was built in Python")
      .def_readonly("line", &v1::Problem::line, "counted from 1; 0: not known")
      .def_readonly("column", &v1::Problem::column, "counted from 1; 0: not known")
      .def_readonly("key", &v1::Problem::key, "dotted path, such as body.crank.mass")
      .def_readonly("found", &v1::Problem::found, "what stands there")
      .def_readonly("expected", &v1::Problem::expected, "what may stand there")
      .def_readonly("remedy", &v1::Problem::remedy, "what to do")
      .def("__str__", [](const v1::Problem& problem) { return v1::to_text(problem); })
      .def("__repr__", [](const v1::Problem& problem) { return "<carom.Problem " + v1::to_text(problem) + ">"; });
}

}  // namespace carom::python
