#pragma once

#include <fstream>
#include <string>

#include <fmt/format.h>

#include "recording/result_types.h"

namespace carom {

// A table that is there in full, or an error that names it.
inline void write_table(const std::string& name, const std::string& text) {
  std::ofstream file(name);
  file << text;
  if (!file.flush().good()) throw ResultError(fmt::format("{} cannot be written", name));
}

// A number with its unit for people, in five digits: `factor` of the unit are one of SI.
inline std::string in_unit(double value, double factor, const char* unit) {
  return fmt::format("{:.5g} {}", factor * value, unit);
}

}  // namespace carom
