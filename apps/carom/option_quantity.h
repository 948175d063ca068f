#pragma once

#include <string>

#include "base/problem.h"
#include "base/units.h"

namespace carom {

// The value of an option, with a unit if one is written, in SI; throws InputError that names the option.
inline double quantity_option(const std::string& option, const std::string& text, const std::string& unit) {
  const QuantityResult result = parse_quantity(text, unit);
  if (result.ok()) return result.value;
  ProblemList problems;
  problems.add(Problem{.key = option,
                       .found = carom::quoted(text) + ": " + result.error,
                       .expected = unit.empty() ? "a number" : "a number, or one with a unit such as " + unit});
  throw InputError(problems);
}

// An option that does not fit; what to do stands in the remedy.
[[noreturn]] inline void refuse_option(const std::string& option, const std::string& found, const std::string& expected,
                                       const std::string& remedy = {}) {
  ProblemList problems;
  problems.add(Problem{.key = option, .found = found, .expected = expected, .remedy = remedy});
  throw InputError(problems);
}

}  // namespace carom
