#pragma once

#include <array>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "validation/case.h"

namespace carom::inline validation {

// What a run has shown, as far as checks ask for it.
struct Evidence {
  struct Mode {
    double frequency = 0, damping_ratio = 0;  // Hz, –
  };
  std::vector<double> time;                            // s
  std::map<std::string, std::vector<double>> columns;  // by quantity, one value a time
  double largest_residual = 0, largest_energy = 0;     // J
  double position_drift = 0;
  double largest_penetration = 0;              // m, of any contact at the end of any step
  std::array<double, 3> most_iterations = {};  // of the smooth motion, the position and the velocity in a step
  struct Wear {
    std::array<double, 2> volumes{};  // m³, of the two parts
    double growth = 0;                // m, of the radial clearance; not a number where there is none
    std::string missing;              // why there is none
  };
  std::vector<Mode> modes;
  std::map<std::string, Wear> wear;                      // by the name of the check
  std::map<std::string, std::vector<Episode>> episodes;  // by contact, in the order in which they begin
};

inline constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

// The outcome of a check for one quantity, at the sample where it comes nearest to failing or fails most.
struct Finding {
  std::string check, kind, quantity;
  std::string variant = {};  // of the model; empty if the case has none
  double reference = not_given, computed = not_given;
  double error = not_given, allowed = not_given;  // |computed − reference| and its limit
  double time = not_given;                        // s
  bool passed = false;
  std::string note = {};  // why it could not be evaluated

  // Share of the limit that is used up; > 1 fails.
  double use() const;
};

// One finding per quantity; of a mode, one for its frequency and one for its damping ratio; of episodes, one a column
// and one for their number; of a sum, one; of wear, one a part and one for the clearance. Those of a check that rises
// know their values only.
std::vector<Finding> evaluate(const Check& check, const ReferenceTable& reference, const Evidence& evidence,
                              const std::string& variant = {});

// Judges what `evaluate` has found for a check that rises: each value by that of the variant before, so that nothing is
// left of the first variant.
void judge_rises(std::vector<Finding>& findings);

// The sample at a time of the reference, or npos if the run has none there.
std::size_t sample_at(const std::vector<double>& time, double t);
inline constexpr std::size_t no_sample = static_cast<std::size_t>(-1);

double largest_magnitude(const std::vector<double>& values);

}  // namespace carom::inline validation
