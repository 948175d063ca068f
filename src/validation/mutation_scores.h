#pragma once

#include <filesystem>
#include <map>
#include <string>

// What tools/mutate found: how many parameters of the model of a case its checks notice when they are changed.
namespace carom::inline validation {

struct MutationScore {
  int noticed = 0;    // a change of 5 % fails a check
  int coarse = 0;     // only a large change does: restitution, friction, stiffness, masses, …
  int excused = 0;    // none does, and case.toml gives the reason
  int unnoticed = 0;  // none does

  int parameters() const { return noticed + coarse + excused + unnoticed; }
  MutationScore& operator+=(const MutationScore& other);
  std::string text() const;  // "12 of 15 noticed, 2 of them if large; 3 excused"
};

using MutationScores = std::map<std::string, MutationScore>;  // by case

// Throws InputError where the file is not one that tools/mutate wrote.
MutationScores read_mutation_scores(const std::filesystem::path& file);

}  // namespace carom::inline validation
