#pragma once

#include <vector>

// Points of a motion taken once a turn: a periodic motion shows as one point or a few, a chaotic one as a cloud.
namespace carom::inline signals {

struct MapPoint {
  double t = 0, x = 0, y = 0;
};

struct Strobe {
  double first = 0, period = 0;  // s, both; the period is positive
};

/// The two quantities at first, first + period, …, interpolated linearly between samples.
inline constexpr double most_map_points = 1e6;  // callers refuse periods that mean more
std::vector<MapPoint> stroboscopic_map(const std::vector<double>& times, const std::vector<double>& xs,
                                       const std::vector<double>& ys, const Strobe& strobe);

/// The two quantities at ascending instants, such as those of events, interpolated linearly; instants outside the
/// samples are left out.
std::vector<MapPoint> instant_map(const std::vector<double>& times, const std::vector<double>& xs,
                                  const std::vector<double>& ys, const std::vector<double>& instants);

enum class Crossing { rising, falling, both };

struct Section {
  const std::vector<double>& values;  // of a third quantity, one a sample
  double level = 0;
  Crossing way = Crossing::rising;
};

/// The two quantities at the instants at which a third passes a level, interpolated linearly between samples.
std::vector<MapPoint> section_map(const std::vector<double>& times, const std::vector<double>& xs,
                                  const std::vector<double>& ys, const Section& section);

}  // namespace carom::inline signals
