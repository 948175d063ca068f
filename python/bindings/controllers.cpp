#include "callbacks.h"
#include "control/block.h"
#include "parts/guarded_call.h"

// Controls written in Python: blocks of [[signal]] that act at instants of their own.
namespace carom::python {
namespace {

// At its instants y = f(t, u, z), with the inputs u and memory z that the function may change. The states of the block
// are y and z, held in between, so that snapshots and restarts bring back what the control remembers.
class PythonController final : public BlockOf<PythonController> {
 public:
  PythonController(Callback function, const Settings& settings, int inputs, int memory)
      : function_(std::move(function)),
        sampling_{settings.number("period", 1), settings.number("offset")},
        initial_(settings.number("initial")),
        inputs_(inputs),
        memory_(memory) {}
  int states() const override { return 1 + memory_; }
  void initial_states(double* z) const override {
    std::fill_n(z, states(), 0.0);
    z[0] = initial_;
  }
  bool feeds_through() const override { return false; }
  template <class Number>
  Number output_of(const Number&, const Number*, const Number* z) const {
    return z[0];
  }
  Sampling sampling() const override { return sampling_; }
  void sample(long, double t, const double* u, double* z) const override {
    z[0] = guarded(
        function_.part(), [&] { return called(t, u, z + 1); }, unknown);
    if (!std::isfinite(z[0])) note_not_finite(function_.part());
  }

 private:
  double called(double t, const double* u, double* z) const {
    const py::gil_scoped_acquire lock;
    const py::float_ time(t);
    py::array_t<double> inputs(inputs_, u), memory(memory_, z);
    PyObject* const list[] = {time.ptr(), inputs.ptr(), memory.ptr()};
    const double output = number_from(function_(list, std::size(list)), function_.part());
    std::copy_n(memory.data(), memory_, z);
    return output;
  }

  Callback function_;
  Sampling sampling_;
  double initial_;
  int inputs_, memory_;
};

ParameterDescription number_row(const std::string& name, const std::string& unit, const std::string& meaning) {
  return {.name = name, .unit = unit, .meaning = meaning, .default_text = "0"};
}

void register_controller(const std::string& name, const std::string& summary, const std::vector<std::string>& inputs,
                         int memory, const py::object& function) {
  BlockDescription block;
  block.name = name, block.summary = summary, block.origin = "the program";
  block.inputs = inputs;
  for (const std::string& input : inputs) block.parameters.push_back(input_row(input));
  block.parameters.push_back({.name = "period",
                              .unit = "s",
                              .meaning = "from one call to the next; the first is at the start",
                              .required = true,
                              .minimum = 0,
                              .minimum_allowed = false});
  block.parameters.push_back(number_row("offset", "s", "of the first call after the start"));
  block.parameters.push_back(initial_row());
  const py::handle kept = function.inc_ref();  // blocks stay until the program ends, after the interpreter
  block.make = [kept, name, count = static_cast<int>(inputs.size()), memory](const Settings& settings) {
    const py::gil_scoped_acquire lock;
    return std::make_unique<PythonController>(
        Callback("controller `" + name + "`", py::reinterpret_borrow<py::object>(kept)), settings, count, memory);
  };
  if (!add_block(std::move(block)))
    throw py::value_error("there is a block `" + name + "` already; give the controller another name");
}

}  // namespace

void bind_controllers(py::module_& module) {
  module.def("register_controller", &register_controller, py::arg("name"), py::arg("summary"), py::arg("inputs"),
             py::arg("memory"), py::arg("function"));
}

}  // namespace carom::python
