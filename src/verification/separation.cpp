#include "verification/separation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace carom::inline verification {
namespace {

constexpr double same_time = 1e-6;            // of the interval between samples
constexpr double enough = 0.9;                // of the samples, for a comparison
constexpr double least_range = 1e-3;          // of the largest range of the same kind, below which nothing moves
constexpr double least_separation = 1e-11;    // below it is rounding
constexpr double no_motion_of_size = 1e-5;    // of the size of the model, or rad
constexpr double least_growth = 1000;         // through which growth must be seen
constexpr std::size_t fewest_samples = 20;    // of the growth
constexpr double least_time = 0.05;           // of the run, through which it lasts
constexpr double least_share_of_half = 0.25;  // of the growth of the logarithm, in each half of the time

const std::array<const char*, 8> coordinates = {"x", "y", "z", "angle", "qw", "qx", "qy", "qz"};

// Where a journal is in its bearing: its clearance is small beside the motion of the bodies, and may be chaotic all the
// same.
bool is_in_clearance(const std::string& group, const std::string& component) {
  return group.starts_with("joint:") && (component == "ex" || component == "ey" || component == "ez");
}

bool is_coordinate(const std::string& group, const std::string& component) {
  if (is_in_clearance(group, component)) return true;
  return group.starts_with("body:") &&
         std::find(coordinates.begin(), coordinates.end(), component) != coordinates.end();
}

// Places of samples of `run` that lie at times of `other`; no_place where there is none.
constexpr std::size_t no_place = static_cast<std::size_t>(-1);
std::vector<std::size_t> places_at(const RecordedRun& run, const RecordedRun& other) {
  const double span = other.times.empty() ? 0 : other.times.back() - other.times.front();
  const double slack = same_time * span / std::max<double>(1, static_cast<double>(other.times.size()) - 1);
  std::vector<std::size_t> places;
  std::size_t k = 0;
  for (const double t : other.times) {
    while (k < run.times.size() && run.times[k] < t - slack) ++k;
    places.push_back(k < run.times.size() && run.times[k] <= t + slack ? k : no_place);
  }
  return places;
}

bool are_enough(const std::vector<std::size_t>& places) {
  const auto missing = std::count(places.begin(), places.end(), no_place);
  return static_cast<double>(missing) <= (1 - enough) * static_cast<double>(places.size());
}

struct Coordinate {
  std::size_t place = 0;   // in a row of the run
  std::size_t other = 0;   // in a row of the reference
  std::string name, kind;  // kind: lengths or angles
  double range = 0;
};

// "body:rod.x" and its place, for all coordinates.
std::map<std::string, std::size_t> places_of_coordinates(const RecordedRun& run) {
  std::map<std::string, std::size_t> places;
  std::size_t place = 0;
  for (const ChannelGroup& group : run.header.groups) {
    for (const Component& component : group.components) {
      if (is_coordinate(group.name, component.name)) places[group.name + "." + component.name] = place;
      ++place;
    }
  }
  return places;
}

std::vector<Coordinate> shared_coordinates(const RecordedRun& run, const RecordedRun& reference) {
  const auto own = places_of_coordinates(run), others = places_of_coordinates(reference);
  const std::size_t width = reference.width();
  std::vector<Coordinate> shared;
  std::map<std::string, double> largest;  // range, by kind
  double size = 0;                        // m, of where bodies are
  for (const auto& [name, place] : own) {
    const auto other = others.find(name);
    if (other == others.end()) continue;
    double low = INFINITY, high = -INFINITY;
    for (std::size_t row = 0; row < reference.times.size(); ++row) {
      const double value = reference.values[row * width + other->second];
      low = std::min(low, value), high = std::max(high, value);
    }
    const std::string component = name.substr(name.rfind('.') + 1);
    const std::string kind = is_in_clearance(name, component) ? "clearance"
                             : component == "angle"           ? component
                             : component.starts_with('q')     ? "quaternion"
                                                              : "length";
    shared.push_back({place, other->second, name, kind, high >= low ? high - low : 0});
    if (kind == "length") size = std::max({size, std::abs(low), std::abs(high)});
    largest[kind] = std::max(largest[kind], shared.back().range);
  }
  // What hardly moves is measured by what moves, and what stands still by its size.
  for (Coordinate& each : shared) {
    const double still = no_motion_of_size * (each.kind == "length" || each.kind == "clearance" ? size : 1);
    each.range = std::max({each.range, least_range * largest[each.kind], still});
  }
  std::erase_if(shared, [](const Coordinate& each) { return !(each.range > 0); });
  return shared;
}

void note(SeparationCurve& curve, double t, double distance, const std::string& coordinate) {
  curve.t.push_back(t);
  curve.distance.push_back(distance);
  if (distance > curve.largest) curve.largest = distance, curve.largest_at = t, curve.coordinate = coordinate;
  if (distance > parted && !curve.parts_at) curve.parts_at = t, curve.first = coordinate;
}

}  // namespace

