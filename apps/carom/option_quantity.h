#pragma once

#include <string>

#include "base/problem.h"
#include "base/units.h"

namespace carom {

// The value of an option, with a unit if one is written, in SI; throws InputError that names the option.
inline double quantity_option(const std::string& option, const std::string& text, const std::string& unit) {
  const QuantityResult result = parse_quantity(text, unit);
  if (result.ok()) return result.value;
  refuse(option, carom::quoted(text) + ": " + result.error,
         unit.empty() ? "a number" : "a number, or one with a unit such as " + unit);
}

}  // namespace carom
