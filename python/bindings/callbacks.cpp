#include "callbacks.h"

#include <map>

namespace carom::python {
namespace {

// All costs since they were last taken, by the name of the part. Guarded by the interpreter lock; entries stay.
std::map<std::string, CallCost>& all_costs() {
  static std::map<std::string, CallCost> all;
  return all;
}

std::string text_of(py::error_already_set& error) {
  const py::object value = error.value();
  return py::str(error.type().attr("__name__")).cast<std::string>() + ": " + py::str(value).cast<std::string>();
}

}  // namespace

Callback::Callback(std::string part, py::object function)
    : part_(std::move(part)),
      cost_(&all_costs()[part_]),
      shared_(std::make_shared<Shared>(Shared{std::move(function)})) {}

// The last copy may go with a simulation, in any thread.
Callback::Shared::~Shared() {
  if (!function) return;
  if (!Py_IsInitialized()) {
    function.release();
    return;
  }
  const py::gil_scoped_acquire lock;
  function = py::object();
}

py::object Callback::operator()(PyObject* const* arguments, std::size_t count, long elements) const {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  for (bool again = false;; again = true) {
    PyObject* const result = PyObject_Vectorcall(shared_->function.ptr(), arguments, count, nullptr);
    ++cost_->calls, cost_->elements += elements;
    if (result) {
      cost_->seconds += std::chrono::duration<double>(Clock::now() - begin).count();
      return py::reinterpret_steal<py::object>(result);
    }
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) && !again) {
      PyErr_Clear();
      interrupt_seen = true;
      continue;
    }
    py::error_already_set error;
    throw std::runtime_error(text_of(error));
  }
}

std::vector<v1::Key> keys_of(const py::dict& given) {
  std::vector<v1::Key> keys;
  for (const auto& [name, said] : given) {
    const auto row = said.cast<py::tuple>();
    v1::Key key{.name = name.cast<std::string>(), .unit = row[0].cast<std::string>()};
    key.required = row[1].is_none();
    if (!key.required) key.default_value = row[1].cast<double>();
    key.meaning = row[2].cast<std::string>();
    keys.push_back(std::move(key));
  }
  return keys;
}

double number_from(const py::object& value, const std::string& part) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    throw std::runtime_error(part + " must return a number, not " +
                             py::str(py::type::of(value).attr("__name__")).cast<std::string>());
  }
  return number;
}

void numbers_from(const py::object& value, double* to, std::size_t count, const std::string& what) {
  // Tuples and lists of floats are the quick way.
  if (PyTuple_CheckExact(value.ptr()) || PyList_CheckExact(value.ptr())) {
    PyObject* const items = value.ptr();
    if (static_cast<std::size_t>(PySequence_Fast_GET_SIZE(items)) == count) {
      bool plain = true;
      for (std::size_t k = 0; k < count && plain; ++k) {
        to[k] = PyFloat_AsDouble(PySequence_Fast_GET_ITEM(items, static_cast<Py_ssize_t>(k)));
        plain = !(to[k] == -1 && PyErr_Occurred());
      }
      if (plain) return;
      PyErr_Clear();
    }
  }
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(value);
  if (!array || static_cast<std::size_t>(array.size()) != count) {
    PyErr_Clear();
    throw std::runtime_error(what);
  }
  std::copy_n(array.data(), count, to);
}

void bind_callback_costs(py::module_& module) {
  module.def(
      "take_callback_costs",
      [] {
        py::list costs;
        for (auto& [part, cost] : all_costs()) {
          if (cost.calls > 0) costs.append(py::make_tuple(part, cost.calls, cost.seconds, cost.elements));
          cost = {};
        }
        return costs;
      },
      "Part, calls, seconds and elements worked out, of every Python function that was called since the last time; "
      "counts "
      "begin anew.");
}

}  // namespace carom::python
