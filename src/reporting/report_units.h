#pragma once

#include <string>
#include <vector>

#include "viewing/quantity_panels.h"

// In which units a page shows what is awkward in SI. Tables and plots ask here, so that they agree.
namespace carom::inline reporting {

/// For plots; the patterns hold for the names of values of events, too.
const std::vector<UnitWish>& report_units();

struct ShownUnit {
  std::string unit;
  double factor = 1;  // from SI
};
/// Of a value with this name and SI unit.
ShownUnit shown_unit(const std::string& name, const std::string& unit);

}  // namespace carom::inline reporting
