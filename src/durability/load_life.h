#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "durability/fatigue_life.h"
#include "durability/load_history.h"

// From a recorded load to counted cycles, and to the life of a bearing or of a material under them.
namespace carom::inline durability {

struct LifeRequest {
  std::vector<std::string> load;  // quantities; several are components of one vector, whose length counts
  double from = -std::numeric_limits<double>::max(), to = std::numeric_limits<double>::max();  // s
  const Model* pressure_in = nullptr;  // of this model: count the largest Hertz pressure under the load, not itself
  std::string axial;                   // quantity of the axial load of a bearing; empty: none
  AxialFactors factors = {};           // with it
  double exponent = ball_life_exponent;
  double reliability = 0.9, a_iso = 1;  // of the modified life
  std::optional<double> rating = {};    // N, dynamic
  std::optional<BallBearing> bearing = {};
  std::vector<std::string> ball_loads = {};  // quantities: loads of single balls over whole turns of their cage
  double composite_modulus = 0;              // Pa, of balls and races, with them
  std::optional<double> speed = {};          // rad/s, constant
  std::string speed_quantity = {};           // or recorded
  // The line of the material for a load in this unit; empty: damage is not asked for.
  std::function<WoehlerLine(const std::string& unit)> line = {};
  std::size_t bins = 20;  // of the histogram
};

struct LoadLife {
  LoadHistory load;
  std::vector<CountedCycle> cycles;
  std::optional<RangeHistogram> histogram;
  double exponent = ball_life_exponent;
  double equivalent = 0;         // of the load: N, or Pa
  std::optional<double> rating;  // N
  bool rating_computed = false;
  double revolutions = 0;               // L10
  double factor = 1, a1 = 1;            // a1 aISO
  std::optional<double> speed;          // rad/s, mean
  std::optional<double> from_stresses;  // L10 by Lundberg and Palmgren
  std::optional<double> damage;         // of one run
};

// Throws InputError where quantities are not of the unit that they are asked for in, ResultError where they were not
// recorded.
LoadLife find_life(const ResultReader& result, const LifeRequest& request);

}  // namespace carom::inline durability
