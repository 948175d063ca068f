#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

#include "postprocess/hertz_stress.h"
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
  PulseLaw law = {};
  std::optional<HertzPatch> patch = {};  // at the peak force; none: the materials do not tell it
  double poisson = 0;                    // of the softer body
  std::string unknown = {};              // why no force can be told; empty: it can

  // The part of the step's impulse that closed contact has transmitted besides.
  double transmitted() const { return impulse - pulse.impulse; }
};

struct Recovery {
  Profile profile = Profile::exact;
  std::optional<PulseLaw> law = {};        // of all contacts, instead of their own
  std::vector<std::string> contacts = {};  // patterns; none: all
};

// All impacts of the contacts asked for, in the order of time. `model` is that of the run, and tells the laws of its
// contacts. A result without impacts by impulses throws ResultError.
std::vector<RecoveredImpact> recover_forces(const ResultReader& result, const Model& model, const Recovery& recovery);

}  // namespace carom
