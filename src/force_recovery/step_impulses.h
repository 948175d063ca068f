#pragma once

#include <string>
#include <vector>

#include "force_recovery/impact_force.h"
#include "model/model.h"
#include "recording/result_reader.h"

// Impulses of a run step by step, and their split into what closed contact transmits and what impacts add.
namespace carom::inline force_recovery {

struct StepImpulses {
  std::string contact;
  std::vector<double> time;        // s, ends of the steps
  std::vector<double> length;      // s, of the steps
  std::vector<double> normal;      // N s
  std::vector<double> tangential;  // N s, magnitudes
  std::vector<double> impact;      // N s, what the run itself took for impacts; empty: not recorded
};

// Of the contacts that fit one of the patterns (none: all). Throws ResultError where the result is not of the
// non-smooth method, was not sampled at every step, or did not record impulses; the message reports what to change.
std::vector<StepImpulses> step_impulses(const ResultReader& result, const Model& model,
                                        const std::vector<std::string>& patterns);

// Parts of the impulses of one contact; `isolated` is empty in the split in two.
struct ImpulseParts {
  std::vector<double> continuous, impact, isolated;  // N s; impact: on a loaded contact, in the split in three
  std::vector<double> force;                         // N, of the continuous part

  double impact_of(std::size_t k) const { return impact[k] + (isolated.empty() ? 0 : isolated[k]); }
};
ImpulseParts split(const StepImpulses& steps, bool in_three);

}  // namespace carom::inline force_recovery
