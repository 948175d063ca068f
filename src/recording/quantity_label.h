#pragma once

#include <string>

#include <fmt/format.h>

namespace carom::inline recording {

// A quantity with its unit, as axes and tables show it: "body:crank.x [m]".
inline std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

}  // namespace carom::inline recording
