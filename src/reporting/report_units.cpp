#include "reporting/report_units.h"

#include "base/nearest_name.h"
#include "base/units.h"

namespace carom::inline reporting {

const std::vector<UnitWish>& report_units() {
  static const std::vector<UnitWish> units = {{.unit = "µm", .of = "*penetration", .must_fit = false},
                                              {.unit = "µm", .of = "*.gap", .must_fit = false},
                                              {.unit = "ms", .of = "*duration", .must_fit = false},
                                              {.unit = "MPa", .of = "*stress", .must_fit = false}};
  return units;
}

ShownUnit shown_unit(const std::string& name, const std::string& unit) {
  for (const UnitWish& wish : report_units()) {
    if (!matches_pattern(name, wish.of)) continue;
    const QuantityResult one = parse_quantity("1 " + wish.unit, unit);
    if (one.ok()) return {wish.unit, 1 / one.value};
  }
  return {unit, 1};
}

}  // namespace carom::inline reporting
