#include <map>

#include "bindings.h"
#include "carom/simulation.h"

namespace carom::python {
namespace {

// A simulation that refuses to be used by two threads at a time.
class GuardedSimulation {
 public:
  GuardedSimulation(const v1::Model& model, py::object progress)
      : watch_(std::make_unique<Watch>(std::move(progress))), inner_(make(model)) {}

  // With the interpreter lock.
  template <class Function>
  auto use(Function function) {
    const Guard guard(busy_);
    return function(inner_);
  }

  // The same without it, while the motion goes on.
  template <class Function>
  bool go_on(Function function) {
    const Guard guard(busy_);
    stop_ = false;  // of what was stopped before
    const bool came = unlocked([&] { return function(inner_); });
    if (watch_->has_stopped()) {
      // It can be carried on afterwards.
      const auto stopped = std::exchange(watch_, std::make_unique<Watch>(watch_->progress()));
      stopped->raise();
    }
    return came;
  }

 private:
  struct Guard {
    explicit Guard(bool& busy) : busy_(busy) {
      if (busy_)
        throw std::runtime_error(
            "this simulation is being used by another thread, or by its own callback; give each thread its own");
      busy_ = true;
    }
    ~Guard() { busy_ = false; }
    bool& busy_;
  };

  v1::Simulation make(const v1::Model& model) {
    v1::SimulationOptions options;
    options.interrupt = &stop_;
    options.progress = [this](const v1::Progress& now) { look(now); };
    return unlocked([&] { return v1::Simulation(model, options); });
  }

  // Without a function to call, the interpreter lock is asked for now and then only.
  void look(const v1::Progress& now) {
    constexpr long seldom = 64;
    if (watch_->progress().is_none() && now.steps % seldom != 0 && !interrupt_seen) return;
    watch_->look(now.time, now.start, now.end, now.steps);
    stop_ = watch_->flag()->load();
  }

  std::atomic<bool> stop_ = false;
  bool busy_ = false;  // guarded by the interpreter lock
  std::unique_ptr<Watch> watch_;
  v1::Simulation inner_;
};

const char* state_name(v1::ContactState state) {
  constexpr const char* names[] = {"open", "touching", "sticking", "slipping", "rolling"};
  return names[static_cast<int>(state)];
}

v1::Value value_of(const py::handle& value) {
  if (py::isinstance<py::str>(value)) return v1::Value(value.cast<std::string>());
  return v1::Value(value.cast<double>());
}

}  // namespace

void bind_simulation(py::module_& module) {
  using S = GuardedSimulation;
  py::class_<v1::Snapshot>(module, "Snapshot", R"(Something to go back to; valid after its simulation is gone.

>>> kept = simulation.snapshot()
>>> kept.time
0.0
)")
      .def_property_readonly("time", &v1::Snapshot::time, "s, when it was taken");
  py::class_<v1::ContactReport>(module, "ContactReport", R"(What two bodies do to each other now.

>>> simulation.advance_to(0.3)
True
>>> [(each.name, each.state) for each in simulation.contacts]
[('contact:bounce', 'open')]
)")
      .def_readonly("name", &v1::ContactReport::name, "joint:NAME or contact:NAME")
      .def_property_readonly(
          "state", [](const v1::ContactReport& each) { return state_name(each.state); },
          "open, touching, sticking, slipping or rolling")
      .def_readonly("points", &v1::ContactReport::points, "that touch")
      .def_readonly("gap", &v1::ContactReport::gap, "m, smallest; negative: bodies overlap")
      .def_readonly("force", &v1::ContactReport::force, "N, normal, sum over the points")
      .def_readonly("impulse", &v1::ContactReport::impulse, "N s, normal, in the last advance; nonsmooth method only")
      .def("__repr__", [](const v1::ContactReport& each) {
        return "<" + each.name + ": " + state_name(each.state) + ", " + std::to_string(each.points) + " points>";
      });
  py::class_<v1::SimulationEvent>(module, "SimulationEvent", R"(Something that happened between bodies.

>>> simulation.advance_to(0.5)
True
>>> [each.kind for each in simulation.events()]
['touch', 'contact']
)")
      .def_readonly("time", &v1::SimulationEvent::time, "s, when it happened")
      .def_readonly("kind", &v1::SimulationEvent::kind, "touch, contact, impact or event")
      .def_readonly("contact", &v1::SimulationEvent::contact, "where it happened")
      .def_readonly("values", &v1::SimulationEvent::values, "its numbers by name, SI")
      .def("__repr__", [](const v1::SimulationEvent& each) {
        return "<" + each.kind + " of " + each.contact + " at " + std::to_string(each.time) + " s>";
      });

  py::class_<S>(module, "Simulation", "The motion of a model, carried on piece by piece.")
      .def(py::init<const v1::Model&, py::object>(), py::arg("model"), py::arg("progress") = py::none())
      .def_property_readonly("time", [](S& s) { return s.use([](auto& inner) { return inner.time(); }); })
      .def_property_readonly("steps", [](S& s) { return s.use([](auto& inner) { return inner.steps(); }); })
      .def("step", [](S& s) { return s.go_on([](auto& inner) { return inner.step(); }); })
      .def(
          "advance",
          [](S& s, double duration) { return s.go_on([&](auto& inner) { return inner.advance(duration); }); },
          py::arg("duration"))
      .def(
          "advance_to", [](S& s, double time) { return s.go_on([&](auto& inner) { return inner.advance_to(time); }); },
          py::arg("time"))
      .def(
          "value", [](S& s, const std::string& name) { return s.use([&](auto& inner) { return inner.value(name); }); },
          py::arg("quantity"))
      .def("quantities", [](S& s) { return s.use([](auto& inner) { return inner.quantities(); }); })
      .def("contacts", [](S& s) { return s.use([](auto& inner) { return inner.contacts(); }); })
      .def("events", [](S& s) { return s.use([](auto& inner) { return inner.events(); }); })
      .def("warnings", [](S& s) { return s.use([](auto& inner) { return inner.warnings(); }); })
      .def("positions", [](S& s) { return s.use([](auto& inner) { return array_of(inner.positions()); }); })
      .def("velocities", [](S& s) { return s.use([](auto& inner) { return array_of(inner.velocities()); }); })
      .def(
          "set_state",
          [](S& s, const std::vector<double>& q, const std::vector<double>& v) {
            s.use([&](auto& inner) { inner.set_state(q, v); });
          },
          py::arg("positions"), py::arg("velocities"))
      .def(
          "set",
          [](S& s, const std::map<std::string, double>& values) { s.use([&](auto& inner) { inner.set(values); }); },
          py::arg("values"))
      .def(
          "set_parameter",
          [](S& s, const std::string& name, const py::object& value) {
            s.use([&](auto& inner) { inner.set_parameter(name, value_of(value)); });
          },
          py::arg("name"), py::arg("value"))
      .def(
          "parameter",
          [](S& s, const std::string& name) { return s.use([&](auto& inner) { return inner.parameter(name); }); },
          py::arg("name"))
      .def("snapshot", [](S& s) { return s.use([](auto& inner) { return inner.snapshot(); }); })
      .def(
          "restore", [](S& s, const v1::Snapshot& snapshot) { s.use([&](auto& inner) { inner.restore(snapshot); }); },
          py::arg("snapshot"));
}

}  // namespace carom::python
