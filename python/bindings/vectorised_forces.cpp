#include <algorithm>
#include <map>

#include "callbacks.h"
#include "parts/force_batch.h"
#include "parts/plugins.h"
#include "parts/registry.h"

// Forces written in Python that are called once for all elements of their kind.
namespace carom::python {
namespace {

// The numbers of all elements and the arrays that show them, made once. They live as long as any of the arrays.
struct BatchArguments {
  double* numbers;
  py::object owner, position, velocity, axes, angular_velocity;

  explicit BatchArguments(std::size_t count)
      : numbers(new double[batch_state_size * count]()), owner(owner_of(numbers)) {
    const auto n = static_cast<py::ssize_t>(count);
    position = shown({n, 2, 3}, 0), velocity = shown({n, 2, 3}, 6);
    axes = shown({n, 2, 3, 3}, 12), angular_velocity = shown({n, 2, 3}, 30);
  }

 private:
  // An element's numbers are beside each other.
  py::array shown(const std::vector<py::ssize_t>& shape, std::size_t first) {
    std::vector<py::ssize_t> strides(shape.size(), sizeof(double));
    for (std::size_t k = shape.size() - 1; k-- > 1;) strides[k] = strides[k + 1] * shape[k + 1];
    strides[0] = static_cast<py::ssize_t>(batch_state_size * sizeof(double));
    return py::array_t<double>(shape, strides, numbers + first, owner);
  }
};

// An object of Python that may be dropped by any thread, also after the interpreter.
template <class Object>
void drop(std::unique_ptr<Object>& held) {
  if (!held) return;
  if (!Py_IsInitialized()) {
    static_cast<void>(held.release());
    return;
  }
  const py::gil_scoped_acquire lock;
  held.reset();
}

class PythonBatch final : public BatchLaw {
 public:
  PythonBatch(Callback function, std::unique_ptr<BatchArguments> arguments)
      : function_(std::move(function)), arguments_(std::move(arguments)) {}
  ~PythonBatch() override { drop(arguments_); }
  PythonBatch(const PythonBatch&) = delete;
  PythonBatch& operator=(const PythonBatch&) = delete;

  void evaluate(double t, std::span<const double> states, std::span<double> loads) override {
    const std::size_t count = loads.size() / batch_load_size;
    const py::gil_scoped_acquire lock;
    BatchArguments& given = *arguments_;
    std::copy(states.begin(), states.end(), given.numbers);
    const py::float_ time(t);
    PyObject* const list[] = {time.ptr(), given.position.ptr(), given.velocity.ptr(), given.axes.ptr(),
                              given.angular_velocity.ptr()};
    const py::object returned = function_(list, std::size(list), static_cast<long>(count));
    if (PyTuple_CheckExact(returned.ptr()) && PyTuple_GET_SIZE(returned.ptr()) == 2) {
      take(PyTuple_GET_ITEM(returned.ptr(), 0), count, loads.data());
      take(PyTuple_GET_ITEM(returned.ptr(), 1), count, loads.data() + 3);
      return;
    }
    for (std::size_t k = 0; k < count; ++k) std::fill_n(loads.data() + batch_load_size * k + 3, 3, 0.0);
    take(returned.ptr(), count, loads.data());
  }

 private:
  static void take(PyObject* value, std::size_t count, double* loads) {
    const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(value);
    if (!array) PyErr_Clear();
    if (!array || array.ndim() != 2 || static_cast<std::size_t>(array.shape(0)) != count || array.shape(1) != 3)
      throw std::runtime_error("it must return forces as an array of shape (" + std::to_string(count) +
                               ", 3), or a pair of such arrays, forces and torques");
    for (std::size_t k = 0; k < count; ++k) std::copy_n(array.data() + 3 * k, 3, loads + batch_load_size * k);
  }

  Callback function_;
  std::unique_ptr<BatchArguments> arguments_;
};

// The keys of all elements, an array each.
py::dict columns_of(const std::vector<v1::Key>& keys, const std::vector<v1::KeyValues>& values) {
  py::dict all;
  for (const v1::Key& key : keys) {
    std::vector<double> column;
    for (const v1::KeyValues& one : values) column.push_back(one.number(key.name));
    all[py::str(key.name)] = array_of(std::move(column));
  }
  return all;
}

std::unique_ptr<BatchLaw> made_for(const std::string& part, const py::handle& make, const std::vector<v1::Key>& keys,
                                   const std::vector<v1::KeyValues>& values) {
  const py::gil_scoped_acquire lock;
  try {
    return std::make_unique<PythonBatch>(Callback(part, make(**columns_of(keys, values))),
                                         std::make_unique<BatchArguments>(values.size()));
  } catch (py::error_already_set& error) {
    throw std::runtime_error(error.what());
  }
}

void register_vectorised_force(const std::string& name, const std::string& summary, const py::dict& keys,
                               const py::object& make, bool one_body, bool supplies) {
  BatchedForcePart part;
  part.name = name, part.summary = summary, part.keys = keys_of(keys);
  part.attachment = one_body ? v1::Attachment::one_body : v1::Attachment::two_bodies;
  part.supplies = supplies;
  // Parts stay until the program ends, after the interpreter: what they hold is never given back.
  part.make_batch = [make = make.inc_ref(), own = part.keys, name](const std::vector<v1::KeyValues>& values) {
    return made_for("force `" + name + "`", make, own, values);
  };
  add_parts_of_program([&](PartRegistry& registry) { registry.add_batched(part); });
}

}  // namespace

void bind_vectorised_forces(py::module_& module) {
  module.def("register_vectorised_force", &register_vectorised_force, py::arg("name"), py::arg("summary"),
             py::arg("keys"), py::arg("make"), py::arg("one_body"), py::arg("supplies"));
}

}  // namespace carom::python
