#pragma once

#include <string>
#include <vector>

#include "plotting/figure.h"

namespace carom::inline viewing {

/// Amplitude (dB) and phase (degrees) over the frequency of the transfer functions that a linear analysis has found,
/// from the statistics of its result; none: it has not found any.
std::vector<Panel> bode_panels(const std::string& statistics_json);

}  // namespace carom::inline viewing
