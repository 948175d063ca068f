#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <string>

#include "bindings.h"
#include "carom/parts.h"

// Python functions that the motion calls, and what they cost.
namespace carom::python {

// How often a function was called, and how long it took, s. Guarded by the interpreter lock.
struct CallCost {
  long calls = 0;
  double seconds = 0;
  long elements = 0;  // worked out by all calls
};

// A function of Python behind a part. Copies share the function and its cost.
class Callback {
 public:
  Callback(std::string part, py::object function);

  // Calls it with the interpreter lock held by the caller, by position. What it raises leaves as std::runtime_error
  // with its type and text; Ctrl-C is noted, and the function called once more.
  py::object operator()(PyObject* const* arguments, std::size_t count, long elements = 1) const;

  const std::string& part() const { return part_; }

 private:
  struct Shared {
    py::object function;
    ~Shared();
  };
  std::string part_;
  CallCost* cost_;
  std::shared_ptr<Shared> shared_;
};

// Keys of a part: {"stiffness": ("N/m", default or None, "meaning")}.
std::vector<v1::Key> keys_of(const py::dict& given);

// A float or an array of numbers that a function has returned; throws std::runtime_error otherwise.
double number_from(const py::object& value, const std::string& part);
// Writes so many numbers, flat; `what` is said of the wrong shape.
void numbers_from(const py::object& value, double* to, std::size_t count, const std::string& what);

// Gives the numbers back with the last array that shows them.
inline py::capsule owner_of(double* numbers) {
  return py::capsule(numbers, [](void* held) { delete[] static_cast<double*>(held); });
}

// An array over numbers that live as long as `owner`.
template <std::size_t N>
py::array view_of(const std::array<py::ssize_t, N>& shape, double* data, const py::handle& owner) {
  return py::array_t<double>(std::vector<py::ssize_t>(shape.begin(), shape.end()), data,
                             py::reinterpret_borrow<py::object>(owner));
}

}  // namespace carom::python
