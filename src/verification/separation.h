#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recording/recorded_run.h"

// How far two runs of one model are from each other, and how fast they part.
namespace carom::inline verification {

// A run with the samples that lie at the times of another; all of them where fewer than nine tenths are found.
RecordedRun at_times_of(const RecordedRun& run, const RecordedRun& other);

// The largest difference of a coordinate, as a part of its range: 1 is all the motion that there is.
struct SeparationCurve {
  std::string run;
  std::vector<double> t = {}, distance = {};  // s
  double largest = 0, largest_at = 0;
  std::string coordinate = {};          // that differs most, where it does
  std::optional<double> parts_at = {};  // s, from when on they are more than `parted` apart
  std::string first = {};               // coordinate by which they part
};

inline constexpr double parted = 0.01;

// Coordinates of bodies among the columns of the runs. Empty where they have none, or no times in common.
SeparationCurve separation(const RecordedRun& run, const RecordedRun& reference, const std::string& name);

// 1/s, the slope of the logarithm of the separation until the runs part, or until the end. None where it does not grow
// steadily through a factor of a thousand at least: the growth of errors by a power of the time comes at the beginning,
// that by a single event all at once.
std::optional<double> growth_rate(const SeparationCurve& curve);

// Columns that are compared: positions and angles of bodies, of at most so many, and of journals in their bearings.
inline constexpr std::size_t most_followed = 200;
std::vector<std::string> followed_columns(const std::vector<std::string>& names);

}  // namespace carom::inline verification
