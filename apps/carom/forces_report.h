#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "force_recovery/contact_forces.h"
#include "force_recovery/step_impulses.h"

// What `carom forces` shows: forces and stresses of impacts, and the split of impulses.
namespace carom {

void print_impacts(const ResultReader& result, const Model& model, const std::vector<RecoveredImpact>& impacts,
                   PulseProfile profile);
nlohmann::ordered_json json_of(const RecoveredImpact& one);
std::string impacts_csv(const std::vector<RecoveredImpact>& impacts);
// All peaks, and the hardest impact over time.
void draw_impacts(const RecoveredImpact& hardest, const std::vector<RecoveredImpact>& impacts,
                  const std::vector<PulseSample>& history, const std::string& file);

// The filter of the thesis on the impulses of each contact; `impacts` reports the force behind its peaks.
struct SplitContact {
  StepImpulses steps;
  ImpulseParts parts;
  std::vector<double> force;  // N, peak behind the impact part of each step; 0: none, or not known
};
std::vector<SplitContact> split_contacts(std::vector<StepImpulses> all, bool in_three,
                                         const std::vector<RecoveredImpact>& impacts, PulseTable& table);
void print_split(const std::string& file, const std::vector<SplitContact>& contacts, bool in_three);
nlohmann::ordered_json json_of(const SplitContact& contact);
std::string split_csv(const std::vector<SplitContact>& contacts);
void draw_split(const std::vector<SplitContact>& contacts, const std::string& file);

}  // namespace carom
