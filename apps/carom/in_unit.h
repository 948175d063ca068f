#pragma once

#include <string>

#include <fmt/format.h>

namespace carom {

// A number with its unit for people, in five digits: `factor` of the unit are one of SI.
inline std::string in_unit(double value, double factor, const char* unit) {
  return fmt::format("{:.5g} {}", factor * value, unit);
}

}  // namespace carom
