#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "durability/rolling_life.h"

// Life of a rolling bearing under a cycle of duties that repeats, by Palmgren's and Miner's sum.
namespace carom::inline durability {

// A duty: a recorded run that stands for it, and how long it lasts in each cycle.
struct Duty {
  std::filesystem::path result;
  double hours = 0;
};

// A table with the titles `result` and `hours`: paths of results, relative to the table, and hours > 0. Throws
// InputError that names the line.
std::vector<Duty> read_duties(const std::filesystem::path& table);

struct DutyLife {
  struct Part {
    double hours = 0, turns = 0;  // of a cycle
    double life = 0;              // revolutions, L10r under this duty alone
    double load = 0;              // N, equivalent: P of L10r = 10⁶ (C/P)^p
    double share = 0;             // of the damage
  };
  std::vector<Part> parts;
  double hours = 0, turns = 0;  // of a cycle
  double cycles = 0;            // until 10 % have failed: 1/Σ N_k/L_k; infinite without a load
  double mean_load = 0;         // N, P_m = (Σ P_k^p N_k/Σ N_k)^(1/p): constant, with the same life
};

// The lives of one bearing under each duty; every one needs a speed. p = 3 of balls, 10/3 of rollers.
DutyLife life_under_duties(std::span<const Duty> duties, std::span<const RecordedLife> lives);

}  // namespace carom::inline durability