RecordedRun at_times_of(const RecordedRun& run, const RecordedRun& other) {
  const std::vector<std::size_t> places = places_at(run, other);
  if (!are_enough(places) || run.times.size() == other.times.size()) return run;
  RecordedRun thinned{.header = run.header, .times = {}, .values = {}, .events = {}};
  const auto width = static_cast<std::ptrdiff_t>(run.width());
  for (const std::size_t place : places) {
    if (place == no_place) continue;
    thinned.times.push_back(run.times[place]);
    const auto row = run.values.begin() + static_cast<std::ptrdiff_t>(place) * width;
    thinned.values.insert(thinned.values.end(), row, row + width);
  }
  return thinned;
}

SeparationCurve separation(const RecordedRun& run, const RecordedRun& reference, const std::string& name) {
  SeparationCurve curve{.run = name};
  const std::vector<std::size_t> places = places_at(reference, run);
  const std::vector<Coordinate> shared = shared_coordinates(run, reference);
  if (shared.empty() || !are_enough(places)) return curve;
  const std::size_t width = run.width(), other_width = reference.width();
  for (std::size_t row = 0; row < run.times.size(); ++row) {
    if (places[row] == no_place) continue;
    double distance = 0;
    const std::string* most = &shared.front().name;
    for (const Coordinate& each : shared) {
      const double difference =
          std::abs(run.values[row * width + each.place] - reference.values[places[row] * other_width + each.other]);
      if (difference <= distance * each.range) continue;
      distance = difference / each.range, most = &each.name;
    }
    note(curve, run.times[row], distance, *most);
  }
  return curve;
}

std::optional<double> growth_rate(const SeparationCurve& curve) {
  std::vector<double> t, logarithm;
  double envelope = 0;
  for (std::size_t k = 0; k < curve.t.size(); ++k) {
    envelope = std::max(envelope, curve.distance[k]);
    if (envelope > parted) break;
    if (envelope < least_separation) continue;
    t.push_back(curve.t[k]);
    logarithm.push_back(std::log(envelope));
  }
  if (t.size() < fewest_samples || t.back() - t.front() < least_time * (curve.t.back() - curve.t.front()))
    return std::nullopt;
  const double all = logarithm.back() - logarithm.front();
  if (all < std::log(least_growth)) return std::nullopt;
  const double middle = (t.front() + t.back()) / 2;
  const auto half = static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), middle) - t.begin());
  const double first = (logarithm[half] - logarithm.front()) / all;
  if (first < least_share_of_half || first > 1 - least_share_of_half) return std::nullopt;
  double count = 0, sum_t = 0, sum_x = 0, sum_tt = 0, sum_tx = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double from_start = t[k] - t.front();
    count += 1, sum_t += from_start, sum_x += logarithm[k];
    sum_tt += from_start * from_start, sum_tx += from_start * logarithm[k];
  }
  const double slope = (count * sum_tx - sum_t * sum_x) / (count * sum_tt - sum_t * sum_t);
  return slope > 0 ? std::optional(slope) : std::nullopt;
}

std::vector<std::string> followed_columns(const std::vector<std::string>& names) {
  std::vector<std::string> bodies, columns;
  for (const std::string& name : names) {
    const std::string group = name.substr(0, name.rfind('.'));
    if (group.starts_with("body:") && (bodies.empty() || bodies.back() != group)) bodies.push_back(group);
  }
  for (const std::string& name : names)
    if (is_in_clearance(name, name.substr(name.rfind('.') + 1))) columns.push_back(name);
  const std::size_t count = std::min(most_followed, bodies.size());
  for (std::size_t k = 0; k < count; ++k)
    for (const char* coordinate : coordinates) columns.push_back(bodies[k * bodies.size() / count] + "." + coordinate);
  return columns;
}

}  // namespace carom::inline verification
