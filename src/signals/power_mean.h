#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::inline signals {

// (Σ w xᵖ / Σ w)^(1/p) of values x ≥ 0 with weights w: the steady load that does what a spectrum does. Values are taken
// against the largest one, so that high powers stay in range, and the mean never lies beyond them. Zero without values
// or weights.
template <class Parts, class Value, class Weight>
double power_mean(const Parts& parts, double exponent, Value value, Weight weight) {
  double largest = 0, smallest = std::numeric_limits<double>::infinity(), weights = 0, sum = 0;
  for (const auto& part : parts) {
    largest = std::max(largest, part.*value);
    smallest = std::min(smallest, part.*value);
  }
  if (largest == 0) return 0;
  for (const auto& part : parts) {
    weights += part.*weight;
    sum += part.*weight * std::pow(part.*value / largest, exponent);
  }
  if (!(weights > 0)) return 0;
  // High powers of small values underflow, and roots round.
  return std::clamp(largest * std::pow(sum / weights, 1 / exponent), std::min(smallest, largest), largest);
}

}  // namespace carom::inline signals
