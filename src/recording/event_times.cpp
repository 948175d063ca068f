#include "recording/event_times.h"

#include <algorithm>

#include "model/contact_names.h"

namespace carom::inline recording {

std::vector<double> event_times(const std::vector<EventRecord>& events, const std::vector<std::string>& asked,
                                const std::string& kind, double from, double to) {
  std::vector<double> times;
  for (const EventRecord& event : events) {
    const bool right = kind.empty() ? event.kind != "contact" : event.kind == kind;
    if (right && belongs_to_any(event.subject, asked) && event.time >= from && event.time <= to)
      times.push_back(event.time);
  }
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace carom::inline recording
