#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "carom/result.h"

// The compiled half of the Python package: what it shows is plain values and arrays; the package in python/carom gives
// them Python's manner.
namespace carom::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_catalogues(py::module_& module);
void bind_models(py::module_& module);
void bind_results(py::module_& module);
void bind_simulation(py::module_& module);
void bind_callback_costs(py::module_& module);
void bind_parts(py::module_& module);
void bind_vectorised_forces(py::module_& module);
void bind_controllers(py::module_& module);
void bind_postprocessing(py::module_& module);
void bind_motions(py::module_& module);
void bind_studies(py::module_& module);
void bind_drawings(py::module_& module);

// An array that owns the numbers: nothing is copied.
inline py::array_t<double> array_of(std::vector<double>&& numbers) {
  auto* const kept = new std::vector<double>(std::move(numbers));
  const py::capsule owner(kept, [](void* vector) { delete static_cast<std::vector<double>*>(vector); });
  return py::array_t<double>(static_cast<py::ssize_t>(kept->size()), kept->data(), owner);
}

// Ctrl-C has come while a function of a part ran.
inline std::atomic<bool> interrupt_seen = false;

// Looks out for Ctrl-C while the interpreter lock is released, and for what a Python function has raised. Both stop the
// motion at its next step, so that what was computed is kept.
class Watch {
 public:
  explicit Watch(py::object progress) : progress_(std::move(progress)) {}
  const std::atomic<bool>* flag() const { return &stop_; }
  const py::object& progress() const { return progress_; }

  // Called by the motion, without the lock.
  void look(double time, double start, double end, long steps) {
    const py::gil_scoped_acquire lock;
    if (interrupt_seen.exchange(false)) PyErr_SetNone(PyExc_KeyboardInterrupt);
    if (PyErr_Occurred() || PyErr_CheckSignals() != 0) return note();
    if (progress_.is_none()) return;
    try {
      progress_(time, start, end, steps);
    } catch (py::error_already_set& error) {
      error.restore();
      note();
    }
  }
  // With the lock: an exception has been raised.
  bool has_stopped() const { return static_cast<bool>(raised_); }
  // It goes on; what was computed becomes its attribute `result` where there is one.
  [[noreturn]] void raise(const py::object& result = py::none());

 private:
  void note() {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace) PyException_SetTraceback(value, trace);
    raised_ = py::reinterpret_steal<py::object>(value);
    Py_XDECREF(type), Py_XDECREF(trace);
    stop_ = true;
  }

  py::object progress_, raised_;
  std::atomic<bool> stop_ = false;
};

// Without the interpreter lock; what goes wrong is raised with it.
template <class Function>
auto unlocked(Function function) {
  const py::gil_scoped_release release;
  return function();
}

}  // namespace carom::python
