#pragma once

#include <string>
#include <vector>

#include "plotting/figure.h"
#include "recording/result_reader.h"

namespace carom::inline viewing {

/// Curves of the quantities that the patterns mean, over time or over the quantity `x`. Quantities of one unit share a
/// panel. An unknown quantity throws ResultError with close names.
std::vector<Panel> quantity_panels(const ResultReader& result, const std::vector<std::string>& patterns,
                                   const std::string& x = "time");

}  // namespace carom::inline viewing
