#pragma once

#include <string>

#include "control/block.h"
#include "model/model.h"

namespace carom::inline control {

// How many rates in time of a signal are known before accelerations are, which follow from what signals do: none of a
// measured speed or force, one of a measured position, and one more behind a block that integrates.
struct KnownRates {
  int count = all_rates;
  std::string by = {};        // the signal that leaves no more of them
  std::string jumps_by = {};  // the signal whose value may jump; empty: there is none
};
KnownRates known_rates(const Model& model, const Function& function);

}  // namespace carom::inline control
