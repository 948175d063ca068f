#include "recording/event_times.h"

#include <algorithm>

#include "base/nearest_name.h"

namespace carom {

std::vector<double> event_times(const std::vector<EventRecord>& events, const std::vector<std::string>& patterns,
                                const std::string& kind, double from, double to) {
  std::vector<double> times;
  for (const EventRecord& event : events) {
    const bool meant = std::any_of(patterns.begin(), patterns.end(),
                                   [&](const std::string& each) { return matches_pattern(event.subject, each); });
    const bool right = kind.empty() ? event.kind != "contact" : event.kind == kind;
    if (meant && right && event.time >= from && event.time <= to) times.push_back(event.time);
  }
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace carom
