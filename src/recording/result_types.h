#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/file_error.h"

namespace carom::inline recording {

/// One recorded number: "x", "m", "position of the origin along x". An empty unit means dimensionless.
struct Component {
  std::string name = {};
  std::string unit = {};
  std::string meaning = {};

  bool operator==(const Component&) const = default;
};

/// Numbers that belong together and are sampled together: "body:crank", "joint:pin", "energy".
/// A quantity is named group.component, for example body:crank.x or energy.kinetic.
struct ChannelGroup {
  std::string name = {};
  std::vector<Component> components = {};  // at least one

  bool operator==(const ChannelGroup&) const = default;
};

inline constexpr std::size_t max_event_values = 16;
inline constexpr std::size_t max_event_kind_length = 31;      // bytes
inline constexpr std::size_t max_event_subject_length = 127;  // bytes; a longer subject is cut and ends in "…"

/// A kind of event and the numbers its records carry, for example
/// {"contact", {{"begin","s","…"}, {"impact_velocity","m/s","…"}, {"peak_force","N","…"}}}.
struct EventKind {
  std::string name = {};
  std::vector<Component> values = {};  // at most max_event_values

  bool operator==(const EventKind&) const = default;
};

/// Something that happened at an instant. `values` follow the kind's list of values, one for one.
struct EventRecord {
  double time = 0;           // s
  std::string kind = {};     // one of ResultHeader::event_kinds
  std::string subject = {};  // what it happened to: "contact:ball/floor"
  std::vector<double> values = {};

  bool operator==(const EventRecord&) const = default;
};

/// All that is known before the first sample.
struct ResultHeader {
  std::string model_text = {};     // the model as run
  std::string model_file = {};     // where it came from, as the user wrote it
  std::string settings_json = {};  // solver and output settings after defaults
  std::string version = {};        // of Carom
  std::uint64_t seed = 0;
  std::vector<ChannelGroup> groups = {};
  std::vector<EventKind> event_kinds = {};

  bool operator==(const ResultHeader&) const = default;
};

}  // namespace carom::inline recording
