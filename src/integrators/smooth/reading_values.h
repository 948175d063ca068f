#pragma once

#include <algorithm>

#include "integrators/smooth/contact_stepper.h"

// By how much a contact is beyond where it begins or ends.
namespace carom::inline smooth_integrators {

// m
inline double above(const ContactReading& reading) {
  return reading.penetration - reading.level;
}

// The same no farther from zero than anything is: shapes that do not face each other have a gap without end, and roots
// are sought among finite numbers.
inline double finite_above(const ContactReading& reading) {
  constexpr double far_apart = 1e6;  // m
  const double value = above(reading);
  return value > -far_apart ? std::min(value, far_apart) : -far_apart;  // not a number: apart
}

}  // namespace carom::inline smooth_integrators
