#pragma once

#include <string>
#include <vector>

#include "postprocess/impact_force.h"
#include "recording/result_reader.h"

// Forces of the impacts of a run by impulses, from the events of its result.
namespace carom {

struct RecoveredImpact {
  double time = 0;  // s, end of the step
  std::string contact;
  double impulse = 0, tangential_impulse = 0;  // N s, of the step
  Impact impact = {};
  ImpactPulse pulse = {};
  std::string unknown = {};  // why no force can be told; empty: it can

  // The part of the step's impulse that closed contact has transmitted besides.
  double transmitted() const { return impulse - pulse.impulse; }
};

// All impacts of contacts whose names match one of the patterns (none: all), in the order of time. A result without
// impacts by impulses throws ResultError.
std::vector<RecoveredImpact> recover_forces(const ResultReader& result, const std::vector<std::string>& patterns,
                                            Profile profile);

}  // namespace carom
