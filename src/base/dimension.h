#pragma once

#include <array>
#include <string>

#include "base/unit_database.h"

namespace carom::inline base {

// What kind of quantity something is: the powers of kg, m, s, A, K, mol and cd in its unit. The radian counts as 1, so
// an angle has no dimension and "5000 rpm" that of 1/s.
class Dimension {
 public:
  Dimension() = default;  // 1: a number, a ratio, an angle
  explicit Dimension(const Unit& unit);

  bool is_one() const { return *this == Dimension{}; }
  const std::array<double, 7>& powers() const { return powers_; }  // in the order above

  Dimension operator*(const Dimension& other) const;
  Dimension operator/(const Dimension& other) const;
  Dimension to_the(double exponent) const;
  bool operator==(const Dimension& other) const;  // up to the rounding of fractional powers

  // A unit of this dimension as the unit reader understands it: "m/s", "kg m^2", "N/m^1.5"; "1" without a dimension.
  std::string text() const;

 private:
  std::array<double, 7> powers_{};
};

// "m" for a length, for messages "no unit" for a number.
std::string unit_phrase(const Dimension& dimension);

}  // namespace carom::inline base
