#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contact_laws/hertz_stress.h"
#include "force_recovery/contact_surfaces.h"
#include "force_recovery/impact_force.h"
#include "model/model.h"
#include "recording/result_reader.h"

// Forces and stresses of the impacts of a run, from the events of its result: recovered where the run was by impulses,
// as they were recorded where contacts pushed.
namespace carom::inline force_recovery {

struct RecoveredImpact {
  double time = 0;  // s, end of the step; of an episode of compliant contact its begin
  std::string contact;
  double impulse = 0, tangential_impulse = 0;  // N s, of the step; not known of compliant contact
  Impact impact = {};
  ImpactPulse pulse = {};
  PulseLaw law = {};
  bool resolved = false;                 // the run itself has followed the force: nothing is recovered
  double dissipated = 0;                 // J
  double axis_ratio = 1;                 // b/a of the patch
  std::optional<HertzPatch> patch = {};  // at the peak force; none: the materials do not tell it
  double poisson = 0;                    // of the softer body
  std::string passed_from = {};  // the contact whose impulse this one passes on; empty: it has a speed of its own
  std::string unknown = {};      // why no force can be reported; empty: it can

  // The part of the step's impulse that closed contact has transmitted besides.
  double transmitted() const { return impulse - pulse.impulse; }
};

struct Recovery {
  PulseProfile profile = PulseProfile::exact;
  std::optional<PulseLaw> law = {};        // of all contacts, instead of their own
  std::vector<std::string> contacts = {};  // patterns; none: all
};

// Whether a force can be reported of an impact, and why not; empty: it can.
bool is_known(const Impact& impact);
std::string why_unknown(const Impact& impact);

// All impacts of the contacts asked for, in the order of time; of compliant contact all episodes, whatever their
// length. `model` is that of the run, and reports the laws of its contacts. Throws ResultError for a result without
// contacts, and for a pattern that fits none.
std::vector<RecoveredImpact> recover_forces(const ResultReader& result, const Model& model, const Recovery& recovery);

}  // namespace carom::inline force_recovery
