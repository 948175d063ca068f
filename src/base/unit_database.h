#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace carom::inline base {

// A unit reduced to base units: a quantity x in it is scale·x + offset in the product of powers of base units.
struct Unit {
  double scale = 1;
  double offset = 0;                         // not zero only for temperatures such as degC
  bool counts_cycles = false;                // has hertz as a factor
  std::map<std::string, double> dimensions;  // symbol of the base unit (m, kg, s, A, K, mol, cd, rad) to its power, ≠ 0
};

// A unit symbol or name with its prefix, such as mm, kilonewton or rpm, looked up in UDUNITS-2 and remembered. None if
// unknown, or logarithmic. Throws ComputationError if the database of UDUNITS-2 cannot be read. May be called from
// several threads.
std::optional<Unit> look_up_unit(std::string_view name);

}  // namespace carom::inline base
