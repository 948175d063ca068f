#include "base/dimension.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

namespace carom::inline base {

namespace {

constexpr std::array<const char*, 7> base_units = {"kg", "m", "s", "A", "K", "mol", "cd"};
constexpr double rounding = 1e-9;  // of powers

// 2, 1.5, (2/3): as a unit may be raised.
std::string power_text(double power) {
  const bool decimal = std::abs(std::round(1000 * power) - 1000 * power) < rounding;
  for (const int divisor : {3, 6, 7, 9, 11, 12}) {
    const double whole = std::round(power * divisor);
    if (!decimal && std::abs(power * divisor - whole) < rounding) return fmt::format("({:.0f}/{})", whole, divisor);
  }
  return fmt::format("{:.6g}", power);
}

// Symbols with positive powers, then a slash, then those with negative ones.
std::string product_text(const std::array<double, 7>& powers) {
  std::string above, below;
  int divisors = 0;
  for (std::size_t k = 0; k < powers.size(); ++k) {
    const double power = std::abs(powers[k]);
    if (power < rounding) continue;
    std::string& side = powers[k] > 0 ? above : below;
    if (!side.empty()) side += " ";
    side += base_units[k];
    if (std::abs(power - 1) > rounding) side += "^" + power_text(power);
    divisors += powers[k] < 0 ? 1 : 0;
  }
  if (below.empty()) return above.empty() ? "1" : above;
  return (above.empty() ? "1" : above) + "/" + (divisors > 1 ? "(" + below + ")" : below);
}

// Names that say more than kg m/s^2.
struct Named {
  std::array<double, 7> powers;
  const char* unit;
};

constexpr std::array derived_units = {Named{{1, 1, -2}, "N"}, Named{{1, 2, -2}, "N m"}, Named{{1, 0, -2}, "N/m"},
                                      Named{{1, -1, -2}, "Pa"}, Named{{1, 2, -3}, "W"}};

bool same(const std::array<double, 7>& a, const std::array<double, 7>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return std::abs(x - y) < rounding; });
}

}  // namespace

Dimension::Dimension(const Unit& unit) {
  for (std::size_t k = 0; k < powers_.size(); ++k) {
    const auto found = unit.dimensions.find(base_units[k]);
    if (found != unit.dimensions.end()) powers_[k] = found->second;
  }
}

Dimension Dimension::operator*(const Dimension& other) const {
  Dimension result;
  for (std::size_t k = 0; k < powers_.size(); ++k) result.powers_[k] = powers_[k] + other.powers_[k];
  return result;
}

Dimension Dimension::operator/(const Dimension& other) const {
  return *this * other.to_the(-1);
}

Dimension Dimension::to_the(double exponent) const {
  Dimension result;
  for (std::size_t k = 0; k < powers_.size(); ++k) result.powers_[k] = powers_[k] * exponent;
  return result;
}

bool Dimension::operator==(const Dimension& other) const {
  return same(powers_, other.powers_);
}

std::string Dimension::text() const {
  for (const Named& named : derived_units) {
    if (same(powers_, named.powers)) return named.unit;
  }
  // Stiffness of contacts: N/m^1.5, not kg/(m^0.5 s^2).
  std::array<double, 7> over_newton = powers_;
  over_newton[0] -= 1, over_newton[1] -= 1, over_newton[2] += 2;
  const bool force_per_length = over_newton[1] < -1 - rounding && same(over_newton, {0, over_newton[1], 0, 0, 0, 0, 0});
  if (force_per_length && over_newton[1] > -2 + rounding) return "N/m^" + power_text(-over_newton[1]);
  return product_text(powers_);
}

std::string unit_phrase(const Dimension& dimension) {
  return dimension.is_one() ? "no unit" : dimension.text();
}

}  // namespace carom::inline base
