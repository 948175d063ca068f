#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "recording/result_reader.h"
#include "validation/compare_curves.h"

// Two results side by side: of two methods, two laws, two tolerances. Everything is taken over the times that both
// have. A number that a result does not tell is NaN.
namespace carom::inline validation {

inline constexpr double unreported = std::numeric_limits<double>::quiet_NaN();

struct RunFacts {
  std::string file, model, status;
  std::string method, integrator;  // how contact is treated; the scheme of a non-smooth run
  TimeSpan span;                   // of the samples
  std::size_t samples = 0;
  std::optional<long> steps, rejected;                           // of a run that has ended
  double smallest_step = unreported, largest_step = unreported;  // s
  double wall_seconds = unreported;                              // s; result files do not hold it
  double largest_residual = unreported,
         relative_residual = unreported;  // of the energy balance: J, of the largest energy
};

struct QuantityDifference {
  std::string quantity, unit;
  CurveDifference difference;
  double scale = 1;  // what `relative` is relative to: the range of A, see compare_results

  double relative_rms() const;
  double relative_largest() const;
};

// What a contact or a joint with clearance has transmitted.
struct ContactTotals {
  bool present = false;
  bool by_impulses = false;
  long count = 0;           // episodes of contact that began, by impulses: impacts
  long short_episodes = 0;  // ended within so few samples that the integral of the force is poor
  std::array<double, 3> impulse = {unreported, unreported, unreported};  // N s, on the second body, world axes
  double normal_impulse = unreported;                                    // N s
  double mean_normal_force = unreported;                                 // N, over the whole span
};

struct ContactComparison {
  std::string name;  // "joint:pin", "contact:ball-floor"
  ContactTotals a, b;
};

// J, at the end of the span.
struct EnergyTotals {
  double kinetic = unreported, potential = unreported, contact = unreported, supplied = unreported,
         dissipated = unreported, dissipated_by_contacts = unreported, residual = unreported;
};

struct Comparison {
  RunFacts a, b;
  TimeSpan span;                               // that both have
  bool interpolated = false;                   // samples of B lie at other times
  std::vector<QuantityDifference> quantities;  // the largest relative difference (rms) first
  std::vector<ContactComparison> contacts;
  EnergyTotals energy_a, energy_b;
  std::vector<std::string> warnings;
};

// Patterns choose quantities, as in select_quantities; none: those of the bodies, or all if there are none of bodies.
// Differences are relative to the range of A, but at least to a millionth of the largest range of a compared quantity
// of the same unit and to 1e-9 of the unit, so that rounding errors of what does not move do not come first. Throws
// ResultError when there is nothing to compare.
Comparison compare_results(const ResultReader& a, const ResultReader& b, const std::vector<std::string>& patterns);

}  // namespace carom::inline validation
