#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace carom::inline control {

// What a measured signal reads: `of = "joint:pivot.rotation"`.
struct MeasuredQuantity {
  enum class Kind { body, joint, motion, force, bearing, contact, energy, markers };
  Kind kind = Kind::body;
  std::string owner;      // the name after the colon
  std::string component;  // as the owner calls it: "speed" has become "rotation_rate"
  double factor = 1;      // of it
  std::string unit;       // SI
  // Why it cannot be measured; `found` is empty if it can.
  std::string found, expected, remedy;
  bool ok() const { return found.empty(); }
};

MeasuredQuantity find_quantity(const Model& model, const ElementModel& signal);

// SI; "1" where it is a number, or not known.
std::string signal_unit(const Model& model, const ElementModel& signal);

}  // namespace carom::inline control
