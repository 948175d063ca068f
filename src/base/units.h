#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/dimension.h"
#include "base/unit_database.h"

namespace carom::inline base {

// A number in SI, or the reason why there is none.
struct QuantityResult {
  double value = 0;
  std::string error;  // empty if all is well
  bool ok() const { return error.empty(); }
};

// Reads "0.05 mm" as 5e-5 where si_unit is "m". Units and prefixes are those of UDUNITS-2, and also deg, rev and rpm.
//
// - A unit is a product or quotient of powers: "N*s/m", "kg m^2", "kg.m2", "m s-2", "N/m^1.5", "W/(m K)". Operators of
//   equal rank work from left to right, so "J/kg K" is J·K/kg. Powers may be fractions, which UDUNITS-2 cannot read
//   but contact stiffness needs.
// - A number without a unit is taken as SI. Decimal points only, whatever the locale; infinity and NaN are rejected.
// - si_unit "" or "1" asks for a dimensionless number; "%" is accepted.
// - The radian is a dimension of its own, so "30 deg" is no length ratio and "50 Hz" is no angular velocity; only where
//   si_unit contains rad may it be left out ("5 N m" for N m/rad), as is usual.
// - A unit with an offset is applied with its offset if it stands alone ("20 degC" is 293.15 K) and rejected inside a
//   product, where the offset has no meaning.
//
// May be called from several threads.
QuantityResult parse_quantity(std::string_view text, const std::string& si_unit);

// A unit alone, such as "m/s^2", by the same rules; or why it is none. "" and "1" are the unit of plain numbers.
std::variant<Unit, std::string> parse_unit(std::string_view text);

// The dimension of a unit; none if it is none.
std::optional<Dimension> dimension_of_unit(std::string_view unit);

// Of a text that parse_quantity accepts; none of a number without a unit.
std::optional<Unit> unit_of_quantity(std::string_view text);
std::optional<Dimension> dimension_of_quantity(std::string_view text);

}  // namespace carom::inline base
