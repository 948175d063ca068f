#include <cstring>

#include "callbacks.h"
#include "carom/registry.h"

namespace carom::python {
namespace {

// Numbers of one call and the arrays that show them, made once: a call copies numbers and nothing else. Every thread
// that runs a model has its own, since elements are made for one simulation. The numbers live as long as any of the
// arrays, which a function may keep.
struct ForceArguments {
  // position, velocity, axes, angular velocity of both ends
  double* numbers;
  py::object owner, position, velocity, axes, angular_velocity;

  ForceArguments() : numbers(new double[2 * (3 + 3 + 9 + 3)]()), owner(owner_of(numbers)) {
    position = view_of<2>({2, 3}, numbers, owner);
    velocity = view_of<2>({2, 3}, numbers + 6, owner);
    axes = view_of<3>({2, 3, 3}, numbers + 12, owner);
    angular_velocity = view_of<2>({2, 3}, numbers + 30, owner);
  }
  void set(const v1::ForceState& state) {
    for (int k = 0; k < 2; ++k) {
      const v1::End& end = state.ends[k];
      std::memcpy(numbers + 3 * k, end.position.data(), sizeof end.position);
      std::memcpy(numbers + 6 + 3 * k, end.velocity.data(), sizeof end.velocity);
      std::memcpy(numbers + 12 + 9 * k, end.axes.data(), sizeof end.axes);
      std::memcpy(numbers + 30 + 3 * k, end.angular_velocity.data(), sizeof end.angular_velocity);
    }
  }
};

v1::Vector3 vector_from(const double* numbers) {
  return {numbers[0], numbers[1], numbers[2]};
}

// The function gets t and the places, velocities, axes and angular velocities of both ends, and returns the force on
// the second one, or force and torque; the first one gets the opposite.
class PythonForce final : public v1::ForceElement {
 public:
  explicit PythonForce(Callback function) : function_(std::move(function)) {
    const py::gil_scoped_acquire lock;
    arguments_ = std::make_unique<ForceArguments>();
  }
  ~PythonForce() override {
    if (!Py_IsInitialized()) {
      static_cast<void>(arguments_.release());
      return;
    }
    const py::gil_scoped_acquire lock;
    arguments_.reset();
  }
  PythonForce(const PythonForce&) = delete;
  PythonForce& operator=(const PythonForce&) = delete;

  v1::ForceAction evaluate(const v1::ForceState& state) const override {
    const py::gil_scoped_acquire lock;
    ForceArguments& given = *arguments_;
    given.set(state);
    const py::float_ time(state.time);
    PyObject* const list[] = {time.ptr(), given.position.ptr(), given.velocity.ptr(), given.axes.ptr(),
                              given.angular_velocity.ptr()};
    const py::object returned = function_(list, std::size(list));
    double numbers[6] = {};
    const bool both = PySequence_Check(returned.ptr()) && PySequence_Size(returned.ptr()) == 2;
    numbers_from(returned, numbers, both ? 6 : 3,
                 "it must return a force of three numbers, or a pair of force and torque");
    return action(state, numbers);
  }

 private:
  // The opposite force acts at the same place: its lever from the first end is a torque there.
  static v1::ForceAction action(const v1::ForceState& state, const double* numbers) {
    v1::ForceAction result;
    result.other[1] = {vector_from(numbers), vector_from(numbers + 3)};
    const v1::Vector3 &a = state.ends[0].position, &b = state.ends[1].position, &f = result.other[1].force;
    const v1::Vector3 lever = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const v1::Vector3 turned = {lever[1] * f[2] - lever[2] * f[1], lever[2] * f[0] - lever[0] * f[2],
                                lever[0] * f[1] - lever[1] * f[0]};
    for (int k = 0; k < 3; ++k) {
      result.other[0].force[k] = -f[k];
      result.other[0].torque[k] = -result.other[1].torque[k] - turned[k];
    }
    return result;
  }

  Callback function_;
  std::unique_ptr<ForceArguments> arguments_;
};

// f(penetration, rate, impact_speed, deepest) -> force, or (force, elastic force, energy).
class PythonNormalLaw final : public v1::NormalLaw {
 public:
  PythonNormalLaw(Callback function, bool remembers) : function_(std::move(function)), remembers_(remembers) {}

  v1::NormalForce evaluate(const v1::NormalContact& contact) const override {
    const py::gil_scoped_acquire lock;
    const py::float_ penetration(contact.penetration), rate(contact.rate), speed(contact.impact_speed),
        deepest(contact.deepest);
    PyObject* const list[] = {penetration.ptr(), rate.ptr(), speed.ptr(), deepest.ptr()};
    const py::object returned = function_(list, std::size(list));
    v1::NormalForce force;
    if (PySequence_Check(returned.ptr())) {
      double numbers[3] = {};
      numbers_from(returned, numbers, 3, "it must return a force, or force, elastic force and energy");
      force = {numbers[0], numbers[1], numbers[2]};
    } else {
      force.force = number_from(returned, function_.part());
    }
    return force;
  }
  bool remembers_depth() const override { return remembers_; }

