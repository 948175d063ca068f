#pragma once

#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "base/part_fault.h"
#include "base/problem.h"

// Calls of functions of parts made by users. Inside a step nothing may be thrown: what goes wrong is noted as a fault
// of the part, and the caller gets the value that stands for a failure.
namespace carom::inline parts {

// What a part that failed reports.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

template <class Call, class Value>
Value guarded(const std::string& part, Call call, Value failed) {
  try {
    return call();
  } catch (const std::exception& error) {
    note_part_fault(part + " failed: " + error.what());
  } catch (...) {
    note_part_fault(part + " failed: it threw something that is no std::exception");
  }
  return failed;
}

inline void note_not_finite(const std::string& part) {
  note_part_fault(part + " returned a number that is not finite");
}

[[noreturn]] inline void refuse_part(const std::string& part, const std::string& found) {
  ProblemList problems;
  problems.add(Problem{.key = part,
                       .found = found,
                       .expected = "a part that can be made",
                       .remedy = "correct the keys of the model, or the function `make` of the part"});
  throw InputError(problems);
}

// The object behind a part, made before a run starts. Throws InputError where that fails.
template <class Object, class Make>
std::unique_ptr<Object> made_part(const std::string& part, Make make) {
  std::string found;
  try {
    if (std::unique_ptr<Object> object = make()) return object;
    found = "nothing, which its function `make` returned";
  } catch (const std::exception& error) {
    found = std::string("an exception: ") + error.what();
  } catch (...) {
    found = "an exception that is no std::exception";
  }
  refuse_part(part, found);
}

}  // namespace carom::inline parts