 private:
  Callback function_;
  bool remembers_;
};

class PythonFrictionLaw final : public v1::FrictionLaw {
 public:
  explicit PythonFrictionLaw(Callback function) : function_(std::move(function)) {}
  double coefficient(double slip_speed, double normal_force) const override {
    const py::gil_scoped_acquire lock;
    const py::float_ speed(slip_speed), force(normal_force);
    PyObject* const list[] = {speed.ptr(), force.ptr()};
    return number_from(function_(list, std::size(list)), function_.part());
  }

 private:
  Callback function_;
};

// f(t) -> (value, rate, acceleration).
class PythonDrive final : public v1::Drive {
 public:
  PythonDrive(Callback function, std::vector<double> breakpoints)
      : function_(std::move(function)), breakpoints_(std::move(breakpoints)) {}
  v1::DriveValue evaluate(double t) const override {
    const py::gil_scoped_acquire lock;
    const py::float_ time(t);
    PyObject* const list[] = {time.ptr()};
    double numbers[3] = {};
    numbers_from(function_(list, std::size(list)), numbers, 3, "it must return value, rate and acceleration");
    return {numbers[0], numbers[1], numbers[2]};
  }
  std::vector<double> breakpoints() const override { return breakpoints_; }

 private:
  Callback function_;
  std::vector<double> breakpoints_;
};

py::dict values_of(const std::vector<v1::Key>& keys, const v1::KeyValues& values) {
  py::dict all;
  for (const v1::Key& key : keys) all[py::str(key.name)] = values.number(key.name);
  return all;
}

// The function that serves one element: made with the values of its keys.
Callback made_for(const std::string& part, const py::handle& make, const std::vector<v1::Key>& keys,
                  const v1::KeyValues& values) {
  const py::gil_scoped_acquire lock;
  try {
    return Callback(part, make(**values_of(keys, values)));
  } catch (py::error_already_set& error) {
    throw std::runtime_error(error.what());
  }
}

// Parts stay until the program ends, after the interpreter: what they hold is never given back.
py::handle kept(const py::object& made) {
  return made.inc_ref();
}

template <class Part>
Part described(const std::string& name, const std::string& summary, const py::dict& keys) {
  Part part;
  part.name = name, part.summary = summary, part.keys = keys_of(keys);
  return part;
}

void register_force(const std::string& name, const std::string& summary, const py::dict& keys, const py::object& make,
                    bool one_body, bool supplies) {
  auto part = described<v1::ForcePart>(name, summary, keys);
  part.attachment = one_body ? v1::Attachment::one_body : v1::Attachment::two_bodies;
  part.supplies = supplies;
  part.make = [make = kept(make), own = part.keys, name](const v1::ForceContext& context) {
    return std::make_unique<PythonForce>(made_for("force `" + name + "`", make, own, context.keys));
  };
  v1::register_part(part);
}

void register_contact_law(const std::string& name, const std::string& summary, const py::dict& keys,
                          const py::object& make, bool remembers) {
  auto part = described<v1::ContactLawPart>(name, summary, keys);
  part.uses_restitution = false;
  part.make = [make = kept(make), own = part.keys, name, remembers](const v1::NormalLawContext& context) {
    return std::make_unique<PythonNormalLaw>(made_for("contact law `" + name + "`", make, own, context.keys),
                                             remembers);
  };
  v1::register_part(part);
}

void register_friction_law(const std::string& name, const std::string& summary, const py::dict& keys,
                           const py::object& make) {
  auto part = described<v1::FrictionLawPart>(name, summary, keys);
  part.make = [make = kept(make), own = part.keys, name](const v1::KeyValues& values) {
    return std::make_unique<PythonFrictionLaw>(made_for("friction law `" + name + "`", make, own, values));
  };
  v1::register_part(part);
}

void register_drive(const std::string& name, const std::string& summary, const py::dict& keys, const py::object& make,
                    const std::vector<double>& breakpoints) {
  auto part = described<v1::DrivePart>(name, summary, keys);
  part.make = [make = kept(make), own = part.keys, name, breakpoints](const v1::KeyValues& values) {
    return std::make_unique<PythonDrive>(made_for("drive `" + name + "`", make, own, values), breakpoints);
  };
  v1::register_part(part);
}

}  // namespace

void bind_parts(py::module_& module) {
  module.def("register_force", &register_force, py::arg("name"), py::arg("summary"), py::arg("keys"), py::arg("make"),
             py::arg("one_body"), py::arg("supplies"));
  module.def("register_contact_law", &register_contact_law, py::arg("name"), py::arg("summary"), py::arg("keys"),
             py::arg("make"), py::arg("remembers"));
  module.def("register_friction_law", &register_friction_law, py::arg("name"), py::arg("summary"), py::arg("keys"),
             py::arg("make"));
  module.def("register_drive", &register_drive, py::arg("name"), py::arg("summary"), py::arg("keys"), py::arg("make"),
             py::arg("breakpoints"));
  module.def("load_plugin", &v1::load_plugin, py::arg("file"),
             R"(Loads a plug-in, a shared library with parts, and adds its parts.

>>> carom.load_plugin("missing.so")
Traceback (most recent call last):
...
carom.InputError: ...
)");
}

}  // namespace carom::python
